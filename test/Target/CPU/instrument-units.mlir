// RUN: model-opt %s --instrument-units | FileCheck %s

// One row for the two steps of op 4, of 2*(16+16) bytes each; the constant and
// the allocation are none.
// CHECK-DAG:   func.func private @mw_profile_begin(index)
// CHECK-DAG:   func.func private @mw_profile_end(index, index)
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>,
// CHECK-SAME:    %[[TIMES:[^:]*]]: memref<5xi64> {cpu.profile})
// CHECK-SAME:    cpu.profile = [
// CHECK-SAME:      {bytes = 16 : i64, kernel = "fill", move = true, ops = array<i64: 4>}
// CHECK-SAME:      {bytes = 64 : i64, kernel = "loops", move = false, ops = array<i64: 4>}
// CHECK-SAME:      {bytes = 32 : i64, kernel = "loops", move = false, ops = array<i64: 5, 7>}
// CHECK-SAME:      {bytes = 0 : i64, kernel = "mw_step", move = false, ops = array<i64>}
// CHECK-NEXT:    %[[SLOTS:.*]] = memref.extract_aligned_pointer_as_index %[[TIMES]]
// CHECK-NEXT:    call @mw_profile_begin(%[[SLOTS]])
// CHECK:         memref.alloc
// CHECK-NEXT:    linalg.fill
// CHECK-NEXT:    %[[ROW0:.*]] = arith.constant 0
// CHECK-NEXT:    call @mw_profile_end(%[[SLOTS]], %[[ROW0]])
// CHECK-NEXT:    linalg.exp
// CHECK-NEXT:    %[[ROW1:.*]] = arith.constant 1
// CHECK-NEXT:    call @mw_profile_end(%[[SLOTS]], %[[ROW1]])
// CHECK-NEXT:    linalg.log
// CHECK-NEXT:    %[[ROW2:.*]] = arith.constant 1
// CHECK-NEXT:    call @mw_profile_end(%[[SLOTS]], %[[ROW2]])
// CHECK-NEXT:    scf.for
// CHECK-NOT:       mw_profile
// CHECK:         }
// CHECK-NEXT:    %[[ROW3:.*]] = arith.constant 2
// CHECK-NEXT:    call @mw_profile_end(%[[SLOTS]], %[[ROW3]])
// CHECK-NEXT:    call @mw_step
// CHECK-NEXT:    %[[ROW4:.*]] = arith.constant 3
// CHECK-NEXT:    call @mw_profile_end(%[[SLOTS]], %[[ROW4]])
// CHECK-NEXT:    return
func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<4xf32>) loc(fused<4 : i64>["a"])
  linalg.exp ins(%x : memref<4xf32>) outs(%t : memref<4xf32>) loc(fused<4 : i64>["a"])
  linalg.log ins(%t : memref<4xf32>) outs(%y : memref<4xf32>) loc(fused<4 : i64>["a"])
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = memref.load %x[%i] : memref<4xf32>
    memref.store %0, %y[%i] : memref<4xf32>
  } loc(fused[fused<7 : i64>["c"], fused<5 : i64>["b"]])
  call @mw_step() : () -> ()
  return
}

// Callees are measured with their callers.
func.func private @mw_step() {
  return
}
