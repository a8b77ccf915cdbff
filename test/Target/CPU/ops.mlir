// RUN: model-opt %s | model-opt | FileCheck %s
// RUN: model-opt --mlir-print-op-generic %s | model-opt | FileCheck %s

// On tensors each op has a result.
// CHECK-LABEL: func.func @tensors
// CHECK: cpu.pack %{{.*}} into %{{.*}} {halo = array<i64: 0, 0, 0, 0>} : tensor<1x3x4x4xf32> into tensor<1x1x4x4x16xf32> -> tensor<1x1x4x4x16xf32>
// CHECK: cpu.pool2d %{{.*}} into %{{.*}} {halo = array<i64: 1, 0, 0, 1>, input_halo = array<i64: 0, 0, 0, 0>, kernel = array<i64: 2, 2>, kind = #cpu.pool_kind<average_inside>, pads = array<i64: 0, 0>, strides = array<i64: 2, 2>} : tensor<1x1x4x4x16xf32> into tensor<1x1x3x3x16xf32> -> tensor<1x1x3x3x16xf32>
// CHECK: cpu.gather_channels %{{.*}}, %{{.*}} into %{{.*}} {channels = array<i64: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18>, halo = array<i64: 0, 0, 0, 0>, input_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>]} : tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32> into tensor<1x2x4x4x16xf32> -> tensor<1x2x4x4x16xf32>
// CHECK: cpu.unpack %{{.*}} into %{{.*}} {halo = array<i64: 0, 0, 0, 0>} : tensor<1x2x4x4x16xf32> into tensor<1x19x4x4xf32> -> tensor<1x19x4x4xf32>
func.func @tensors(%x: tensor<1x3x4x4xf32>, %y: tensor<1x1x4x4x16xf32>, %e0: tensor<1x1x4x4x16xf32>, %e1: tensor<1x1x3x3x16xf32>, %e2: tensor<1x2x4x4x16xf32>, %e3: tensor<1x19x4x4xf32>) -> (tensor<1x1x3x3x16xf32>, tensor<1x19x4x4xf32>) {
  %0 = cpu.pack %x into %e0 {halo = array<i64: 0, 0, 0, 0>} : tensor<1x3x4x4xf32> into tensor<1x1x4x4x16xf32> -> tensor<1x1x4x4x16xf32>
  %1 = cpu.pool2d %0 into %e1 {halo = array<i64: 1, 0, 0, 1>, input_halo = array<i64: 0, 0, 0, 0>, kernel = array<i64: 2, 2>, kind = #cpu.pool_kind<average_inside>, pads = array<i64: 0, 0>, strides = array<i64: 2, 2>} : tensor<1x1x4x4x16xf32> into tensor<1x1x3x3x16xf32> -> tensor<1x1x3x3x16xf32>
  %2 = cpu.gather_channels %y, %0 into %e2 {channels = array<i64: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18>, halo = array<i64: 0, 0, 0, 0>, input_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>]} : tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32> into tensor<1x2x4x4x16xf32> -> tensor<1x2x4x4x16xf32>
  %3 = cpu.unpack %2 into %e3 {halo = array<i64: 0, 0, 0, 0>} : tensor<1x2x4x4x16xf32> into tensor<1x19x4x4xf32> -> tensor<1x19x4x4xf32>
  return %1, %3 : tensor<1x1x3x3x16xf32>, tensor<1x19x4x4xf32>
}

// On buffers none; what was chosen for a kernel is an attribute. The default
// algorithm need not be written.
// CHECK-LABEL: func.func @buffers
// CHECK: cpu.pack %{{.*}} into %{{.*}} : memref<1x3x4x4xf32> into memref<1x1x4x4x16xf32>{{$}}
// CHECK: "cpu.conv2d"({{.*}}algorithm = #cpu.algorithm<direct>
// CHECK-SAME: tile = array<i64: 4, 1>
// CHECK: cpu.yield %{{.*}}
// CHECK: "cpu.conv2d"({{.*}}algorithm = #cpu.algorithm<winograd4>
// CHECK: "cpu.matmul"({{.*}}tile = array<i64: 1, 1>
// CHECK: cpu.pack_matrix %{{.*}} into %{{.*}} {transposed} : memref<5x8xf32> into memref<1x8x16xf32>
func.func @buffers(%x: memref<1x3x4x4xf32>, %b: memref<1x1x4x4x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %v: memref<36x1x1x16x16xf32>, %h: memref<1x1x6x6x16xf32>, %m: memref<1x8xf32>, %n: memref<5x8xf32>, %p: memref<1x8x16xf32>, %r: memref<1x5xf32>) {
  cpu.pack %x into %b {halo = array<i64: 0, 0, 0, 0>} : memref<1x3x4x4xf32> into memref<1x1x4x4x16xf32>
  "cpu.conv2d"(%b, %w, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>, tile = array<i64: 4, 1>}> ({
  ^bb0(%s: f32):
    cpu.yield %s
  }) : (memref<1x1x4x4x16xf32>, memref<1x1x1x1x16x16xf32>, memref<1x1x4x4x16xf32>) -> ()
  "cpu.conv2d"(%h, %v, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, algorithm = #cpu.algorithm<winograd4>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 1, 1, 1, 1>, pads = array<i64: 1, 1>, strides = array<i64: 1, 1>}> ({
  ^bb0(%s: f32):
    cpu.yield %s
  }) : (memref<1x1x6x6x16xf32>, memref<36x1x1x16x16xf32>, memref<1x1x4x4x16xf32>) -> ()
  "cpu.matmul"(%m, %p, %r) <{tile = array<i64: 1, 1>}> ({
  ^bb0(%s: f32):
    cpu.yield %s
  }) : (memref<1x8xf32>, memref<1x8x16xf32>, memref<1x5xf32>) -> ()
  cpu.pack_matrix %n into %p {transposed} : memref<5x8xf32> into memref<1x8x16xf32>
  return
}
