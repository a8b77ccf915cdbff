// RUN: model-opt --convert-nn-to-linalg --split-input-file --verify-diagnostics --canonicalize %s | FileCheck %s

// Two taps per axis, one pass for each axis.
// CHECK-LABEL: func.func @resize(
// CHECK-COUNT-2: outs(%{{.*}} : tensor<8x2x{{(index|f32)}}>)
// CHECK: iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
// CHECK-SAME: outs(%{{.*}} : tensor<1x3x8x4xf32>)
// CHECK: iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
// CHECK-SAME: outs(%{{.*}} : tensor<1x3x8x2xf32>)
func.func @resize(%x: tensor<1x3x4x4xf32>) -> tensor<1x3x8x2xf32> {
  %size = nn.constant dense<[8, 2]> : tensor<2xi32> : tensor<2xi32>
  %0 = nn.resize2d %x, %size : (tensor<1x3x4x4xf32>, tensor<2xi32>) -> tensor<1x3x8x2xf32>
  return %0 : tensor<1x3x8x2xf32>
}

// -----

// Coordinates are computed once for all channels; those of small NHWC images
// are rounded to 1/32.
// CHECK-LABEL: func.func @warp(
// CHECK: outs(%{{.*}} : tensor<1x4x4xf64>)
// CHECK: math.roundeven
// CHECK: outs(%{{.*}} : tensor<1x4x4xf64>)
// CHECK: outs(%{{.*}} : tensor<1x4x4x3xf32>)
func.func @warp(%x: tensor<1x8x8x3xf32>, %m: tensor<1x3x3xf32>) -> tensor<1x4x4x3xf32> {
  %size = nn.constant dense<[4, 4]> : tensor<2xi32> : tensor<2xi32>
  %0 = nn.warp_perspective %x matrix %m size %size {layout = #nn.layout<NHWC>} : (tensor<1x8x8x3xf32>, tensor<1x3x3xf32>, tensor<2xi32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// -----

// CHECK: func.func private @mw_nms_f32(
// CHECK-LABEL: func.func @nms(
// CHECK: call @mw_nms_f32(
func.func @nms(%x: tensor<2x9x4xf32>) -> (tensor<2x3xi32>, tensor<2xi32>) {
  %0:2 = nn.nms %x {iou_threshold = 0.5 : f32, max_output = 3 : i64} : (tensor<2x9x4xf32>) -> (tensor<2x3xi32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2x3xi32>, tensor<2xi32>
}

// -----

func.func @optical_flow(%x: tensor<1x2x8x8x4xui8>) -> tensor<1x1x2x2x2xi16> {
  // expected-error @below {{'nn.optical_flow' cannot be run for these types}}
  %0 = nn.optical_flow %x : (tensor<1x2x8x8x4xui8>) -> tensor<1x1x2x2x2xi16>
  return %0 : tensor<1x1x2x2x2xi16>
}
