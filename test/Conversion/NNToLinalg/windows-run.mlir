// DEFINE: %{npy} = %python %S/../../Tools/npy.py
// RUN: %{npy} %t.x.npy "np.arange(1, 13, dtype='f4').reshape(1, 2, 2, 3)"
// RUN: %{npy} %t.empty.npy "np.zeros((0, 2, 4, 4), 'f4')"
// RUN: %{npy} %t.small.npy "np.zeros((1, 2, 1, 1), 'f4')"
// RUN: %{npy} %t.nan.npy "np.full((1, 2, 2, 2), np.nan, 'f4')"
// RUN: model-run %s --input x=%t.x.npy | FileCheck %s
// RUN: model-run %s --input x=%t.empty.npy | FileCheck %s --check-prefix=EMPTY
// RUN: not model-run %s --input x=%t.small.npy 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: model-run %s --input x=%t.nan.npy | FileCheck %s --check-prefix=NAN

// Sizes known at run time only. The input is [[1, 2, 3], [4, 5, 6]] and
// [[7, 8, 9], [10, 11, 12]]; all filters are 1.

// The 3x3 windows around columns 1 and 3 hold 1+2+4+5+7+8+10+11 and the like.
// CHECK: output0: tensor<1x2x1x2xf32> [48, 56, 48, 56]
// Each element goes to 3x3 places, 2 apart.
// CHECK: output1: tensor<1x2x3x5xf32> [8, 18, 10, 22, 12, 22, 48, 26, ...]
// CHECK: output2: tensor<1x2x3x4xf32> [1, 1.5, 2.5, 3, 2.5, 3, 4, 4.5, ...]
// CHECK: output3: tensor<1x1x2x3x4xf32> [1, 7, 0, 0, 2, 8, 0, 0, ...]
// CHECK: output4: tensor<1x2x1x2xf32> [5, 6, 11, 12]
// CHECK: output5: tensor<1x2x2x3xf32> [96, 208, 112, 96, 208, 112, 96, 208, ...]

// EMPTY: output0: tensor<0x2x2x2xf32> []
// EMPTY: output1: tensor<0x2x7x7xf32> []
// EMPTY: output2: tensor<0x2x5x5xf32> []
// EMPTY: output3: tensor<0x1x4x4x4xf32> []
// EMPTY: output4: tensor<0x2x3x3xf32> []
// EMPTY: output5: tensor<0x2x4x4xf32> []

// SMALL: windows-run.mlir:[[#@LINE+9]]:8: error: the window is larger than its input

// NAN: output4: tensor<1x2x1x1xf32> [nan, nan]
func.func @main(%x: tensor<?x2x?x?xf32> {nn.name = "x"}) -> (tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>, tensor<?x1x?x?x4xf32>, tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>) {
  %w = nn.constant dense<1.0> : tensor<2x2x3x3xf32> : tensor<2x2x3x3xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<?x2x?x?xf32>, tensor<2x2x3x3xf32>) -> tensor<?x2x?x?xf32>
  %1 = nn.conv_transpose2d %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<?x2x?x?xf32>, tensor<2x2x3x3xf32>) -> tensor<?x2x?x?xf32>
  %2 = nn.avg_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1>} : (tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
  %3 = nn.relayout %x {mode = #nn.relayout_mode<NCHW_NCHW4>} : (tensor<?x2x?x?xf32>) -> tensor<?x1x?x?x4xf32>
  %4 = nn.max_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>} : (tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
  %5 = nn.conv_transpose2d %0, %w like %x {strides = array<i64: 2, 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<?x2x?x?xf32>, tensor<2x2x3x3xf32>, tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>, tensor<?x1x?x?x4xf32>, tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>
}
