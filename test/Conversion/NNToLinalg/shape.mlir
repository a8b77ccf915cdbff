// RUN: model-opt --convert-nn-to-linalg --split-input-file --verify-diagnostics --canonicalize %s | FileCheck %s

// Static views stay views.
// CHECK-LABEL: func.func @views(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[X]][1, 0, 0] [1, 3, 2] [1, 1, 2] : tensor<2x3x4xf32> to tensor<3x2xf32>
// CHECK: return %[[FLAT]], %[[PART]]
func.func @views(%x: tensor<2x3x4xf32>) -> (tensor<6x4xf32>, tensor<3x2xf32>) {
  %shape = nn.constant dense<[6, -1]> : tensor<2xi32> : tensor<2xi32>
  %one = nn.constant dense<1> : tensor<1xi32> : tensor<1xi32>
  %two = nn.constant dense<2> : tensor<1xi32> : tensor<1xi32>
  %flat = nn.reshape %x, %shape {inferred_axis = 1 : i64} : (tensor<2x3x4xf32>, tensor<2xi32>) -> tensor<6x4xf32>
  %part = nn.slice %x[%one, %two] {axes = array<i64: 0, 2>, has_begin = array<i1: false, false>, has_end = array<i1: false, false>, has_step = array<i1: false, true>, has_index = array<i1: true, false>} : (tensor<2x3x4xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3x2xf32>
  return %flat, %part : tensor<6x4xf32>, tensor<3x2xf32>
}

// -----

// A shape that is found at run time is checked before it is used.
// CHECK-LABEL: func.func @dynamic_reshape(
// CHECK: cf.assert %{{.*}}, "dim 0 of the new shape does not fit the number of elements"
// CHECK: cf.assert %{{.*}}, "dim 1 of the new shape does not fit the number of elements"
// CHECK: cf.assert %{{.*}}, "the new shape does not fit the number of elements"
// CHECK: tensor.reshape
func.func @dynamic_reshape(%x: tensor<6xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = nn.reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Parts of a concat go to their places in one tensor.
// CHECK-LABEL: func.func @concat(
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<2x5xi8>
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %{{.*}} into %[[EMPTY]][0, 0] [2, 2] [1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %[[FIRST]][0, 2] [2, 3] [1, 1]
func.func @concat(%x: tensor<2x2xui8>, %y: tensor<2x3xui8>) -> tensor<2x5xui8> {
  %0 = nn.concat %x, %y {axis = 1 : i64} : (tensor<2x2xui8>, tensor<2x3xui8>) -> tensor<2x5xui8>
  return %0 : tensor<2x5xui8>
}

// -----

// CHECK-LABEL: func.func @pad(
// CHECK: tensor.pad %{{.*}} low[1, 0] high[0, 2]
// CHECK: tensor.yield %{{.*}} : i8
func.func @pad(%x: tensor<2x2xi8>) -> tensor<3x4xi8> {
  %0 = nn.pad %x {low = array<i64: 1, 0>, high = array<i64: 0, 2>, value = 3.0 : f32} : (tensor<2x2xi8>) -> tensor<3x4xi8>
  return %0 : tensor<3x4xi8>
}

// -----

func.func @unranked(%x: tensor<*xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  // expected-error @below {{'nn.reshape' cannot be run for these types}}
  %0 = nn.reshape %x, %s : (tensor<*xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
