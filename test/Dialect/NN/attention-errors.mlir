// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @batch(%q: tensor<2x3x8xf32>, %k: tensor<1x3x8xf32>, %w: tensor<256xf32>) {
  // expected-error @+2 {{'key' must have 2 batches, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:4 = nn.multi_head_attention (%q, %k, %k, %w) {num_heads = 2 : i64, query_size = 8 : i64, key_size = 8 : i64, value_size = 8 : i64, query_projection_size = 8 : i64, key_projection_size = 8 : i64, value_projection_size = 8 : i64, output_projection_size = 8 : i64} : (tensor<2x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<256xf32>) -> (tensor<2x3x8xf32>, tensor<4x3x3xf32>, tensor<?xsi8>, tensor<?xf32>)
  return
}

// -----

func.func @features(%q: tensor<2x3x8xf32>, %k: tensor<2x3x7xf32>, %w: tensor<256xf32>) {
  // expected-error @+2 {{'key' must have 8 features, got 7}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:4 = nn.multi_head_attention (%q, %k, %k, %w) {num_heads = 2 : i64, query_size = 8 : i64, key_size = 8 : i64, value_size = 8 : i64, query_projection_size = 8 : i64, key_projection_size = 8 : i64, value_projection_size = 8 : i64, output_projection_size = 8 : i64} : (tensor<2x3x8xf32>, tensor<2x3x7xf32>, tensor<2x3x7xf32>, tensor<256xf32>) -> (tensor<2x3x8xf32>, tensor<4x3x3xf32>, tensor<?xsi8>, tensor<?xf32>)
  return
}

// -----

func.func @weights(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %w: tensor<255xf32>) {
  // expected-error @+2 {{'weights' must have 256 elements, got 255}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:4 = nn.multi_head_attention (%q, %k, %k, %w) {num_heads = 2 : i64, query_size = 8 : i64, key_size = 8 : i64, value_size = 8 : i64, query_projection_size = 8 : i64, key_projection_size = 8 : i64, value_projection_size = 8 : i64, output_projection_size = 8 : i64} : (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<255xf32>) -> (tensor<2x3x8xf32>, tensor<4x3x3xf32>, tensor<?xsi8>, tensor<?xf32>)
  return
}

// -----

func.func @heads(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %w: tensor<256xf32>) {
  // expected-error @+2 {{'num_heads' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:4 = nn.multi_head_attention (%q, %k, %k, %w) {num_heads = 0 : i64} : (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<256xf32>) -> (tensor<2x3x8xf32>, tensor<4x3x3xf32>, tensor<?xsi8>, tensor<?xf32>)
  return
}

// -----

func.func @size(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %w: tensor<256xf32>) {
  // expected-error @+2 {{'query_size' must lie in [0, 4294967295], got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:4 = nn.multi_head_attention (%q, %k, %k, %w) {num_heads = 1 : i64, query_size = -1 : i64} : (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<256xf32>) -> (tensor<2x3x8xf32>, tensor<4x3x3xf32>, tensor<?xsi8>, tensor<?xf32>)
  return
}

// -----

func.func @mask(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %w: tensor<256xf32>, %m: tensor<3x4xf32>) {
  // expected-error @+2 {{'mask' must be of shape 'tensor<3x3xf32>', got 'tensor<3x4xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:4 = nn.multi_head_attention (%q, %k, %k, %w) mask %m {num_heads = 2 : i64, query_size = 8 : i64, key_size = 8 : i64, value_size = 8 : i64, query_projection_size = 8 : i64, key_projection_size = 8 : i64, value_projection_size = 8 : i64, output_projection_size = 8 : i64, mask_type = #nn.attention_mask<user>} : (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<256xf32>, tensor<3x4xf32>) -> (tensor<2x3x8xf32>, tensor<4x3x3xf32>, tensor<?xsi8>, tensor<?xf32>)
  return
}

// -----

func.func @mask_zero(%q: tensor<2x3x8xf32>, %k: tensor<2x3x8xf32>, %w: tensor<256xf32>, %m: tensor<4x3x3xf32>) {
  // expected-error @+2 {{'mask' must be of shape 'tensor<4x3x4xf32>', got 'tensor<4x3x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:4 = nn.multi_head_attention (%q, %k, %k, %w) mask %m {num_heads = 2 : i64, query_size = 8 : i64, key_size = 8 : i64, value_size = 8 : i64, query_projection_size = 8 : i64, key_projection_size = 8 : i64, value_projection_size = 8 : i64, output_projection_size = 8 : i64, add_zero_attention} : (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<256xf32>, tensor<4x3x3xf32>) -> (tensor<2x3x8xf32>, tensor<4x3x3xf32>, tensor<?xsi8>, tensor<?xf32>)
  return
}
