// RUN: model-opt %s --fuse-conv-bias | FileCheck %s
// RUN: model-opt %s --fuse-conv-bias=fuse-residual=false | FileCheck %s --check-prefix=NORES
// RUN: model-opt %s --fuse-conv-bias -o %t.once
// RUN: model-opt %t.once --fuse-conv-bias -o %t.twice
// RUN: diff %t.once %t.twice

// What must not fire.

// The result has a second user.
// CHECK-LABEL: func.func @second_user
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @second_user(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %b = nn.constant dense<1.0> : tensor<1x4x1x1xf32> : tensor<1x4x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %b : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %2 = nn.exp %0 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1, %2 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// The result leaves the graph, under its own name.
// CHECK-LABEL: func.func @graph_output
// CHECK:         %[[C:.*]] = nn.conv2d
// CHECK-SAME:      mgb.vars = ["conv"]
// CHECK-NEXT:    %[[R:.*]] = nn.relu %[[C]]
// CHECK-NEXT:    return %[[C]], %[[R]]
func.func @graph_output(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, mgb.vars = ["conv"]} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.relu %0 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %0, %1 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// A constant of the full output shape is no bias (grouped convolution).
// CHECK-LABEL: func.func @full_shape
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @full_shape(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %b = nn.constant dense<1.0> : tensor<1x4x4x4xf32> : tensor<1x4x4x4xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, group_filter} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %b : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// Shape (W) with C = W.
// CHECK-LABEL: func.func @width
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @width(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %b = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> : tensor<4xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %b : (tensor<1x4x4x4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// Shape (1,1,1,W) with C = W.
// CHECK-LABEL: func.func @width_4d
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @width_4d(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %b = nn.constant dense<[[[[1.0, 2.0, 3.0, 4.0]]]]> : tensor<1x1x1x4xf32> : tensor<1x1x1x4xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %b : (tensor<1x4x4x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// Shape (1,H,1) with C = H.
// CHECK-LABEL: func.func @height
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @height(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %b = nn.constant dense<[[[1.0], [2.0], [3.0], [4.0]]]> : tensor<1x4x1xf32> : tensor<1x4x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %b : (tensor<1x4x4x4xf32>, tensor<1x4x1xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// Rank 5 makes another type.
// CHECK-LABEL: func.func @rank5
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @rank5(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> tensor<1x1x4x4x4xf32> {
  %b = nn.constant dense<1.0> : tensor<1x1x4x1x1xf32> : tensor<1x1x4x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %b : (tensor<1x4x4x4xf32>, tensor<1x1x4x1x1xf32>) -> tensor<1x1x4x4x4xf32>
  return %1 : tensor<1x1x4x4x4xf32>
}

// A bias in the other layout: NHWC takes (C), not (C,1,1).
// CHECK-LABEL: func.func @nchw_channels_last
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @nchw_channels_last(%x: tensor<1x4x4x2xf32>, %w: tensor<4x1x1x2xf32>) -> tensor<1x4x4x4xf32> {
  %b = nn.constant dense<[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]> : tensor<4x1x1xf32> : tensor<4x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, layout = #nn.layout<NHWC>} : (tensor<1x4x4x2xf32>, tensor<4x1x1x2xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %b : (tensor<1x4x4x4xf32>, tensor<4x1x1xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// A bias that is an input is no constant.
// CHECK-LABEL: func.func @non_constant
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @non_constant(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>, %b: tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %b : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// Nor is an input with a default.
// CHECK-LABEL: func.func @overridable
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @overridable(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>, %b: tensor<1x4x1x1xf32> {nn.default = dense<1.0> : tensor<1x4x1x1xf32>}) -> tensor<1x4x4x4xf32> {
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %b : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// Nor is a variable.
// CHECK-LABEL: func.func @variable
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @variable(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %b = nn.variable dense<1.0> : tensor<1x4x1x1xf32> : tensor<1x4x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %b : (tensor<1x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// The activation comes before the sum.
// CHECK-LABEL: func.func @activation_first
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {activation = #nn.activation<relu>
// CHECK-NEXT:    nn.add
func.func @activation_first(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>, %z: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.relu %0 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %2 = nn.add %1, %z : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %2 : tensor<1x4x4x4xf32>
}

// The convolution is subtracted.
// CHECK-LABEL: func.func @subtrahend
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.sub
func.func @subtrahend(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %b = nn.constant dense<1.0> : tensor<1x4x1x1xf32> : tensor<1x4x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.sub %b, %0 : (tensor<1x4x1x1xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// The convolution is both operands.
// CHECK-LABEL: func.func @twice
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @twice(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %0 : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// Dynamic shapes could broadcast.
// CHECK-LABEL: func.func @dynamic_residual
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @dynamic_residual(%x: tensor<?x2x4x4xf32>, %w: tensor<4x2x1x1xf32>, %z: tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32> {
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %1 = nn.add %0, %z : (tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32>
  return %1 : tensor<?x4x4x4xf32>
}

// fuse-residual=false keeps the sum.
// CHECK-LABEL: func.func @residual_option
// CHECK:         nn.conv2d {{.*}} residual
// NORES-LABEL: func.func @residual_option
// NORES:         nn.conv2d
// NORES-NEXT:    nn.add
func.func @residual_option(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>, %z: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %z : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// Bytes that are missing cannot be reshaped.
// CHECK-LABEL: func.func @elided
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.sub
func.func @elided(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %b = nn.constant dense_resource<__elided__> : tensor<4x1x1xf32> : tensor<4x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.sub %0, %b : (tensor<1x4x4x4xf32>, tensor<4x1x1xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

!qin = !quant.uniform<i8:f32, 0.5>
!qw = !quant.uniform<i8:f32, 0.25>
!qacc = !quant.uniform<i32:f32, 0.125>
!qbias = !quant.uniform<i32:f32, 0.25>
!qout = !quant.uniform<i8:f32, 1.0>

// The bias has twice the scale of the accumulator.
// CHECK-LABEL: func.func @quantized_scale
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add
func.func @quantized_scale(%x: tensor<1x2x4x4x!qin>, %w: tensor<4x2x1x1x!qw>) -> tensor<1x4x4x4x!qacc> {
  %b = nn.constant dense<1> : tensor<1x4x1x1xi32> : tensor<1x4x1x1x!qbias>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4x!qin>, tensor<4x2x1x1x!qw>) -> tensor<1x4x4x4x!qacc>
  %1 = nn.add %0, %b {out_type = !qacc} : (tensor<1x4x4x4x!qacc>, tensor<1x4x1x1x!qbias>) -> tensor<1x4x4x4x!qacc>
  return %1 : tensor<1x4x4x4x!qacc>
}

// The convolution rounds to i8 before the sum.
// CHECK-LABEL: func.func @quantized_result
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-SAME:      out_type
// CHECK-NEXT:    nn.add
func.func @quantized_result(%x: tensor<1x2x4x4x!qin>, %w: tensor<4x2x1x1x!qw>) -> tensor<1x4x4x4x!qout> {
  %b = nn.constant dense<1> : tensor<1x4x1x1xi32> : tensor<1x4x1x1x!qacc>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, out_type = !qout} : (tensor<1x2x4x4x!qin>, tensor<4x2x1x1x!qw>) -> tensor<1x4x4x4x!qout>
  %1 = nn.add %0, %b {out_type = !qout} : (tensor<1x4x4x4x!qout>, tensor<1x4x1x1x!qacc>) -> tensor<1x4x4x4x!qout>
  return %1 : tensor<1x4x4x4x!qout>
}

// Only relu commutes with rounding.
// CHECK-LABEL: func.func @quantized_sigmoid
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.sigmoid
func.func @quantized_sigmoid(%x: tensor<1x2x4x4x!qin>, %w: tensor<4x2x1x1x!qw>) -> tensor<1x4x4x4x!qacc> {
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4x!qin>, tensor<4x2x1x1x!qw>) -> tensor<1x4x4x4x!qacc>
  %1 = nn.sigmoid %0 : (tensor<1x4x4x4x!qacc>) -> tensor<1x4x4x4x!qacc>
  return %1 : tensor<1x4x4x4x!qacc>
}
