// RUN: model-opt --pass-pipeline='builtin.module(func.func(propagate-blocking))' --split-input-file %s | FileCheck %s --implicit-check-not=cpu.eltwise
// What cannot work on blocked tensors, or would only be packed for it.

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>

// CHECK-LABEL: func.func @no_kernel
// CHECK: linalg.generic
func.func @no_kernel(%x: tensor<1x16x2x2xf32>) -> tensor<1x16x2x2xf32> {
  %e = tensor.empty() : tensor<1x16x2x2xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x16x2x2xf32>) outs(%e : tensor<1x16x2x2xf32>) {
  ^bb0(%p: f32, %o: f32):
    %1 = math.absf %p : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x2x2xf32>
  return %0 : tensor<1x16x2x2xf32>
}

// -----

// Broadcasts along other dims than the channels: per batch entry, per row, per
// batch entry and channel, one unknown number for all.
#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
// CHECK-LABEL: func.func @broadcasts
// CHECK-COUNT-4: linalg.generic
func.func @broadcasts(%b: tensor<2x1x4x4x16xf32>, %n: tensor<2x1x1x1xf32>, %h: tensor<4xf32>, %nc: tensor<2x16x1x1xf32>, %s: tensor<1xf32>) -> tensor<2x16x4x4xf32> {
  %e = tensor.empty() : tensor<2x16x4x4xf32>
  %u = cpu.unpack %b into %e {halo = array<i64: 0, 0, 0, 0>} : tensor<2x1x4x4x16xf32> into tensor<2x16x4x4xf32> -> tensor<2x16x4x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(n, c, h, w) -> (n, 0, 0, 0)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %n : tensor<2x16x4x4xf32>, tensor<2x1x1x1xf32>) outs(%e : tensor<2x16x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<2x16x4x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, affine_map<(n, c, h, w) -> (h)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %h : tensor<2x16x4x4xf32>, tensor<4xf32>) outs(%e : tensor<2x16x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<2x16x4x4xf32>
  %2 = linalg.generic {indexing_maps = [#id, affine_map<(n, c, h, w) -> (n, c, 0, 0)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %nc : tensor<2x16x4x4xf32>, tensor<2x16x1x1xf32>) outs(%e : tensor<2x16x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<2x16x4x4xf32>
  %3 = linalg.generic {indexing_maps = [#id, affine_map<(n, c, h, w) -> (0)>, #id, #id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %s, %0, %1, %2 : tensor<2x16x4x4xf32>, tensor<1xf32>, tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) outs(%e : tensor<2x16x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %t: f32, %v: f32, %w: f32, %o: f32):
    %r = arith.addf %p, %q : f32
    %x = arith.addf %r, %t : f32
    %y = arith.addf %x, %v : f32
    %z = arith.addf %y, %w : f32
    linalg.yield %z : f32
  } -> tensor<2x16x4x4xf32>
  return %3 : tensor<2x16x4x4xf32>
}

// -----

// As many numbers as channels, but along the rows.
#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
// CHECK-LABEL: func.func @rows
// CHECK: linalg.generic
func.func @rows(%b: tensor<1x1x16x4x16xf32>, %h: tensor<16x1xf32>) -> tensor<1x16x16x4xf32> {
  %e = tensor.empty() : tensor<1x16x16x4xf32>
  %u = cpu.unpack %b into %e {halo = array<i64: 0, 0, 0, 0>} : tensor<1x1x16x4x16xf32> into tensor<1x16x16x4xf32> -> tensor<1x16x16x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, affine_map<(n, c, h, w) -> (h, 0)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u, %h : tensor<1x16x16x4xf32>, tensor<16x1xf32>) outs(%e : tensor<1x16x16x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<1x16x16x4xf32>
  return %0 : tensor<1x16x16x4xf32>
}

// -----

// A turned image, a result that vectors do not hold, a body that asks where it is, one that
// reads its destination, a sum.
#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
// CHECK-LABEL: func.func @bodies
// CHECK-COUNT-5: linalg.generic
func.func @bodies(%b: tensor<1x1x4x4x16xf32>, %d: tensor<1x16x4x4xf32>, %r: tensor<1x16x4xf32>) -> (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf64>, tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>, tensor<1x16x4xf32>) {
  %e = tensor.empty() : tensor<1x16x4x4xf32>
  %f = tensor.empty() : tensor<1x16x4x4xf64>
  %u = cpu.unpack %b into %e {halo = array<i64: 0, 0, 0, 0>} : tensor<1x1x4x4x16xf32> into tensor<1x16x4x4xf32> -> tensor<1x16x4x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, w, h)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u : tensor<1x16x4x4xf32>) outs(%e : tensor<1x16x4x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %5 = math.absf %p : f32
    linalg.yield %5 : f32
  } -> tensor<1x16x4x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u : tensor<1x16x4x4xf32>) outs(%f : tensor<1x16x4x4xf64>) {
  ^bb0(%p: f32, %o: f64):
    %5 = arith.extf %p : f32 to f64
    linalg.yield %5 : f64
  } -> tensor<1x16x4x4xf64>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u : tensor<1x16x4x4xf32>) outs(%e : tensor<1x16x4x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %5 = linalg.index 3 : index
    %6 = arith.index_cast %5 : index to i32
    %7 = arith.sitofp %6 : i32 to f32
    %8 = arith.addf %p, %7 : f32
    linalg.yield %8 : f32
  } -> tensor<1x16x4x4xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%u : tensor<1x16x4x4xf32>) outs(%d : tensor<1x16x4x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %5 = arith.addf %p, %o : f32
    linalg.yield %5 : f32
  } -> tensor<1x16x4x4xf32>
  %4 = linalg.generic {indexing_maps = [#id, affine_map<(n, c, h, w) -> (n, c, h)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%u : tensor<1x16x4x4xf32>) outs(%r : tensor<1x16x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %5 = arith.addf %p, %o : f32
    linalg.yield %5 : f32
  } -> tensor<1x16x4xf32>
  return %0, %1, %2, %3, %4 : tensor<1x16x4x4xf32>, tensor<1x16x4x4xf64>, tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>, tensor<1x16x4xf32>
}
