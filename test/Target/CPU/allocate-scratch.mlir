// RUN: model-opt --allocate-scratch %s | FileCheck %s
// RUN: model-opt --allocate-scratch --allocate-scratch %s | FileCheck %s
// RUN: model-opt --allocate-scratch=threads=3 %s | FileCheck %s --check-prefix=THREE

// 36 places of one block of inputs and one of outputs, 4 squares each and one
// vector more, since 4 is a power of two.

// One tile for all threads needs no more for three of them.
// CHECK-LABEL: func.func @winograd
// THREE-LABEL: func.func @winograd
// THREE: memref.alloc() : memref<360x16xf32>
// CHECK: %[[SCRATCH:.*]] = memref.alloc() : memref<360x16xf32>
// CHECK: "cpu.conv2d"(%{{.*}}, %{{.*}}, %[[SCRATCH]], %{{.*}})
// CHECK-NOT: memref.alloc
func.func @winograd(%x: memref<1x1x10x10x16xf32>, %w: memref<36x1x1x16x16xf32>, %y: memref<1x1x8x8x16xf32>) {
  "cpu.conv2d"(%x, %w, %y) <{algorithm = #cpu.algorithm<winograd4>, dilations = array<i64: 1, 1>, extra_halos = [],
      halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 1, 1, 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>,
      pads = array<i64: 1, 1>, strides = array<i64: 1, 1>, tile = array<i64: 4, 1>}> ({
  ^bb0(%sum: f32):
    cpu.yield %sum
  }) : (memref<1x1x10x10x16xf32>, memref<36x1x1x16x16xf32>, memref<1x1x8x8x16xf32>) -> ()
  return
}

// Four sums of quarters, which all threads share.
// CHECK-LABEL: func.func @strassen
// CHECK: memref.alloc() : memref<64x16xf32>
// THREE-LABEL: func.func @strassen
// THREE: memref.alloc() : memref<64x16xf32>
func.func @strassen(%x: memref<1x4x4x4x16xf32>, %w: memref<7x1x2x16x16xf32>, %y: memref<1x2x4x4x16xf32>) {
  "cpu.conv2d"(%x, %w, %y) <{algorithm = #cpu.algorithm<strassen>, dilations = array<i64: 1, 1>, extra_halos = [],
      halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>,
      pads = array<i64: 0, 0>, strides = array<i64: 1, 1>, tile = array<i64: 4, 1>}> ({
  ^bb0(%sum: f32):
    cpu.yield %sum
  }) : (memref<1x4x4x4x16xf32>, memref<7x1x2x16x16xf32>, memref<1x2x4x4x16xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @direct
// CHECK-NOT: memref.alloc
func.func @direct(%x: memref<1x1x10x10x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %y: memref<1x1x8x8x16xf32>) {
  "cpu.conv2d"(%x, %w, %y) <{dilations = array<i64: 1, 1>, extra_halos = [],
      halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 1, 1, 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>,
      pads = array<i64: 1, 1>, strides = array<i64: 1, 1>, tile = array<i64: 8, 1>}> ({
  ^bb0(%sum: f32):
    cpu.yield %sum
  }) : (memref<1x1x10x10x16xf32>, memref<1x1x3x3x16x16xf32>, memref<1x1x8x8x16xf32>) -> ()
  return
}

// Two images are units for threads, which need memory each.
// CHECK-LABEL: func.func @two_images
// CHECK: memref.alloc() : memref<360x16xf32>
// THREE-LABEL: func.func @two_images
// THREE: memref.alloc() : memref<1080x16xf32>
func.func @two_images(%x: memref<2x1x10x10x16xf32>, %w: memref<36x1x1x16x16xf32>, %y: memref<2x1x8x8x16xf32>) {
  "cpu.conv2d"(%x, %w, %y) <{algorithm = #cpu.algorithm<winograd4>, dilations = array<i64: 1, 1>, extra_halos = [],
      halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 1, 1, 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>,
      pads = array<i64: 1, 1>, strides = array<i64: 1, 1>, tile = array<i64: 4, 1>}> ({
  ^bb0(%sum: f32):
    cpu.yield %sum
  }) : (memref<2x1x10x10x16xf32>, memref<36x1x1x16x16xf32>, memref<2x1x8x8x16xf32>) -> ()
  return
}
