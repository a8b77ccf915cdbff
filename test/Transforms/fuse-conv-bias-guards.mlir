// RUN: model-opt %s --fuse-conv-bias | FileCheck %s
// RUN: model-opt %s --fuse-conv-bias -o %t.once
// RUN: model-opt %t.once --fuse-conv-bias -o %t.twice
// RUN: diff %t.once %t.twice

// What must not fire, one guard each: every case fires without its guard.

!qin = !quant.uniform<i8:f32, 0.5>
!qw = !quant.uniform<i8:f32, 0.25>
!qacc = !quant.uniform<i32:f32, 0.125>
!qout = !quant.uniform<i8:f32, 1.0>

// The activation quantizes to another scale.
// CHECK-LABEL: func.func @other_type(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.relu
func.func @other_type(%x: tensor<1x2x4x4x!qin>, %w: tensor<4x2x1x1x!qw>) -> (tensor<1x4x4x4x!qout>) {
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4x!qin>, tensor<4x2x1x1x!qw>) -> tensor<1x4x4x4x!qacc>
  %1 = nn.relu %0 {out_type = !qout} : (tensor<1x4x4x4x!qacc>) -> tensor<1x4x4x4x!qout>
  return %1 : tensor<1x4x4x4x!qout>
}

// The quantized sum is rounded before its sigmoid.
// CHECK-LABEL: func.func @quantized_sum(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @quantized_sum(%x: tensor<1x2x4x4x!qin>, %w: tensor<4x2x1x1x!qw>) -> (tensor<1x4x4x4x!qacc>) {
  %b = nn.constant dense<1> : tensor<1x4x1x1xi32> : tensor<1x4x1x1x!qacc>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4x!qin>, tensor<4x2x1x1x!qw>) -> tensor<1x4x4x4x!qacc>
  %1 = nn.add %0, %b {activation = #nn.activation<sigmoid>, out_type = !qacc} : (tensor<1x4x4x4x!qacc>, tensor<1x4x1x1x!qacc>) -> tensor<1x4x4x4x!qacc>
  return %1 : tensor<1x4x4x4x!qacc>
}

// Codes have no negation (-128).
// CHECK-LABEL: func.func @quantized_sub(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.sub
func.func @quantized_sub(%x: tensor<1x2x4x4x!qin>, %w: tensor<4x2x1x1x!qw>) -> (tensor<1x4x4x4x!qacc>) {
  %b = nn.constant dense<1> : tensor<1x4x1x1xi32> : tensor<1x4x1x1x!qacc>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4x!qin>, tensor<4x2x1x1x!qw>) -> tensor<1x4x4x4x!qacc>
  %1 = nn.sub %0, %b {out_type = !qacc} : (tensor<1x4x4x4x!qacc>, tensor<1x4x1x1x!qacc>) -> tensor<1x4x4x4x!qacc>
  return %1 : tensor<1x4x4x4x!qacc>
}

// The residual is added first.
// CHECK-LABEL: func.func @residual_first(
// CHECK:         nn.conv2d {{.*}} residual {{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @residual_first(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>, %z: tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>) {
  %b = nn.constant dense<1.0> : tensor<1x4x1x1xf32> : tensor<1x4x1x1xf32>
  %0 = nn.conv2d %x, %w residual %z {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %b : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// A convolution has one residual.
// CHECK-LABEL: func.func @second_residual(
// CHECK:         nn.conv2d {{.*}} residual %[[Z:.*]] {dilations
// CHECK-NEXT:    nn.add %{{[^,]*}}, %arg3
func.func @second_residual(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>, %z: tensor<1x4x4x4xf32>, %y: tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>) {
  %0 = nn.conv2d %x, %w residual %z {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %y : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// Of two that are added the later one takes the other.
// CHECK-LABEL: func.func @two(
// CHECK:         nn.conv2d %arg0, %arg1 {dilations
// CHECK-NEXT:    nn.conv2d %arg2, %arg1 residual %
func.func @two(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>, %u: tensor<1x2x4x4xf32>) -> (tensor<1x4x4x4xf32>) {
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.conv2d %u, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %2 = nn.add %0, %1 : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %2 : tensor<1x4x4x4xf32>
}

// Codes would be added before they are rounded.
// CHECK-LABEL: func.func @quantized_residual(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @quantized_residual(%x: tensor<1x2x4x4x!qin>, %w: tensor<4x2x1x1x!qw>, %z: tensor<1x4x4x4x!qacc>) -> (tensor<1x4x4x4x!qacc>) {
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4x!qin>, tensor<4x2x1x1x!qw>) -> tensor<1x4x4x4x!qacc>
  %1 = nn.add %0, %z {out_type = !qacc} : (tensor<1x4x4x4x!qacc>, tensor<1x4x4x4x!qacc>) -> tensor<1x4x4x4x!qacc>
  return %1 : tensor<1x4x4x4x!qacc>
}

// An activation after another; relu after relu is one.
// CHECK-LABEL: func.func @second_activation(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {activation = #nn.activation<relu>
// CHECK-NEXT:    nn.sigmoid
func.func @second_activation(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> (tensor<1x4x4x4xf32>) {
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.relu %0 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %2 = nn.relu %1 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %3 = nn.sigmoid %2 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %3 : tensor<1x4x4x4xf32>
}

// The sum of both biases overflows.
// CHECK-LABEL: func.func @overflow(
// CHECK:         nn.conv2d {{.*}} bias
// CHECK-NEXT:    nn.add
func.func @overflow(%x: tensor<1x2x4x4xf16>, %w: tensor<4x2x1x1xf16>) -> (tensor<1x4x4x4xf16>) {
  %b = nn.constant dense<6.0e+04> : tensor<1x4x1x1xf16> : tensor<1x4x1x1xf16>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf16>, tensor<4x2x1x1xf16>) -> tensor<1x4x4x4xf16>
  %1 = nn.add %0, %b : (tensor<1x4x4x4xf16>, tensor<1x4x1x1xf16>) -> tensor<1x4x4x4xf16>
  %2 = nn.add %1, %b : (tensor<1x4x4x4xf16>, tensor<1x4x1x1xf16>) -> tensor<1x4x4x4xf16>
  return %2 : tensor<1x4x4x4xf16>
}

// The max has a second user, before the min.
// CHECK-LABEL: func.func @shared_max(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.maximum
// CHECK-NEXT:    nn.exp
// CHECK-NEXT:    nn.minimum
func.func @shared_max(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %six = nn.constant dense<6.0> : tensor<1xf32> : tensor<1xf32>
  %low = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.maximum %0, %low : (tensor<1x4x4x4xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  %2 = nn.exp %1 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %3 = nn.minimum %1, %six : (tensor<1x4x4x4xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  return %2, %3 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// The lower bound is 1.
// CHECK-LABEL: func.func @other_low(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.maximum
// CHECK-NEXT:    nn.minimum
func.func @other_low(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> (tensor<1x4x4x4xf32>) {
  %six = nn.constant dense<6.0> : tensor<1xf32> : tensor<1xf32>
  %low = nn.constant dense<1.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.maximum %0, %low : (tensor<1x4x4x4xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  %2 = nn.minimum %1, %six : (tensor<1x4x4x4xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  return %2 : tensor<1x4x4x4xf32>
}
