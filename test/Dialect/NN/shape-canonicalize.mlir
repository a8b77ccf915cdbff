// RUN: model-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @identities
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>, %{{.*}}: tensor<2xi32>)
func.func @identities(%x: tensor<2x3xf32>, %s: tensor<2xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %c = nn.constant dense<[2, 3]> : tensor<2xi32> : tensor<2xi32>
  %n = nn.constant dense<3> : tensor<1xi32> : tensor<1xi32>
  %0 = nn.reshape %x, %c : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %1 = nn.broadcast_to %x, %s : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %2 = nn.transpose %x {permutation = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = nn.concat %x {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = nn.split %x, %n {axis = 1 : i64} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2x3xf32>
  %5 = nn.slice %x {axes = array<i64: 1>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: false>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = nn.expand_squeeze %x {axes = array<i64>, squeeze = array<i1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// Equal types with run-time dims need not be equal shapes.
// CHECK-LABEL: func @not_identities
func.func @not_identities(%x: tensor<?x?xf32>, %y: tensor<3x3xf32>, %s: tensor<2xi32>, %n: tensor<1xi32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<3x3xf32>, tensor<?x3xf32>) {
  // CHECK: nn.reshape
  %0 = nn.reshape %x, %s : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: nn.broadcast_to
  %1 = nn.broadcast_to %x, %s : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: nn.transpose
  %2 = nn.transpose %y {permutation = array<i64: 1, 0>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  // CHECK: nn.slice
  %3 = nn.slice %y[%n] {axes = array<i64: 0>, has_begin = array<i1: true>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: false>} : (tensor<3x3xf32>, tensor<1xi32>) -> tensor<?x3xf32>
  return %0, %1, %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<3x3xf32>, tensor<?x3xf32>
}

// CHECK-LABEL: func @compose
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x1x4xf32>)
func.func @compose(%x: tensor<2x3x1x4xf32>) -> (tensor<4x1x2x3xf32>, tensor<4x6xf32>) {
  // The inner one drops axis 2 and inserts one in front, the outer one drops
  // that again.
  // CHECK: %[[T:.*]] = nn.transpose %[[X]] {input_rank = 4 : i64, permutation = array<i64: 3, -1, 0, 1>}
  %0 = nn.transpose %x {permutation = array<i64: -1, 0, 1, 3>, input_rank = 4 : i64} : (tensor<2x3x1x4xf32>) -> tensor<1x2x3x4xf32>
  %1 = nn.transpose %0 {permutation = array<i64: 3, -1, 1, 2>} : (tensor<1x2x3x4xf32>) -> tensor<4x1x2x3xf32>
  %a = nn.constant dense<[8, 3]> : tensor<2xi32> : tensor<2xi32>
  %b = nn.constant dense<[4, 6]> : tensor<2xi32> : tensor<2xi32>
  // CHECK: %[[R:.*]] = nn.reshape %[[X]], %{{.*}} {inferred_axis = 0 : i64}
  %2 = nn.reshape %x, %a : (tensor<2x3x1x4xf32>, tensor<2xi32>) -> tensor<8x3xf32>
  %3 = nn.reshape %2, %b {inferred_axis = 0 : i64} : (tensor<8x3xf32>, tensor<2xi32>) -> tensor<4x6xf32>
  // CHECK: return %[[T]], %[[R]]
  return %1, %3 : tensor<4x1x2x3xf32>, tensor<4x6xf32>
}

// transpose(transpose) that is the identity vanishes.
// CHECK-LABEL: func @undo
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>)
func.func @undo(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = nn.transpose %x {permutation = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = nn.transpose %0 {permutation = array<i64: 2, 0, 1>} : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: return %[[X]]
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func @shape_of
func.func @shape_of(%x: tensor<2x1xf32>, %y: tensor<1x3xf32>, %z: tensor<?x3xf32>) -> (tensor<2xi32>, tensor<1xi32>, tensor<2xi32>) {
  // CHECK-DAG: %[[B:.*]] = nn.constant dense<[2, 3]> : tensor<2xi32>
  // CHECK-DAG: %[[A:.*]] = nn.constant dense<3> : tensor<1xi32>
  // CHECK: %[[Z:.*]] = nn.shape_of
  %0 = nn.shape_of %x, %y : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2xi32>
  %1 = nn.shape_of %y {axis = -1 : i64} : (tensor<1x3xf32>) -> tensor<1xi32>
  %2 = nn.shape_of %z : (tensor<?x3xf32>) -> tensor<2xi32>
  // CHECK: return %[[B]], %[[A]], %[[Z]]
  return %0, %1, %2 : tensor<2xi32>, tensor<1xi32>, tensor<2xi32>
}
