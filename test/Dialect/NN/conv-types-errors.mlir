// What element types a convolution does not take, or does not give.
// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @float_to_half(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{a convolution of 'f32' elements cannot give 'f16'}}
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, out_type = f16} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf16>
  return
}

// -----

func.func @byte_to_byte(%x: tensor<1x2x4x4xi8>, %w: tensor<3x2x1x1xi8>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{a convolution of 'i8' elements cannot give 'i8'}}
  %0 = nn.conv_transpose2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, out_type = i8} : (tensor<1x2x4x4xi8>, tensor<3x2x1x1xi8>) -> tensor<1x2x4x4xi8>
  return
}

// -----

func.func @codes_to_integer(%x: tensor<1x2x4x4x!quant.uniform<i8:f32, 5.000000e-01>>, %w: tensor<3x2x1x1x!quant.uniform<i8:f32, 5.000000e-01>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{a convolution of '!quant.uniform<i8:f32, 5.000000e-01>' elements cannot give 'i32'}}
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, out_type = i32} : (tensor<1x2x4x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x2x1x1x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1x3x4x4xi32>
  return
}

// -----

func.func @scale_underflows(%x: tensor<1x2x4x4x!quant.uniform<i8:f32, 1.000000e-30>>, %w: tensor<3x2x1x1x!quant.uniform<i8:f32, 1.000000e-30>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{the product of the scales of '!quant.uniform<i8:f32, 1.000000e-30>' and '!quant.uniform<i8:f32, 1.000000e-30>' is not a scale}}
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4x!quant.uniform<i8:f32, 1.000000e-30>>, tensor<3x2x1x1x!quant.uniform<i8:f32, 1.000000e-30>>) -> tensor<1x3x4x4xi32>
  return
}

// -----

func.func @bytes_of_two_kinds(%x: tensor<1x2x4x4xui8>, %w: tensor<3x2x1x1xui8>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'ui8' has no convolution}}
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xui8>) -> tensor<1x3x4x4xi32>
  return
}
