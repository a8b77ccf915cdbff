// RUN: model-opt %s | model-opt | FileCheck %s

// CHECK-LABEL: @resize
func.func @resize(%a: tensor<1x3x6x7xf32>, %b: tensor<1x2x6x7x4xf32>, %c: tensor<1x8x9x3xui8>,
                  %s: tensor<2xi32>, %u: tensor<*xf32>) {
  %k = nn.constant dense<[12, 15]> : tensor<2xi32> : tensor<2xi32>
  // CHECK: nn.resize2d %{{.*}}, %{{.*}} : (tensor<1x3x6x7xf32>, tensor<2xi32>) -> tensor<1x3x12x15xf32>
  %0 = nn.resize2d %a, %k : (tensor<1x3x6x7xf32>, tensor<2xi32>) -> tensor<1x3x12x15xf32>
  // CHECK: {layout = #nn.layout<NCHW44>} : {{.*}} -> tensor<1x2x12x15x4xf32>
  %1 = nn.resize2d %b, %k {layout = #nn.layout<NCHW44>} : (tensor<1x2x6x7x4xf32>, tensor<2xi32>) -> tensor<1x2x12x15x4xf32>
  // CHECK: {layout = #nn.layout<NHWC>, mode = #nn.interpolation<lanczos4>} : {{.*}} -> tensor<1x?x?x3xui8>
  %2 = nn.resize2d %c, %s {layout = #nn.layout<NHWC>, mode = #nn.interpolation<lanczos4>} : (tensor<1x8x9x3xui8>, tensor<2xi32>) -> tensor<1x?x?x3xui8>
  // CHECK: -> tensor<*xf32>
  %3 = nn.resize2d %u, %s : (tensor<*xf32>, tensor<2xi32>) -> tensor<*xf32>
  // CHECK: {coordinates = #nn.coordinates<align_corners>} : {{.*}} -> tensor<1x3x12x15xf32>
  %4 = nn.resize2d %a, %k {coordinates = #nn.coordinates<align_corners>} : (tensor<1x3x6x7xf32>, tensor<2xi32>) -> tensor<1x3x12x15xf32>
  // CHECK: {coordinates = #nn.coordinates<asymmetric>, mode = #nn.interpolation<nearest>}
  %5 = nn.resize2d %a, %k {coordinates = #nn.coordinates<asymmetric>, mode = #nn.interpolation<nearest>} : (tensor<1x3x6x7xf32>, tensor<2xi32>) -> tensor<1x3x12x15xf32>
  return
}

// CHECK-LABEL: @resize3d
func.func @resize3d(%a: tensor<1x2x4x4x4xf32>, %b: tensor<1x4x4x4x2xf32>) {
  %k = nn.constant dense<[6, 7, 8]> : tensor<3xi32> : tensor<3xi32>
  // CHECK: nn.resize3d %{{.*}}, %{{.*}} {align_corners} : {{.*}} -> tensor<1x2x6x7x8xf32>
  %0 = nn.resize3d %a, %k {align_corners} : (tensor<1x2x4x4x4xf32>, tensor<3xi32>) -> tensor<1x2x6x7x8xf32>
  %1 = nn.resize3d %b, %k {layout = #nn.layout<NDHWC>} : (tensor<1x4x4x4x2xf32>, tensor<3xi32>) -> tensor<1x6x7x8x2xf32>
  return
}

// CHECK-LABEL: @warp_perspective
func.func @warp_perspective(%a: tensor<3x2x8x9xf32>, %m: tensor<3x3x3xf32>, %m2: tensor<2x3x3xf32>,
                            %i: tensor<2xi32>, %c: tensor<1x2x8x9xf32>) {
  %k = nn.constant dense<[7, 8]> : tensor<2xi32> : tensor<2xi32>
  // CHECK: nn.warp_perspective %{{.*}} matrix %{{.*}} size %{{.*}} {border = #nn.border<constant>, border_value = 3.000000e-01 : f32}
  %0 = nn.warp_perspective %a matrix %m size %k {border = #nn.border<constant>, border_value = 0.3 : f32} : (tensor<3x2x8x9xf32>, tensor<3x3x3xf32>, tensor<2xi32>) -> tensor<3x2x7x8xf32>
  // CHECK: nn.warp_perspective %{{.*}} matrix %{{.*}} index %{{.*}} size %{{.*}} : {{.*}} -> tensor<2x2x7x8xf32>
  %1 = nn.warp_perspective %a matrix %m2 index %i size %k : (tensor<3x2x8x9xf32>, tensor<2x3x3xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x2x7x8xf32>
  // CHECK: nn.warp_perspective %{{.*}}, %{{.*}} matrix %{{.*}} size %{{.*}} : {{.*}} -> tensor<2x2x7x8xf32>
  %2 = nn.warp_perspective %c, %c matrix %m2 size %k : (tensor<1x2x8x9xf32>, tensor<1x2x8x9xf32>, tensor<2x3x3xf32>, tensor<2xi32>) -> tensor<2x2x7x8xf32>
  return
}

// CHECK-LABEL: @warp_affine
func.func @warp_affine(%a: tensor<1x8x9x3xf32>, %m: tensor<?x2x3xf32>) {
  %k = nn.constant dense<[7, 8]> : tensor<2xi32> : tensor<2xi32>
  // CHECK: nn.warp_affine %{{.*}}, %{{.*}} size %{{.*}} {layout = #nn.layout<NHWC>} : {{.*}} -> tensor<1x7x8x3xf32>
  %0 = nn.warp_affine %a, %m size %k {layout = #nn.layout<NHWC>} : (tensor<1x8x9x3xf32>, tensor<?x2x3xf32>, tensor<2xi32>) -> tensor<1x7x8x3xf32>
  return
}

// CHECK-LABEL: @remap
func.func @remap(%a: tensor<1x3x8x9xf32>, %m: tensor<1x5x6x2xf32>, %u: tensor<*xf32>) {
  // CHECK: nn.remap %{{.*}}, %{{.*}} {border = #nn.border<reflect>, mode = #nn.interpolation<nearest>}
  %0 = nn.remap %a, %m {border = #nn.border<reflect>, mode = #nn.interpolation<nearest>} : (tensor<1x3x8x9xf32>, tensor<1x5x6x2xf32>) -> tensor<1x3x5x6xf32>
  %1 = nn.remap %a, %u : (tensor<1x3x8x9xf32>, tensor<*xf32>) -> tensor<1x3x?x?xf32>
  return
}

// CHECK-LABEL: @rotate_flip_blur
func.func @rotate_flip_blur(%a: tensor<1x5x6x3xui8>) {
  // CHECK: nn.rotate %{{.*}} : (tensor<1x5x6x3xui8>) -> tensor<1x6x5x3xui8>
  %0 = nn.rotate %a : (tensor<1x5x6x3xui8>) -> tensor<1x6x5x3xui8>
  // CHECK: nn.rotate %{{.*}} {clockwise = false}
  %1 = nn.rotate %a {clockwise = false} : (tensor<1x5x6x3xui8>) -> tensor<1x6x5x3xui8>
  // CHECK: nn.flip %{{.*}} {horizontal, vertical}
  %2 = nn.flip %a {horizontal, vertical} : (tensor<1x5x6x3xui8>) -> tensor<1x5x6x3xui8>
  // CHECK: nn.gaussian_blur %{{.*}} {border = #nn.border<constant>, kernel_height = 3 : i64, kernel_width = 5 : i64, sigma_x = 8.000000e-01 : f32}
  %3 = nn.gaussian_blur %a {border = #nn.border<constant>, kernel_height = 3 : i64, kernel_width = 5 : i64, sigma_x = 0.8 : f32} : (tensor<1x5x6x3xui8>) -> tensor<1x5x6x3xui8>
  return
}

// CHECK-LABEL: @cvt_color
func.func @cvt_color(%rgb: tensor<1x6x8x3xui8>, %gray: tensor<1x6x8x1xui8>, %rgba: tensor<1x6x8x4xui8>,
                     %yuv: tensor<1x12x8x1xui8>, %u: tensor<1x?x?x1xui8>) {
  // CHECK: nn.cvt_color %{{.*}} {mode = #nn.color_conversion<RGB2GRAY>} : (tensor<1x6x8x3xui8>) -> tensor<1x6x8x1xui8>
  %0 = nn.cvt_color %rgb {mode = #nn.color_conversion<RGB2GRAY>} : (tensor<1x6x8x3xui8>) -> tensor<1x6x8x1xui8>
  %1 = nn.cvt_color %gray {mode = #nn.color_conversion<GRAY2RGB>} : (tensor<1x6x8x1xui8>) -> tensor<1x6x8x3xui8>
  %2 = nn.cvt_color %rgba {mode = #nn.color_conversion<RGBA2GRAY>} : (tensor<1x6x8x4xui8>) -> tensor<1x6x8x1xui8>
  // CHECK: {mode = #nn.color_conversion<YUV2GRAY_NV12>} : (tensor<1x12x8x1xui8>) -> tensor<1x8x8x1xui8>
  %3 = nn.cvt_color %yuv {mode = #nn.color_conversion<YUV2GRAY_NV12>} : (tensor<1x12x8x1xui8>) -> tensor<1x8x8x1xui8>
  %4 = nn.cvt_color %yuv {mode = #nn.color_conversion<YCrCb2BGR>} : (tensor<1x12x8x1xui8>) -> tensor<1x8x8x3xui8>
  // CHECK: {mode = #nn.color_conversion<BT601_YUV2BGR_YU12>} : (tensor<1x12x8x1xui8>) -> tensor<1x8x8x3xui8>
  %5 = nn.cvt_color %yuv {mode = #nn.color_conversion<BT601_YUV2BGR_YU12>} : (tensor<1x12x8x1xui8>) -> tensor<1x8x8x3xui8>
  %6 = nn.cvt_color %u {mode = #nn.color_conversion<YUV2RGB_YV12>} : (tensor<1x?x?x1xui8>) -> tensor<1x?x?x3xui8>
  return
}

// CHECK-LABEL: @dct_channel_select
func.func @dct_channel_select(%a: tensor<1x2x16x16xui8>, %o: tensor<3xi32>, %v: tensor<32xi32>) {
  // CHECK: nn.dct_channel_select %{{.*}} : (tensor<1x2x16x16xui8>) -> tensor<1x128x2x2xf32>
  %0 = nn.dct_channel_select %a : (tensor<1x2x16x16xui8>) -> tensor<1x128x2x2xf32>
  // CHECK: nn.dct_channel_select %{{.*}} mask %{{.*}}, %{{.*}} {fix_32_mask, layout = #nn.layout<NCHW4>, out_type = !quant.uniform<i8:f32, 5.000000e-01>}
  %1 = nn.dct_channel_select %a mask %o, %v {fix_32_mask, layout = #nn.layout<NCHW4>, out_type = !quant.uniform<i8:f32, 0.5>} : (tensor<1x2x16x16xui8>, tensor<3xi32>, tensor<32xi32>) -> tensor<1x8x2x2x4x!quant.uniform<i8:f32, 0.5>>
  return
}

// CHECK-LABEL: @optical_flow
func.func @optical_flow(%a: tensor<1x3x15x16x4xui8>) {
  // CHECK: nn.optical_flow %{{.*}} {precision = 2 : i64} : (tensor<1x3x15x16x4xui8>) -> tensor<1x2x4x4x2xi16>
  %0 = nn.optical_flow %a {precision = 2 : i64} : (tensor<1x3x15x16x4xui8>) -> tensor<1x2x4x4x2xi16>
  return
}
