// RUN: model-opt %s --legalize-for-ge | FileCheck %s
// RUN: model-opt %s --legalize-for=ge | FileCheck %s
// RUN: model-opt %s --legalize-for-ge -o %t.once
// RUN: model-opt %t.once --legalize-for-ge -o %t.twice
// RUN: diff %t.once %t.twice

// A constant filter shares its bytes, any other is reshaped.
// CHECK-LABEL: func.func @group_dim
// CHECK:         %[[W:.*]] = nn.constant dense<1.000000e+00> : tensor<2x2x1x1xf32>
// CHECK:         nn.conv2d %{{.*}}, %[[W]] {dilations = array<i64: 1, 1>, groups = 2 : i64, pads
// CHECK:         %[[R:.*]] = nn.reshape %arg1, %{{.*}} : (tensor<2x1x2x1x1xf32>, tensor<4xi32>) -> tensor<2x2x1x1xf32>
// CHECK-NEXT:    nn.conv2d %{{.*}}, %[[R]] {dilations = array<i64: 1, 1>, groups = 2 : i64, pads
func.func @group_dim(%x: tensor<1x4x4x4xf32>, %v: tensor<2x1x2x1x1xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = nn.constant dense<1.0> : tensor<2x1x2x1x1xf32> : tensor<2x1x2x1x1xf32>
  %0 = nn.conv2d %x, %w {group_filter, groups = 2 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<2x1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.conv2d %x, %v {group_filter, groups = 2 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<2x1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %0, %1 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// CHECK-LABEL: func.func @bias_per_element
// CHECK:         %[[C:.*]] = nn.conv2d %arg0, %arg1 {dilations
// CHECK-NEXT:    %[[A:.*]] = nn.add %[[C]], %arg2 : (
// CHECK-NEXT:    nn.add %[[A]], %arg3 {activation = #nn.activation<relu>}
func.func @bias_per_element(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>, %b: tensor<1x2x4x4xf32>, %z: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %0 = nn.conv2d %x, %w bias %b residual %z {activation = #nn.activation<relu>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// The last op takes the name.
// CHECK-LABEL: func.func @fma
// CHECK-NEXT:    %[[P:.*]] = nn.mul %arg0, %arg1
// CHECK-NEXT:    %[[S:.*]] = nn.add %[[P]], %arg2 {mgb.name = "n"}
// CHECK-NEXT:    %[[L:.*]] = nn.mul %arg0, %arg1
// CHECK-NEXT:    %[[R:.*]] = nn.mul %arg2, %[[S]]
// CHECK-NEXT:    nn.add %[[L]], %[[R]]
func.func @fma(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.fma %a, %b, %c {mgb.name = "n"} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.fma2 %a, %b, %c, %0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @compare
// CHECK-NEXT:    %[[B:.*]] = nn.less %arg0, %arg1 {out_type = i1} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT:    nn.cast %[[B]] {to = f32}
func.func @compare(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.less %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @reduce
// CHECK:         %[[A:.*]] = nn.reduce_sum %arg0 {axis = 0 : i64} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT:    %[[B:.*]] = nn.reduce_sum %[[A]] {axis = 2 : i64} : (tensor<1x3x4xf32>) -> tensor<1x3x1xf32>
// CHECK:         %[[C:.*]] = nn.reshape %[[B]], %{{.*}} -> tensor<3x1xf32>
// CHECK-NEXT:    %[[D:.*]] = nn.square %[[C]]
// CHECK-NEXT:    nn.reduce_sum %[[D]] {axis = 0 : i64}
// CHECK:         %[[E:.*]] = nn.cast %arg1 {to = f32}
// CHECK-NEXT:    %[[F:.*]] = nn.reduce_mean %[[E]] {axis = 1 : i64}
// CHECK-NEXT:    nn.cast %[[F]] {to = f16}
func.func @reduce(%a: tensor<2x3x4xf32>, %h: tensor<2x4xf16>) -> (tensor<1x1xf32>, tensor<2x1xf16>) {
  %s = nn.constant dense<[3, 1]> : tensor<2xi32> : tensor<2xi32>
  %0 = nn.reduce_sum %a to %s : (tensor<2x3x4xf32>, tensor<2xi32>) -> tensor<3x1xf32>
  %1 = nn.reduce_sum_sqr %0 {axis = 0 : i64} : (tensor<3x1xf32>) -> tensor<1x1xf32>
  %2 = nn.reduce_mean %h {axis = 1 : i64, data_type = #nn.reduce_type<o16_c32>} : (tensor<2x4xf16>) -> tensor<2x1xf16>
  return %1, %2 : tensor<1x1xf32>, tensor<2x1xf16>
}

// A known shape is a constant, another one a part of the whole shape.
// CHECK-LABEL: func.func @shape_of
// CHECK-NEXT:    %[[K:.*]] = nn.constant dense<3> : tensor<1xi32>
// CHECK-NEXT:    %[[W:.*]] = nn.shape_of %arg1 : (tensor<?x3xf32>) -> tensor<2xi32>
// CHECK:         %[[P:.*]] = nn.slice %[[W]]
// CHECK-NEXT:    return %[[K]], %[[P]]
func.func @shape_of(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>) -> (tensor<1xi32>, tensor<1xi32>) {
  %0 = nn.shape_of %a {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<1xi32>
  %1 = nn.shape_of %b {axis = 0 : i64} : (tensor<?x3xf32>) -> tensor<1xi32>
  return %0, %1 : tensor<1xi32>, tensor<1xi32>
}

// CHECK-LABEL: func.func @axes
// CHECK:         nn.reshape %arg0, %{{.*}} : (tensor<2x1x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
// CHECK-NEXT:    nn.transpose %{{.*}} {permutation = array<i64: 1, 0>}
// CHECK:         nn.reshape %{{.*}} -> tensor<3x1x2xf32>
// CHECK:         nn.reshape %{{.*}} -> tensor<3x2xf32>
func.func @axes(%a: tensor<2x1x3xf32>) -> tensor<3x2xf32> {
  %0 = nn.transpose %a {permutation = array<i64: 2, -1, 0>} : (tensor<2x1x3xf32>) -> tensor<3x1x2xf32>
  %1 = nn.expand_squeeze %0 {axes = array<i64: 1>, squeeze = array<i1: true>} : (tensor<3x1x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @adaptive
// CHECK:         nn.avg_pool2d %arg0 {kernel = array<i64: 3, 4>, pads = array<i64: 0, 0>, strides = array<i64: 2, 2>}
func.func @adaptive(%a: tensor<1x2x7x8xf32>) -> tensor<1x2x3x3xf32> {
  %s = nn.constant dense<3> : tensor<2xi32> : tensor<2xi32>
  %0 = nn.adaptive_avg_pool2d %a, %s : (tensor<1x2x7x8xf32>, tensor<2xi32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}

// Copies that no GE file says go.
// CHECK-LABEL: func.func @copies
// CHECK-NEXT:    %[[C:.*]] = nn.copy %arg0 {ge.op
// CHECK-NEXT:    return %[[C]], %arg0
func.func @copies(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = nn.copy %a {ge.op = {type = "StopGradient"}} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.copy %a : (tensor<4xf32>) -> tensor<4xf32>
  %2 = nn.identity %1 : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %2 : tensor<4xf32>, tensor<4xf32>
}

// Integers, unknown shapes, moments that are read: nothing exact to say.
// CHECK-LABEL: func.func @must_not_fire
// CHECK-NEXT:    nn.fma
// CHECK-NEXT:    nn.expand_squeeze
// CHECK-NEXT:    nn.group_norm
// CHECK-NEXT:    nn.transpose
// CHECK-NEXT:    nn.less {{.*}} -> tensor<4xi1>
func.func @must_not_fire(%i: tensor<4xi32>, %d: tensor<?xf32>, %x: tensor<1x4x2x2xf32>) -> (tensor<4xi32>, tensor<?x1xf32>, tensor<1x4x2x2xf32>, tensor<1x2xf32>, tensor<4x1x2x2xf32>, tensor<4xi1>) {
  %0 = nn.fma %i, %i, %i : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = nn.expand_squeeze %d {axes = array<i64: 1>, squeeze = array<i1: false>} : (tensor<?xf32>) -> tensor<?x1xf32>
  %2:3 = nn.group_norm %x {epsilon = 1.0e-5 : f32, groups = 2 : i64} : (tensor<1x4x2x2xf32>) -> (tensor<1x4x2x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>)
  %3 = nn.transpose %x {permutation = array<i64: 1, 0, 2, 3>} : (tensor<1x4x2x2xf32>) -> tensor<4x1x2x2xf32>
  %4 = nn.less %i, %i {out_type = i1} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %0, %1, %2#0, %2#1, %3, %4 : tensor<4xi32>, tensor<?x1xf32>, tensor<1x4x2x2xf32>, tensor<1x2xf32>, tensor<4x1x2x2xf32>, tensor<4xi1>
}

// GE files keep all filters as OC,IC/G,FH,FW.
// CHECK-LABEL: func.func @nhwc
// CHECK:         %[[W:.*]] = nn.constant {{.*}}dense<{{\[\[\[\[}}1.000000e+00]], {{\[\[}}2.000000e+00]]]]> : tensor<1x2x1x1xf32>
// CHECK:         %[[T:.*]] = nn.transpose %[[W]] {ge.implicit, permutation = array<i64: 0, 2, 3, 1>}
// CHECK-NEXT:    nn.conv2d %arg0, %[[T]]
// CHECK:         %[[P:.*]] = nn.transpose %arg1 {permutation = array<i64: 0, 1, 4, 2, 3>}
// CHECK:         %[[F:.*]] = nn.reshape %[[P]], %{{.*}} : (tensor<2x1x1x1x1xf32>, tensor<4xi32>) -> tensor<2x1x1x1xf32>
// CHECK:         %[[R:.*]] = nn.reshape %[[F]], %{{.*}} {ge.implicit}
// CHECK-NEXT:    %[[U:.*]] = nn.transpose %[[R]] {ge.implicit, permutation = array<i64: 0, 1, 3, 4, 2>}
// CHECK-NEXT:    nn.conv2d %arg0, %[[U]]
func.func @nhwc(%x: tensor<1x4x4x2xf32>, %v: tensor<2x1x1x1x1xf32>) -> (tensor<1x4x4x1xf32>, tensor<1x4x4x2xf32>) {
  %w = nn.constant dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32> : tensor<1x1x1x2xf32>
  %0 = nn.conv2d %x, %w {layout = #nn.layout<NHWC>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x1xf32>
  %1 = nn.conv2d %x, %v {layout = #nn.layout<NHWC>, group_filter, groups = 2 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<2x1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
  return %0, %1 : tensor<1x4x4x1xf32>, tensor<1x4x4x2xf32>
}
