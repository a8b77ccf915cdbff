// RUN: model-opt %s | model-opt | FileCheck %s

// CHECK-LABEL: func @index
func.func @index(%x: tensor<5x6x7xf32>, %i: tensor<3xi32>, %j: tensor<2x1xi32>, %u: tensor<*xi32>, %v: tensor<1xf32>) {
  // Consecutive axes: in place.
  // CHECK: nn.index %{{.*}}[%{{.*}}, %{{.*}}] {axes = array<i64: 2, 1>, {{.*}} -> tensor<5x2x3xf32>
  %0 = nn.index %x[%i, %j] {axes = array<i64: 2, 1>, has_begin = array<i1: false, false>, has_end = array<i1: false, false>, has_step = array<i1: false, false>, has_index = array<i1: true, true>} : (tensor<5x6x7xf32>, tensor<3xi32>, tensor<2x1xi32>) -> tensor<5x2x3xf32>
  // Others: in front.
  // CHECK: -> tensor<3x6xf32>
  %1 = nn.index %x[%i, %i] {axes = array<i64: 2, 0>, has_begin = array<i1: false, false>, has_end = array<i1: false, false>, has_step = array<i1: false, false>, has_index = array<i1: true, true>} : (tensor<5x6x7xf32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3x6xf32>
  %two = nn.constant dense<2> : tensor<1xi32> : tensor<1xi32>
  // With a slice [:2] of axis 1.
  // CHECK: -> tensor<3x2x7xf32>
  %2 = nn.index %x[%two, %i] {axes = array<i64: 1, 0>, has_begin = array<i1: false, false>, has_end = array<i1: true, false>, has_step = array<i1: false, false>, has_index = array<i1: false, true>} : (tensor<5x6x7xf32>, tensor<1xi32>, tensor<3xi32>) -> tensor<3x2x7xf32>
  // CHECK: -> tensor<*xf32>
  %3 = nn.index %x[%u] {axes = array<i64: 1>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6x7xf32>, tensor<*xi32>) -> tensor<*xf32>
  // CHECK: nn.index_put %{{.*}}[%{{.*}}] = %{{.*}} {axes = array<i64: -1>
  %4 = nn.index_put %x[%i] = %v {axes = array<i64: -1>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6x7xf32>, tensor<1xf32>, tensor<3xi32>) -> tensor<5x6x7xf32>
  return
}

// CHECK-LABEL: func @mesh
func.func @mesh(%x: tensor<5x6x7xf32>, %i: tensor<3xi32>, %j: tensor<2xi32>, %b: tensor<5x4xi32>, %v: tensor<5x4x7xf32>, %w: tensor<5x3x7xf32>) {
  // CHECK: nn.mesh_index %{{.*}}[%{{.*}}, %{{.*}}] {axes {{.*}} -> tensor<2x6x3xf32>
  %0 = nn.mesh_index %x[%i, %j] {axes = array<i64: 2, 0>, has_begin = array<i1: false, false>, has_end = array<i1: false, false>, has_step = array<i1: false, false>, has_index = array<i1: true, true>} : (tensor<5x6x7xf32>, tensor<3xi32>, tensor<2xi32>) -> tensor<2x6x3xf32>
  // CHECK: nn.mesh_index %{{.*}}[%{{.*}}] {axes = array<i64: 1>, batched, {{.*}} -> tensor<5x4x7xf32>
  %1 = nn.mesh_index %x[%b] {batched, axes = array<i64: 1>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6x7xf32>, tensor<5x4xi32>) -> tensor<5x4x7xf32>
  // CHECK: nn.mesh_index_put %{{.*}}[%{{.*}}] = %{{.*}} {axes = array<i64: 1>, batched
  %2 = nn.mesh_index_put %x[%b] = %v {batched, axes = array<i64: 1>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6x7xf32>, tensor<5x4x7xf32>, tensor<5x4xi32>) -> tensor<5x6x7xf32>
  // CHECK: nn.mesh_index_put %{{.*}}[%{{.*}}] = %{{.*}} {axes = array<i64: 1>, has_begin
  %3 = nn.mesh_index_put %w[%i] = %w {axes = array<i64: 1>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x3x7xf32>, tensor<5x3x7xf32>, tensor<3xi32>) -> tensor<5x3x7xf32>
  return
}

// CHECK-LABEL: func @gathers
func.func @gathers(%x: tensor<4x6xf32>, %m: tensor<2x3x2xi32>, %i: tensor<4xi32>, %v: tensor<4x1xf32>, %d: tensor<4xf32>) {
  // CHECK: nn.gather_nd %{{.*}}, %{{.*}} {non_overlapping} : {{.*}} -> tensor<2x3xf32>
  %0 = nn.gather_nd %x, %m {non_overlapping} : (tensor<4x6xf32>, tensor<2x3x2xi32>) -> tensor<2x3xf32>
  // CHECK: nn.index_one_hot %{{.*}}, %{{.*}} {axis = -1 : i64} : {{.*}} -> tensor<4x1xf32>
  %1 = nn.index_one_hot %x, %i {axis = -1 : i64} : (tensor<4x6xf32>, tensor<4xi32>) -> tensor<4x1xf32>
  // CHECK: nn.index_put_one_hot %{{.*}}, %{{.*}}, %{{.*}} {axis = 1 : i64} : {{.*}} -> tensor<4x6xf32>
  %2 = nn.index_put_one_hot %x, %i, %v {axis = 1 : i64} : (tensor<4x6xf32>, tensor<4xi32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  // CHECK: nn.diag %{{.*}} {diagonal = -1 : i64} : (tensor<4xf32>) -> tensor<5x5xf32>
  %3 = nn.diag %d {diagonal = -1 : i64} : (tensor<4xf32>) -> tensor<5x5xf32>
  // CHECK: nn.diag %{{.*}} {diagonal = 3 : i64} : (tensor<4x6xf32>) -> tensor<3xf32>
  %4 = nn.diag %x {diagonal = 3 : i64} : (tensor<4x6xf32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func @order
func.func @order(%x: tensor<4x9xf16>, %n: tensor<1xi32>) {
  // CHECK: nn.argmax %{{.*}} {axis = 1 : i64} : {{.*}} -> tensor<4x1xi32>
  %0 = nn.argmax %x {axis = 1 : i64} : (tensor<4x9xf16>) -> tensor<4x1xi32>
  // CHECK: nn.argmin %{{.*}} {axis = -2 : i64} : {{.*}} -> tensor<1x9xi32>
  %1 = nn.argmin %x {axis = -2 : i64} : (tensor<4x9xf16>) -> tensor<1x9xi32>
  // CHECK: nn.argsort %{{.*}} {order = #nn.sort_order<descending>} : {{.*}} -> (tensor<4x9xf16>, tensor<4x9xi32>)
  %2:2 = nn.argsort %x {order = #nn.sort_order<descending>} : (tensor<4x9xf16>) -> (tensor<4x9xf16>, tensor<4x9xi32>)
  %m3 = nn.constant dense<-3> : tensor<1xi32> : tensor<1xi32>
  // CHECK: nn.topk %{{.*}}, %{{.*}} {mode = #nn.topk_mode<sorted>} : {{.*}} -> (tensor<4x3xf16>, tensor<4x3xi32>)
  %3:2 = nn.topk %x, %m3 {mode = #nn.topk_mode<sorted>} : (tensor<4x9xf16>, tensor<1xi32>) -> (tensor<4x3xf16>, tensor<4x3xi32>)
  // CHECK: nn.topk {{.*}} -> (tensor<4x?xf16>, tensor<4x?xi32>)
  %4:2 = nn.topk %x, %n {mode = #nn.topk_mode<unsorted>} : (tensor<4x9xf16>, tensor<1xi32>) -> (tensor<4x?xf16>, tensor<4x?xi32>)
  // CHECK: nn.topk {{.*}} -> tensor<4xf16>
  %5 = nn.topk %x, %n {mode = #nn.topk_mode<kth_only>} : (tensor<4x9xf16>, tensor<1xi32>) -> tensor<4xf16>
  // CHECK: nn.cumsum %{{.*}} {axis = 1 : i64, exclusive, reverse} : {{.*}} -> tensor<4x9xf16>
  %6 = nn.cumsum %x {axis = 1 : i64, exclusive, reverse} : (tensor<4x9xf16>) -> tensor<4x9xf16>
  return
}

// CHECK-LABEL: func @conditions
func.func @conditions(%x: tensor<4x9xf32>, %y: tensor<?x9xf32>, %m: tensor<4x9xi1>, %r: tensor<4xi1>, %u: tensor<*xf32>) {
  // CHECK: nn.cond_take %{{.*}}, %{{.*}} {epsilon = 9.99999997E-7 : f32, predicate = #nn.predicate<ge>, value = 5.000000e-01 : f32} : {{.*}} -> (tensor<?xf32>, tensor<?xi32>)
  %0:2 = nn.cond_take %x, %y {predicate = #nn.predicate<ge>, value = 0.5 : f32, epsilon = 1.0e-6 : f32} : (tensor<4x9xf32>, tensor<?x9xf32>) -> (tensor<?xf32>, tensor<?xi32>)
  // CHECK: nn.nonzero %{{.*}} : (tensor<4x9xf32>) -> tensor<2x?xi32>
  %1 = nn.nonzero %x : (tensor<4x9xf32>) -> tensor<2x?xi32>
  // CHECK: nn.nonzero %{{.*}} : (tensor<*xf32>) -> tensor<?x?xi32>
  %2 = nn.nonzero %u : (tensor<*xf32>) -> tensor<?x?xi32>
  // CHECK: nn.select %{{.*}}, %{{.*}}, %{{.*}} : {{.*}} -> tensor<4x9xf32>
  %3 = nn.select %m, %u, %y : (tensor<4x9xi1>, tensor<*xf32>, tensor<?x9xf32>) -> tensor<4x9xf32>
  // CHECK: nn.masked_fill %{{.*}}, %{{.*}} {value = -1.000000e+00 : f32}
  %4 = nn.masked_fill %x, %r {value = -1.0 : f32} : (tensor<4x9xf32>, tensor<4xi1>) -> tensor<4x9xf32>
  return
}
