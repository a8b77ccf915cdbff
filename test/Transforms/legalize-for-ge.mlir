// RUN: model-opt %s --legalize-for-ge | FileCheck %s
// RUN: model-opt %s --legalize-for-ge -o %t.once
// RUN: model-opt %t.once --legalize-for-ge -o %t.twice
// RUN: diff %t.once %t.twice

// A convolution has no residual: the sum takes the activation, and the name.
// CHECK-LABEL: func.func @residual
// CHECK-SAME:    (%[[X:.*]]: tensor<1x2x4x4xf32>, %[[W:.*]]: tensor<2x2x1x1xf32>, %[[B:.*]]: tensor<1x2x1x1xf32>, %[[Z:.*]]: tensor<1x2x4x4xf32>)
// CHECK-NEXT:    %[[C:.*]] = nn.conv2d %[[X]], %[[W]] bias %[[B]] {dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>}
// CHECK-NEXT:    %[[S:.*]] = nn.add %[[C]], %[[Z]] {activation = #nn.activation<relu>, ge.name = "y"}
// CHECK-NEXT:    return %[[S]]
func.func @residual(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>, %b: tensor<1x2x1x1xf32>, %z: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %0 = nn.conv2d %x, %w bias %b residual %z {activation = #nn.activation<relu>, ge.name = "y", strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// `relu_flag` and `relu_mode` say relu and relu6, nothing else.
// CHECK-LABEL: func.func @residual_sigmoid
// CHECK:         %[[C:.*]] = nn.conv2d %{{[^ ]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    %[[S:.*]] = nn.add %[[C]], %{{[^ ]*}} :
// CHECK-NEXT:    %[[A:.*]] = nn.sigmoid %[[S]]
// CHECK-NEXT:    return %[[A]]
func.func @residual_sigmoid(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>, %z: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %0 = nn.conv2d %x, %w residual %z {activation = #nn.activation<sigmoid>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: func.func @sigmoid
// CHECK:         %[[C:.*]] = nn.conv2d %{{[^ ]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    %[[A:.*]] = nn.sigmoid %[[C]] {ge.name = "y"}
// CHECK-NEXT:    return %[[A]]
func.func @sigmoid(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %0 = nn.conv2d %x, %w {activation = #nn.activation<sigmoid>, ge.name = "y", strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// An Eltwise broadcasts nothing, and only it has `relu_flag`.
// CHECK-LABEL: func.func @broadcast_add
// CHECK:         %[[S:.*]] = nn.add %{{[^ ]*}}, %{{[^ ]*}} :
// CHECK-NEXT:    %[[A:.*]] = nn.relu %[[S]]
// CHECK-NEXT:    return %[[A]]
func.func @broadcast_add(%x: tensor<1x2x4x4xf32>, %b: tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %0 = nn.add %x, %b {activation = #nn.activation<relu>} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: func.func @add_sigmoid
// CHECK:         %[[S:.*]] = nn.add %{{[^ ]*}}, %{{[^ ]*}} :
// CHECK-NEXT:    %[[A:.*]] = nn.sigmoid %[[S]]
func.func @add_sigmoid(%x: tensor<1x2x4x4xf32>, %y: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %0 = nn.add %x, %y {activation = #nn.activation<sigmoid>} : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// What the format says is left alone.
// CHECK-LABEL: func.func @must_not_fire
// CHECK-NEXT:    nn.conv2d %{{[^ ]*}}, %{{[^ ]*}} bias %{{[^ ]*}} {activation = #nn.activation<relu>
// CHECK-NEXT:    nn.conv2d %{{[^ ]*}}, %{{[^ ]*}} {activation = #nn.activation<relu6>
// CHECK-NEXT:    nn.conv2d %{{[^ ]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add %{{[^ ]*}}, %{{[^ ]*}} {activation = #nn.activation<relu>}
// CHECK-NEXT:    nn.add %{{[^ ]*}}, %{{[^ ]*}} {activation = #nn.activation<relu6>}
// CHECK-NEXT:    nn.add %{{[^ ]*}}, %{{[^ ]*}} :
// CHECK-NEXT:    return
func.func @must_not_fire(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>, %b: tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %0 = nn.conv2d %x, %w bias %b {activation = #nn.activation<relu>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.conv2d %0, %w {activation = #nn.activation<relu6>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = nn.conv2d %1, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %3 = nn.add %2, %1 {activation = #nn.activation<relu>} : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %4 = nn.add %3, %1 {activation = #nn.activation<relu6>} : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %5 = nn.add %4, %b : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %5 : tensor<1x2x4x4xf32>
}
