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
