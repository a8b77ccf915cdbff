// RUN: model-opt %s --fuse-conv-bias | FileCheck %s
// RUN: model-opt %s --fuse-conv-bias -o %t.once
// RUN: model-opt %t.once --fuse-conv-bias -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK-LABEL: func.func @chain
// CHECK-SAME:    (%[[X:.*]]: tensor<1x2x4x4xf32>, %[[W:.*]]: tensor
// CHECK:         %[[B:.*]] = nn.constant
// CHECK-NEXT:    %[[R:.*]] = nn.conv2d %[[X]], %[[W]] bias %[[B]] {activation = #nn.activation<relu>
// CHECK-SAME:      mgb.name = "last", mgb.policy = [2 : ui64, 0 : ui64], mgb.vars = ["out"]
// CHECK-NOT:       mgb.opr
// CHECK-NEXT:    return %[[R]]
func.func @chain(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %b = nn.constant dense<[[[[1.0]], [[2.0]], [[3.0]]]]> : tensor<1x3x1x1xf32> : tensor<1x3x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, mgb.opr = "ConvolutionV2", mgb.policy = [2 : ui64, 0 : ui64], mgb.name = "first", mgb.output_dtype = f32} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.add %b, %0 {mgb.vars = ["sum"]} : (tensor<1x3x1x1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.relu %1 {mgb.name = "last", mgb.vars = ["out"]} : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// The bias gets the layout's shape; subtraction negates; constants merge.
// CHECK-LABEL: func.func @bias_forms
// CHECK:         %[[B:.*]] = nn.constant dense<{{\[\[\[\[}}-3.000000e+00]], {{\[\[}}-3.500000e+00]], {{\[\[}}-4.000000e+00]]]]> : tensor<1x3x1x1xf32> : tensor<1x3x1x1xf32>
// CHECK-NEXT:    nn.conv2d %{{.*}}, %{{.*}} bias %[[B]]
// CHECK-NEXT:    return
func.func @bias_forms(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %b = nn.constant dense<[[[1.0]], [[1.5]], [[2.0]]]> : tensor<3x1x1xf32> : tensor<3x1x1xf32>
  %c = nn.constant dense<-2.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.sub %0, %b : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.add %1, %c : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @nhwc
// CHECK:         %[[B:.*]] = nn.constant dense<[{{.*}}]> : tensor<1x1x1x4xf32> : tensor<1x1x1x4xf32>
// CHECK-NEXT:    nn.conv2d %{{.*}}, %{{.*}} bias %[[B]] {activation = #nn.activation<h_swish>
// CHECK-NEXT:    return
func.func @nhwc(%x: tensor<1x4x4x2xf32>, %w: tensor<4x1x1x2xf32>) -> tensor<1x4x4x4xf32> {
  %b = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32> : tensor<4xf32>
  %0 = nn.conv2d %x, %w {layout = #nn.layout<NHWC>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<4x1x1x2xf32>) -> tensor<1x4x4x4xf32>
  %1 = nn.add %0, %b {activation = #nn.activation<h_swish>} : (tensor<1x4x4x4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// A scalar covers every channel block.
// CHECK-LABEL: func.func @blocked
// CHECK:         %[[B:.*]] = nn.constant dense<5.000000e-01> : tensor<1x1x1x1x4xf32> : tensor<1x1x1x1x4xf32>
// CHECK-NEXT:    nn.conv2d %{{.*}}, %{{.*}} bias %[[B]]
func.func @blocked(%x: tensor<1x1x4x4x4xf32>, %w: tensor<1x1x1x1x4x4xf32>) -> tensor<1x1x4x4x4xf32> {
  %b = nn.constant dense<0.5> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.conv2d %x, %w {layout = #nn.layout<NCHW44>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4x4xf32>, tensor<1x1x1x1x4x4xf32>) -> tensor<1x1x4x4x4xf32>
  %1 = nn.add %0, %b : (tensor<1x1x4x4x4xf32>, tensor<1xf32>) -> tensor<1x1x4x4x4xf32>
  return %1 : tensor<1x1x4x4x4xf32>
}

// CHECK-LABEL: func.func @group_f16
// CHECK:         %[[B:.*]] = nn.constant
// CHECK-NEXT:    nn.conv2d %{{.*}}, %{{.*}} bias %[[B]] {activation = #nn.activation<sigmoid>{{.*}}group_filter
// CHECK-NEXT:    return
func.func @group_f16(%x: tensor<1x4x4x4xf16>, %w: tensor<2x1x2x1x1xf16>) -> tensor<1x2x4x4xf16> {
  %b = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf16> : tensor<1x2x1x1xf16>
  %0 = nn.conv2d %x, %w {groups = 2 : i64, group_filter, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf16>, tensor<2x1x2x1x1xf16>) -> tensor<1x2x4x4xf16>
  %1 = nn.add %0, %b : (tensor<1x2x4x4xf16>, tensor<1x2x1x1xf16>) -> tensor<1x2x4x4xf16>
  %2 = nn.sigmoid %1 : (tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16>
  return %2 : tensor<1x2x4x4xf16>
}

// CHECK-LABEL: func.func @transposed
// CHECK:         nn.conv_transpose2d %{{.*}}, %{{.*}} bias %{{.*}} {activation = #nn.activation<relu6>
// CHECK-NEXT:    return
func.func @transposed(%x: tensor<1x3x4x4xf32>, %w: tensor<3x2x2x2xf32>) -> tensor<1x2x5x5xf32> {
  %b = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.conv_transpose2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>, tensor<3x2x2x2xf32>) -> tensor<1x2x5x5xf32>
  %1 = nn.add %0, %b : (tensor<1x2x5x5xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x5x5xf32>
  %2 = nn.maximum %1, %zero : (tensor<1x2x5x5xf32>, tensor<1xf32>) -> tensor<1x2x5x5xf32>
  %3 = nn.minimum %2, %six : (tensor<1x2x5x5xf32>, tensor<1xf32>) -> tensor<1x2x5x5xf32>
  return %3 : tensor<1x2x5x5xf32>
}

// CHECK-LABEL: func.func @relu6_min_first
// CHECK:         nn.conv2d %{{.*}}, %{{.*}} {activation = #nn.activation<relu6>
// CHECK-NEXT:    return
func.func @relu6_min_first(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.minimum %six, %0 : (tensor<1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.maximum %1, %zero : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// The fused op stands where the sum stood, behind the residual's producer.
// CHECK-LABEL: func.func @residual
// CHECK:         %[[Z:.*]] = nn.exp
// CHECK-NEXT:    nn.conv2d %{{.*}}, %{{.*}} bias %{{.*}} residual %[[Z]] {activation = #nn.activation<relu>
// CHECK-NEXT:    return
func.func @residual(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>, %z: tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %b = nn.constant dense<[[[[1.0]], [[2.0]], [[3.0]]]]> : tensor<1x3x1x1xf32> : tensor<1x3x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.add %0, %b : (tensor<1x3x4x4xf32>, tensor<1x3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.exp %z : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %3 = nn.add %2, %1 : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %4 = nn.relu %3 : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %4 : tensor<1x3x4x4xf32>
}

!qin = !quant.uniform<i8:f32, 0.5>
!qw = !quant.uniform<i8:f32, 0.25>
!qacc = !quant.uniform<i32:f32, 0.125>

// CHECK-LABEL: func.func @quantized
// CHECK:         nn.conv2d %{{.*}}, %{{.*}} bias %{{.*}} {activation = #nn.activation<relu>
// CHECK-NEXT:    return
func.func @quantized(%x: tensor<1x2x4x4x!qin>, %w: tensor<3x2x1x1x!qw>) -> tensor<1x3x4x4x!qacc> {
  %b = nn.constant dense<[[[[1]], [[2]], [[3]]]]> : tensor<1x3x1x1xi32> : tensor<1x3x1x1x!qacc>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4x!qin>, tensor<3x2x1x1x!qw>) -> tensor<1x3x4x4x!qacc>
  %1 = nn.add %0, %b : (tensor<1x3x4x4x!qacc>, tensor<1x3x1x1x!qacc>) -> tensor<1x3x4x4x!qacc>
  %2 = nn.relu %1 : (tensor<1x3x4x4x!qacc>) -> tensor<1x3x4x4x!qacc>
  return %2 : tensor<1x3x4x4x!qacc>
}
