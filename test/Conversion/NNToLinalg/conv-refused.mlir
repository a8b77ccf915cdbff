// RUN: model-opt --convert-nn-to-linalg --split-input-file --verify-diagnostics %s

func.func @channels(%x: tensor<1x?x4x4xf32>, %w: tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32> {
  // expected-error @+1 {{'nn.conv2d' cannot be run for these types}}
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x?x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// -----

func.func @kernel(%x: tensor<1x3x4x4xf32>, %w: tensor<2x3x?x1xf32>) -> tensor<1x2x?x4xf32> {
  // expected-error @+1 {{'nn.conv2d' cannot be run for these types}}
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>, tensor<2x3x?x1xf32>) -> tensor<1x2x?x4xf32>
  return %0 : tensor<1x2x?x4xf32>
}

// -----

// A sum of codes would need wider ones.
func.func @codes(%x: tensor<1x1x2x2x1x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x1x2x2x!quant.uniform<i8:f32, 0.5>> {
  // expected-error @+1 {{'nn.col2im' cannot be run for these types}}
  %0 = nn.col2im %x {output_size = array<i64: 2, 2>, kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x2x2x1x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x1x2x2x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<1x1x2x2x!quant.uniform<i8:f32, 0.5>>
}

// -----

func.func @adaptive(%x: tensor<1x3x?x4xf32>, %size: tensor<2xi32>) -> tensor<1x3x2x2xf32> {
  // expected-error @+1 {{'nn.adaptive_avg_pool2d' cannot be run for these types}}
  %0 = nn.adaptive_avg_pool2d %x, %size : (tensor<1x3x?x4xf32>, tensor<2xi32>) -> tensor<1x3x2x2xf32>
  return %0 : tensor<1x3x2x2xf32>
}

// -----

func.func @extern(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'nn.extern_call' cannot be run for these types}}
  %0 = nn.extern_call "vendor"(%x) {data = array<i8: 1, 2>} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func private @external(tensor<2xf32>) -> tensor<2xf32>
func.func @call(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'nn.call' cannot be run for these types}}
  %0 = nn.call @external(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
