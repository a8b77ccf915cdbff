// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @element_type(%a: tensor<1x4x8x8xi32>) {
  // expected-error @+2 {{element type 'i32' cannot be pooled}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.max_pool2d %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x4x8x8xi32>) -> tensor<1x4x4x4xi32>
  return
}

// -----

func.func @layout(%a: tensor<1x1x8x8x4xf32>) {
  // expected-error @+2 {{layout NCHW44_DOT cannot be pooled}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.max_pool2d %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>, layout = #nn.layout<NCHW44_DOT>} : (tensor<1x1x8x8x4xf32>) -> tensor<1x1x4x4x4xf32>
  return
}

// -----

func.func @kernel_count(%a: tensor<*xf32>) {
  // expected-error @+2 {{'kernel' needs 2 values, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.max_pool2d %a {kernel = array<i64: 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @kernel(%a: tensor<1x4x8x8xf32>) {
  // expected-error @+2 {{'kernel' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.max_pool2d %a {kernel = array<i64: 0, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @strides(%a: tensor<1x4x8x8xf32>) {
  // expected-error @+2 {{'strides' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.avg_pool2d %a {kernel = array<i64: 2, 2>, strides = array<i64: 0, 2>, pads = array<i64: 0, 0>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @pads(%a: tensor<1x4x8x8xf32>) {
  // expected-error @+2 {{'pads' must lie in [0, 4294967295], got -2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.avg_pool2d %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, -2>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @rank(%a: tensor<4x8x8xf32>) {
  // expected-error @+2 {{layout NCHW needs a tensor of rank 4, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.max_pool2d %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<4x8x8xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @window(%a: tensor<1x4x8x1xf32>) {
  // expected-error @+2 {{width: a window of 2 does not fit into 1 padded elements}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.avg_pool2d %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x4x8x1xf32>) -> tensor<1x4x4x4xf32>
  return
}

// -----

func.func @result(%a: tensor<1x4x8x8xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<1x4x4x4xf32>' are incompatible with return type(s) of operation 'tensor<1x4x4x5xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.avg_pool2d %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x5xf32>
  return
}

// -----

func.func @size_type(%a: tensor<1x4x8x8xf32>, %b: tensor<2xf32>) {
  // expected-error @+2 {{'output_size' must be of integers, got 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.adaptive_max_pool2d %a, %b : (tensor<1x4x8x8xf32>, tensor<2xf32>) -> tensor<1x4x?x?xf32>
  return
}

// -----

func.func @size_count(%a: tensor<1x4x8x8xf32>, %b: tensor<3xi32>) {
  // expected-error @+2 {{'output_size' must have 2 elements, got 'tensor<3xi32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.adaptive_max_pool2d %a, %b : (tensor<1x4x8x8xf32>, tensor<3xi32>) -> tensor<1x4x?x?xf32>
  return
}

// -----

func.func @adaptive_rank(%a: tensor<4x8x8xf32>, %b: tensor<2xi32>) {
  // expected-error @+2 {{layout NCHW needs a tensor of rank 4, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.adaptive_max_pool2d %a, %b : (tensor<4x8x8xf32>, tensor<2xi32>) -> tensor<1x4x?x?xf32>
  return
}

// -----

func.func @size_zero(%a: tensor<1x4x10x13xf32>) {
  %size = nn.constant dense<[0, 4]> : tensor<2xi32> : tensor<2xi32>
  // expected-error @+2 {{'output_size' has the element 0, expected at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.adaptive_max_pool2d %a, %size : (tensor<1x4x10x13xf32>, tensor<2xi32>) -> tensor<1x4x?x?xf32>
  return
}

// -----

func.func @size_large(%a: tensor<1x4x10x13xf32>) {
  %size = nn.constant dense<[3, 14]> : tensor<2xi32> : tensor<2xi32>
  // expected-error @+2 {{the output size 3x14 exceeds the input size 10x13}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.adaptive_avg_pool2d %a, %size : (tensor<1x4x10x13xf32>, tensor<2xi32>) -> tensor<1x4x?x?xf32>
  return
}
