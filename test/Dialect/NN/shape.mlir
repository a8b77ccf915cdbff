// RUN: model-opt %s | model-opt | FileCheck %s

// CHECK-LABEL: func @slices
func.func @slices(%x: tensor<5x6x7xf32>, %y: tensor<5x6x7xi32>, %i: tensor<1xi32>) {
  %one = nn.constant dense<1> : tensor<1xi32> : tensor<1xi32>
  %two = nn.constant dense<2> : tensor<1xi32> : tensor<1xi32>
  %m1 = nn.constant dense<-1> : tensor<1xi32> : tensor<1xi32>
  %far = nn.constant dense<100> : tensor<1xi32> : tensor<1xi32>
  // Axis 2 is [2:100:2], axis 0 is [1].
  // CHECK: nn.slice %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] {axes = array<i64: -1, 0>, {{.*}}} : {{.*}} -> tensor<6x3xf32>
  %0 = nn.slice %x[%two, %far, %two, %one] {axes = array<i64: -1, 0>, has_begin = array<i1: true, false>, has_end = array<i1: true, false>, has_step = array<i1: true, false>, has_index = array<i1: false, true>} : (tensor<5x6x7xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<6x3xf32>
  // Backwards from the last to the first element.
  // CHECK: -> tensor<5x6x7xf32>
  %1 = nn.slice %x[%m1] {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: true>, has_index = array<i1: false>} : (tensor<5x6x7xf32>, tensor<1xi32>) -> tensor<5x6x7xf32>
  // [2:1] holds nothing.
  // CHECK: -> tensor<0x6x7xf32>
  %2 = nn.slice %x[%two, %one] {axes = array<i64: 0>, has_begin = array<i1: true>, has_end = array<i1: true>, has_step = array<i1: false>, has_index = array<i1: false>} : (tensor<5x6x7xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<0x6x7xf32>
  // CHECK: -> tensor<?x6x7xf32>
  %3 = nn.slice %x[%i] {axes = array<i64: 0>, has_begin = array<i1: true>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: false>} : (tensor<5x6x7xf32>, tensor<1xi32>) -> tensor<?x6x7xf32>
  // CHECK: nn.slice_update %{{.*}}[%{{.*}}] = %{{.*}} {axes
  %4 = nn.slice_update %y[%i] = %one {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6x7xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5x6x7xi32>
  return
}

// CHECK-LABEL: func @scalar_result
func.func @scalar_result(%x: tensor<5xf32>, %i: tensor<1xi32>) -> tensor<1xf32> {
  // CHECK: -> tensor<1xf32>
  %0 = nn.slice %x[%i] {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5xf32>, tensor<1xi32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// CHECK-LABEL: func @views
func.func @views(%x: tensor<3x1x4xf32>, %u: tensor<*xf32>, %s: tensor<3xi32>) {
  %shape = nn.constant dense<[2, 3, 5, 4]> : tensor<4xi32> : tensor<4xi32>
  // CHECK: nn.broadcast_to %{{.*}}, %{{.*}} : (tensor<3x1x4xf32>, tensor<4xi32>) -> tensor<2x3x5x4xf32>
  %0 = nn.broadcast_to %x, %shape : (tensor<3x1x4xf32>, tensor<4xi32>) -> tensor<2x3x5x4xf32>
  // A run-time shape must still have dims that the input has.
  // CHECK: -> tensor<3x?x4xf32>
  %1 = nn.broadcast_to %x, %s : (tensor<3x1x4xf32>, tensor<3xi32>) -> tensor<3x?x4xf32>
  // CHECK: nn.transpose %{{.*}} {input_rank = 3 : i64, permutation = array<i64: 2, -1, 0>} {{.*}} -> tensor<4x1x3xf32>
  %2 = nn.transpose %x {permutation = array<i64: 2, -1, 0>, input_rank = 3 : i64} : (tensor<3x1x4xf32>) -> tensor<4x1x3xf32>
  // CHECK: -> tensor<?x1xf32>
  %3 = nn.transpose %u {permutation = array<i64: 0, -1>} : (tensor<*xf32>) -> tensor<?x1xf32>
  // CHECK: nn.expand_squeeze %{{.*}} {axes = array<i64: 1, -1>, squeeze = array<i1: true, false>} {{.*}} -> tensor<3x4x1xf32>
  %4 = nn.expand_squeeze %x {axes = array<i64: 1, -1>, squeeze = array<i1: true, false>} : (tensor<3x1x4xf32>) -> tensor<3x4x1xf32>
  %flat = nn.constant dense<[6, 77]> : tensor<2xi32> : tensor<2xi32>
  // CHECK: nn.reshape %{{.*}}, %{{.*}} {inferred_axis = -1 : i64} {{.*}} -> tensor<6x2xf32>
  %5 = nn.reshape %x, %flat {inferred_axis = -1 : i64} : (tensor<3x1x4xf32>, tensor<2xi32>) -> tensor<6x2xf32>
  // CHECK: -> tensor<6x?xf32>
  %6 = nn.reshape %u, %flat {inferred_axis = 1 : i64} : (tensor<*xf32>, tensor<2xi32>) -> tensor<6x?xf32>
  // CHECK: -> tensor<?x?x?xf32>
  %7 = nn.reshape %x, %s : (tensor<3x1x4xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return
}

// The last axis of a tensor stays.
// CHECK-LABEL: func @squeeze_scalar
func.func @squeeze_scalar(%x: tensor<1x1xf32>) -> tensor<1xf32> {
  // CHECK: -> tensor<1xf32>
  %0 = nn.expand_squeeze %x {axes = array<i64: 0, 0>, squeeze = array<i1: true, true>} : (tensor<1x1xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// CHECK-LABEL: func @parts
func.func @parts(%x: tensor<2x?xf32>, %y: tensor<?x3xf32>, %z: tensor<2x6xf32>) {
  // CHECK: nn.concat %{{.*}}, %{{.*}} {axis = -2 : i64} {{.*}} -> tensor<?x3xf32>
  %0 = nn.concat %x, %y {axis = -2 : i64} : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %two = nn.constant dense<2> : tensor<1xi32> : tensor<1xi32>
  %four = nn.constant dense<4> : tensor<1xi32> : tensor<1xi32>
  // CHECK: nn.split %{{.*}}, %{{.*}}, %{{.*}} {axis = 1 : i64} {{.*}} -> (tensor<2x2xf32>, tensor<2x4xf32>)
  %1:2 = nn.split %z, %two, %four {axis = 1 : i64} : (tensor<2x6xf32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<2x2xf32>, tensor<2x4xf32>)
  // CHECK: nn.pad %{{.*}} {high = array<i64: 1, 2>, low = array<i64: 1>, mode = #nn.pad_mode<reflect>} {{.*}} -> tensor<4x8xf32>
  %2 = nn.pad %z {low = array<i64: 1>, high = array<i64: 1, 2>, mode = #nn.pad_mode<reflect>} : (tensor<2x6xf32>) -> tensor<4x8xf32>
  // CHECK: nn.pad %{{.*}} {high = array<i64: 0, 1>, low = array<i64: 0, 0>, value = 1.500000e+00 : f32}
  %3 = nn.pad %x {low = array<i64: 0, 0>, high = array<i64: 0, 1>, value = 1.5 : f32} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  return
}

// CHECK-LABEL: func @data
func.func @data(%x: tensor<2x1xf32>, %y: tensor<?x1x3xf32>, %n: tensor<1xi32>, %f: tensor<1xf32>) {
  // CHECK: nn.shape_of %{{.*}}, %{{.*}} : {{.*}} -> tensor<3xi32>
  %0 = nn.shape_of %x, %y : (tensor<2x1xf32>, tensor<?x1x3xf32>) -> tensor<3xi32>
  // CHECK: nn.shape_of %{{.*}} {axis = -1 : i64} : {{.*}} -> tensor<1xi32>
  %1 = nn.shape_of %x {axis = -1 : i64} : (tensor<2x1xf32>) -> tensor<1xi32>
  // CHECK: nn.linspace %{{.*}}, %{{.*}}, %{{.*}} {endpoint = false} : {{.*}} -> tensor<?xf32>
  %2 = nn.linspace %f, %f, %n {endpoint = false} : (tensor<1xf32>, tensor<1xf32>, tensor<1xi32>) -> tensor<?xf32>
  %three = nn.constant dense<3> : tensor<1xi32> : tensor<1xi32>
  // CHECK: nn.linspace {{.*}} -> tensor<3xf32>
  %3 = nn.linspace %f, %f, %three : (tensor<1xf32>, tensor<1xf32>, tensor<1xi32>) -> tensor<3xf32>
  // CHECK: nn.eye %{{.*}} {diagonal = -1 : i64, element_type = f16} : (tensor<1xi32>) -> tensor<3x3xf16>
  %4 = nn.eye %three {diagonal = -1 : i64, element_type = f16} : (tensor<1xi32>) -> tensor<3x3xf16>
  return
}
