// RUN: model-opt %s --legalize-for-ge | FileCheck %s
// RUN: model-opt %s --legalize-for-ge -o %t.once
// RUN: model-opt %t.once --legalize-for-ge -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK-LABEL: func.func @round
// CHECK:         %[[A:.*]] = nn.abs %arg0
// CHECK:         %[[F:.*]] = nn.floor %[[A]]
// CHECK:         %[[D:.*]] = nn.sub %[[A]], %[[F]]
// CHECK:         %[[H:.*]] = nn.constant dense<5.000000e-01>
// CHECK:         %[[UP:.*]] = nn.less_equal %[[H]], %[[D]] {out_type = i1}
// CHECK:         %[[N:.*]] = nn.cast %[[UP]] {to = f32}
// CHECK:         %[[S:.*]] = nn.add %[[F]], %[[N]]
// CHECK:         %[[G:.*]] = nn.sign %arg0
// CHECK:         nn.mul %[[S]], %[[G]]
func.func @round(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.round %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @log_sigmoid
// CHECK:         nn.neg
// CHECK-NEXT:    nn.softplus
// CHECK-NEXT:    nn.neg
func.func @log_sigmoid(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.log_sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Operands that broadcast are made equal first.
// CHECK-LABEL: func.func @move
// CHECK:         %[[M:.*]] = nn.less %arg0, %arg1 {out_type = i1} : {{.*}} -> tensor<4xi1>
// CHECK:         %[[MB:.*]] = nn.broadcast_to %[[M]], %{{.*}} -> tensor<2x4xi1>
// CHECK:         %[[Z:.*]] = nn.broadcast_to %{{.*}}, %{{.*}} -> tensor<2x4xf32>
// CHECK:         nn.select %[[MB]], %arg2, %[[Z]]
func.func @move(%a: tensor<4xf32>, %b: tensor<1xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = nn.cond_less_move %a, %b, %c : (tensor<4xf32>, tensor<1xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @move_equal
// CHECK:         nn.less_equal
// CHECK:         nn.select
// CHECK:         nn.less
// CHECK:         nn.select
func.func @move_equal(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = nn.cond_less_equal_move %a, %b, %b : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.switch_gt0 %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// x above a number stays, and integers.
// CHECK-LABEL: func.func @kept
// CHECK:         nn.cond_less_move
// CHECK:         nn.switch_gt0
func.func @kept(%x: tensor<4xf32>, %n: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %c = nn.constant dense<1.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.cond_less_move %c, %x, %x : (tensor<1xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.switch_gt0 %n, %n : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xf32>, tensor<4xi32>
}

// A computed place is a gather of one element, a known one a slice.
// CHECK-LABEL: func.func @place
// CHECK:         %[[E:.*]] = nn.mesh_index %arg0[%arg1] {axes = array<i64: 1>
// CHECK:         nn.reshape %[[E]], %{{.*}} -> tensor<4xf32>
// CHECK:         nn.slice
func.func @place(%x: tensor<4x3xf32>, %k: tensor<1xi32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %one = nn.constant dense<1> : tensor<1xi32> : tensor<1xi32>
  %0 = nn.slice %x[%k] {axes = array<i64: 1>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<4x3xf32>, tensor<1xi32>) -> tensor<4xf32>
  %1 = nn.slice %x[%one] {axes = array<i64: 1>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<4x3xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
