// RUN: model-opt --emit-kernels --split-input-file %s | FileCheck %s

// Equal ops share a function, whatever their operands and the names of their
// region's values; another constant, attribute or type makes another. A name
// that the model has is not taken.
// CHECK-LABEL: func.func @eltwise_0(
// CHECK-SAME: %[[A:.*]]: memref<1x1x2x3x16xf32>, %[[B:.*]]: memref<1x1x2x3x16xf32>, %[[C:.*]]: memref<1x1x4x3x16xf32>
// CHECK-NEXT: call @[[F:eltwise_0_0]](%[[A]], %[[B]])
// CHECK-NEXT: call @[[F]](%[[B]], %[[A]])
// CHECK-NEXT: call @[[G:eltwise_1]](%[[A]], %[[B]])
// CHECK-NEXT: call @[[H:eltwise_2]](%[[A]], %[[C]])
// CHECK-NEXT: return
// CHECK: func.func private @[[F]](%[[X:.*]]: memref<1x1x2x3x16xf32> {llvm.noalias}, %[[Y:.*]]: memref<1x1x2x3x16xf32> {llvm.noalias}) attributes {llvm.bareptr}
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[V:.*]] = vector.load %[[X]]{{.*}} : memref<1x1x2x3x16xf32>, vector<16xf32>
// CHECK: %[[K:.*]] = arith.constant dense<2.0{{.*}}> : vector<16xf32>
// CHECK: %[[M:.*]] = arith.mulf %[[V]], %[[K]] : vector<16xf32>
// CHECK: vector.store %[[M]], %[[Y]]
// CHECK: func.func private @[[G]]
// CHECK: arith.constant dense<3.0{{.*}}> : vector<16xf32>
// CHECK: func.func private @[[H]]
// The halo is cleared: rows 0 and 3.
// CHECK: %[[Z:.*]] = arith.constant dense<0.0{{.*}}> : vector<16xf32>
// CHECK: vector.store %[[Z]]
// CHECK: vector.store %[[Z]]
// CHECK: arith.mulf
// CHECK-NOT: func.func
func.func @eltwise_0(%a: memref<1x1x2x3x16xf32>, %b: memref<1x1x2x3x16xf32>, %c: memref<1x1x4x3x16xf32>) {
  "cpu.eltwise"(%a, %b) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32):
    %k = arith.constant 2.0 : f32
    %r = arith.mulf %p, %k : f32
    cpu.yield %r
  }) : (memref<1x1x2x3x16xf32>, memref<1x1x2x3x16xf32>) -> ()
  "cpu.eltwise"(%b, %a) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%x: f32):
    %two = arith.constant 2.0 : f32
    %y = arith.mulf %x, %two : f32
    cpu.yield %y
  }) : (memref<1x1x2x3x16xf32>, memref<1x1x2x3x16xf32>) -> ()
  "cpu.eltwise"(%a, %b) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32):
    %k = arith.constant 3.0 : f32
    %r = arith.mulf %p, %k : f32
    cpu.yield %r
  }) : (memref<1x1x2x3x16xf32>, memref<1x1x2x3x16xf32>) -> ()
  "cpu.eltwise"(%a, %c) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 1, 0, 1, 0>}> ({
  ^bb0(%p: f32):
    %k = arith.constant 2.0 : f32
    %r = arith.mulf %p, %k : f32
    cpu.yield %r
  }) : (memref<1x1x2x3x16xf32>, memref<1x1x4x3x16xf32>) -> ()
  return
}

// -----

// The same operands in another order within the region are another function.
// CHECK-LABEL: func.func @order
// CHECK: call @eltwise_0
// CHECK: call @eltwise_1
func.func @order(%a: memref<1x1x2x3x16xf32>, %b: memref<1x1x2x3x16xf32>, %c: memref<1x1x2x3x16xf32>) {
  "cpu.eltwise"(%a, %b, %c) <{extra_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32, %q: f32):
    %r = arith.subf %p, %q : f32
    cpu.yield %r
  }) : (memref<1x1x2x3x16xf32>, memref<1x1x2x3x16xf32>, memref<1x1x2x3x16xf32>) -> ()
  "cpu.eltwise"(%a, %b, %c) <{extra_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32, %q: f32):
    %r = arith.subf %q, %p : f32
    cpu.yield %r
  }) : (memref<1x1x2x3x16xf32>, memref<1x1x2x3x16xf32>, memref<1x1x2x3x16xf32>) -> ()
  return
}

// -----

// 17 of 32 channels are there: 16 in one block, one in the other; the other 15
// become 0, and the halo.
// CHECK-LABEL: func.func @pack(
// CHECK: func.func private @pack_0
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK-COUNT-16: memref.load %arg0
// CHECK: memref.load %arg0
// CHECK-COUNT-15: memref.store %[[ZERO]], %arg1
// CHECK: func.func private @unpack_1
// CHECK-COUNT-17: memref.load %arg0
// CHECK-NOT: memref.load
func.func @pack(%x: memref<1x17x4x4xf32>, %y: memref<1x2x5x5x16xf32>) {
  cpu.pack %x into %y {halo = array<i64: 1, 1, 0, 0>} : memref<1x17x4x4xf32> into memref<1x2x5x5x16xf32>
  cpu.unpack %y into %x {halo = array<i64: 1, 1, 0, 0>} : memref<1x2x5x5x16xf32> into memref<1x17x4x4xf32>
  return
}

// -----

// Sums of a tile are carried through the loop over the products: here 5 rows
// times 2 blocks, and a shorter tile of 2. Of the last block 3 columns are
// there.
// CHECK-LABEL: func.func @matmul(
// CHECK: func.func private @matmul_0
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-10: vector.fma
// CHECK-NOT: vector.fma
// CHECK: scf.yield
// CHECK-COUNT-10: vector.store
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: vector.maskedstore
func.func @matmul(%a: memref<7x4xf32>, %w: memref<3x4x16xf32>, %b: memref<48xf32>, %c: memref<7x35xf32>) {
  "cpu.matmul"(%a, %w, %b, %c) <{tile = array<i64: 5, 2>}> ({
  ^bb0(%p: f32, %q: f32):
    %r = arith.addf %p, %q : f32
    cpu.yield %r
  }) : (memref<7x4xf32>, memref<3x4x16xf32>, memref<48xf32>, memref<7x35xf32>) -> ()
  return
}
