// RUN: model-opt --pass-pipeline='builtin.module(convert-nn-to-cpu,convert-nn-to-linalg,canonicalize,func.func(propagate-blocking,fuse-epilogues),canonicalize)' --split-input-file %s | FileCheck %s

// Of two convolutions that are added, the one that was computed last takes the
// sum, and what is behind it; it comes after the other.
// CHECK-LABEL: func.func @residual
// CHECK: %[[A:.*]] = "cpu.conv2d"
// CHECK: cpu.yield
// CHECK: %[[B:.*]] = "cpu.conv2d"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[A]], %{{.*}})
// CHECK: ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f32, %[[RES:.*]]: f32):
// CHECK: %[[X:.*]] = arith.addf %[[SUM]], %[[BIAS]]
// CHECK: %[[Y:.*]] = arith.addf %[[X]], %[[RES]]
// CHECK: arith.cmpf ole, %[[Y]]
// CHECK-NOT: cpu.eltwise
// CHECK-NOT: linalg.generic
// CHECK: cpu.unpack %[[B]]
func.func @residual(%x: tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32> {
  %w = nn.constant dense<0.5> : tensor<16x16x1x1xf32> : tensor<16x16x1x1xf32>
  %v = nn.constant dense<0.25> : tensor<16x16x1x1xf32> : tensor<16x16x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %1 = nn.conv2d %x, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %2 = nn.add %1, %0 : (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %3 = nn.relu %2 : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  return %3 : tensor<1x16x4x4xf32>
}

// -----

// A convolution that another reads, too, keeps its own result.
// CHECK-LABEL: func.func @read_twice
// CHECK: "cpu.conv2d"
// CHECK-NOT: math.absf
// CHECK: cpu.yield
// CHECK: "cpu.eltwise"
// CHECK: math.absf
// CHECK: "cpu.depthwise_conv2d"
// CHECK: math.absf
// CHECK: cpu.yield
func.func @read_twice(%x: tensor<1x16x4x4xf32>) -> (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) {
  %w = nn.constant dense<0.5> : tensor<16x16x1x1xf32> : tensor<16x16x1x1xf32>
  %v = nn.constant dense<0.25> : tensor<16x1x1x1xf32> : tensor<16x1x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %1 = nn.abs %0 : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %2 = nn.conv2d %0, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 16 : i64} : (tensor<1x16x4x4xf32>, tensor<16x1x1x1xf32>) -> tensor<1x16x4x4xf32>
  %3 = nn.abs %2 : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  return %1, %3 : tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>
}

// -----

// A requantization makes bytes of the sums that the convolution stored before.
// CHECK-LABEL: func.func @requantize
// CHECK: "cpu.depthwise_conv2d"
// CHECK-NEXT: ^bb0(%[[S:.*]]: i32, %[[E:.*]]: i8):
// CHECK: %[[W:.*]] = arith.extsi %[[E]] : i8 to i32
// CHECK: %[[A:.*]] = arith.addi %[[S]], %[[W]] : i32
// CHECK: %[[T:.*]] = arith.trunci %[[A]] : i32 to i8
// CHECK: cpu.yield %[[T]] : i8
// CHECK: -> tensor<1x1x4x4x16xi8>
// CHECK-NOT: cpu.eltwise
func.func @requantize(%x: tensor<1x1x4x4x16xi8>, %w: tensor<1x1x1x16xi32>, %r: tensor<1x1x4x4x16xi8>) -> tensor<1x1x4x4x16xi8> {
  %e = tensor.empty() : tensor<1x1x4x4x16xi32>
  %f = tensor.empty() : tensor<1x1x4x4x16xi8>
  %0 = "cpu.depthwise_conv2d"(%x, %w, %e) <{dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>}> ({
  ^bb0(%s: i32):
    cpu.yield %s : i32
  }) : (tensor<1x1x4x4x16xi8>, tensor<1x1x1x16xi32>, tensor<1x1x4x4x16xi32>) -> tensor<1x1x4x4x16xi32>
  %1 = "cpu.eltwise"(%0, %r, %f) <{extra_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: i32, %q: i8):
    %2 = arith.extsi %q : i8 to i32
    %3 = arith.addi %p, %2 : i32
    %4 = arith.trunci %3 : i32 to i8
    cpu.yield %4 : i8
  }) : (tensor<1x1x4x4x16xi32>, tensor<1x1x4x4x16xi8>, tensor<1x1x4x4x16xi8>) -> tensor<1x1x4x4x16xi8>
  return %1 : tensor<1x1x4x4x16xi8>
}
