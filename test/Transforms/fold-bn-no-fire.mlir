// RUN: model-opt %s --fold-bn | FileCheck %s
// RUN: model-opt %s --fold-bn=max-shared-bytes=4 | FileCheck %s --check-prefix=SHARE
// RUN: model-opt %s --fold-bn -o %t.once
// RUN: model-opt %t.once --fold-bn -o %t.twice
// RUN: diff %t.once %t.twice

// What must not fire.

// The result has a second user.
// CHECK-LABEL: func.func @second_user
// CHECK-NOT:     nn.conv2d {{.*}} bias
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.batch_norm
func.func @second_user(%x: tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = nn.exp %0 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %1, %2 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// The result leaves the graph.
// CHECK-LABEL: func.func @graph_output
// CHECK-NOT:     nn.conv2d {{.*}} bias
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.batch_norm
func.func @graph_output(%x: tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %0, %1 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// The weights are an input with a default.
// CHECK-LABEL: func.func @weights_input
// CHECK-NOT:     nn.conv2d {{.*}} bias
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.batch_norm
func.func @weights_input(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32> {nn.default = dense<1.0> : tensor<2x2x1x1xf32>}) -> tensor<1x2x4x4xf32> {
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// The scale is an input.
// CHECK-LABEL: func.func @scale_input
// CHECK-NOT:     nn.conv2d {{.*}} bias
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.batch_norm
func.func @scale_input(%x: tensor<1x2x4x4xf32>, %s: tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %unused = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// Training computes statistics of its own.
// CHECK-LABEL: func.func @training
// CHECK-NOT:     nn.conv2d {{.*}} bias
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.batch_norm
func.func @training(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t {avg_factor = 1.0 : f64, epsilon = 0.0 : f64, training} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// Variance 0 with epsilon 0 is not finite.
// CHECK-LABEL: func.func @zero_variance
// CHECK-NOT:     nn.conv2d {{.*}} bias
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.batch_norm
func.func @zero_variance(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<1.0> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<1.0> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<1.0> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[1.0]], [[0.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// Nor is the root of a negative number.
// CHECK-LABEL: func.func @negative_variance
// CHECK-NOT:     nn.conv2d {{.*}} bias
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.batch_norm
func.func @negative_variance(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<1.0> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<1.0> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<1.0> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<-1.0> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// The bytes of the weights are missing.
// CHECK-LABEL: func.func @elided
// CHECK-NOT:     nn.conv2d {{.*}} bias
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.batch_norm
func.func @elided(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense_resource<__elided__> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// An activation stands between.
// CHECK-LABEL: func.func @activation
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.relu
// CHECK-NEXT:    nn.batch_norm
func.func @activation(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.relu %0 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %2 = nn.batch_norm %1, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %2 : tensor<1x2x4x4xf32>
}

// An activation is fused already.
// CHECK-LABEL: func.func @fused_activation
// CHECK-NOT:     nn.conv2d {{.*}} bias
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.batch_norm
func.func @fused_activation(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, activation = #nn.activation<relu>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// A factor along W with C = W.
// CHECK-LABEL: func.func @width
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.mul
func.func @width(%x: tensor<1x2x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %w = nn.constant dense<1.0> : tensor<4x2x1x1xf32> : tensor<4x2x1x1xf32>
  %k = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> : tensor<4xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.mul %0, %k : (tensor<1x4x4x4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// Without a factor there is nothing to fold here.
// CHECK-LABEL: func.func @only_additions
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.add
func.func @only_additions(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.add %0, %t : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// The convolution is the divisor.
// CHECK-LABEL: func.func @reversed_division
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.div
func.func @reversed_division(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.div %t, %0 : (tensor<1x2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// A weight would leave the range of f16.
// CHECK-LABEL: func.func @overflow
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.mul
func.func @overflow(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %w = nn.constant dense<6.0e4> : tensor<2x2x1x1xf16> : tensor<2x2x1x1xf16>
  %k = nn.constant dense<2.0> : tensor<1x2x1x1xf16> : tensor<1x2x1x1xf16>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf16>, tensor<2x2x1x1xf16>) -> tensor<1x2x4x4xf16>
  %1 = nn.mul %0, %k : (tensor<1x2x4x4xf16>, tensor<1x2x1x1xf16>) -> tensor<1x2x4x4xf16>
  return %1 : tensor<1x2x4x4xf16>
}

// Filters of blocked layouts are not scaled.
// CHECK-LABEL: func.func @blocked
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.mul
func.func @blocked(%x: tensor<1x1x4x4x4xf32>) -> tensor<1x1x4x4x4xf32> {
  %w = nn.constant dense<1.0> : tensor<1x1x1x1x4x4xf32> : tensor<1x1x1x1x4x4xf32>
  %k = nn.constant dense<2.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, layout = #nn.layout<NCHW44>} : (tensor<1x1x4x4x4xf32>, tensor<1x1x1x1x4x4xf32>) -> tensor<1x1x4x4x4xf32>
  %1 = nn.mul %0, %k : (tensor<1x1x4x4x4xf32>, tensor<1xf32>) -> tensor<1x1x4x4x4xf32>
  return %1 : tensor<1x1x4x4x4xf32>
}

// A statistic is used.
// CHECK-LABEL: func.func @statistics
// CHECK-NOT:     nn.conv2d {{.*}} bias
// CHECK:         nn.conv2d
// CHECK-NEXT:    nn.batch_norm
func.func @statistics(%x: tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1:3 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 1.0e-5 : f64, num_stats = 2 : i64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>)
  return %1#0, %1#1 : tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>
}

// A batch norm of an input stays.
// CHECK-LABEL: func.func @no_convolution
// CHECK:         nn.batch_norm
func.func @no_convolution(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %1 = nn.batch_norm %x, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// Shared weights above the limit are not copied.
// CHECK-LABEL: func.func @shared_limit
// CHECK-NOT:     nn.mul
// SHARE-LABEL: func.func @shared_limit
// SHARE:         nn.mul
func.func @shared_limit(%x: tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %k = nn.constant dense<10.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %3 = nn.mul %2, %k : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  return %0, %3 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}
