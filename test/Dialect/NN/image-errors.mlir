// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @resize_size_count(%a: tensor<1x3x8x8xf32>, %s: tensor<3xi32>) {
  // expected-error @+2 {{'output_size' must have 2 elements, got 'tensor<3xi32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.resize2d %a, %s : (tensor<1x3x8x8xf32>, tensor<3xi32>) -> tensor<1x3x?x?xf32>
  return
}

// -----

func.func @resize_coordinates(%a: tensor<1x3x8x8xf32>, %s: tensor<2xi32>) {
  // expected-error @+2 {{mode cubic has no coordinates align_corners}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.resize2d %a, %s {coordinates = #nn.coordinates<align_corners>, mode = #nn.interpolation<cubic>} : (tensor<1x3x8x8xf32>, tensor<2xi32>) -> tensor<1x3x?x?xf32>
  return
}

// -----

func.func @resize_size_type(%a: tensor<1x3x8x8xf32>, %s: tensor<2xf32>) {
  // expected-error @+2 {{'output_size' must be of integers, got 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.resize2d %a, %s : (tensor<1x3x8x8xf32>, tensor<2xf32>) -> tensor<1x3x?x?xf32>
  return
}

// -----

func.func @resize_rank(%a: tensor<3x8x8xf32>, %s: tensor<2xi32>) {
  // expected-error @+2 {{layout NCHW needs a tensor of rank 4, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.resize2d %a, %s : (tensor<3x8x8xf32>, tensor<2xi32>) -> tensor<3x?x?xf32>
  return
}

// -----

func.func @resize_layout(%a: tensor<1x3x8x8xf32>, %s: tensor<2xi32>) {
  // expected-error @+2 {{layout NCDHW is not one of images}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.resize2d %a, %s {layout = #nn.layout<NCDHW>} : (tensor<1x3x8x8xf32>, tensor<2xi32>) -> tensor<1x3x?x?xf32>
  return
}

// -----

func.func @resize3d_layout(%a: tensor<1x3x8x8x8xf32>, %s: tensor<3xi32>) {
  // expected-error @+2 {{layout NCHW is not one of volumes}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.resize3d %a, %s {layout = #nn.layout<NCHW>} : (tensor<1x3x8x8x8xf32>, tensor<3xi32>) -> tensor<1x3x?x?x?xf32>
  return
}

// -----

func.func @resize3d_rank(%a: tensor<3x8x8x8xf32>, %s: tensor<3xi32>) {
  // expected-error @+2 {{layout NCDHW needs a tensor of rank 5, got rank 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.resize3d %a, %s : (tensor<3x8x8x8xf32>, tensor<3xi32>) -> tensor<3x?x?x?xf32>
  return
}

// -----

func.func @warp_matrix(%a: tensor<1x3x8x8xf32>, %m: tensor<1x2x3xf32>, %s: tensor<2xi32>) {
  // expected-error @+2 {{'matrix' must hold 3 x 3 matrices, got 'tensor<1x2x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.warp_perspective %a matrix %m size %s : (tensor<1x3x8x8xf32>, tensor<1x2x3xf32>, tensor<2xi32>) -> tensor<1x3x?x?xf32>
  return
}

// -----

func.func @warp_count(%a: tensor<1x3x8x8xf32>, %m: tensor<2x3x3xf32>, %s: tensor<2xi32>) {
  // expected-error @+2 {{there are 2 matrices for 1 images}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.warp_perspective %a matrix %m size %s : (tensor<1x3x8x8xf32>, tensor<2x3x3xf32>, tensor<2xi32>) -> tensor<2x3x?x?xf32>
  return
}

// -----

func.func @warp_index(%a: tensor<1x3x8x8xf32>, %m: tensor<2x3x3xf32>, %i: tensor<3xi32>, %s: tensor<2xi32>) {
  // expected-error @+2 {{'matrix_index' must have one i32 per matrix, got 'tensor<3xi32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.warp_perspective %a matrix %m index %i size %s : (tensor<1x3x8x8xf32>, tensor<2x3x3xf32>, tensor<3xi32>, tensor<2xi32>) -> tensor<2x3x?x?xf32>
  return
}

// -----

func.func @warp_sources(%a: tensor<1x3x8x8xf32>, %b: tensor<1x3x8x9xf32>, %m: tensor<2x3x3xf32>, %s: tensor<2xi32>) {
  // expected-error @+2 {{inputs must be images of one size, got 'tensor<1x3x8x8xf32>' and 'tensor<1x3x8x9xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.warp_perspective %a, %b matrix %m size %s : (tensor<1x3x8x8xf32>, tensor<1x3x8x9xf32>, tensor<2x3x3xf32>, tensor<2xi32>) -> tensor<2x3x?x?xf32>
  return
}

// -----

func.func @warp_source_types(%a: tensor<1x3x8x8xf32>, %b: tensor<1x3x8x8xui8>, %m: tensor<2x3x3xf32>, %s: tensor<2xi32>) {
  // expected-error @+2 {{input element types differ: 'f32' and 'ui8'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.warp_perspective %a, %b matrix %m size %s : (tensor<1x3x8x8xf32>, tensor<1x3x8x8xui8>, tensor<2x3x3xf32>, tensor<2xi32>) -> tensor<2x3x?x?xf32>
  return
}

// -----

func.func @warp_affine_matrix(%a: tensor<1x3x8x8xf32>, %m: tensor<1x3x3xf32>, %s: tensor<2xi32>) {
  // expected-error @+2 {{'matrix' must hold 2 x 3 matrices, got 'tensor<1x3x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.warp_affine %a, %m size %s : (tensor<1x3x8x8xf32>, tensor<1x3x3xf32>, tensor<2xi32>) -> tensor<1x3x?x?xf32>
  return
}

// -----

func.func @remap_map(%a: tensor<1x3x8x8xf32>, %m: tensor<1x5x6x3xf32>) {
  // expected-error @+2 {{'map' must be of shape N,OH,OW,2, got 'tensor<1x5x6x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.remap %a, %m : (tensor<1x3x8x8xf32>, tensor<1x5x6x3xf32>) -> tensor<1x3x5x6xf32>
  return
}

// -----

func.func @remap_batch(%a: tensor<1x3x8x8xf32>, %m: tensor<2x5x6x2xf32>) {
  // expected-error @+2 {{'map' is for 2 images, the input has 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.remap %a, %m : (tensor<1x3x8x8xf32>, tensor<2x5x6x2xf32>) -> tensor<1x3x5x6xf32>
  return
}

// -----

func.func @rotate_channels(%a: tensor<1x5x6x4xf32>) {
  // expected-error @+2 {{input must have 1 or 3 channels, got 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.rotate %a : (tensor<1x5x6x4xf32>) -> tensor<1x6x5x4xf32>
  return
}

// -----

func.func @flip_rank(%a: tensor<5x6x3xf32>) {
  // expected-error @+2 {{input must have rank 4, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.flip %a {vertical} : (tensor<5x6x3xf32>) -> tensor<5x6x3xf32>
  return
}

// -----

func.func @blur_even(%a: tensor<1x5x6x3xf32>) {
  // expected-error @+2 {{'kernel_width' must be odd, got 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.gaussian_blur %a {kernel_width = 4 : i64} : (tensor<1x5x6x3xf32>) -> tensor<1x5x6x3xf32>
  return
}

// -----

func.func @blur_range(%a: tensor<1x5x6x3xf32>) {
  // expected-error @+2 {{'kernel_height' must lie in [0, 4294967295], got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.gaussian_blur %a {kernel_height = -1 : i64} : (tensor<1x5x6x3xf32>) -> tensor<1x5x6x3xf32>
  return
}
