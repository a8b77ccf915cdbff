// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @element_type(%a: tensor<1x3x6x7x8xi8>, %b: tensor<4x3x3x3x3xi8>) {
  // expected-error @+2 {{operands must be floats, got 'i8'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv3d %a, %b {strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : (tensor<1x3x6x7x8xi8>, tensor<4x3x3x3x3xi8>) -> tensor<1x4x4x5x6xi8>
  return
}

// -----

func.func @element_types(%a: tensor<1x3x6x7x8xf32>, %b: tensor<4x3x3x3x3xf16>) {
  // expected-error @+2 {{operand element types differ: 'f32' and 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv3d %a, %b {strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : (tensor<1x3x6x7x8xf32>, tensor<4x3x3x3x3xf16>) -> tensor<1x4x4x5x6xf32>
  return
}

// -----

func.func @strides(%a: tensor<1x3x6x7x8xf32>, %b: tensor<4x3x3x3x3xf32>) {
  // expected-error @+2 {{'strides' needs 3 values, got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv3d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : (tensor<1x3x6x7x8xf32>, tensor<4x3x3x3x3xf32>) -> tensor<1x4x4x5x6xf32>
  return
}

// -----

func.func @layout(%a: tensor<1x3x6x7x8xf32>, %b: tensor<4x3x3x3x3xf32>) {
  // expected-error @+2 {{layout NCHW has not 3 spatial dims}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv3d %a, %b {strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>, layout = #nn.layout<NCHW>} : (tensor<1x3x6x7x8xf32>, tensor<4x3x3x3x3xf32>) -> tensor<1x4x4x5x6xf32>
  return
}

// -----

func.func @input_rank(%a: tensor<1x3x7x8xf32>, %b: tensor<4x3x3x3x3xf32>) {
  // expected-error @+2 {{layout NCDHW needs a tensor of rank 5, got rank 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv3d %a, %b {strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : (tensor<1x3x7x8xf32>, tensor<4x3x3x3x3xf32>) -> tensor<1x4x4x5x6xf32>
  return
}

// -----

func.func @filter_rank(%a: tensor<1x3x6x7x8xf32>, %b: tensor<4x3x3x3xf32>) {
  // expected-error @+2 {{a dense filter needs rank 5, got rank 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv3d %a, %b {strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : (tensor<1x3x6x7x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x4x5x6xf32>
  return
}

// -----

func.func @group_filter_rank(%a: tensor<1x3x6x7x8xf32>, %b: tensor<4x3x3x3x3xf32>) {
  // expected-error @+2 {{a grouped filter needs rank 6, got rank 5}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv3d %a, %b {strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>, group_filter} : (tensor<1x3x6x7x8xf32>, tensor<4x3x3x3x3xf32>) -> tensor<1x4x4x5x6xf32>
  return
}

// -----

func.func @group_count(%a: tensor<1x4x6x7x8xf32>, %b: tensor<2x2x2x3x3x3xf32>) {
  // expected-error @+2 {{the filter has 2 groups, 'groups' says 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv3d %a, %b {strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>, group_filter, groups = 4 : i64} : (tensor<1x4x6x7x8xf32>, tensor<2x2x2x3x3x3xf32>) -> tensor<1x4x4x5x6xf32>
  return
}

// -----

func.func @group_split(%a: tensor<1x4x6x7x8xf32>, %b: tensor<5x2x3x3x3xf32>) {
  // expected-error @+2 {{the filter's 5 output channels do not split into 2 groups}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv3d %a, %b {strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>, groups = 2 : i64} : (tensor<1x4x6x7x8xf32>, tensor<5x2x3x3x3xf32>) -> tensor<1x4x4x5x6xf32>
  return
}

// -----

func.func @channels(%a: tensor<1x4x6x7x8xf32>, %b: tensor<4x3x3x3x3xf32>) {
  // expected-error @+2 {{input has 4 channels, the filter reads 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv3d %a, %b {strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : (tensor<1x4x6x7x8xf32>, tensor<4x3x3x3x3xf32>) -> tensor<1x4x4x5x6xf32>
  return
}

// -----

func.func @window(%a: tensor<1x3x2x7x8xf32>, %b: tensor<4x3x3x3x3xf32>) {
  // expected-error @+2 {{depth: a window of 3 does not fit into 2 padded elements}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv3d %a, %b {strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : (tensor<1x3x2x7x8xf32>, tensor<4x3x3x3x3xf32>) -> tensor<1x4x4x5x6xf32>
  return
}

// -----

func.func @transpose_channels(%a: tensor<1x3x4x4x4xf32>, %b: tensor<4x3x3x3x3xf32>) {
  // expected-error @+2 {{input has 3 channels, the filter reads 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv_transpose3d %a, %b {strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : (tensor<1x3x4x4x4xf32>, tensor<4x3x3x3x3xf32>) -> tensor<1x3x6x6x6xf32>
  return
}

// -----

func.func @transpose_like(%a: tensor<1x4x4x4x4xf32>, %b: tensor<4x3x3x3x3xf32>, %c: tensor<3x6x6xf32>) {
  // expected-error @+2 {{layout NCDHW needs a tensor of rank 5, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv_transpose3d %a, %b like %c {strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : (tensor<1x4x4x4x4xf32>, tensor<4x3x3x3x3xf32>, tensor<3x6x6xf32>) -> tensor<1x3x6x6x6xf32>
  return
}

// -----

func.func @transpose_padding(%a: tensor<1x4x4x4x1xf32>, %b: tensor<4x3x3x3x3xf32>) {
  // expected-error @+2 {{width: the padding removes everything}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv_transpose3d %a, %b {strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 2>, dilations = array<i64: 1, 1, 1>} : (tensor<1x4x4x4x1xf32>, tensor<4x3x3x3x3xf32>) -> tensor<1x3x6x6x6xf32>
  return
}
