// RUN: model-opt %s --fold-bn | FileCheck %s
// RUN: model-opt %s --fold-bn -o %t.once
// RUN: model-opt %t.once --fold-bn -o %t.twice
// RUN: diff %t.once %t.twice

// Affine ops before a convolution go into its weights.

// CHECK-LABEL: func.func @scale_and_shift(
// CHECK-DAG:     %[[W:.*]] = nn.constant dense<{{\[\[\[\[}}2.000000e+00]], {{\[\[}}6.000000e+00]]], {{\[\[\[}}4.000000e+00]], {{\[\[}}1.200000e+01]]]]> : tensor<2x2x1x1xf32>
// CHECK-DAG:     %[[B:.*]] = nn.constant dense<{{\[\[\[\[}}7.000000e+01]], {{\[\[}}1.400000e+02]]]]> : tensor<1x2x1x1xf32>
// CHECK:         nn.conv2d %arg0, %[[W]] bias %[[B]] {dilations
// CHECK-NEXT:    return
func.func @scale_and_shift(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[2.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %k = nn.constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32> : tensor<2x1x1xf32>
  %b = nn.constant dense<[[[10.0]], [[30.0]]]> : tensor<2x1x1xf32> : tensor<2x1x1xf32>
  %0 = nn.mul %k, %x : (tensor<2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.add %0, %b : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = nn.conv2d %1, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %2 : tensor<1x2x4x4xf32>
}

// A scale alone minds no padding; groups read channels of their own.
// CHECK-LABEL: func.func @padded_groups(
// CHECK:         %[[W:.*]] = nn.constant dense<{{\[\[\[\[\[}}2.000000e+00]]]], {{\[\[\[\[}}6.000000e+00]]]]]> : tensor<2x1x1x1x1xf32>
// CHECK:         nn.conv2d %arg0, %[[W]] {dilations
// CHECK-NEXT:    return
func.func @padded_groups(%x: tensor<?x2x4x4xf32>) -> tensor<?x2x6x6xf32> {
  %w = nn.constant dense<[[[[[1.0]]]], [[[[2.0]]]]]> : tensor<2x1x1x1x1xf32> : tensor<2x1x1x1x1xf32>
  %k = nn.constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32> : tensor<2x1x1xf32>
  %0 = nn.mul %x, %k : (tensor<?x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<?x2x4x4xf32>
  %1 = nn.conv2d %0, %w {groups = 2 : i64, group_filter, strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<?x2x4x4xf32>, tensor<2x1x1x1x1xf32>) -> tensor<?x2x6x6xf32>
  return %1 : tensor<?x2x6x6xf32>
}

// CHECK-LABEL: func.func @batch_norm_nhwc(
// CHECK:         nn.conv2d %arg0, %{{.*}} bias %{{.*}} {activation = #nn.activation<relu>
// CHECK-NEXT:    return
func.func @batch_norm_nhwc(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x3xf32> {
  %w = nn.constant dense<1.0> : tensor<3x1x1x2xf32> : tensor<3x1x1x2xf32>
  %s = nn.constant dense<2.0> : tensor<1x1x1x2xf32> : tensor<1x1x1x2xf32>
  %r = nn.batch_norm %x, %s, %s stats %s, %s {avg_factor = 1.0 : f64, epsilon = 0.0 : f64, param_dim = #nn.param_dim<dim_111c>} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %0 = nn.conv2d %r, %w {activation = #nn.activation<relu>, layout = #nn.layout<NHWC>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<3x1x1x2xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}

// Must not fire: the padding would be shifted as well.
// CHECK-LABEL: func.func @padded_shift(
// CHECK:         %[[A:.*]] = nn.fma
// CHECK-NEXT:    nn.conv2d %[[A]]
func.func @padded_shift(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x6x6xf32> {
  %w = nn.constant dense<1.0> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %k = nn.constant dense<2.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.fma %x, %k, %k : (tensor<1x2x4x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.conv2d %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x6x6xf32>
  return %1 : tensor<1x2x6x6xf32>
}

// Another reader, or the graph's end.
// CHECK-LABEL: func.func @shared(
// CHECK:         %[[A:.*]] = nn.mul
// CHECK-NEXT:    nn.conv2d %[[A]]
// CHECK:         %[[B:.*]] = nn.div
// CHECK-NEXT:    nn.conv2d %[[B]]
func.func @shared(%x: tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = nn.constant dense<1.0> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %k = nn.constant dense<2.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.mul %x, %k : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.conv2d %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = nn.exp %0 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %3 = nn.div %2, %k : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %4 = nn.conv2d %3, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1, %2, %3, %4 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// The scale stretches the data: without it there would be one channel.
// CHECK-LABEL: func.func @stretched(
// CHECK:         %[[A:.*]] = nn.mul
// CHECK-NEXT:    nn.conv2d %[[A]]
func.func @stretched(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<1.0> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %k = nn.constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32> : tensor<2x1x1xf32>
  %0 = nn.mul %x, %k : (tensor<1x1x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.conv2d %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// The factor runs along W, or is no constant; the weights overflow.
// CHECK-LABEL: func.func @others(
// CHECK:         nn.mul
// CHECK-NEXT:    nn.conv2d
// CHECK-NEXT:    nn.mul
// CHECK-NEXT:    nn.conv2d
// CHECK-NEXT:    nn.mul
// CHECK-NEXT:    nn.conv2d
func.func @others(%x: tensor<1x2x2x2xf32>, %a: tensor<1xf32>) -> tensor<1x2x2x2xf32> {
  %w = nn.constant dense<1.0e+30> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %k = nn.constant dense<[2.0, 3.0]> : tensor<2xf32> : tensor<2xf32>
  %l = nn.constant dense<1.0e+20> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.mul %x, %k : (tensor<1x2x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %1 = nn.conv2d %0, %w {activation = #nn.activation<relu>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x2x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x2xf32>
  %2 = nn.mul %1, %a : (tensor<1x2x2x2xf32>, tensor<1xf32>) -> tensor<1x2x2x2xf32>
  %3 = nn.conv2d %2, %w {activation = #nn.activation<relu>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x2x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x2xf32>
  %4 = nn.mul %3, %l : (tensor<1x2x2x2xf32>, tensor<1xf32>) -> tensor<1x2x2x2xf32>
  %5 = nn.conv2d %4, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x2x2xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x2xf32>
  return %5 : tensor<1x2x2x2xf32>
}
