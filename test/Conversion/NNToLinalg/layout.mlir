// RUN: model-opt --convert-nn-to-linalg %s | FileCheck %s

// CHECK-LABEL: @blocks
// CHECK: tensor.pad {{.*}} high[0, 3, 0, 0]
// CHECK: tensor.expand_shape {{.*}} : tensor<2x8x3x4xf32> into tensor<2x2x4x3x4xf32>
// CHECK: linalg.transpose {{.*}} permutation = [0, 1, 3, 4, 2]
func.func @blocks(%x: tensor<2x5x3x4xf32>) -> tensor<2x2x3x4x4xf32> {
  %0 = nn.relayout %x {mode = #nn.relayout_mode<NCHW_NCHW4>} : (tensor<2x5x3x4xf32>) -> tensor<2x2x3x4x4xf32>
  return %0 : tensor<2x2x3x4x4xf32>
}

// CHECK-LABEL: @filter
// CHECK: tensor.pad {{.*}} high[0, 0, 2, 0, 0]
// CHECK: linalg.transpose {{.*}} permutation = [0, 1, 3, 5, 6, 4, 2]
func.func @filter(%w: tensor<8x6x3x3xf32>) -> tensor<1x1x3x3x8x8xf32> {
  %0 = nn.relayout %w {mode = #nn.relayout_mode<NCHW_NCHW88_CONV_DENSE_WEIGHT>} : (tensor<8x6x3x3xf32>) -> tensor<1x1x3x3x8x8xf32>
  return %0 : tensor<1x1x3x3x8x8xf32>
}
