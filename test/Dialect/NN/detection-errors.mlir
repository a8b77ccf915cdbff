// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @pool_regions(%a: tensor<2x3x10x12xf32>, %b: tensor<5x4xf32>, %c: tensor<2xi32>) {
  // expected-error @+2 {{regions must have shape Rx5, got 'tensor<5x4xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.roi_pool %a, %b, %c {mode = #nn.pool_mode<max>, spatial_scale = 0.5 : f32} : (tensor<2x3x10x12xf32>, tensor<5x4xf32>, tensor<2xi32>) -> (tensor<5x3x?x?xf32>, tensor<5x3x?x?xi32>)
  return
}

// -----

func.func @pool_region_type(%a: tensor<2x3x10x12xf32>, %b: tensor<5x5xi32>, %c: tensor<2xi32>) {
  // expected-error @+2 {{regions must be floats, got 'i32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.roi_pool %a, %b, %c {mode = #nn.pool_mode<max>, spatial_scale = 0.5 : f32} : (tensor<2x3x10x12xf32>, tensor<5x5xi32>, tensor<2xi32>) -> (tensor<5x3x?x?xf32>, tensor<5x3x?x?xi32>)
  return
}

// -----

func.func @pool_element(%a: tensor<2x3x10x12xi8>, %b: tensor<5x5xf32>, %c: tensor<2xi32>) {
  // expected-error @+2 {{input must be floats, got 'i8'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.roi_pool %a, %b, %c {mode = #nn.pool_mode<max>, spatial_scale = 0.5 : f32} : (tensor<2x3x10x12xi8>, tensor<5x5xf32>, tensor<2xi32>) -> (tensor<5x3x?x?xi8>, tensor<5x3x?x?xi32>)
  return
}

// -----

func.func @pool_rank(%a: tensor<3x10x12xf32>, %b: tensor<5x5xf32>, %c: tensor<2xi32>) {
  // expected-error @+2 {{'input' must have rank 4, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.roi_pool %a, %b, %c {mode = #nn.pool_mode<max>, spatial_scale = 0.5 : f32} : (tensor<3x10x12xf32>, tensor<5x5xf32>, tensor<2xi32>) -> (tensor<5x3x?x?xf32>, tensor<5x3x?x?xi32>)
  return
}

// -----

func.func @pool_size_type(%a: tensor<2x3x10x12xf32>, %b: tensor<5x5xf32>, %c: tensor<2xf32>) {
  // expected-error @+2 {{'output_size' must be of integers, got 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.roi_pool %a, %b, %c {mode = #nn.pool_mode<max>, spatial_scale = 0.5 : f32} : (tensor<2x3x10x12xf32>, tensor<5x5xf32>, tensor<2xf32>) -> (tensor<5x3x?x?xf32>, tensor<5x3x?x?xi32>)
  return
}

// -----

func.func @pool_size_count(%a: tensor<2x3x10x12xf32>, %b: tensor<5x5xf32>, %c: tensor<1xi32>) {
  // expected-error @+2 {{'output_size' must have 2 elements, got 'tensor<1xi32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.roi_pool %a, %b, %c {mode = #nn.pool_mode<max>, spatial_scale = 0.5 : f32} : (tensor<2x3x10x12xf32>, tensor<5x5xf32>, tensor<1xi32>) -> (tensor<5x3x?x?xf32>, tensor<5x3x?x?xi32>)
  return
}

// -----

func.func @align_layout(%a: tensor<2x10x12x3xf32>, %b: tensor<5x5xf32>) {
  // expected-error @+2 {{layout must be NCHW or NCHW4, got NHWC}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.roi_align %a, %b {mode = #nn.pool_mode<average>, spatial_scale = 0.5 : f32, offset = 0.5 : f32, pooled_size = array<i64: 3, 2>, sample_size = array<i64: 2, 2>, layout = #nn.layout<NHWC>} : (tensor<2x10x12x3xf32>, tensor<5x5xf32>) -> (tensor<5x3x3x2xf32>, tensor<5x3x3x2xi32>)
  return
}

// -----

func.func @align_quantized(%a: tensor<2x3x10x12x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<5x5xf32>) {
  // expected-error @+2 {{input must be floats, got '!quant.uniform<i8:f32, 5.000000e-01>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.roi_align %a, %b {mode = #nn.pool_mode<average>, spatial_scale = 0.5 : f32, offset = 0.5 : f32, pooled_size = array<i64: 3, 2>, sample_size = array<i64: 2, 2>} : (tensor<2x3x10x12x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<5x5xf32>) -> (tensor<5x3x3x2x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<5x3x3x2xi32>)
  return
}

// -----

func.func @align_pooled(%a: tensor<2x3x10x12xf32>, %b: tensor<5x5xf32>) {
  // expected-error @+2 {{'pooled_size' needs 2 values, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.roi_align %a, %b {mode = #nn.pool_mode<average>, spatial_scale = 0.5 : f32, offset = 0.5 : f32, pooled_size = array<i64: 3>, sample_size = array<i64: 2, 2>} : (tensor<2x3x10x12xf32>, tensor<5x5xf32>) -> (tensor<5x3x3x2xf32>, tensor<5x3x3x2xi32>)
  return
}

// -----

func.func @align_samples(%a: tensor<2x3x10x12xf32>, %b: tensor<5x5xf32>) {
  // expected-error @+2 {{'sample_size' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.roi_align %a, %b {mode = #nn.pool_mode<average>, spatial_scale = 0.5 : f32, offset = 0.5 : f32, pooled_size = array<i64: 3, 2>, sample_size = array<i64: 0, 2>} : (tensor<2x3x10x12xf32>, tensor<5x5xf32>) -> (tensor<5x3x3x2xf32>, tensor<5x3x3x2xi32>)
  return
}

// -----

func.func @align_rank(%a: tensor<3x10x12xf32>, %b: tensor<5x5xf32>) {
  // expected-error @+2 {{layout NCHW needs a tensor of rank 4, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.roi_align %a, %b {mode = #nn.pool_mode<average>, spatial_scale = 0.5 : f32, offset = 0.5 : f32, pooled_size = array<i64: 3, 2>, sample_size = array<i64: 2, 2>} : (tensor<3x10x12xf32>, tensor<5x5xf32>) -> (tensor<5x3x3x2xf32>, tensor<5x3x3x2xi32>)
  return
}

// -----

func.func @psroi_element(%a: tensor<1x4x8x8xf16>, %b: tensor<2x5xf32>, %c: tensor<2x2x2x2xf32>) {
  // expected-error @+2 {{input must be f32, got 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.deform_psroi_pool %a, %b, %c {spatial_scale = 0.5 : f32, trans_std = 0.1 : f32, pooled_size = array<i64: 2, 2>, part_size = 2 : i64, sample_per_part = 2 : i64} : (tensor<1x4x8x8xf16>, tensor<2x5xf32>, tensor<2x2x2x2xf32>) -> (tensor<2x4x2x2xf16>, tensor<2x4x2x2xf16>)
  return
}

// -----

func.func @psroi_trans(%a: tensor<1x4x8x8xf32>, %b: tensor<2x5xf32>, %c: tensor<2x2x3x2xf32>) {
  // expected-error @+2 {{'trans' must have shape Rx2x2x2, got 'tensor<2x2x3x2xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.deform_psroi_pool %a, %b, %c {spatial_scale = 0.5 : f32, trans_std = 0.1 : f32, pooled_size = array<i64: 2, 2>, part_size = 2 : i64, sample_per_part = 2 : i64} : (tensor<1x4x8x8xf32>, tensor<2x5xf32>, tensor<2x2x3x2xf32>) -> (tensor<2x4x2x2xf32>, tensor<2x4x2x2xf32>)
  return
}

// -----

func.func @psroi_trans_rank(%a: tensor<1x4x8x8xf32>, %b: tensor<2x5xf32>, %c: tensor<2x2xf32>) {
  // expected-error @+2 {{'trans' must have rank 4, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.deform_psroi_pool %a, %b, %c {no_trans, spatial_scale = 0.5 : f32, trans_std = 0.1 : f32, pooled_size = array<i64: 2, 2>, part_size = 2 : i64, sample_per_part = 2 : i64} : (tensor<1x4x8x8xf32>, tensor<2x5xf32>, tensor<2x2xf32>) -> (tensor<2x4x2x2xf32>, tensor<2x4x2x2xf32>)
  return
}

// -----

func.func @psroi_part(%a: tensor<1x4x8x8xf32>, %b: tensor<2x5xf32>, %c: tensor<2x2x2x2xf32>) {
  // expected-error @+2 {{'part_size' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.deform_psroi_pool %a, %b, %c {spatial_scale = 0.5 : f32, trans_std = 0.1 : f32, pooled_size = array<i64: 2, 2>, part_size = 0 : i64, sample_per_part = 2 : i64} : (tensor<1x4x8x8xf32>, tensor<2x5xf32>, tensor<2x2x2x2xf32>) -> (tensor<2x4x2x2xf32>, tensor<2x4x2x2xf32>)
  return
}

// -----

func.func @psroi_samples(%a: tensor<1x4x8x8xf32>, %b: tensor<2x5xf32>, %c: tensor<2x2x2x2xf32>) {
  // expected-error @+2 {{'sample_per_part' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.deform_psroi_pool %a, %b, %c {spatial_scale = 0.5 : f32, trans_std = 0.1 : f32, pooled_size = array<i64: 2, 2>, part_size = 2 : i64, sample_per_part = 0 : i64} : (tensor<1x4x8x8xf32>, tensor<2x5xf32>, tensor<2x2x2x2xf32>) -> (tensor<2x4x2x2xf32>, tensor<2x4x2x2xf32>)
  return
}

// -----

func.func @nms_shape(%a: tensor<2x100x5xf32>) {
  // expected-error @+2 {{boxes must have shape BxNx4, got 'tensor<2x100x5xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.nms %a {iou_threshold = 0.5 : f32, max_output = 20 : i64} : (tensor<2x100x5xf32>) -> (tensor<2x20xi32>, tensor<2xi32>)
  return
}

// -----

func.func @nms_element(%a: tensor<2x100x4xf16>) {
  // expected-error @+2 {{boxes must be f32, got 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.nms %a {iou_threshold = 0.5 : f32, max_output = 20 : i64} : (tensor<2x100x4xf16>) -> (tensor<2x20xi32>, tensor<2xi32>)
  return
}

// -----

func.func @nms_output(%a: tensor<2x100x4xf32>) {
  // expected-error @+2 {{'max_output' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.nms %a {iou_threshold = 0.5 : f32, max_output = 0 : i64} : (tensor<2x100x4xf32>) -> (tensor<2x0xi32>, tensor<2xi32>)
  return
}

// -----

func.func @pool_size(%a: tensor<2x3x10x12xf32>, %b: tensor<5x5xf32>) {
  %size = nn.constant dense<[3, 0]> : tensor<2xi32> : tensor<2xi32>
  // expected-error @+2 {{'output_size' has the element 0, expected at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.roi_pool %a, %b, %size {mode = #nn.pool_mode<max>, spatial_scale = 0.5 : f32} : (tensor<2x3x10x12xf32>, tensor<5x5xf32>, tensor<2xi32>) -> (tensor<5x3x?x?xf32>, tensor<5x3x?x?xi32>)
  return
}
