// RUN: model-opt %s | model-opt | FileCheck %s

// CHECK-LABEL: @max_pool2d
func.func @max_pool2d(%a: tensor<2x3x8x9xf32>) {
  // CHECK: nn.max_pool2d %{{.*}} {kernel = array<i64: 2, 2>, pads = array<i64: 0, 0>, strides = array<i64: 2, 2>}
  // CHECK-SAME: : (tensor<2x3x8x9xf32>) -> tensor<2x3x4x4xf32>
  %0 = nn.max_pool2d %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<2x3x8x9xf32>) -> tensor<2x3x4x4xf32>
  return
}

// CHECK-LABEL: @max_pool2d_nchw44
func.func @max_pool2d_nchw44(%a: tensor<1x2x8x8x4xf32>) {
  // CHECK: layout = #nn.layout<NCHW44>
  %0 = nn.max_pool2d %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>, layout = #nn.layout<NCHW44>} : (tensor<1x2x8x8x4xf32>) -> tensor<1x2x4x4x4xf32>
  return
}

// CHECK-LABEL: @max_pool2d_quantized
func.func @max_pool2d_quantized(%a: tensor<1x4x8x8x!quant.uniform<i8:f32, 5.000000e-01>>) {
  // CHECK: !quant.uniform<i8:f32, 5.000000e-01>
  %0 = nn.max_pool2d %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x4x8x8x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1x4x4x4x!quant.uniform<i8:f32, 5.000000e-01>>
  return
}

// CHECK-LABEL: @max_pool2d_dynamic
func.func @max_pool2d_dynamic(%a: tensor<?x3x?x9xf16>) {
  // CHECK: -> tensor<?x3x?x4xf16>
  %0 = nn.max_pool2d %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<?x3x?x9xf16>) -> tensor<?x3x?x4xf16>
  return
}

// CHECK-LABEL: @max_pool2d_unranked
func.func @max_pool2d_unranked(%a: tensor<*x!nn.unknown>) {
  // CHECK: -> tensor<*x!nn.unknown>
  %0 = nn.max_pool2d %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<*x!nn.unknown>) -> tensor<*x!nn.unknown>
  return
}

// CHECK-LABEL: @avg_pool2d
func.func @avg_pool2d(%a: tensor<1x4x7x10xf32>) {
  // CHECK: nn.avg_pool2d %{{.*}} {kernel = array<i64: 3, 2>, pads = array<i64: 1, 0>, strides = array<i64: 1, 2>} :
  %0 = nn.avg_pool2d %a {kernel = array<i64: 3, 2>, strides = array<i64: 1, 2>, pads = array<i64: 1, 0>} : (tensor<1x4x7x10xf32>) -> tensor<1x4x7x5xf32>
  return
}

// CHECK-LABEL: @avg_pool2d_include
func.func @avg_pool2d_include(%a: tensor<1x8x8x4xi8>) {
  // CHECK: nn.avg_pool2d %{{.*}} {count_include_pad, kernel
  %0 = nn.avg_pool2d %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>, count_include_pad, layout = #nn.layout<NHWC>} : (tensor<1x8x8x4xi8>) -> tensor<1x4x4x4xi8>
  return
}

// CHECK-LABEL: @adaptive_max_pool2d
func.func @adaptive_max_pool2d(%a: tensor<1x4x10x13xf32>, %b: tensor<2xi32>) {
  // CHECK: nn.adaptive_max_pool2d %{{.*}}, %{{.*}} : (tensor<1x4x10x13xf32>, tensor<2xi32>) -> tensor<1x4x?x?xf32>
  %0 = nn.adaptive_max_pool2d %a, %b : (tensor<1x4x10x13xf32>, tensor<2xi32>) -> tensor<1x4x?x?xf32>
  return
}

// CHECK-LABEL: @adaptive_avg_pool2d
func.func @adaptive_avg_pool2d(%a: tensor<1x4x10x13xf32>, %b: tensor<2xi32>) {
  // CHECK: nn.adaptive_avg_pool2d %{{.*}}, %{{.*}} {count_include_pad} : (tensor<1x4x10x13xf32>, tensor<2xi32>) -> tensor<1x4x3x4xf32>
  %0 = nn.adaptive_avg_pool2d %a, %b {count_include_pad} : (tensor<1x4x10x13xf32>, tensor<2xi32>) -> tensor<1x4x3x4xf32>
  return
}

// CHECK-LABEL: @adaptive_constant
func.func @adaptive_constant(%a: tensor<1x4x10x13xf32>) {
  %size = nn.constant dense<[3, 4]> : tensor<2xi32> : tensor<2xi32>
  // CHECK: -> tensor<1x4x3x4xf32>
  %0 = nn.adaptive_max_pool2d %a, %size : (tensor<1x4x10x13xf32>, tensor<2xi32>) -> tensor<1x4x3x4xf32>
  return
}
