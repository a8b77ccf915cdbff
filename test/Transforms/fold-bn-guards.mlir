// RUN: model-opt %s --fold-bn | FileCheck %s
// RUN: model-opt %s --fold-bn -o %t.once
// RUN: model-opt %t.once --fold-bn -o %t.twice
// RUN: diff %t.once %t.twice

// What must not fire, one guard each: every case fires without its guard.

// The second user comes first.
// CHECK-LABEL: func.func @second_user(
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.exp
// CHECK-NEXT:    nn.mul
func.func @second_user(%x: tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = nn.constant dense<1.0> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %k = nn.constant dense<2.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.exp %0 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %2 = nn.mul %0, %k : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  return %1, %2 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// A sum with activation stands between.
// CHECK-LABEL: func.func @sum_with_activation(
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.add %{{[^,]*}}, %{{[^ ]*}} {activation
// CHECK-NEXT:    nn.mul
func.func @sum_with_activation(%x: tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xf32>) {
  %w = nn.constant dense<1.0> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %k = nn.constant dense<2.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.add %0, %k {activation = #nn.activation<relu>} : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %2 = nn.mul %1, %k : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  return %2 : tensor<1x2x4x4xf32>
}

// The residual is scaled as well.
// CHECK-LABEL: func.func @residual(
// CHECK:         nn.conv2d {{.*}} residual
// CHECK-NEXT:    nn.mul
func.func @residual(%x: tensor<1x2x4x4xf32>, %z: tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xf32>) {
  %w = nn.constant dense<1.0> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %k = nn.constant dense<2.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.conv2d %x, %w residual %z {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.mul %0, %k : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// Training computes the statistics anew, though it is given some.
// CHECK-LABEL: func.func @training(
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.batch_norm
func.func @training(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<1.0> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %p = nn.constant dense<2.0> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1:6 = nn.batch_norm %0, %p, %p stats %p, %p {avg_factor = 1.0 : f64, epsilon = 1.0e-05 : f64, training, num_stats = 5 : i64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<0xsi8>)
  return %1#0 : tensor<1x2x4x4xf32>
}
