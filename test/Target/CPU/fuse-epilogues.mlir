// RUN: model-opt --pass-pipeline='builtin.module(convert-nn-to-cpu,canonicalize,func.func(fuse-epilogues))' --split-input-file %s | FileCheck %s

// A chain becomes one op; what two of its parts read is read once, and one that
// is given twice, too.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[A:.*]]: tensor<1x1x4x4x16xf32>, %[[B:.*]]: tensor<1x1x4x4x16xf32>, %[[V:.*]]: tensor<1x16xf32>)
// CHECK: %[[R:.*]] = "cpu.eltwise"(%[[A]], %[[B]], %[[V]], %{{.*}}) <{extra_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>]
// CHECK-NEXT: ^bb0(%[[P:.*]]: f32, %[[Q:.*]]: f32, %[[S:.*]]: f32):
// CHECK-NEXT: %[[X:.*]] = arith.addf %[[P]], %[[Q]]
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[X]], %[[S]]
// CHECK-NEXT: %[[Z:.*]] = arith.subf %[[Y]], %[[Q]]
// CHECK-NEXT: %[[W:.*]] = arith.mulf %[[Z]], %[[Z]]
// CHECK-NEXT: cpu.yield %[[W]]
// CHECK-NOT: cpu.eltwise
// CHECK: return %[[R]]
func.func @chain(%a: tensor<1x1x4x4x16xf32>, %b: tensor<1x1x4x4x16xf32>, %v: tensor<1x16xf32>) -> tensor<1x1x4x4x16xf32> {
  %e = tensor.empty() : tensor<1x1x4x4x16xf32>
  %0 = "cpu.eltwise"(%a, %b, %e) <{extra_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32, %q: f32):
    %r = arith.addf %p, %q : f32
    cpu.yield %r
  }) : (tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  %1 = "cpu.eltwise"(%0, %v, %e) <{extra_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32, %q: f32):
    %r = arith.mulf %p, %q : f32
    cpu.yield %r
  }) : (tensor<1x1x4x4x16xf32>, tensor<1x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  %2 = "cpu.eltwise"(%1, %b, %e) <{extra_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32, %q: f32):
    %r = arith.subf %p, %q : f32
    cpu.yield %r
  }) : (tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  %3 = "cpu.eltwise"(%2, %2, %e) <{extra_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32, %q: f32):
    %r = arith.mulf %p, %q : f32
    cpu.yield %r
  }) : (tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  return %3 : tensor<1x1x4x4x16xf32>
}

// -----

// Read twice: each reader computes for itself, the first stays.
// CHECK-LABEL: func.func @shared
// CHECK: "cpu.eltwise"
// CHECK: math.absf
// CHECK: "cpu.eltwise"
// CHECK: arith.negf
// CHECK: "cpu.eltwise"
// CHECK: arith.addf
func.func @shared(%a: tensor<1x1x4x4x16xf32>) -> (tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>) {
  %e = tensor.empty() : tensor<1x1x4x4x16xf32>
  %0 = "cpu.eltwise"(%a, %e) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32):
    %r = math.absf %p : f32
    cpu.yield %r
  }) : (tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  %1 = "cpu.eltwise"(%0, %e) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32):
    %r = arith.negf %p : f32
    cpu.yield %r
  }) : (tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  %2 = "cpu.eltwise"(%0, %a, %e) <{extra_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32, %q: f32):
    %r = arith.addf %p, %q : f32
    cpu.yield %r
  }) : (tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  return %1, %2 : tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>
}

// -----

// A pool has no epilogue.
// CHECK-LABEL: func.func @pool
// CHECK: cpu.pool2d
// CHECK: "cpu.eltwise"
func.func @pool(%a: tensor<1x1x4x4x16xf32>) -> tensor<1x1x2x2x16xf32> {
  %e = tensor.empty() : tensor<1x1x2x2x16xf32>
  %0 = cpu.pool2d %a into %e {halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, kernel = array<i64: 2, 2>, kind = #cpu.pool_kind<max>, pads = array<i64: 0, 0>, strides = array<i64: 2, 2>} : tensor<1x1x4x4x16xf32> into tensor<1x1x2x2x16xf32> -> tensor<1x1x2x2x16xf32>
  %1 = "cpu.eltwise"(%0, %e) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32):
    %r = arith.negf %p : f32
    cpu.yield %r
  }) : (tensor<1x1x2x2x16xf32>, tensor<1x1x2x2x16xf32>) -> tensor<1x1x2x2x16xf32>
  return %1 : tensor<1x1x2x2x16xf32>
}
