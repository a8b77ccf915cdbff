// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @cell_rank(%x: tensor<2x5xf32>, %wi: tensor<4x5xf32>, %b: tensor<1x4xf32>, %h: tensor<4xf32>, %wh: tensor<4x4xf32>) {
  // expected-error @+2 {{'hidden' must have rank 2, got rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.rnn_cell (%x, %wi, %b, %h, %wh, %b) : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<1x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @cell_columns(%x: tensor<2x5xf32>, %wi: tensor<4x6xf32>, %b: tensor<1x4xf32>, %h: tensor<2x4xf32>, %wh: tensor<4x4xf32>) {
  // expected-error @+2 {{'weight_ih' must have 5 columns, got 6}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.rnn_cell (%x, %wi, %b, %h, %wh, %b) : (tensor<2x5xf32>, tensor<4x6xf32>, tensor<1x4xf32>, tensor<2x4xf32>, tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @cell_rows(%x: tensor<2x5xf32>, %wi: tensor<8x5xf32>, %b: tensor<1x4xf32>, %h: tensor<2x4xf32>, %wh: tensor<4x4xf32>) {
  // expected-error @+2 {{'weight_ih' must have 4 rows, got 8}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.rnn_cell (%x, %wi, %b, %h, %wh, %b) : (tensor<2x5xf32>, tensor<8x5xf32>, tensor<1x4xf32>, tensor<2x4xf32>, tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @cell_hidden(%x: tensor<2x5xf32>, %wi: tensor<4x5xf32>, %b: tensor<1x4xf32>, %h: tensor<2x4xf32>, %wh: tensor<4x3xf32>) {
  // expected-error @+2 {{'weight_hh' must have 4 columns, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.rnn_cell (%x, %wi, %b, %h, %wh, %b) : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<1x4xf32>, tensor<2x4xf32>, tensor<4x3xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @cell_batch(%x: tensor<2x5xf32>, %wi: tensor<4x5xf32>, %b: tensor<1x4xf32>, %h: tensor<3x4xf32>, %wh: tensor<4x4xf32>) {
  // expected-error @+2 {{'hidden' must have 2 rows, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.rnn_cell (%x, %wi, %b, %h, %wh, %b) : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<1x4xf32>, tensor<3x4xf32>, tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @cell_bias(%x: tensor<2x5xf32>, %wi: tensor<4x5xf32>, %b: tensor<2x4xf32>, %h: tensor<2x4xf32>, %wh: tensor<4x4xf32>) {
  // expected-error @+2 {{'bias_ih' must have 4 elements, got 'tensor<2x4xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.rnn_cell (%x, %wi, %b, %h, %wh, %b) : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @cell_activation(%x: tensor<2x5xf32>, %wi: tensor<4x5xf32>, %b: tensor<1x4xf32>, %h: tensor<2x4xf32>, %wh: tensor<4x4xf32>) {
  // expected-error @+2 {{activation must be none, relu or tanh, got sigmoid}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.rnn_cell (%x, %wi, %b, %h, %wh, %b) {activation = #nn.activation<sigmoid>} : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<1x4xf32>, tensor<2x4xf32>, tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @lstm_cell_gates(%x: tensor<2x5xf32>, %wi: tensor<12x5xf32>, %b: tensor<16xf32>, %h: tensor<2x4xf32>, %wh: tensor<16x4xf32>) {
  // expected-error @+2 {{'weight_ih' must have 16 rows, got 12}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.lstm_cell (%x, %wi, %b, %h, %wh, %b, %h) : (tensor<2x5xf32>, tensor<12x5xf32>, tensor<16xf32>, tensor<2x4xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x16xf32>)
  return
}

// -----

func.func @rnn_rank(%x: tensor<5x2xf32>, %h: tensor<1x2x6xf32>, %w: tensor<72xf32>) {
  // expected-error @+2 {{'input' must have rank 3, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.rnn (%x, %h, %w) {hidden_size = 6 : i64} : (tensor<5x2xf32>, tensor<1x2x6xf32>, tensor<72xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<?xsi8>)
  return
}

// -----

func.func @rnn_types(%x: tensor<5x2x4xf16>, %h: tensor<1x2x6xf32>, %w: tensor<72xf32>) {
  // expected-error @+2 {{operand element types differ: 'f16' and 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.rnn (%x, %h, %w) {hidden_size = 6 : i64} : (tensor<5x2x4xf16>, tensor<1x2x6xf32>, tensor<72xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<?xsi8>)
  return
}

// -----

func.func @rnn_integers(%x: tensor<5x2x4xi32>, %h: tensor<1x2x6xf32>, %w: tensor<72xf32>) {
  // expected-error @+2 {{needs floats, got 'i32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.rnn (%x, %h, %w) {hidden_size = 6 : i64} : (tensor<5x2x4xi32>, tensor<1x2x6xf32>, tensor<72xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<?xsi8>)
  return
}

// -----

func.func @rnn_weights(%x: tensor<5x2x4xf32>, %h: tensor<1x2x6xf32>, %w: tensor<71xf32>) {
  // expected-error @+2 {{'weights' must have 72 elements, got 71}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.rnn (%x, %h, %w) {hidden_size = 6 : i64} : (tensor<5x2x4xf32>, tensor<1x2x6xf32>, tensor<71xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<?xsi8>)
  return
}

// -----

func.func @rnn_layers(%x: tensor<5x2x4xf32>, %h: tensor<1x2x6xf32>, %w: tensor<72xf32>) {
  // expected-error @+2 {{'hidden' must have 2 states (layers times directions), got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.rnn (%x, %h, %w) {hidden_size = 6 : i64, num_layers = 2 : i64} : (tensor<5x2x4xf32>, tensor<1x2x6xf32>, tensor<72xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<?xsi8>)
  return
}

// -----

func.func @rnn_batch(%x: tensor<5x2x4xf32>, %h: tensor<1x3x6xf32>, %w: tensor<72xf32>) {
  // expected-error @+2 {{'hidden' must have 2 batches, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.rnn (%x, %h, %w) {hidden_size = 6 : i64} : (tensor<5x2x4xf32>, tensor<1x3x6xf32>, tensor<72xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<?xsi8>)
  return
}

// -----

func.func @rnn_hidden(%x: tensor<5x2x4xf32>, %h: tensor<1x2x6xf32>, %w: tensor<72xf32>) {
  // expected-error @+2 {{'hidden' must have 5 features, got 6}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.rnn (%x, %h, %w) {hidden_size = 5 : i64} : (tensor<5x2x4xf32>, tensor<1x2x6xf32>, tensor<72xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<?xsi8>)
  return
}

// -----

func.func @rnn_hidden_size(%x: tensor<5x2x4xf32>, %h: tensor<1x2x6xf32>, %w: tensor<72xf32>) {
  // expected-error @+2 {{'hidden_size' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.rnn (%x, %h, %w) {hidden_size = 0 : i64} : (tensor<5x2x4xf32>, tensor<1x2x6xf32>, tensor<72xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<?xsi8>)
  return
}

// -----

func.func @rnn_num_layers(%x: tensor<5x2x4xf32>, %h: tensor<1x2x6xf32>, %w: tensor<72xf32>) {
  // expected-error @+2 {{'num_layers' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.rnn (%x, %h, %w) {hidden_size = 6 : i64, num_layers = 0 : i64} : (tensor<5x2x4xf32>, tensor<1x2x6xf32>, tensor<72xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<?xsi8>)
  return
}

// -----

func.func @rnn_overflow(%x: tensor<5x2x4xf32>, %h: tensor<?x?x?xf32>, %w: tensor<72xf32>) {
  // expected-error @+2 {{an element count overflows}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.rnn (%x, %h, %w) {hidden_size = 4294967295 : i64, num_layers = 4294967295 : i64} : (tensor<5x2x4xf32>, tensor<?x?x?xf32>, tensor<72xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<?xsi8>)
  return
}

// -----

func.func @rnn_activation(%x: tensor<5x2x4xf32>, %h: tensor<1x2x6xf32>, %w: tensor<72xf32>) {
  // expected-error @+2 {{activation must be none, relu or tanh, got silu}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.rnn (%x, %h, %w) {activation = #nn.activation<silu>, hidden_size = 6 : i64} : (tensor<5x2x4xf32>, tensor<1x2x6xf32>, tensor<72xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<?xsi8>)
  return
}

// -----

func.func @lstm_projection(%x: tensor<5x2x4xf32>, %h: tensor<1x2x6xf32>, %w: tensor<288xf32>) {
  // expected-error @+2 {{'projection_size' must lie in [0, 4294967295], got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:4 = nn.lstm (%x, %h, %h, %w) {hidden_size = 6 : i64, projection_size = -1 : i64} : (tensor<5x2x4xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<288xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<480xsi8>)
  return
}
