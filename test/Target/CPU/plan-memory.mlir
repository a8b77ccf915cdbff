// RUN: model-opt --plan-memory --split-input-file %s | FileCheck %s
// RUN: model-opt --plan-memory=alignment=8 --split-input-file %s | FileCheck %s --check-prefix=ALIGN

// A chain of three: the first and the last share a place, since the first is
// dead when the last begins; each size is rounded up to 64 bytes. At the fullest
// point two are alive: the arena is as small as it can be.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[IN:[^:]*]]: memref<20xf32>, %[[OUT:[^:]*]]: memref<20xf32>, %[[ARENA:[^:]*]]: memref<256xi8> {cpu.arena}
// CHECK-SAME: attributes {cpu.arena = array<i64: 256, 256>}
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: memref.view %[[ARENA]][%[[C0]]][] : memref<256xi8> to memref<20xf32>
// CHECK: %[[C128:.*]] = arith.constant 128 : index
// CHECK: memref.view %[[ARENA]][%[[C128]]][]
// CHECK: %[[D0:.*]] = arith.constant 0 : index
// CHECK: memref.view %[[ARENA]][%[[D0]]][]
// CHECK-NOT: memref.alloc
// ALIGN-LABEL: func.func @chain
// ALIGN-SAME: cpu.arena = array<i64: 160, 160>
func.func @chain(%in: memref<20xf32>, %out: memref<20xf32>) {
  %a = memref.alloc() : memref<20xf32>
  %b = memref.alloc() : memref<20xf32>
  %c = memref.alloc() : memref<20xf32>
  memref.copy %in, %a : memref<20xf32> to memref<20xf32>
  memref.copy %a, %b : memref<20xf32> to memref<20xf32>
  memref.copy %b, %c : memref<20xf32> to memref<20xf32>
  memref.copy %c, %out : memref<20xf32> to memref<20xf32>
  return
}

// -----

// A view keeps what it shows alive; so does a loop that reads it in each turn.
// CHECK-LABEL: func.func @views
// CHECK-SAME: attributes {cpu.arena = array<i64: 192, 192>}
// CHECK-DAG: arith.constant 0 : index
// CHECK-DAG: arith.constant 64 : index
// CHECK-DAG: arith.constant 128 : index
func.func @views(%in: memref<16xf32>, %out: memref<4x4xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %i0 = arith.constant 0 : index
  %i4 = arith.constant 4 : index
  %i1 = arith.constant 1 : index
  scf.for %i = %i0 to %i4 step %i1 {
    memref.copy %b, %c : memref<16xf32> to memref<16xf32>
    memref.copy %c, %in : memref<16xf32> to memref<16xf32>
  }
  memref.copy %v, %out : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

// Which of two buffers a value is, is known at run time only: both are alive
// as long as it is.
// CHECK-LABEL: func.func @select
// CHECK-SAME: attributes {cpu.arena = array<i64: 192, 192>}
func.func @select(%in: memref<16xf32>, %out: memref<16xf32>, %p: i1) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %s = scf.if %p -> (memref<16xf32>) {
    scf.yield %a : memref<16xf32>
  } else {
    scf.yield %b : memref<16xf32>
  }
  memref.copy %in, %c : memref<16xf32> to memref<16xf32>
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  memref.copy %s, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// What is returned, of dynamic size or not used stays; booleans have a byte each.
// CHECK-LABEL: func.func @stay
// CHECK-SAME: memref<128xi8> {cpu.arena}
// CHECK: memref.alloc() : memref<16xf32>
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: memref.alloc() : memref<7xf32>
// CHECK: memref.view %{{.*}} : memref<128xi8> to memref<65xi1>
// CHECK: scf.if
// CHECK: memref.view %{{.*}} : memref<128xi8> to memref<8xf32>
func.func @stay(%in: memref<16xf32>, %n: index, %p: i1) -> (memref<4x4xf32>, memref<?xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc() : memref<7xf32>
  %d = memref.alloc() : memref<65xi1>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %i0 = arith.constant 0 : index
  memref.store %p, %d[%i0] : memref<65xi1>
  scf.if %p {
    %e = memref.alloc() : memref<8xf32>
    %x = memref.load %e[%i0] : memref<8xf32>
    memref.store %x, %in[%i0] : memref<16xf32>
  }
  return %v, %b : memref<4x4xf32>, memref<?xf32>
}

// -----

// Nothing to place: no arena.
// CHECK-LABEL: func.func @none
// CHECK-NOT: cpu.arena
func.func @none(%in: memref<16xf32>, %out: memref<16xf32>) {
  memref.copy %in, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A pointer that a function takes keeps its buffer alive until then.

// CHECK-LABEL: func.func @pointers
// CHECK-SAME: %[[ARENA:[a-z0-9]+]]: memref<128xi8> {cpu.arena}
// CHECK-DAG: %[[FIRST:.*]] = memref.view %[[ARENA]][%c0{{.*}}]
// CHECK-DAG: %[[SECOND:.*]] = memref.view %[[ARENA]][%c64{{.*}}]
func.func private @fill(index, index)
func.func @pointers(%status: memref<1xi64> {nn.status}) {
  %a = memref.alloc() : memref<16xi32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xi32> -> index
  %b = memref.alloc() : memref<16xi32>
  %q = memref.extract_aligned_pointer_as_index %b : memref<16xi32> -> index
  func.call @fill(%p, %q) : (index, index) -> ()
  return
}

// -----

// A buffer of a loop's turn has a place of its own as long as the loop runs; one
// that the next turn gets, and the buffers of turns that run at the same time,
// are not the same each time. Indices have 8 bytes, complex numbers two parts.
// CHECK-LABEL: func.func @loops
// CHECK-SAME: attributes {cpu.arena = array<i64: 256, 256>}
// CHECK: scf.for
// CHECK: memref.view %{{.*}} : memref<256xi8> to memref<16xindex>
// CHECK: scf.for {{.*}} iter_args
// CHECK-NEXT: memref.alloc() : memref<16xf32>
// CHECK: scf.parallel
// CHECK-NEXT: memref.alloc() : memref<8xf32>
func.func @loops(%in: memref<16xf32>, %out: memref<16xcomplex<f32>>) {
  %i0 = arith.constant 0 : index
  %i4 = arith.constant 4 : index
  %i1 = arith.constant 1 : index
  %z = memref.alloc() : memref<16xcomplex<f32>>
  scf.for %i = %i0 to %i4 step %i1 {
    %a = memref.alloc() : memref<16xindex>
    memref.store %i, %a[%i] : memref<16xindex>
    memref.copy %z, %out : memref<16xcomplex<f32>> to memref<16xcomplex<f32>>
  }
  %last = scf.for %i = %i0 to %i4 step %i1 iter_args(%before = %in) -> (memref<16xf32>) {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %before, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %last, %in : memref<16xf32> to memref<16xf32>
  scf.parallel (%i) = (%i0) to (%i4) step (%i1) {
    %c = memref.alloc() : memref<8xf32>
    %x = memref.load %c[%i] : memref<8xf32>
    memref.store %x, %in[%i] : memref<16xf32>
  }
  return
}
