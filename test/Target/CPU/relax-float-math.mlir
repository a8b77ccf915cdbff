// RUN: model-opt --relax-float-math %s | FileCheck %s

// Transcendental functions become arithmetic; those whose polynomials are good
// near 0 only stay (special_values.py compares the numbers).

// CHECK-LABEL: func.func @functions
// CHECK-NOT: math.exp %
// CHECK-NOT: math.tanh
// CHECK-DAG: math.sin
// CHECK-DAG: math.cos
func.func @functions(%x: f32) -> (f32, f32, f32, f32) {
  %0 = math.exp %x : f32
  %1 = math.tanh %x : f32
  %2 = math.sin %x : f32
  %3 = math.cos %x : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// The sums of a reduction may be added in any order; other sums may not.

// CHECK-LABEL: func.func @sums
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract> : f32
// CHECK: linalg.generic
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
func.func @sums(%a: tensor<4x8xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
      ins(%0 : tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Maxima of a reduction, and not those of an elementwise function.
// CHECK-LABEL: func.func @largest
// CHECK: llvm.intr.maximum
// CHECK-NOT: arith.maximumf
// CHECK: llvm.intr.minimum
// CHECK: arith.maximumf
func.func @largest(%x: tensor<2x8xf32>, %e: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = linalg.reduce { arith.maximumf } ins(%x : tensor<2x8xf32>) outs(%e : tensor<2xf32>) dimensions = [1]
  %1 = linalg.reduce { arith.minimumf } ins(%x : tensor<2x8xf32>) outs(%e : tensor<2xf32>) dimensions = [1]
  %2 = linalg.map { arith.maximumf } ins(%0, %1 : tensor<2xf32>, tensor<2xf32>) outs(%y : tensor<2xf32>)
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
