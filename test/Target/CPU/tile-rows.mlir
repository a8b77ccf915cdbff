// RUN: model-opt --pass-pipeline='builtin.module(convert-nn-to-cpu,func.func(choose-kernels))' %s | FileCheck %s
// RUN: model-opt --cpu-buffers --emit-kernels %s | FileCheck %s --check-prefix=EMIT

// Two rows of 7 are a tile where nothing is padded, or where there are many
// weights; else a row alone leaves out what windows have in the padding.
// CHECK-LABEL: func.func @main
// CHECK: tile = array<i64: 7, 2, 2>
// CHECK: tile = array<i64: 7, 2>
// CHECK: tile = array<i64: 7, 2, 2>
// EMIT-LABEL: func.func private @conv2d_
// EMIT-NOT: arith.maxsi
// EMIT-LABEL: func.func private @conv2d_
// EMIT: %[[FIRST:.*]] = arith.maxsi
// EMIT: %[[LAST:.*]] = arith.minsi
// EMIT: scf.for %{{.*}} = %[[FIRST]] to %[[LAST]]
func.func @main(%x: tensor<1x32x7x7xf32>, %z: tensor<1x512x7x7xf32>) -> (tensor<1x32x7x7xf32>, tensor<1x32x7x7xf32>) {
  %p = nn.constant dense<0.5> : tensor<32x32x1x1xf32> : tensor<32x32x1x1xf32>
  %w = nn.constant dense<0.5> : tensor<32x32x3x3xf32> : tensor<32x32x3x3xf32>
  %v = nn.constant dense<0.5> : tensor<32x512x3x3xf32> : tensor<32x512x3x3xf32>
  %0 = nn.conv2d %x, %p {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x32x7x7xf32>, tensor<32x32x1x1xf32>) -> tensor<1x32x7x7xf32>
  %1 = nn.conv2d %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x32x7x7xf32>, tensor<32x32x3x3xf32>) -> tensor<1x32x7x7xf32>
  %2 = nn.conv2d %z, %v {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x512x7x7xf32>, tensor<32x512x3x3xf32>) -> tensor<1x32x7x7xf32>
  return %1, %2 : tensor<1x32x7x7xf32>, tensor<1x32x7x7xf32>
}
