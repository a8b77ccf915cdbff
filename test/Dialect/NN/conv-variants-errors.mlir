// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @batch(%a: tensor<2x4x8x8xf32>, %b: tensor<3x6x4x3x3xf32>) {
  // expected-error @+2 {{input has 2 batch entries, the filter 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.batch_conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x4x8x8xf32>, tensor<3x6x4x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @batch_rank(%a: tensor<2x4x8x8xf32>, %b: tensor<f32>) {
  // expected-error @+2 {{the filter has no batch dim}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.batch_conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x4x8x8xf32>, tensor<f32>) -> tensor<2x6x6x6xf32>
  return
}

// -----

func.func @deform_offset_rank(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x18x36xf32>, %d: tensor<1x9x6x6xf32>) {
  // expected-error @+2 {{'offset' needs rank 4, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.deform_conv2d %a, %b offset %c mask %d {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x18x36xf32>, tensor<1x9x6x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @deform_offset(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x20x6x6xf32>, %d: tensor<1x9x6x6xf32>) {
  // expected-error @+2 {{the 20 channels of 'offset' are no multiple of 18 for a window of 9}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.deform_conv2d %a, %b offset %c mask %d {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x20x6x6xf32>, tensor<1x9x6x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @deform_mask(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x18x6x6xf32>, %d: tensor<1x10x6x6xf32>) {
  // expected-error @+2 {{the 10 channels of 'mask' are no multiple of 9 for a window of 9}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.deform_conv2d %a, %b offset %c mask %d {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x18x6x6xf32>, tensor<1x10x6x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @deform_groups(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x18x6x6xf32>, %d: tensor<1x18x6x6xf32>) {
  // expected-error @+2 {{'offset' has 1 deformable groups, 'mask' has 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.deform_conv2d %a, %b offset %c mask %d {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x18x6x6xf32>, tensor<1x18x6x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @deform_split(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x54x6x6xf32>, %d: tensor<1x27x6x6xf32>) {
  // expected-error @+2 {{4 channels do not split into 3 deformable groups}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.deform_conv2d %a, %b offset %c mask %d {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x54x6x6xf32>, tensor<1x27x6x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @deform_size(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x18x6x7xf32>, %d: tensor<1x9x6x6xf32>) {
  // expected-error @+2 {{'offset' of type 'tensor<1x18x6x7xf32>' has not the shape of 'tensor<1x18x6x6xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.deform_conv2d %a, %b offset %c mask %d {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x18x6x7xf32>, tensor<1x9x6x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @region_type(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x8x8xi64>, %d: tensor<1x6x6xi64>) {
  // expected-error @+2 {{regions must be i32 or ui8, got 'i64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.region_conv2d %a, %b in %c out %d {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x8x8xi64>, tensor<1x6x6xi64>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @region_types(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x8x8xi32>, %d: tensor<1x6x6xui8>) {
  // expected-error @+2 {{region element types differ: 'i32' and 'ui8'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.region_conv2d %a, %b in %c out %d {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x8x8xi32>, tensor<1x6x6xui8>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @region_in(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x6x6xi32>, %d: tensor<1x6x6xi32>) {
  // expected-error @+2 {{'region_in' of type 'tensor<1x6x6xi32>' has not the shape of 'tensor<1x8x8xi32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.region_conv2d %a, %b in %c out %d {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x6x6xi32>, tensor<1x6x6xi32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @region_out(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x8x8xi32>, %d: tensor<1x8x8xi32>) {
  // expected-error @+2 {{'region_out' of type 'tensor<1x8x8xi32>' has not the shape of 'tensor<1x6x6xi32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.region_conv2d %a, %b in %c out %d {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x8x8xi32>, tensor<1x8x8xi32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @mask_type(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<6x6xf32>) {
  // expected-error @+2 {{the mask must be i8, i16 or i32, got 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.mask_conv2d %a, %b mask %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<6x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @mask_shape(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<8x8xi32>) {
  // expected-error @+2 {{'mask' of type 'tensor<8x8xi32>' has not the shape of 'tensor<6x6xi32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.mask_conv2d %a, %b mask %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<8x8xi32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @propagate_type(%a: tensor<8x8xf32>) {
  // expected-error @+2 {{the mask must be an integer, got 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.mask_propagate %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<8x8xf32>) -> tensor<6x6xf32>
  return
}

// -----

func.func @propagate_rank(%a: tensor<1x8x8xi32>) {
  // expected-error @+2 {{'input' needs rank 2, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.mask_propagate %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x8x8xi32>) -> tensor<6x6xi32>
  return
}

// -----

func.func @propagate_kernel(%a: tensor<8x8xi32>) {
  // expected-error @+2 {{'kernel' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.mask_propagate %a {kernel = array<i64: 0, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<8x8xi32>) -> tensor<6x6xi32>
  return
}

// -----

func.func @local_rank(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{a dense filter needs rank 6, got rank 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.local_conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @local_group_rank(%a: tensor<1x4x8x8xf32>, %b: tensor<6x6x4x3x3x6xf32>) {
  // expected-error @+2 {{a grouped filter needs rank 7, got rank 6}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.local_conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, group_filter} : (tensor<1x4x8x8xf32>, tensor<6x6x4x3x3x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @local_channels(%a: tensor<1x4x8x8xf32>, %b: tensor<6x6x3x3x3x6xf32>) {
  // expected-error @+2 {{input has 4 channels, the filter reads 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.local_conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>} : (tensor<1x4x8x8xf32>, tensor<6x6x3x3x3x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @local_positions(%a: tensor<1x4x8x8xf32>, %b: tensor<6x5x4x3x3x6xf32>) {
  // expected-error @+2 {{the filter is for 6x5 positions, the result has 6x6}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.local_conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>} : (tensor<1x4x8x8xf32>, tensor<6x5x4x3x3x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

func.func @share_type(%a: tensor<1x4x8x8xf16>, %b: tensor<2x3x4x3x3x5xf16>) {
  // expected-error @+2 {{operands must be f32, got 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.local_share_conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, spatial_groups = array<i64: 2, 3>} : (tensor<1x4x8x8xf16>, tensor<2x3x4x3x3x5xf16>) -> tensor<1x5x6x6xf16>
  return
}

// -----

func.func @share_tiles(%a: tensor<1x4x8x8xf32>, %b: tensor<3x3x4x3x3x5xf32>) {
  // expected-error @+2 {{the filter is for 3x3 tiles, 'spatial_groups' says 2x3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.local_share_conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, spatial_groups = array<i64: 2, 3>} : (tensor<1x4x8x8xf32>, tensor<3x3x4x3x3x5xf32>) -> tensor<1x5x6x6xf32>
  return
}

// -----

func.func @share_split(%a: tensor<1x4x9x8xf32>, %b: tensor<2x3x4x3x3x5xf32>) {
  // expected-error @+2 {{an output size of 7 does not split into 2 tiles}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.local_share_conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, spatial_groups = array<i64: 2, 3>} : (tensor<1x4x9x8xf32>, tensor<2x3x4x3x3x5xf32>) -> tensor<1x5x7x6xf32>
  return
}

// -----

func.func @im2col_rank(%a: tensor<4x8x8xf32>) {
  // expected-error @+2 {{'input' needs rank 4, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.im2col %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<4x8x8xf32>) -> tensor<1x4x6x6x3x3xf32>
  return
}

// -----

func.func @im2col_window(%a: tensor<1x4x2x8xf32>) {
  // expected-error @+2 {{height: a window of 3 does not fit into 2 padded elements}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.im2col %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x8xf32>) -> tensor<1x4x6x6x3x3xf32>
  return
}

// -----

func.func @col2im_rank(%a: tensor<1x4x6x6xf32>) {
  // expected-error @+2 {{'input' needs rank 6, got rank 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.col2im %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, output_size = array<i64: 8, 8>} : (tensor<1x4x6x6xf32>) -> tensor<1x4x8x8xf32>
  return
}

// -----

func.func @col2im_shape(%a: tensor<1x4x6x6x3x2xf32>) {
  // expected-error @+2 {{'input' of type 'tensor<1x4x6x6x3x2xf32>' has not the shape of 'tensor<1x4x6x6x3x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.col2im %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, output_size = array<i64: 8, 8>} : (tensor<1x4x6x6x3x2xf32>) -> tensor<1x4x8x8xf32>
  return
}

// -----

func.func @correlation_shapes(%a: tensor<1x4x8x8xf32>, %b: tensor<1x4x8x9xf32>) {
  // expected-error @+2 {{operand shapes differ: 'tensor<1x4x8x8xf32>' and 'tensor<1x4x8x9xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.correlation %a, %b {kernel_size = 1 : i64, max_displacement = 1 : i64, stride1 = 1 : i64, stride2 = 1 : i64, pad = 1 : i64, multiply = true} : (tensor<1x4x8x8xf32>, tensor<1x4x8x9xf32>) -> tensor<1x9x8x8xf32>
  return
}

// -----

func.func @correlation_stride(%a: tensor<1x4x8x8xf32>, %b: tensor<1x4x8x8xf32>) {
  // expected-error @+2 {{'stride2' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.correlation %a, %b {kernel_size = 1 : i64, max_displacement = 1 : i64, stride1 = 1 : i64, stride2 = 0 : i64, pad = 1 : i64, multiply = true} : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x9x8x8xf32>
  return
}

// -----

func.func @correlation_count(%a: tensor<1x4x8x8xf32>, %b: tensor<1x4x8x8xf32>) {
  // expected-error @+2 {{the number of displacements overflows}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.correlation %a, %b {kernel_size = 1 : i64, max_displacement = 4294967295 : i64, stride1 = 1 : i64, stride2 = 1 : i64, pad = 1 : i64, multiply = true} : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x9x8x8xf32>
  return
}

// -----

func.func @correlation_size(%a: tensor<1x4x8x8xf32>, %b: tensor<1x4x8x8xf32>) {
  // expected-error @+2 {{height: displacements and kernel leave nothing of 8 elements}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.correlation %a, %b {kernel_size = 1 : i64, max_displacement = 5 : i64, stride1 = 1 : i64, stride2 = 1 : i64, pad = 1 : i64, multiply = true} : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x9x8x8xf32>
  return
}
