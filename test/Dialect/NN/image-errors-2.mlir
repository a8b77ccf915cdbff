// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @cvt_channels(%a: tensor<1x6x8x1xui8>) {
  // expected-error @+2 {{input must have 3 channels, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cvt_color %a {mode = #nn.color_conversion<RGB2GRAY>} : (tensor<1x6x8x1xui8>) -> tensor<1x6x8x1xui8>
  return
}

// -----

func.func @cvt_height(%a: tensor<1x9x8x1xui8>) {
  // expected-error @+2 {{the height of planar YUV must be a multiple of 6, got 9}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cvt_color %a {mode = #nn.color_conversion<YUV2RGB_YV12>} : (tensor<1x9x8x1xui8>) -> tensor<1x6x8x3xui8>
  return
}

// -----

func.func @cvt_width(%a: tensor<1x9x7x1xui8>) {
  // expected-error @+2 {{the width of planar YUV must be even, got 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cvt_color %a {mode = #nn.color_conversion<YUV2RGB_NV21>} : (tensor<1x9x7x1xui8>) -> tensor<1x6x7x3xui8>
  return
}

// -----

func.func @dct_type(%a: tensor<1x2x16x16xf32>) {
  // expected-error @+2 {{needs ui8 elements, got 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.dct_channel_select %a : (tensor<1x2x16x16xf32>) -> tensor<1x128x2x2xf32>
  return
}

// -----

func.func @dct_out_type(%a: tensor<1x2x16x16xui8>) {
  // expected-error @+2 {{'out_type' must be f32 or quantized, got 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.dct_channel_select %a {out_type = f16} : (tensor<1x2x16x16xui8>) -> tensor<1x128x2x2xf16>
  return
}

// -----

func.func @dct_block(%a: tensor<1x2x16x16xui8>) {
  // expected-error @+2 {{'block_size' must be in [1, 2147483647], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.dct_channel_select %a {block_size = 0 : i64} : (tensor<1x2x16x16xui8>) -> tensor<1x128x2x2xf32>
  return
}

// -----

func.func @dct_split(%a: tensor<1x2x16x17xui8>) {
  // expected-error @+2 {{an image side of 17 does not split into blocks of 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.dct_channel_select %a : (tensor<1x2x16x17xui8>) -> tensor<1x128x2x2xf32>
  return
}

// -----

func.func @dct_layout(%a: tensor<1x2x16x16xui8>) {
  // expected-error @+2 {{layout must be NCHW or NCHW4, got NHWC}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.dct_channel_select %a {layout = #nn.layout<NHWC>} : (tensor<1x2x16x16xui8>) -> tensor<1x128x2x2xf32>
  return
}

// -----

func.func @dct_offset(%a: tensor<1x2x16x16xui8>, %o: tensor<1xi32>, %v: tensor<32xi32>) {
  // expected-error @+2 {{'mask_offset' must be empty or have 2 elements or more, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.dct_channel_select %a mask %o, %v : (tensor<1x2x16x16xui8>, tensor<1xi32>, tensor<32xi32>) -> tensor<1x32x2x2xf32>
  return
}

// -----

func.func @dct_mask_rank(%a: tensor<1x2x16x16xui8>, %o: tensor<3xi32>, %v: tensor<4x8xi32>) {
  // expected-error @+2 {{masks must have rank 1, got 'tensor<4x8xi32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.dct_channel_select %a mask %o, %v : (tensor<1x2x16x16xui8>, tensor<3xi32>, tensor<4x8xi32>) -> tensor<1x32x2x2xf32>
  return
}

// -----

func.func @dct_fix(%a: tensor<1x2x16x16xui8>) {
  // expected-error @+2 {{'fix_32_mask' needs 32 output channels, got 128}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.dct_channel_select %a {fix_32_mask} : (tensor<1x2x16x16xui8>) -> tensor<1x128x2x2xf32>
  return
}

// -----

func.func @dct_nchw4(%a: tensor<1x1x15x15xui8>) {
  // expected-error @+2 {{layout NCHW4 needs a multiple of 4 output channels, got 9}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.dct_channel_select %a {block_size = 3 : i64, layout = #nn.layout<NCHW4>} : (tensor<1x1x15x15xui8>) -> tensor<1x3x5x5x4xf32>
  return
}

// -----

func.func @dct_overflow(%a: tensor<1x4096x0x0xui8>) {
  // expected-error @+2 {{the number of channels overflows}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.dct_channel_select %a {block_size = 2147483647 : i64} : (tensor<1x4096x0x0xui8>) -> tensor<1x?x0x0xf32>
  return
}

// -----

func.func @flow_shape(%a: tensor<1x3x16x16x3xui8>) {
  // expected-error @+2 {{input must be of shape N,T,H,W,4, got 'tensor<1x3x16x16x3xui8>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.optical_flow %a : (tensor<1x3x16x16x3xui8>) -> tensor<1x2x4x4x2xi16>
  return
}

// -----

func.func @flow_type(%a: tensor<1x3x16x16x4xf32>) {
  // expected-error @+2 {{needs ui8 elements, got 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.optical_flow %a : (tensor<1x3x16x16x4xf32>) -> tensor<1x2x4x4x2xi16>
  return
}

// -----

func.func @flow_empty(%a: tensor<1x0x16x16x4xui8>) {
  // expected-error @+2 {{there is no frame}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.optical_flow %a : (tensor<1x0x16x16x4xui8>) -> tensor<1x?x4x4x2xi16>
  return
}

// -----

func.func @flow_precision(%a: tensor<1x3x16x16x4xui8>) {
  // expected-error @+2 {{'precision' must lie in [0, 4294967295], got 4294967296}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.optical_flow %a {precision = 4294967296 : i64} : (tensor<1x3x16x16x4xui8>) -> tensor<1x2x4x4x2xi16>
  return
}
