// RUN: model-opt %s | model-opt | FileCheck %s

// CHECK-LABEL: @rnn_cell
func.func @rnn_cell(%x: tensor<2x5xf32>, %wi: tensor<4x5xf32>, %b: tensor<1x4xf32>,
                    %h: tensor<2x4xf32>, %wh: tensor<4x4xf32>, %u: tensor<*xf32>) {
  // CHECK: nn.rnn_cell(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {activation = #nn.activation<tanh>} : {{.*}} -> tensor<2x4xf32>
  %0 = nn.rnn_cell (%x, %wi, %b, %h, %wh, %b) {activation = #nn.activation<tanh>} : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<1x4xf32>, tensor<2x4xf32>, tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  // CHECK: -> tensor<2x?xf32>
  %1 = nn.rnn_cell (%x, %u, %u, %u, %u, %u) : (tensor<2x5xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<2x?xf32>
  return
}

// CHECK-LABEL: @lstm_cell
func.func @lstm_cell(%x: tensor<2x5xf32>, %wi: tensor<16x5xf32>, %b: tensor<16xf32>,
                     %h: tensor<2x4xf32>, %wh: tensor<16x4xf32>) {
  // CHECK: nn.lstm_cell{{.*}} -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x16xf32>)
  %0:3 = nn.lstm_cell (%x, %wi, %b, %h, %wh, %b, %h) : (tensor<2x5xf32>, tensor<16x5xf32>, tensor<16xf32>, tensor<2x4xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x16xf32>)
  return
}

// CHECK-LABEL: @rnn
func.func @rnn(%x: tensor<5x2x4xf32>, %h: tensor<4x2x6xf32>, %w: tensor<384xf32>, %hu: tensor<*xf32>) {
  // CHECK: nn.rnn{{.*}} {activation = #nn.activation<relu>, bidirectional, hidden_size = 6 : i64, num_layers = 2 : i64} : {{.*}} -> (tensor<5x2x12xf32>, tensor<4x2x6xf32>, tensor<960xsi8>)
  %0:3 = nn.rnn (%x, %h, %w) {activation = #nn.activation<relu>, bidirectional, hidden_size = 6 : i64, num_layers = 2 : i64} : (tensor<5x2x4xf32>, tensor<4x2x6xf32>, tensor<384xf32>) -> (tensor<5x2x12xf32>, tensor<4x2x6xf32>, tensor<960xsi8>)
  // CHECK: nn.rnn{{.*}} {bias = false, hidden_size = 3 : i64} : {{.*}} -> (tensor<5x2x3xf32>, tensor<1x2x3xf32>, tensor<120xsi8>)
  %1:3 = nn.rnn (%x, %hu, %hu) {bias = false, hidden_size = 3 : i64} : (tensor<5x2x4xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<5x2x3xf32>, tensor<1x2x3xf32>, tensor<120xsi8>)
  return
}

// CHECK-LABEL: @lstm
func.func @lstm(%x: tensor<5x2x4xf32>, %h: tensor<2x2x6xf32>, %w: tensor<576xf32>, %p: tensor<1x2x3xf32>, %c: tensor<1x2x6xf32>) {
  // CHECK: nn.lstm{{.*}} {bidirectional, hidden_size = 6 : i64} : {{.*}} -> (tensor<5x2x12xf32>, tensor<2x2x6xf32>, tensor<2x2x6xf32>, tensor<960xsi8>)
  %0:4 = nn.lstm (%x, %h, %h, %w) {bidirectional, hidden_size = 6 : i64} : (tensor<5x2x4xf32>, tensor<2x2x6xf32>, tensor<2x2x6xf32>, tensor<576xf32>) -> (tensor<5x2x12xf32>, tensor<2x2x6xf32>, tensor<2x2x6xf32>, tensor<960xsi8>)
  // CHECK: nn.lstm{{.*}} projection_size = 3 : i64
  %1:4 = nn.lstm (%x, %p, %p, %w) {hidden_size = 6 : i64, projection_size = 3 : i64} : (tensor<5x2x4xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<576xf32>) -> (tensor<5x2x?xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<?xsi8>)
  return
}

// CHECK-LABEL: @multi_head_attention
func.func @multi_head_attention(%q: tensor<2x3x8xf32>, %w: tensor<256xf32>, %m: tensor<3x5xf32>, %r: tensor<1x1x8xf32>) {
  // CHECK: nn.multi_head_attention(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {{{.*}}scale = 5.000000e-01 : f32{{.*}}} : {{.*}} -> (tensor<2x3x8xf32>, tensor<4x3x3xf32>, tensor<?xsi8>, tensor<?xf32>)
  %0:4 = nn.multi_head_attention (%q, %q, %q, %w) {num_heads = 2 : i64, query_size = 8 : i64, key_size = 8 : i64, value_size = 8 : i64, query_projection_size = 8 : i64, key_projection_size = 8 : i64, value_projection_size = 8 : i64, output_projection_size = 8 : i64, scale = 0.5 : f32}
    : (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<256xf32>) -> (tensor<2x3x8xf32>, tensor<4x3x3xf32>, tensor<?xsi8>, tensor<?xf32>)
  // CHECK: nn.multi_head_attention(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) mask %{{.*}} bias_rows %{{.*}}, %{{.*}} {add_zero_attention{{.*}}mask_type = #nn.attention_mask<user>
  %1:4 = nn.multi_head_attention (%q, %q, %q, %w) mask %m bias_rows %r, %r {add_zero_attention, mask_type = #nn.attention_mask<user>, num_heads = 2 : i64, query_size = 8 : i64, key_size = 8 : i64, value_size = 8 : i64}
    : (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<256xf32>, tensor<3x5xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> (tensor<2x3x16xf32>, tensor<4x3x5xf32>, tensor<?xsi8>, tensor<?xf32>)
  // CHECK: nn.multi_head_attention{{.*}} {num_heads = 2 : i64, single_reserve}
  %2:2 = nn.multi_head_attention (%q, %q, %q, %w) {num_heads = 2 : i64, single_reserve}
    : (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<256xf32>) -> (tensor<2x3x8xf32>, tensor<?xf32>)
  return
}
