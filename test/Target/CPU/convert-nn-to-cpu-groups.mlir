// RUN: model-opt --convert-nn-to-cpu --split-input-file %s | FileCheck %s
// RUN: model-opt --convert-nn-to-cpu=lanes=8 --split-input-file %s | FileCheck %s --check-prefix=LANES8

// Groups of whole blocks are sections of their own.
// CHECK-LABEL: func.func @blocks
// CHECK: "cpu.conv2d"
// CHECK: }) : (tensor<1x2x4x4x16xf32>, tensor<2x1x1x1x16x16xf32>,
// LANES8-LABEL: func.func @blocks
// LANES8: "cpu.conv2d"
// LANES8: }) : (tensor<1x4x4x4x8xf32>, tensor<4x2x1x1x8x8xf32>,
func.func @blocks(%x: tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32> {
  %w = nn.constant dense<0.5> : tensor<2x16x16x1x1xf32> : tensor<2x16x16x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, group_filter} : (tensor<1x32x4x4xf32>, tensor<2x16x16x1x1xf32>) -> tensor<1x32x4x4xf32>
  return %0 : tensor<1x32x4x4xf32>
}

// -----

// Four groups of four fill a block: the weights are 0 between them.
// CHECK-LABEL: func.func @joined
// CHECK: "cpu.conv2d"
// CHECK: }) : (tensor<1x2x4x4x16xf32>, tensor<2x1x1x1x16x16xf32>,
// LANES8-LABEL: func.func @joined
// LANES8: "cpu.conv2d"
// LANES8: }) : (tensor<1x4x4x4x8xf32>, tensor<4x1x1x1x8x8xf32>,
func.func @joined(%x: tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32> {
  %w = nn.constant dense<0.5> : tensor<32x4x1x1xf32> : tensor<32x4x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 8 : i64} : (tensor<1x32x4x4xf32>, tensor<32x4x1x1xf32>) -> tensor<1x32x4x4xf32>
  return %0 : tensor<1x32x4x4xf32>
}

// -----

// Three groups of 5: all of them at once, in one block of 15.
// CHECK-LABEL: func.func @all
// CHECK: last_channels = 15 : i64
// CHECK: }) : (tensor<1x1x4x4x16xf32>, tensor<1x1x1x1x16x16xf32>,
func.func @all(%x: tensor<1x15x4x4xf32>) -> tensor<1x6x4x4xf32> {
  %w = nn.constant dense<0.5> : tensor<6x5x1x1xf32> : tensor<6x5x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 3 : i64} : (tensor<1x15x4x4xf32>, tensor<6x5x1x1xf32>) -> tensor<1x6x4x4xf32>
  return %0 : tensor<1x6x4x4xf32>
}

// -----

// Bytes, too.
// CHECK-LABEL: func.func @bytes
// CHECK: "cpu.conv2d"
// CHECK: }) : (tensor<1x2x4x4x16xi8>, tensor<2x1x1x1x16x16xi16>,
!q = !quant.uniform<i8:f32, 0.5>
!s = !quant.uniform<i32:f32, 0.25>
func.func @bytes(%x: tensor<1x32x4x4x!q>) -> tensor<1x32x4x4x!s> {
  %w = nn.constant dense<1> : tensor<32x4x1x1xi8> : tensor<32x4x1x1x!q>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 8 : i64} : (tensor<1x32x4x4x!q>, tensor<32x4x1x1x!q>) -> tensor<1x32x4x4x!s>
  return %0 : tensor<1x32x4x4x!s>
}
