// RUN: model-opt --convert-nn-to-cpu=bf16-dot --split-input-file %s | FileCheck %s --check-prefixes=CHECK,DOT
// RUN: model-opt --convert-nn-to-cpu --split-input-file %s | FileCheck %s --check-prefixes=CHECK,WIDE

// f16 is widened: weights are f32, the sum is rounded at the end. A residual is
// widened as well. Not by Winograd's algorithm, for all its channels.
// CHECK-LABEL: func.func @f16
// CHECK-DAG: nn.constant {{.*}} : tensor<4x4x3x3x16x16xf32>
// CHECK: "cpu.conv2d"
// CHECK-SAME: algorithm = #cpu.algorithm<direct>
// CHECK-NOT: products
// CHECK: ^bb0(%[[S:.*]]: f32, %[[B:.*]]: f32, %[[R:.*]]: f16):
// CHECK: %[[SB:.*]] = arith.addf %[[S]], %[[B]] : f32
// CHECK: %[[RF:.*]] = arith.extf %[[R]] : f16 to f32
// CHECK: %[[ALL:.*]] = arith.addf %[[SB]], %[[RF]] : f32
// CHECK: %[[Y:.*]] = arith.truncf %[[ALL]] : f32 to f16
// CHECK: cpu.yield %[[Y]] : f16
// CHECK: cpu.pool2d {{.*}} : tensor<1x4x16x16x16xf16> into tensor<1x4x8x8x16xf16>
func.func @f16(%x: tensor<1x64x16x16xf16>) -> tensor<1x64x8x8xf16> {
  %w = nn.constant dense<0.5> : tensor<64x64x3x3xf16> : tensor<64x64x3x3xf16>
  %0 = nn.conv2d %x, %w residual %x {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x64x16x16xf16>, tensor<64x64x3x3xf16>, tensor<1x64x16x16xf16>) -> tensor<1x64x16x16xf16>
  %1 = nn.avg_pool2d %0 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x64x16x16xf16>) -> tensor<1x64x8x8xf16>
  return %1 : tensor<1x64x8x8xf16>
}

// -----

// bf16 is multiplied in pairs where the CPU can; three channels are two pairs.
// Depthwise convolutions have no sums over channels.
// CHECK-LABEL: func.func @bf16
// DOT-DAG: nn.constant {{.*}} : tensor<1x1x1x1x2x32xbf16>
// WIDE-DAG: nn.constant {{.*}} : tensor<1x1x1x1x3x16xf32>
// CHECK: "cpu.conv2d"
// DOT-SAME: products = #cpu.products<dot_bf16>
// WIDE-NOT: products
// CHECK: cpu.yield %{{.*}} : bf16
// CHECK: "cpu.depthwise_conv2d"
// CHECK: (tensor<1x1x4x4x16xbf16>, tensor<1x3x3x16xf32>, tensor<1x16xf32>, tensor<1x1x4x4x16xbf16>)
func.func @bf16(%x: tensor<1x3x4x4xbf16>) -> tensor<1x16x4x4xbf16> {
  %w = nn.constant dense<0.5> : tensor<16x3x1x1xbf16> : tensor<16x3x1x1xbf16>
  %d = nn.constant dense<0.5> : tensor<16x1x1x3x3xbf16> : tensor<16x1x1x3x3xbf16>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x4x4xbf16>, tensor<16x3x1x1xbf16>) -> tensor<1x16x4x4xbf16>
  %1 = nn.conv2d %0, %d {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 16 : i64, group_filter} : (tensor<1x16x4x4xbf16>, tensor<16x1x1x3x3xbf16>) -> tensor<1x16x4x4xbf16>
  return %1 : tensor<1x16x4x4xbf16>
}
