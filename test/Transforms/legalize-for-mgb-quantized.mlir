// RUN: model-opt %s --legalize-for-mgb | FileCheck %s
// RUN: model-opt %s --legalize-for-mgb -o %t.once
// RUN: model-opt %t.once --legalize-for-mgb -o %t.twice
// RUN: diff %t.once %t.twice

// Values are rounded once: the convolution returns its accumulator and the
// last op quantizes.

!qin = !quant.uniform<i8:f32, 0.5>
!qw = !quant.uniform<i8:f32, 0.25>
!qacc = !quant.uniform<i32:f32, 0.125>
!qout = !quant.uniform<i8:f32, 1.0>

// CHECK-LABEL: func.func @residual
// CHECK:         %[[C:.*]] = nn.conv2d %{{.*}}, %{{.*}} bias %{{[^ ]*}} {dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} : {{.*}} -> tensor<1x2x4x4x!quant.uniform<i32:f32, 1.250000e-01>>
// CHECK-NEXT:    nn.add %[[C]], %{{.*}} {activation = #nn.activation<relu>, mgb.vars = ["y"], out_type = !quant.uniform<i8:f32, 1.000000e+00>}
func.func @residual(%x: tensor<1x2x4x4x!qin>, %w: tensor<2x2x1x1x!qw>, %b: tensor<1x2x1x1x!qacc>, %z: tensor<1x2x4x4x!qout>) -> tensor<1x2x4x4x!qout> {
  %0 = nn.conv2d %x, %w bias %b residual %z {activation = #nn.activation<relu>, out_type = !qout, mgb.vars = ["y"], strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4x!qin>, tensor<2x2x1x1x!qw>, tensor<1x2x1x1x!qacc>, tensor<1x2x4x4x!qout>) -> tensor<1x2x4x4x!qout>
  return %0 : tensor<1x2x4x4x!qout>
}

// CHECK-LABEL: func.func @tanh
// CHECK:         %[[C:.*]] = nn.conv2d
// CHECK-SAME:      -> tensor<1x2x4x4x!quant.uniform<i32:f32, 1.250000e-01>>
// CHECK-NEXT:    nn.tanh %[[C]] {out_type = !quant.uniform<i8:f32, 1.000000e+00>}
func.func @tanh(%x: tensor<1x2x4x4x!qin>, %w: tensor<2x2x1x1x!qw>) -> tensor<1x2x4x4x!qout> {
  %0 = nn.conv2d %x, %w {activation = #nn.activation<tanh>, out_type = !qout, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4x!qin>, tensor<2x2x1x1x!qw>) -> tensor<1x2x4x4x!qout>
  return %0 : tensor<1x2x4x4x!qout>
}

// No quantized op of the format takes silu: sum and activation are f32, as
// inside of the quantized ops, between codes.
// CHECK-LABEL: func.func @residual_silu
// CHECK:         %[[C:.*]] = nn.conv2d
// CHECK-SAME:      -> tensor<1x2x4x4x!quant.uniform<i32:f32, 1.250000e-01>>
// CHECK-NEXT:    %[[X:.*]] = nn.cast %[[C]] {to = f32}
// CHECK-NEXT:    %[[Z:.*]] = nn.cast %{{.*}} {to = f32}
// CHECK-NEXT:    %[[S:.*]] = nn.add %[[X]], %[[Z]] : {{.*}} -> tensor<1x2x4x4xf32>
// CHECK-NEXT:    %[[A:.*]] = nn.silu %[[S]]
// CHECK-NEXT:    %[[R:.*]] = nn.cast %[[A]] {mgb.vars = ["y"], to = !quant.uniform<i8:f32, 1.000000e+00>}
// CHECK-NEXT:    return %[[R]]
func.func @residual_silu(%x: tensor<1x2x4x4x!qin>, %w: tensor<2x2x1x1x!qw>, %z: tensor<1x2x4x4x!qout>) -> tensor<1x2x4x4x!qout> {
  %0 = nn.conv2d %x, %w residual %z {activation = #nn.activation<silu>, out_type = !qout, mgb.vars = ["y"], strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4x!qin>, tensor<2x2x1x1x!qw>, tensor<1x2x4x4x!qout>) -> tensor<1x2x4x4x!qout>
  return %0 : tensor<1x2x4x4x!qout>
}

// CHECK-LABEL: func.func @relu6
// CHECK-NEXT:    %[[SIX:.*]] = nn.constant dense<6.0
// CHECK-NEXT:    %[[C:.*]] = nn.conv2d
// CHECK-NEXT:    %[[X:.*]] = nn.cast %[[C]] {to = f32}
// CHECK-NEXT:    %[[MAX:.*]] = nn.relu %[[X]]
// CHECK-NEXT:    %[[MIN:.*]] = nn.minimum %[[MAX]], %[[SIX]]
// CHECK-NEXT:    nn.cast %[[MIN]] {to = !quant.uniform<i8:f32, 1.000000e+00>}
func.func @relu6(%x: tensor<1x2x4x4x!qin>, %w: tensor<2x2x1x1x!qw>) -> tensor<1x2x4x4x!qout> {
  %0 = nn.conv2d %x, %w {activation = #nn.activation<relu6>, out_type = !qout, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4x!qin>, tensor<2x2x1x1x!qw>) -> tensor<1x2x4x4x!qout>
  return %0 : tensor<1x2x4x4x!qout>
}
