// RUN: model-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @identity
// CHECK-NEXT: return %arg0
func.func @identity(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = nn.identity %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// A result that is known more exactly keeps its op.
// CHECK-LABEL: @identity_refined
// CHECK: nn.identity
func.func @identity_refined(%arg0: tensor<?x3xf32>) -> tensor<2x3xf32> {
  %0 = nn.identity %arg0 : (tensor<?x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Checks and calls stay though nobody reads them.
// CHECK-LABEL: @effects
// CHECK: nn.assert_equal
// CHECK: nn.extern_call
func.func @effects(%x: tensor<2xf32>, %e: tensor<1xf32>) {
  %0 = nn.assert_equal %x, %x error %e {max_error = 1.0e-4 : f32} : (tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %1 = nn.extern_call "vendor"(%x) {data = array<i8>} : (tensor<2xf32>) -> tensor<*x!nn.unknown>
  return
}

// CHECK-LABEL: @dropout
func.func @dropout(%x: tensor<5x2x4xf32>, %h: tensor<1x2x6xf32>, %w: tensor<72xf32>) {
  // CHECK: nn.rnn
  // CHECK-NOT: nn.rnn
  %0:3 = nn.rnn (%x, %h, %w) {dropout = 0.5 : f32, hidden_size = 6 : i64, training} : (tensor<5x2x4xf32>, tensor<1x2x6xf32>, tensor<72xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<240xsi8>)
  %1:3 = nn.rnn (%x, %h, %w) {dropout = 0.5 : f32, hidden_size = 6 : i64} : (tensor<5x2x4xf32>, tensor<1x2x6xf32>, tensor<72xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<240xsi8>)
  return
}
