// RUN: model-opt --pass-pipeline='builtin.module(func.func(propagate-blocking))' --split-input-file %s | FileCheck %s

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (0, c, 0, 0)>

// An image from a kernel, one that is not blocked yet, one number per channel
// (packed with surplus, since 20 are not whole blocks), one number.
// CHECK-LABEL: func.func @operands
// CHECK-SAME: (%[[B:.*]]: tensor<2x2x4x5x16xf32>, %[[X:.*]]: tensor<2x20x4x5xf32>, %[[C:.*]]: tensor<1x20x1x1xf32>)
// CHECK: %[[PX:.*]] = cpu.pack %[[X]] {{.*}} -> tensor<2x2x4x5x16xf32>
// CHECK: %[[PC:.*]] = cpu.pack %[[C]] {{.*}} -> tensor<1x2x1x1x16xf32>
// CHECK: %[[V:.*]] = tensor.collapse_shape %[[PC]] {{.*}} into tensor<2x16xf32>
// CHECK: %[[I:.*]] = tensor.empty() : tensor<2x2x4x5x16xf32>
// CHECK: %[[E:.*]] = "cpu.eltwise"(%[[B]], %[[PX]], %[[V]], %[[I]]) <{extra_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
// CHECK-NEXT: ^bb0(%[[A0:.*]]: f32, %[[A1:.*]]: f32, %[[A2:.*]]: f32):
// CHECK-NEXT: %[[K:.*]] = arith.constant 2.5
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[A0]], %[[A1]]
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[S]], %[[A2]]
// CHECK-NEXT: %[[R:.*]] = arith.subf %[[M]], %[[K]]
// CHECK-NEXT: cpu.yield %[[R]]
// CHECK: cpu.unpack %[[E]] {{.*}} -> tensor<2x20x4x5xf32>
// CHECK-NOT: linalg.generic
func.func @operands(%b: tensor<2x2x4x5x16xf32>, %x: tensor<2x20x4x5xf32>, %c: tensor<1x20x1x1xf32>) -> tensor<2x20x4x5xf32> {
  %k = arith.constant dense<2.5> : tensor<1xf32>
  %e = tensor.empty() : tensor<2x20x4x5xf32>
  %u = cpu.unpack %b into %e {halo = array<i64: 0, 0, 0, 0>} : tensor<2x2x4x5x16xf32> into tensor<2x20x4x5xf32> -> tensor<2x20x4x5xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #channel, affine_map<(n, c, h, w) -> (0)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %x, %c, %k : tensor<2x20x4x5xf32>, tensor<2x20x4x5xf32>, tensor<1x20x1x1xf32>, tensor<1xf32>) outs(%e : tensor<2x20x4x5xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %s: f32, %o: f32):
    %1 = arith.addf %p, %q : f32
    %2 = arith.mulf %1, %r : f32
    %3 = arith.subf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<2x20x4x5xf32>
  return %0 : tensor<2x20x4x5xf32>
}

// -----

// Whole blocks of channels are vectors as they lie. What is packed again, was
// never unpacked. A constant from outside of the body comes along.
#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[B:.*]]: tensor<1x2x4x5x16xf32>, %[[C:.*]]: tensor<32x1x1xf32>)
// CHECK: %[[V:.*]] = tensor.collapse_shape %[[C]]
// CHECK: %[[R:.*]] = tensor.expand_shape %[[V]] {{.*}} into tensor<2x16xf32>
// CHECK: %[[E:.*]] = "cpu.eltwise"(%[[B]], %[[R]], %{{.*}})
// CHECK: %[[F:.*]] = "cpu.eltwise"(%[[E]], %{{.*}})
// CHECK: arith.constant 3.0
// CHECK: cpu.unpack %[[F]]
func.func @chain(%b: tensor<1x2x4x5x16xf32>, %c: tensor<32x1x1xf32>) -> tensor<1x32x4x5xf32> {
  %k = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<1x32x4x5xf32>
  %u = cpu.unpack %b into %e {halo = array<i64: 0, 0, 0, 0>} : tensor<1x2x4x5x16xf32> into tensor<1x32x4x5xf32> -> tensor<1x32x4x5xf32>
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(n, c, h, w) -> (c, 0, 0)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %c : tensor<1x32x4x5xf32>, tensor<32x1x1xf32>) outs(%e : tensor<1x32x4x5xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %1 = arith.divf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<1x32x4x5xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0 : tensor<1x32x4x5xf32>) outs(%e : tensor<1x32x4x5xf32>) {
  ^bb0(%p: f32, %o: f32):
    %3 = arith.maximumf %p, %k : f32
    linalg.yield %3 : f32
  } -> tensor<1x32x4x5xf32>
  return %2 : tensor<1x32x4x5xf32>
}

// -----

// What a division makes of surplus channels (0 / 0) is cut off by a mask: a
// convolution would add 0 times it.
#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
// CHECK-LABEL: func.func @mask
// CHECK: %[[MASK:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 1.000000e+00, 0.000000e+00, {{[0., e+]*}}]]> : tensor<1x16xf32>
// CHECK: "cpu.eltwise"(%{{.*}}, %[[MASK]], %{{.*}})
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[M:.*]]: f32):
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NEXT: %[[D:.*]] = arith.divf %[[A]], %[[A]]
// CHECK-NEXT: %[[IS:.*]] = arith.cmpf ogt, %[[M]], %[[ZERO]]
// CHECK-NEXT: %[[R:.*]] = arith.select %[[IS]], %[[D]], %[[ZERO]]
// CHECK-NEXT: cpu.yield %[[R]]
func.func @mask(%b: tensor<1x1x4x5x16xf32>) -> tensor<1x2x4x5xf32> {
  %e = tensor.empty() : tensor<1x2x4x5xf32>
  %u = cpu.unpack %b into %e {halo = array<i64: 0, 0, 0, 0>} : tensor<1x1x4x5x16xf32> into tensor<1x2x4x5xf32> -> tensor<1x2x4x5xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u : tensor<1x2x4x5xf32>) outs(%e : tensor<1x2x4x5xf32>) {
  ^bb0(%p: f32, %o: f32):
    %1 = arith.divf %p, %p : f32
    linalg.yield %1 : f32
  } -> tensor<1x2x4x5xf32>
  return %0 : tensor<1x2x4x5xf32>
}
