// RUN: model-opt %s --fold-bn | FileCheck %s
// RUN: model-opt %s --fold-bn -o %t.once
// RUN: model-opt %t.once --fold-bn -o %t.twice
// RUN: diff %t.once %t.twice

// Factors 2 and -1, offsets 0 and 3.
// CHECK-LABEL: func.func @batch_norm
// CHECK:         %[[W:.*]] = nn.constant dense<{{\[\[\[\[}}2.000000e+00]], {{\[\[}}4.000000e+00]]], {{\[\[\[}}-3.000000e+00]], {{\[\[}}-4.000000e+00]]]]>
// CHECK-NEXT:    %[[B:.*]] = nn.constant dense<{{\[\[\[\[}}0.000000e+00]], {{\[\[}}3.000000e+00]]]]>
// CHECK-NEXT:    nn.conv2d %{{.*}}, %[[W]] bias %[[B]] {{{.*}}mgb.vars = ["y"]
// CHECK-NEXT:    return
func.func @batch_norm(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, mgb.vars = ["c"]} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64, mgb.vars = ["rm", "rv", "sm", "sv", "res", "y"]} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// An existing bias is scaled: 2*1 + 0 and -1*5 + 3.
// CHECK-LABEL: func.func @with_bias
// CHECK:         nn.constant dense<{{\[\[\[\[}}2.000000e+00]], {{\[\[}}4
// CHECK-NEXT:    %[[B:.*]] = nn.constant dense<{{\[\[\[\[}}2.000000e+00]], {{\[\[}}-2.000000e+00]]]]>
// CHECK-NEXT:    nn.conv2d %{{.*}}, %{{.*}} bias %[[B]]
// CHECK-NEXT:    return
func.func @with_bias(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %c = nn.constant dense<[[[[1.0]], [[5.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w bias %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// Variance 1e-12 and 0, epsilon 1/1024: factor 32.
// CHECK-LABEL: func.func @tiny_variance
// CHECK:         nn.constant dense<{{\[\[\[\[}}3.200000e+01]], {{\[\[}}6.400000e+01]]], {{\[\[\[}}9.600000e+01]], {{\[\[}}1.280000e+02]]]]>
// CHECK-NEXT:    nn.conv2d
func.func @tiny_variance(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<1.0> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<0.0> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<0.0> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[1.0e-12]], [[0.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0009765625 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// Two convolutions share the weights: each gets a copy of its own.
// CHECK-LABEL: func.func @shared_weight
// CHECK-DAG:     %[[W0:.*]] = nn.constant dense<{{\[\[\[\[}}2.000000e+00]], {{\[\[}}4.000000e+00]]], {{\[\[\[}}-3.000000e+00]], {{\[\[}}-4.000000e+00]]]]>
// CHECK-DAG:     %[[W1:.*]] = nn.constant dense<{{\[\[\[\[}}1.000000e+01]], {{\[\[}}2.000000e+01]]], {{\[\[\[}}3.000000e+01]], {{\[\[}}4.000000e+01]]]]>
// CHECK-DAG:     nn.conv2d %{{.*}}, %[[W0]] bias
// CHECK-DAG:     nn.conv2d %{{.*}}, %[[W1]] {
func.func @shared_weight(%x: tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %k = nn.constant dense<10.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %3 = nn.mul %2, %k : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  return %1, %3 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// The other user keeps the original weights.
// CHECK-LABEL: func.func @shared_plain
// CHECK-DAG:     %[[W0:.*]] = nn.constant dense<{{\[\[\[\[}}1.000000e+00]], {{\[\[}}2.000000e+00]]]
// CHECK-DAG:     %[[W1:.*]] = nn.constant dense<{{\[\[\[\[}}2.000000e+00]], {{\[\[}}4.000000e+00]]]
// CHECK:         nn.conv2d %{{.*}}, %[[W1]] bias
// CHECK-NEXT:    nn.conv2d %{{.*}}, %[[W0]] {
// CHECK-NEXT:    return
func.func @shared_plain(%x: tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1, %2 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// Grouped filters are 5-D: group and channel lead.
// CHECK-LABEL: func.func @group
// CHECK:         nn.constant dense<{{\[\[\[\[\[}}2.000000e+00]], {{\[\[}}2.000000e+00]]]], {{\[\[\[\[}}-1.000000e+00]], {{\[\[}}-1.000000e+00]]]]]>
// CHECK-NEXT:    nn.constant
// CHECK-NEXT:    nn.conv2d
func.func @group(%x: tensor<1x4x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<1.0> : tensor<2x1x2x1x1xf32> : tensor<2x1x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, group_filter} : (tensor<1x4x4x4xf32>, tensor<2x1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// Depthwise with a bias.
// CHECK-LABEL: func.func @depthwise
// CHECK:         nn.constant dense<{{\[\[\[\[\[}}2.000000e+00]]]], {{\[\[\[\[}}-1.000000e+00]]]]]>
// CHECK-NEXT:    nn.constant dense<{{\[\[\[\[}}2.000000e+00]], {{\[\[}}-2.000000e+00]]]]>
// CHECK-NEXT:    nn.conv2d
func.func @depthwise(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<1.0> : tensor<2x1x1x1x1xf32> : tensor<2x1x1x1x1xf32>
  %c = nn.constant dense<[[[[1.0]], [[5.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w bias %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, group_filter} : (tensor<1x2x4x4xf32>, tensor<2x1x1x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// NHWC: a product with (C).
// CHECK-LABEL: func.func @nhwc
// CHECK:         nn.constant dense<{{\[\[\[\[}}2.000000e+00, 2.000000e+00]]], {{\[\[\[}}3.000000e+00, 3.000000e+00]]]]>
// CHECK-NEXT:    nn.conv2d
// CHECK-NEXT:    return
func.func @nhwc(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %w = nn.constant dense<1.0> : tensor<2x1x1x2xf32> : tensor<2x1x1x2xf32>
  %k = nn.constant dense<[2.0, 3.0]> : tensor<2xf32> : tensor<2xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, layout = #nn.layout<NHWC>} : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = nn.mul %0, %k : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  return %1 : tensor<1x4x4x2xf32>
}

// (conv - 1) * k / 2 + t: factors 2 and -1.5, offsets -1 and 3.5.
// CHECK-LABEL: func.func @spelled_out
// CHECK:         nn.constant dense<{{\[\[\[\[}}2.000000e+00]], {{\[\[}}4.000000e+00]]], {{\[\[\[}}-4.500000e+00]], {{\[\[}}-6.000000e+00]]]]>
// CHECK-NEXT:    %[[B:.*]] = nn.constant dense<{{\[\[\[\[}}-1.000000e+00]], {{\[\[}}3.500000e+00]]]]>
// CHECK-NEXT:    nn.conv2d {{.*}} bias %[[B]]
// CHECK-NEXT:    return
func.func @spelled_out(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %o = nn.constant dense<1.0> : tensor<1xf32> : tensor<1xf32>
  %h = nn.constant dense<2.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.sub %0, %o : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %2 = nn.mul %s, %1 : (tensor<1x2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %3 = nn.div %2, %h : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %4 = nn.add %t, %3 : (tensor<1x2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %4 : tensor<1x2x4x4xf32>
}

// conv * s + t.
// CHECK-LABEL: func.func @fma
// CHECK:         nn.constant dense<{{\[\[\[\[}}4.000000e+00]], {{\[\[}}8.000000e+00]]]
// CHECK-NEXT:    nn.constant dense<{{\[\[\[\[}}1.000000e+00]], {{\[\[}}2.000000e+00]]]]>
// CHECK-NEXT:    nn.conv2d
// CHECK-NEXT:    return
func.func @fma(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.fma %s, %0, %t : (tensor<1x2x1x1xf32>, tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// The output channels of a transposed convolution are the third last dim.
// CHECK-LABEL: func.func @transposed
// CHECK:         nn.constant dense<{{\[\[\[\[}}2.000000e+00]], {{\[\[}}-1.000000e+00]]], {{\[\[\[}}2.000000e+00]], {{\[\[}}-1.000000e+00]]], {{\[\[\[}}2.000000e+00]], {{\[\[}}-1.000000e+00]]]]>
// CHECK-NEXT:    nn.constant
// CHECK-NEXT:    nn.conv_transpose2d
// CHECK-NEXT:    return
func.func @transposed(%x: tensor<1x3x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<1.0> : tensor<3x2x1x1xf32> : tensor<3x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv_transpose2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// And with groups: channel = group * ICg + ic.
// CHECK-LABEL: func.func @transposed_group
// CHECK:         nn.constant dense<{{\[\[\[\[\[}}2.000000e+00]]], {{\[\[\[}}2.000000e+00]]]], {{\[\[\[\[}}-1.000000e+00]]], {{\[\[\[}}-1.000000e+00]]]]]>
// CHECK-NEXT:    nn.constant
// CHECK-NEXT:    nn.conv_transpose2d
// CHECK-NEXT:    return
func.func @transposed_group(%x: tensor<1x4x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<1.0> : tensor<2x2x1x1x1xf32> : tensor<2x2x1x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv_transpose2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, group_filter} : (tensor<1x4x4x4xf32>, tensor<2x2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// 16-bit weights keep their type.
// CHECK-LABEL: func.func @f16
// CHECK:         nn.constant dense<2.000000e+00> : tensor<2x2x1x1xf16>
// CHECK-NEXT:    nn.conv2d
// CHECK-NEXT:    return
func.func @f16(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %w = nn.constant dense<1.0> : tensor<2x2x1x1xf16> : tensor<2x2x1x1xf16>
  %k = nn.constant dense<2.0> : tensor<1x2x1x1xf16> : tensor<1x2x1x1xf16>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf16>, tensor<2x2x1x1xf16>) -> tensor<1x2x4x4xf16>
  %1 = nn.mul %0, %k : (tensor<1x2x4x4xf16>, tensor<1x2x1x1xf16>) -> tensor<1x2x4x4xf16>
  return %1 : tensor<1x2x4x4xf16>
}

// Statistics that nothing reads do no harm.
// CHECK-LABEL: func.func @unused_statistics
// CHECK:         nn.conv2d
// CHECK-NEXT:    return
func.func @unused_statistics(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %s = nn.constant dense<[[[[4.0]], [[-3.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %t = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %m = nn.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %v = nn.constant dense<[[[[4.0]], [[9.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1:3 = nn.batch_norm %0, %s, %t stats %m, %v {avg_factor = 1.0 : f64, epsilon = 1.0e-5 : f64, num_stats = 2 : i64} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>)
  return %1#0 : tensor<1x2x4x4xf32>
}

// A filter that its file keeps in another order is scaled there: the first
// output channel by 2, the second by 3.
// CHECK-LABEL: func.func @moved_filter
// CHECK:         %[[W:.*]] = nn.constant dense<{{\[\[\[\[}}2.000000e+00, 4.000000e+00]]], {{\[\[\[}}9.000000e+00, 1.200000e+01]]]]> : tensor<2x1x1x2xf32>
// CHECK-NEXT:    %[[T:.*]] = nn.transpose %[[W]] {ge.implicit, permutation = array<i64: 0, 2, 3, 1>}
// CHECK-NEXT:    %[[C:.*]] = nn.conv2d %arg0, %[[T]] {
// CHECK-NEXT:    return %[[C]]
func.func @moved_filter(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x3x2xf32> {
  %w = nn.constant dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32> : tensor<2x1x1x2xf32>
  %f = nn.transpose %w {ge.implicit, permutation = array<i64: 0, 2, 3, 1>} : (tensor<2x1x1x2xf32>) -> tensor<2x1x2x1xf32>
  %s = nn.constant dense<[2.0, 3.0]> : tensor<2xf32> : tensor<2xf32>
  %0 = nn.conv2d %x, %f {layout = #nn.layout<NHWC>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x1xf32>, tensor<2x1x2x1xf32>) -> tensor<1x4x3x2xf32>
  %1 = nn.mul %0, %s : (tensor<1x4x3x2xf32>, tensor<2xf32>) -> tensor<1x4x3x2xf32>
  return %1 : tensor<1x4x3x2xf32>
}
