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

// Must not fire: no quantized sum of the format takes silu, and two ops would
// round twice.
// CHECK-LABEL: func.func @residual_silu
// CHECK:         nn.conv2d {{.*}} residual {{.*}} {activation = #nn.activation<silu>
// CHECK-NEXT:    return
func.func @residual_silu(%x: tensor<1x2x4x4x!qin>, %w: tensor<2x2x1x1x!qw>, %z: tensor<1x2x4x4x!qout>) -> tensor<1x2x4x4x!qout> {
  %0 = nn.conv2d %x, %w residual %z {activation = #nn.activation<silu>, out_type = !qout, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4x!qin>, tensor<2x2x1x1x!qw>, tensor<1x2x4x4x!qout>) -> tensor<1x2x4x4x!qout>
  return %0 : tensor<1x2x4x4x!qout>
}
