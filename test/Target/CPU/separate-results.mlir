// RUN: model-opt --pass-pipeline='builtin.module(func.func(separate-results))' %s | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[A:.*]]: memref<2x?xf32>, %[[B:.*]]: memref<3xf32>)
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[D:.*]] = memref.dim %[[A]], %[[ONE]]
// CHECK: %[[C:.*]] = memref.alloc(%[[D]]) : memref<2x?xf32>
// CHECK: memref.copy %[[A]], %[[C]]
// CHECK: %[[E:.*]] = memref.alloc() : memref<3xf32>
// CHECK: memref.copy %[[B]], %[[E]]
// CHECK: return %[[A]], %[[B]], %[[C]], %[[E]]
func.func @main(%a: memref<2x?xf32>, %b: memref<3xf32>) -> (memref<2x?xf32>, memref<3xf32>, memref<2x?xf32>, memref<3xf32>) {
  return %a, %b, %a, %b : memref<2x?xf32>, memref<3xf32>, memref<2x?xf32>, memref<3xf32>
}

// CHECK-LABEL: func.func @once
// CHECK-NOT: memref.copy
func.func @once(%a: memref<3xf32>, %b: memref<3xf32>) -> (memref<3xf32>, memref<3xf32>) {
  return %a, %b : memref<3xf32>, memref<3xf32>
}
