// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @element_types(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf16>) {
  // expected-error @+2 {{input and filter element types differ: 'f32' and 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf16>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @element_type(%a: tensor<1x4x8x8xi32>, %b: tensor<6x4x3x3xi32>) {
  // expected-error @+2 {{element type 'i32' has no convolution}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xi32>, tensor<6x4x3x3xi32>) -> tensor<1x6x6x6xi32>
  return
}

// -----

func.func @strides_count(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'strides' needs 2 values, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @strides_zero(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'strides' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 0>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @pads_negative(%a: tensor<*xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'pads' must lie in [0, 4294967295], got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: -1, 0>, dilations = array<i64: 1, 1>} : (tensor<*xf32>, tensor<6x4x3x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @dilations_count(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'dilations' needs 2 values, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @groups(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'groups' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 0 : i64} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @volume_layout(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{layout NCDHW has not 2 spatial dims}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, layout = #nn.layout<NCDHW>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @input_rank(%a: tensor<4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{layout NCHW needs a tensor of rank 4, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @input_block(%a: tensor<1x1x8x8x3xf32>, %b: tensor<2x1x3x3x4x4xf32>) {
  // expected-error @+2 {{layout NCHW44 needs an innermost dim of 4, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, layout = #nn.layout<NCHW44>} : (tensor<1x1x8x8x3xf32>, tensor<2x1x3x3x4x4xf32>) -> tensor<1x2x6x6x4xf32>
  return
}

// -----

func.func @filter_rank(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3xf32>) {
  // expected-error @+2 {{a dense filter in layout NCHW cannot have rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @group_filter_rank(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{a grouped filter in layout NCHW cannot have rank 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, group_filter} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @group_count(%a: tensor<1x4x8x8xf32>, %b: tensor<2x3x2x3x3xf32>) {
  // expected-error @+2 {{the filter has 2 groups, 'groups' says 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 3 : i64, group_filter} : (tensor<1x4x8x8xf32>, tensor<2x3x2x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @group_split(%a: tensor<1x4x8x8xf32>, %b: tensor<5x2x3x3xf32>) {
  // expected-error @+2 {{the filter's 5 output channels do not split into 2 groups}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x4x8x8xf32>, tensor<5x2x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @group_layout(%a: tensor<1x1x8x8x4xf32>, %b: tensor<2x1x3x3x4x4xf32>) {
  // expected-error @+2 {{layout NCHW44 needs 'group_filter' for groups > 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn.layout<NCHW44>} : (tensor<1x1x8x8x4xf32>, tensor<2x1x3x3x4x4xf32>) -> tensor<1x2x6x6x4xf32>
  return
}

// -----

func.func @channels(%a: tensor<1x3x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{input has 3 channels, the filter reads 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @window(%a: tensor<1x4x2x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{height: a window of 3 does not fit into 2 padded elements}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @bias(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x5x1x1xf32>) {
  // expected-error @+2 {{bias of type 'tensor<1x5x1x1xf32>' is neither one value per output channel (6) nor of the result's shape}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b bias %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x5x1x1xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @residual(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x6x1x1xf32>, %d: tensor<1x6x7x6xf32>) {
  // expected-error @+2 {{residual of type 'tensor<1x6x7x6xf32>' has not the result's shape}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b bias %c residual %d {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x6x1x1xf32>, tensor<1x6x7x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @result(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<1x6x6x6xf32>' are incompatible with return type(s) of operation 'tensor<1x6x6x7xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x7xf32>
  return
}

// -----

func.func @transpose_channels(%a: tensor<1x5x6x6xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{input has 5 channels, the filter reads 6}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv_transpose2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x5x6x6xf32>, tensor<6x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  return
}

// -----

func.func @transpose_empty(%a: tensor<1x6x0x6xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{height: the input or the window is empty}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv_transpose2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x0x6xf32>, tensor<6x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  return
}

// -----

func.func @transpose_padding(%a: tensor<1x6x1x6xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{height: the padding removes everything}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv_transpose2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 2, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x1x6xf32>, tensor<6x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  return
}

// -----

func.func @transpose_overflow(%a: tensor<1x6x4294967296x6xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{height: output size overflows}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv_transpose2d %a, %b {strides = array<i64: 4294967295, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x4294967296x6xf32>, tensor<6x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  return
}

// -----

func.func @transpose_like(%a: tensor<1x6x6x6xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<4x8x8xf32>) {
  // expected-error @+2 {{layout NCHW needs a tensor of rank 4, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv_transpose2d %a, %b like %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x6x6xf32>, tensor<6x4x3x3xf32>, tensor<4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return
}

// -----

func.func @transpose_bias(%a: tensor<1x6x6x6xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x6x1x1xf32>) {
  // expected-error @+2 {{bias of type 'tensor<1x6x1x1xf32>' is neither one value per output channel (4) nor of the result's shape}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.conv_transpose2d %a, %b bias %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x6x6xf32>, tensor<6x4x3x3xf32>, tensor<1x6x1x1xf32>) -> tensor<1x4x8x8xf32>
  return
}
