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

// Views of one buffer.
// CHECK-LABEL: func.func @views
// CHECK: %[[B:.*]] = memref.alloc() : memref<2x1x3xf32>
// CHECK: %[[A:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [2, 3], strides: [3, 1]
// CHECK: %[[W:.*]] = memref.collapse_shape %[[A]]
// CHECK: %[[C:.*]] = memref.alloc() : memref<6xf32>
// CHECK: memref.copy %[[W]], %[[C]]
// CHECK: return %[[B]], %[[C]]
func.func @views(%x: memref<2x3xf32>) -> (memref<2x1x3xf32>, memref<6xf32>) {
  %a = memref.alloc() : memref<2x3xf32>
  memref.copy %x, %a : memref<2x3xf32> to memref<2x3xf32>
  %v = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 1, 3] : memref<2x3xf32> into memref<2x1x3xf32>
  %w = memref.collapse_shape %a [[0, 1]] : memref<2x3xf32> into memref<6xf32>
  return %v, %w : memref<2x1x3xf32>, memref<6xf32>
}
