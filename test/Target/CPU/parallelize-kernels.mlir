// RUN: model-opt --parallelize-kernels=threads=3 --split-input-file %s | FileCheck %s
// RUN: model-opt --parallelize-kernels=threads=3 --parallelize-kernels=threads=3 --split-input-file %s | FileCheck %s

// Arguments of any type have a word each. One structure is enough for all
// calls, since they come after one another. Calls of the same kernel share a task.
// CHECK-LABEL: llvm.func @main(
// CHECK-SAME: %[[A:.*]]: !llvm.ptr, %[[S:.*]]: f32, %[[POOL:.*]]: !llvm.ptr {cpu.pool})
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i64)
// CHECK: %[[CONTEXT:.*]] = llvm.alloca %[[ONE]] x !llvm.array<3 x i64>
// CHECK: llvm.store %[[A]], %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: %[[W1:.*]] = llvm.getelementptr %[[CONTEXT]][1] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK: llvm.store %[[S]], %[[W1]] : f32, !llvm.ptr
// CHECK: %[[TASK:.*]] = llvm.mlir.addressof @kernel_task
// CHECK: %[[COUNT:.*]] = llvm.mlir.constant(10 : i64)
// CHECK: %[[THREADS:.*]] = llvm.mlir.constant(3 : i64)
// CHECK: llvm.call @mw_parallel_for(%[[POOL]], %[[TASK]], %[[CONTEXT]], %[[COUNT]], %[[THREADS]])
// CHECK: llvm.mlir.addressof @kernel_task
// CHECK: llvm.call @mw_parallel_for
// CHECK: llvm.mlir.addressof @wide_task
// CHECK: llvm.call @mw_parallel_for
// One unit, too little work, no kernel:
// CHECK-NOT: mw_parallel_for
// CHECK: llvm.call @single(
// CHECK-NOT: mw_parallel_for
// CHECK: llvm.call @small(
// CHECK-NOT: mw_parallel_for
// CHECK: llvm.call @helper(
// CHECK: llvm.return
llvm.func @kernel(!llvm.ptr, f32, i64, i64, i64) attributes {cpu.units = array<i64: 10, 100000>}
llvm.func @wide(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64) attributes {cpu.units = array<i64: 2, 8192>}
llvm.func @single(!llvm.ptr, i64, i64, i64) attributes {cpu.units = array<i64: 1, 100000>}
llvm.func @small(!llvm.ptr, i64, i64, i64) attributes {cpu.units = array<i64: 100, 8191>}
llvm.func @helper(!llvm.ptr, i64, i64, i64)
llvm.func @main(%a: !llvm.ptr, %s: f32, %pool: !llvm.ptr {cpu.pool}) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %count = llvm.mlir.constant(10 : i64) : i64
  llvm.call @kernel(%a, %s, %zero, %zero, %count) : (!llvm.ptr, f32, i64, i64, i64) -> ()
  llvm.call @kernel(%a, %s, %zero, %zero, %count) : (!llvm.ptr, f32, i64, i64, i64) -> ()
  llvm.call @wide(%a, %a, %a, %zero, %zero, %count) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64) -> ()
  llvm.call @single(%a, %zero, %zero, %count) : (!llvm.ptr, i64, i64, i64) -> ()
  llvm.call @small(%a, %zero, %zero, %count) : (!llvm.ptr, i64, i64, i64) -> ()
  llvm.call @helper(%a, %zero, %zero, %count) : (!llvm.ptr, i64, i64, i64) -> ()
  llvm.return
}

// CHECK: llvm.func internal @kernel_task(%[[C:.*]]: !llvm.ptr, %[[THREAD:.*]]: i64, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// CHECK: %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: %[[V1:.*]] = llvm.getelementptr %[[C]][1] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK: %[[Y:.*]] = llvm.load %[[V1]] : !llvm.ptr -> f32
// CHECK: llvm.call @kernel(%[[X]], %[[Y]], %[[THREAD]], %[[BEGIN]], %[[END]])
// CHECK: llvm.return
// CHECK: llvm.func @mw_parallel_for(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
// CHECK: llvm.func internal @wide_task(

// -----

// Without a pool, all stays.
// CHECK-LABEL: llvm.func @no_pool(
// CHECK: llvm.call @kernel(
// CHECK-NOT: mw_parallel_for
llvm.func @kernel(!llvm.ptr, i64, i64, i64) attributes {cpu.units = array<i64: 10, 100000>}
llvm.func @no_pool(%a: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %count = llvm.mlir.constant(10 : i64) : i64
  llvm.call @kernel(%a, %zero, %zero, %count) : (!llvm.ptr, i64, i64, i64) -> ()
  llvm.return
}
