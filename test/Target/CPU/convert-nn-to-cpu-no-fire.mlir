// RUN: model-opt --convert-nn-to-cpu --split-input-file %s | FileCheck %s --implicit-check-not=cpu.
// What stays for convert-nn-to-linalg.

// Two results per channel: seven of eight products would be in vain.
// CHECK-LABEL: func.func @multiplier
// CHECK: nn.conv2d
func.func @multiplier(%x: tensor<1x16x4x4xf32>) -> tensor<1x32x4x4xf32> {
  %w = nn.constant dense<0.5> : tensor<16x2x1x1x1xf32> : tensor<16x2x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 16 : i64, group_filter} : (tensor<1x16x4x4xf32>, tensor<16x2x1x1x1xf32>) -> tensor<1x32x4x4xf32>
  return %0 : tensor<1x32x4x4xf32>
}

// -----

// CHECK-LABEL: func.func @layout
// CHECK: nn.conv2d
// CHECK: nn.max_pool2d
func.func @layout(%x: tensor<1x4x4x16xf32>) -> tensor<1x2x2x16xf32> {
  %w = nn.constant dense<0.5> : tensor<16x1x1x16xf32> : tensor<16x1x1x16xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, layout = #nn.layout<NHWC>} : (tensor<1x4x4x16xf32>, tensor<16x1x1x16xf32>) -> tensor<1x4x4x16xf32>
  %1 = nn.max_pool2d %0 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>, layout = #nn.layout<NHWC>} : (tensor<1x4x4x16xf32>) -> tensor<1x2x2x16xf32>
  return %1 : tensor<1x2x2x16xf32>
}

// -----

// CHECK-LABEL: func.func @dynamic
// CHECK: nn.conv2d
// CHECK: nn.avg_pool2d
func.func @dynamic(%x: tensor<?x16x4x4xf32>) -> tensor<?x16x2x2xf32> {
  %w = nn.constant dense<0.5> : tensor<16x16x1x1xf32> : tensor<16x16x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<?x16x4x4xf32>
  %1 = nn.avg_pool2d %0 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<?x16x4x4xf32>) -> tensor<?x16x2x2xf32>
  return %1 : tensor<?x16x2x2xf32>
}

// -----

// CHECK-LABEL: func.func @double
// CHECK: nn.conv2d
// CHECK: nn.max_pool2d
func.func @double(%x: tensor<1x16x4x4xf64>) -> tensor<1x16x2x2xf64> {
  %w = nn.constant dense<0.5> : tensor<16x16x1x1xf64> : tensor<16x16x1x1xf64>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x4x4xf64>, tensor<16x16x1x1xf64>) -> tensor<1x16x4x4xf64>
  %1 = nn.max_pool2d %0 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x16x4x4xf64>) -> tensor<1x16x2x2xf64>
  return %1 : tensor<1x16x2x2xf64>
}

// -----

// Weights and bias must be constants.
// CHECK-LABEL: func.func @weights
// CHECK: nn.conv2d
// CHECK: nn.conv2d
func.func @weights(%x: tensor<1x16x4x4xf32>, %v: tensor<16x16x1x1xf32>, %b: tensor<1x16x1x1xf32>) -> tensor<1x16x4x4xf32> {
  %w = nn.constant dense<0.5> : tensor<16x16x1x1xf32> : tensor<16x16x1x1xf32>
  %0 = nn.conv2d %x, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %1 = nn.conv2d %0, %w bias %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  return %1 : tensor<1x16x4x4xf32>
}

// -----

// A bias for each element of the result.
// CHECK-LABEL: func.func @full_bias
// CHECK: nn.conv2d
func.func @full_bias(%x: tensor<1x16x2x2xf32>) -> tensor<1x16x2x2xf32> {
  %w = nn.constant dense<0.5> : tensor<16x16x1x1xf32> : tensor<16x16x1x1xf32>
  %b = nn.constant dense<0.5> : tensor<1x16x2x2xf32> : tensor<1x16x2x2xf32>
  %0 = nn.conv2d %x, %w bias %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x2x2xf32>, tensor<16x16x1x1xf32>, tensor<1x16x2x2xf32>) -> tensor<1x16x2x2xf32>
  return %0 : tensor<1x16x2x2xf32>
}

// -----

// No elements; few channels for a vector.
// CHECK-LABEL: func.func @small
// CHECK: nn.conv2d
// CHECK: nn.max_pool2d
func.func @small(%x: tensor<0x16x4x4xf32>, %y: tensor<1x7x4x4xf32>) -> (tensor<0x16x4x4xf32>, tensor<1x7x2x2xf32>) {
  %w = nn.constant dense<0.5> : tensor<16x16x1x1xf32> : tensor<16x16x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<0x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<0x16x4x4xf32>
  %1 = nn.max_pool2d %y {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x7x4x4xf32>) -> tensor<1x7x2x2xf32>
  return %0, %1 : tensor<0x16x4x4xf32>, tensor<1x7x2x2xf32>
}

// -----

// Nothing that is blocked already, or along another axis.
// CHECK-LABEL: func.func @concat_inputs
// CHECK: nn.concat
// CHECK: nn.concat
func.func @concat_inputs(%x: tensor<1x16x2x2xf32>, %y: tensor<1x16x2x2xf32>) -> (tensor<1x32x2x2xf32>, tensor<1x16x4x2xf32>) {
  %0 = nn.concat %x, %y {axis = 1 : i64} : (tensor<1x16x2x2xf32>, tensor<1x16x2x2xf32>) -> tensor<1x32x2x2xf32>
  %1 = nn.concat %x, %y {axis = 2 : i64} : (tensor<1x16x2x2xf32>, tensor<1x16x2x2xf32>) -> tensor<1x16x4x2xf32>
  return %0, %1 : tensor<1x32x2x2xf32>, tensor<1x16x4x2xf32>
}

// -----

// Only the entry function has kernels.
// CHECK-LABEL: func.func @entry
// CHECK-LABEL: func.func private @other
// CHECK: nn.max_pool2d
func.func @entry(%x: tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32> {
  return %x : tensor<1x16x4x4xf32>
}
func.func private @other(%x: tensor<1x16x4x4xf32>) -> tensor<1x16x2x2xf32> {
  %0 = nn.max_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x16x4x4xf32>) -> tensor<1x16x2x2xf32>
  return %0 : tensor<1x16x2x2xf32>
}
