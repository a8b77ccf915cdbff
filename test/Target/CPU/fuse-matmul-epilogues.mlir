// RUN: model-opt --fuse-matmul-epilogues %s | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (0, d1)>

// A bias with one number per column.

// CHECK-LABEL: func.func @bias
// CHECK-SAME: %[[A:.*]]: tensor<3x4xf32>, %[[B:.*]]: tensor<2x4x16xf32>, %[[BIAS:.*]]: tensor<1x20xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[BIAS]]
// CHECK: "cpu.matmul"(%[[A]], %[[B]], %[[FLAT]], %{{.*}})
// CHECK: ^bb0(%[[SUM:.*]]: f32, %[[OWN:.*]]: f32):
// CHECK: %[[VALUE:.*]] = arith.addf %[[SUM]], %[[OWN]]
// CHECK: cpu.yield %[[VALUE]]
// CHECK-NOT: linalg.generic
func.func @bias(%a: tensor<3x4xf32>, %b: tensor<2x4x16xf32>, %bias: tensor<1x20xf32>) -> tensor<3x20xf32> {
  %e = tensor.empty() : tensor<3x20xf32>
  %0 = "cpu.matmul"(%a, %b, %e) ({
  ^bb0(%sum: f32):
    cpu.yield %sum
  }) : (tensor<3x4xf32>, tensor<2x4x16xf32>, tensor<3x20xf32>) -> tensor<3x20xf32>
  %1 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %bias : tensor<3x20xf32>, tensor<1x20xf32>) outs(%e : tensor<3x20xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<3x20xf32>
  return %1 : tensor<3x20xf32>
}

// Another reader needs the product itself.

// CHECK-LABEL: func.func @two_readers
// CHECK: "cpu.matmul"
// CHECK: linalg.generic
func.func @two_readers(%a: tensor<3x4xf32>, %b: tensor<1x4x16xf32>) -> (tensor<3x16xf32>, tensor<3x16xf32>) {
  %e = tensor.empty() : tensor<3x16xf32>
  %0 = "cpu.matmul"(%a, %b, %e) ({
  ^bb0(%sum: f32):
    cpu.yield %sum
  }) : (tensor<3x4xf32>, tensor<1x4x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<3x16xf32>) outs(%e : tensor<3x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<3x16xf32>
  return %0, %1 : tensor<3x16xf32>, tensor<3x16xf32>
}
