// RUN: model-opt %s --fuse-conv-bias | FileCheck %s
// RUN: model-opt %s --fuse-conv-bias -o %t.once
// RUN: model-opt %t.once --fuse-conv-bias -o %t.twice
// RUN: diff %t.once %t.twice

// Every kind of convolution takes a bias of every shape that runs along its
// channels, with the sum's activation; the batch may be dynamic.

// CHECK-LABEL: func.func @dense(
// CHECK-NOT:     nn.add
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {dilations
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<relu>
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<sigmoid>
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<tanh>
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<h_swish>
// CHECK-NOT:     nn.add
// CHECK:         return
func.func @dense(%x: tensor<?x2x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> (tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>) {
  %b0 = nn.constant dense<1.0> : tensor<1x4x1x1xf32> : tensor<1x4x1x1xf32>
  %c0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y0 = nn.add %c0, %b0 : (tensor<?x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<?x4x4x4xf32>
  %b1 = nn.constant dense<2.0> : tensor<4x1x1xf32> : tensor<4x1x1xf32>
  %c1 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y1 = nn.add %b1, %c1 {activation = #nn.activation<relu>} : (tensor<4x1x1xf32>, tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32>
  %b2 = nn.constant dense<3.0> : tensor<1xf32> : tensor<1xf32>
  %c2 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y2 = nn.add %c2, %b2 {activation = #nn.activation<sigmoid>} : (tensor<?x4x4x4xf32>, tensor<1xf32>) -> tensor<?x4x4x4xf32>
  %b3 = nn.constant dense<4.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %c3 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y3 = nn.add %b3, %c3 {activation = #nn.activation<tanh>} : (tensor<1x1x1x1xf32>, tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32>
  %b4 = nn.constant dense<5.0> : tensor<f32> : tensor<f32>
  %c4 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x2x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y4 = nn.add %c4, %b4 {activation = #nn.activation<h_swish>} : (tensor<?x4x4x4xf32>, tensor<f32>) -> tensor<?x4x4x4xf32>
  return %y0, %y1, %y2, %y3, %y4 : tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>
}

// CHECK-LABEL: func.func @grouped(
// CHECK-NOT:     nn.add
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {dilations
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<relu>
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<sigmoid>
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<tanh>
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<h_swish>
// CHECK-NOT:     nn.add
// CHECK:         return
func.func @grouped(%x: tensor<?x4x4x4xf32>, %w: tensor<2x2x2x1x1xf32>) -> (tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>) {
  %b0 = nn.constant dense<1.0> : tensor<1x4x1x1xf32> : tensor<1x4x1x1xf32>
  %c0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, group_filter} : (tensor<?x4x4x4xf32>, tensor<2x2x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y0 = nn.add %c0, %b0 : (tensor<?x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<?x4x4x4xf32>
  %b1 = nn.constant dense<2.0> : tensor<4x1x1xf32> : tensor<4x1x1xf32>
  %c1 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, group_filter} : (tensor<?x4x4x4xf32>, tensor<2x2x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y1 = nn.add %b1, %c1 {activation = #nn.activation<relu>} : (tensor<4x1x1xf32>, tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32>
  %b2 = nn.constant dense<3.0> : tensor<1xf32> : tensor<1xf32>
  %c2 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, group_filter} : (tensor<?x4x4x4xf32>, tensor<2x2x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y2 = nn.add %c2, %b2 {activation = #nn.activation<sigmoid>} : (tensor<?x4x4x4xf32>, tensor<1xf32>) -> tensor<?x4x4x4xf32>
  %b3 = nn.constant dense<4.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %c3 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, group_filter} : (tensor<?x4x4x4xf32>, tensor<2x2x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y3 = nn.add %b3, %c3 {activation = #nn.activation<tanh>} : (tensor<1x1x1x1xf32>, tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32>
  %b4 = nn.constant dense<5.0> : tensor<f32> : tensor<f32>
  %c4 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, group_filter} : (tensor<?x4x4x4xf32>, tensor<2x2x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y4 = nn.add %c4, %b4 {activation = #nn.activation<h_swish>} : (tensor<?x4x4x4xf32>, tensor<f32>) -> tensor<?x4x4x4xf32>
  return %y0, %y1, %y2, %y3, %y4 : tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>
}

// CHECK-LABEL: func.func @plain_groups(
// CHECK-NOT:     nn.add
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {dilations
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<relu>
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<sigmoid>
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<tanh>
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<h_swish>
// CHECK-NOT:     nn.add
// CHECK:         return
func.func @plain_groups(%x: tensor<?x4x4x4xf32>, %w: tensor<4x2x1x1xf32>) -> (tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>) {
  %b0 = nn.constant dense<1.0> : tensor<1x4x1x1xf32> : tensor<1x4x1x1xf32>
  %c0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<?x4x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y0 = nn.add %c0, %b0 : (tensor<?x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<?x4x4x4xf32>
  %b1 = nn.constant dense<2.0> : tensor<4x1x1xf32> : tensor<4x1x1xf32>
  %c1 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<?x4x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y1 = nn.add %b1, %c1 {activation = #nn.activation<relu>} : (tensor<4x1x1xf32>, tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32>
  %b2 = nn.constant dense<3.0> : tensor<1xf32> : tensor<1xf32>
  %c2 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<?x4x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y2 = nn.add %c2, %b2 {activation = #nn.activation<sigmoid>} : (tensor<?x4x4x4xf32>, tensor<1xf32>) -> tensor<?x4x4x4xf32>
  %b3 = nn.constant dense<4.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %c3 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<?x4x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y3 = nn.add %b3, %c3 {activation = #nn.activation<tanh>} : (tensor<1x1x1x1xf32>, tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32>
  %b4 = nn.constant dense<5.0> : tensor<f32> : tensor<f32>
  %c4 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<?x4x4x4xf32>, tensor<4x2x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y4 = nn.add %c4, %b4 {activation = #nn.activation<h_swish>} : (tensor<?x4x4x4xf32>, tensor<f32>) -> tensor<?x4x4x4xf32>
  return %y0, %y1, %y2, %y3, %y4 : tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>
}

// CHECK-LABEL: func.func @depthwise(
// CHECK-NOT:     nn.add
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {dilations
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<relu>
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<sigmoid>
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<tanh>
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<h_swish>
// CHECK-NOT:     nn.add
// CHECK:         return
func.func @depthwise(%x: tensor<?x4x4x4xf32>, %w: tensor<4x1x1x1x1xf32>) -> (tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>) {
  %b0 = nn.constant dense<1.0> : tensor<1x4x1x1xf32> : tensor<1x4x1x1xf32>
  %c0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, group_filter} : (tensor<?x4x4x4xf32>, tensor<4x1x1x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y0 = nn.add %c0, %b0 : (tensor<?x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<?x4x4x4xf32>
  %b1 = nn.constant dense<2.0> : tensor<4x1x1xf32> : tensor<4x1x1xf32>
  %c1 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, group_filter} : (tensor<?x4x4x4xf32>, tensor<4x1x1x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y1 = nn.add %b1, %c1 {activation = #nn.activation<relu>} : (tensor<4x1x1xf32>, tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32>
  %b2 = nn.constant dense<3.0> : tensor<1xf32> : tensor<1xf32>
  %c2 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, group_filter} : (tensor<?x4x4x4xf32>, tensor<4x1x1x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y2 = nn.add %c2, %b2 {activation = #nn.activation<sigmoid>} : (tensor<?x4x4x4xf32>, tensor<1xf32>) -> tensor<?x4x4x4xf32>
  %b3 = nn.constant dense<4.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %c3 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, group_filter} : (tensor<?x4x4x4xf32>, tensor<4x1x1x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y3 = nn.add %b3, %c3 {activation = #nn.activation<tanh>} : (tensor<1x1x1x1xf32>, tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32>
  %b4 = nn.constant dense<5.0> : tensor<f32> : tensor<f32>
  %c4 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, group_filter} : (tensor<?x4x4x4xf32>, tensor<4x1x1x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y4 = nn.add %c4, %b4 {activation = #nn.activation<h_swish>} : (tensor<?x4x4x4xf32>, tensor<f32>) -> tensor<?x4x4x4xf32>
  return %y0, %y1, %y2, %y3, %y4 : tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>
}

// CHECK-LABEL: func.func @transposed(
// CHECK-NOT:     nn.add
// CHECK:         nn.conv_transpose2d %arg0, %arg1 bias %{{[^ ]*}} {dilations
// CHECK:         nn.conv_transpose2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<relu>
// CHECK:         nn.conv_transpose2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<sigmoid>
// CHECK:         nn.conv_transpose2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<tanh>
// CHECK:         nn.conv_transpose2d %arg0, %arg1 bias %{{[^ ]*}} {activation = #nn.activation<h_swish>
// CHECK-NOT:     nn.add
// CHECK:         return
func.func @transposed(%x: tensor<?x2x4x4xf32>, %w: tensor<2x4x1x1xf32>) -> (tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>) {
  %b0 = nn.constant dense<1.0> : tensor<1x4x1x1xf32> : tensor<1x4x1x1xf32>
  %c0 = nn.conv_transpose2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x2x4x4xf32>, tensor<2x4x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y0 = nn.add %c0, %b0 : (tensor<?x4x4x4xf32>, tensor<1x4x1x1xf32>) -> tensor<?x4x4x4xf32>
  %b1 = nn.constant dense<2.0> : tensor<4x1x1xf32> : tensor<4x1x1xf32>
  %c1 = nn.conv_transpose2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x2x4x4xf32>, tensor<2x4x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y1 = nn.add %b1, %c1 {activation = #nn.activation<relu>} : (tensor<4x1x1xf32>, tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32>
  %b2 = nn.constant dense<3.0> : tensor<1xf32> : tensor<1xf32>
  %c2 = nn.conv_transpose2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x2x4x4xf32>, tensor<2x4x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y2 = nn.add %c2, %b2 {activation = #nn.activation<sigmoid>} : (tensor<?x4x4x4xf32>, tensor<1xf32>) -> tensor<?x4x4x4xf32>
  %b3 = nn.constant dense<4.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %c3 = nn.conv_transpose2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x2x4x4xf32>, tensor<2x4x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y3 = nn.add %b3, %c3 {activation = #nn.activation<tanh>} : (tensor<1x1x1x1xf32>, tensor<?x4x4x4xf32>) -> tensor<?x4x4x4xf32>
  %b4 = nn.constant dense<5.0> : tensor<f32> : tensor<f32>
  %c4 = nn.conv_transpose2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x2x4x4xf32>, tensor<2x4x1x1xf32>) -> tensor<?x4x4x4xf32>
  %y4 = nn.add %c4, %b4 {activation = #nn.activation<h_swish>} : (tensor<?x4x4x4xf32>, tensor<f32>) -> tensor<?x4x4x4xf32>
  return %y0, %y1, %y2, %y3, %y4 : tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>, tensor<?x4x4x4xf32>
}

// A ConvBias of the file, without activation, followed by one.
// CHECK-LABEL: func.func @conv_bias(
// CHECK:         nn.conv2d %arg0, %arg1 bias %arg2 {activation = #nn.activation<relu>
// CHECK:         nn.conv2d %arg0, %arg1 bias %arg2 {activation = #nn.activation<sigmoid>
// CHECK:         nn.conv2d %arg0, %arg1 bias %arg2 {activation = #nn.activation<h_swish>
// CHECK:         nn.conv2d %arg0, %arg1 bias %arg2 {activation = #nn.activation<tanh>
// CHECK:         nn.conv2d %arg0, %arg1 bias %arg2 {activation = #nn.activation<silu>
// CHECK:         nn.conv2d %arg0, %arg1 bias %arg2 {activation = #nn.activation<h_sigmoid>
// CHECK:         nn.conv2d %arg0, %arg1 bias %arg2 {activation = #nn.activation<relu6>
// CHECK-NEXT:    return
func.func @conv_bias(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x1x1xf32>, %b: tensor<1x4x1x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %c0 = nn.conv2d %x, %w bias %b {mgb.opr = "ConvBiasForwardV4", strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %y0 = nn.relu %c0 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %c1 = nn.conv2d %x, %w bias %b {mgb.opr = "ConvBiasForwardV4", strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %y1 = nn.sigmoid %c1 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %c2 = nn.conv2d %x, %w bias %b {mgb.opr = "ConvBiasForwardV4", strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %y2 = nn.h_swish %c2 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %c3 = nn.conv2d %x, %w bias %b {mgb.opr = "ConvBiasForwardV4", strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %y3 = nn.tanh %c3 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %c4 = nn.conv2d %x, %w bias %b {mgb.opr = "ConvBiasForwardV4", strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %y4 = nn.silu %c4 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %c5 = nn.conv2d %x, %w bias %b {mgb.opr = "ConvBiasForwardV4", strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %y5 = nn.h_sigmoid %c5 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %c6 = nn.conv2d %x, %w bias %b {mgb.opr = "ConvBiasForwardV4", strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<4x2x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %y6 = nn.relu6 %c6 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}
