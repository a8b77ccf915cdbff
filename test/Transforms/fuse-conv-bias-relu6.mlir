// RUN: model-opt %s --fuse-conv-bias | FileCheck %s
// RUN: model-opt %s --fuse-conv-bias -o %t.once
// RUN: model-opt %t.once --fuse-conv-bias -o %t.twice
// RUN: diff %t.once %t.twice

// relu6 in every order, nesting and spelling, and what is none.

// CHECK-LABEL: func.func @max_first_00(
// CHECK:         nn.conv2d %arg0, %arg1 {activation = #nn.activation<relu6>
// CHECK-NEXT:    return
func.func @max_first_00(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.maximum %0, %zero : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.minimum %1, %six : (tensor<1x3x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @max_first_01(
// CHECK:         nn.conv2d %arg0, %arg1 {activation = #nn.activation<relu6>
// CHECK-NEXT:    return
func.func @max_first_01(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.maximum %0, %zero : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.minimum %six, %1 : (tensor<1x1x1x1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @max_first_10(
// CHECK:         nn.conv2d %arg0, %arg1 {activation = #nn.activation<relu6>
// CHECK-NEXT:    return
func.func @max_first_10(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.maximum %zero, %0 : (tensor<1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.minimum %1, %six : (tensor<1x3x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @max_first_11(
// CHECK:         nn.conv2d %arg0, %arg1 {activation = #nn.activation<relu6>
// CHECK-NEXT:    return
func.func @max_first_11(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.maximum %zero, %0 : (tensor<1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.minimum %six, %1 : (tensor<1x1x1x1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @min_first_00(
// CHECK:         nn.conv2d %arg0, %arg1 {activation = #nn.activation<relu6>
// CHECK-NEXT:    return
func.func @min_first_00(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.minimum %0, %six : (tensor<1x3x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.maximum %1, %zero : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @min_first_01(
// CHECK:         nn.conv2d %arg0, %arg1 {activation = #nn.activation<relu6>
// CHECK-NEXT:    return
func.func @min_first_01(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.minimum %0, %six : (tensor<1x3x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.maximum %zero, %1 : (tensor<1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @min_first_10(
// CHECK:         nn.conv2d %arg0, %arg1 {activation = #nn.activation<relu6>
// CHECK-NEXT:    return
func.func @min_first_10(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.minimum %six, %0 : (tensor<1x1x1x1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.maximum %1, %zero : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @min_first_11(
// CHECK:         nn.conv2d %arg0, %arg1 {activation = #nn.activation<relu6>
// CHECK-NEXT:    return
func.func @min_first_11(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.minimum %six, %0 : (tensor<1x1x1x1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.maximum %zero, %1 : (tensor<1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// relu is a max with 0.
// CHECK-LABEL: func.func @relu_then_min(
// CHECK:         nn.conv2d %arg0, %arg1 {activation = #nn.activation<relu6>
// CHECK-NEXT:    return
func.func @relu_then_min(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.relu %0 : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.minimum %six, %1 : (tensor<1x1x1x1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @min_then_relu(
// CHECK:         nn.conv2d %arg0, %arg1 {activation = #nn.activation<relu6>
// CHECK-NEXT:    return
func.func @min_then_relu(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.minimum %0, %six : (tensor<1x3x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.relu %1 : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// The relu of a fused sum.
// CHECK-LABEL: func.func @sum_with_relu(
// CHECK:         nn.conv2d %arg0, %arg1 bias %{{.*}} {activation = #nn.activation<relu6>
// CHECK-NEXT:    return
func.func @sum_with_relu(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %b = nn.constant dense<2.0> : tensor<3x1x1xf32> : tensor<3x1x1xf32>
  %1 = nn.add %0, %b {activation = #nn.activation<relu>} : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.minimum %1, %six : (tensor<1x3x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// Must not fire.

// The bounds are swapped: the result is 6 throughout.
// CHECK-LABEL: func.func @other_bounds(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.maximum
// CHECK-NEXT:    nn.minimum
func.func @other_bounds(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.maximum %0, %six : (tensor<1x3x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.minimum %1, %zero : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// One of the two.
// CHECK-LABEL: func.func @only_max(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.maximum
func.func @only_max(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.maximum %0, %zero : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @only_min(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.minimum
func.func @only_min(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.minimum %0, %six : (tensor<1x3x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @twice_min(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.minimum
// CHECK-NEXT:    nn.minimum
func.func @twice_min(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.minimum %0, %six : (tensor<1x3x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.minimum %1, %six : (tensor<1x3x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @seven(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK:         nn.maximum
// CHECK-NEXT:    nn.minimum
func.func @seven(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %seven = nn.constant dense<7.0> : tensor<1xf32> : tensor<1xf32>
  %1 = nn.maximum %0, %zero : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.minimum %1, %seven : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// The inner one has a second user.
// CHECK-LABEL: func.func @inner_shared(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.maximum
// CHECK-NEXT:    nn.minimum
func.func @inner_shared(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.maximum %0, %zero : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %3 = nn.minimum %1, %six : (tensor<1x3x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.mul %1, %3 : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// Another activation stands before.
// CHECK-LABEL: func.func @sigmoid_first(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {activation = #nn.activation<sigmoid>
// CHECK-NEXT:    nn.maximum
// CHECK-NEXT:    nn.minimum
func.func @sigmoid_first(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %3 = nn.sigmoid %0 : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.maximum %3, %zero : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.minimum %1, %six : (tensor<1x3x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// The relu has a second user.
// CHECK-LABEL: func.func @relu_shared(
// CHECK:         nn.conv2d %{{[^,]*}}, %{{[^ ]*}} {activation = #nn.activation<relu>,
// CHECK-NEXT:    nn.minimum
func.func @relu_shared(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %six = nn.constant dense<6.0> : tensor<1x1x1x1xf32> : tensor<1x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %1 = nn.relu %0 : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %3 = nn.minimum %1, %six : (tensor<1x3x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x4x4xf32>
  %2 = nn.mul %1, %3 : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}
