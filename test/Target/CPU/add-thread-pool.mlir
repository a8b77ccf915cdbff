// RUN: model-opt --add-thread-pool %s | FileCheck %s
// RUN: model-opt --add-thread-pool --add-thread-pool %s | FileCheck %s

// The entry function is the first public one.
// CHECK: func.func private @kernel(%{{.*}}: memref<4xf32>) {
func.func private @kernel(%a: memref<4xf32>) {
  return
}

// CHECK: func.func @main(%{{.*}}: memref<4xf32>, %{{.*}}: memref<64xi8> {cpu.arena}, %{{.*}}: !llvm.ptr {cpu.pool}) attributes {cpu.arena = array<i64: 64, 64>}
func.func @main(%a: memref<4xf32>, %arena: memref<64xi8> {cpu.arena}) attributes {cpu.arena = array<i64: 64, 64>} {
  call @kernel(%a) : (memref<4xf32>) -> ()
  return
}

// CHECK: func.func @other(%{{.*}}: memref<4xf32>) {
func.func @other(%a: memref<4xf32>) {
  return
}
