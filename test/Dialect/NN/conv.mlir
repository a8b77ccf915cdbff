// RUN: model-opt %s | model-opt | FileCheck %s

// CHECK-LABEL: @conv2d
func.func @conv2d(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // CHECK: nn.conv2d %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>}
  // CHECK-SAME: : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// CHECK-LABEL: @conv2d_fused
func.func @conv2d_fused(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x6x1x1xf32>, %d: tensor<1x6x8x8xf32>) {
  // CHECK: nn.conv2d %{{.*}}, %{{.*}} bias %{{.*}} residual %{{.*}} {activation = #nn.activation<relu>,
  %0 = nn.conv2d %a, %b bias %c residual %d {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>, activation = #nn.activation<relu>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x6x1x1xf32>, tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  return
}

// CHECK-LABEL: @conv2d_full_bias
func.func @conv2d_full_bias(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x6x6x6xf32>) {
  // CHECK: bias
  %0 = nn.conv2d %a, %b bias %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  return
}

// CHECK-LABEL: @conv2d_dilated
func.func @conv2d_dilated(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // CHECK: accumulate_f32, dilations = array<i64: 2, 2>, flip_filter
  %0 = nn.conv2d %a, %b {strides = array<i64: 2, 1>, pads = array<i64: 2, 2>, dilations = array<i64: 2, 2>, flip_filter, accumulate_f32} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x4x8xf32>
  return
}

// CHECK-LABEL: @conv2d_grouped
func.func @conv2d_grouped(%a: tensor<1x4x8x8xf32>, %b: tensor<2x3x2x3x3xf32>) {
  // CHECK: group_filter, groups = 2 : i64
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, group_filter} : (tensor<1x4x8x8xf32>, tensor<2x3x2x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// CHECK-LABEL: @conv2d_flat_groups
func.func @conv2d_flat_groups(%a: tensor<1x4x8x8xf32>, %b: tensor<6x2x3x3xf32>) {
  // CHECK: groups = 2 : i64
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x4x8x8xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// CHECK-LABEL: @conv2d_nhwc
func.func @conv2d_nhwc(%a: tensor<1x8x8x4xf32>, %b: tensor<6x3x3x4xf32>) {
  // CHECK: layout = #nn.layout<NHWC>
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, layout = #nn.layout<NHWC>} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>) -> tensor<1x6x6x6xf32>
  return
}

// CHECK-LABEL: @conv2d_nchw44
func.func @conv2d_nchw44(%a: tensor<1x1x8x8x4xf32>, %b: tensor<2x1x3x3x4x4xf32>) {
  // CHECK: layout = #nn.layout<NCHW44>
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, layout = #nn.layout<NCHW44>} : (tensor<1x1x8x8x4xf32>, tensor<2x1x3x3x4x4xf32>) -> tensor<1x2x6x6x4xf32>
  return
}

// CHECK-LABEL: @conv2d_nchw44_first
func.func @conv2d_nchw44_first(%a: tensor<1x3x8x8xf32>, %b: tensor<2x3x3x3x4xf32>) {
  // CHECK: layout = #nn.layout<NCHW44>
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, layout = #nn.layout<NCHW44>} : (tensor<1x3x8x8xf32>, tensor<2x3x3x3x4xf32>) -> tensor<1x2x6x6x4xf32>
  return
}

// CHECK-LABEL: @conv2d_nchw44_channelwise
func.func @conv2d_nchw44_channelwise(%a: tensor<1x2x8x8x4xf32>, %b: tensor<2x1x1x3x3x4xf32>) {
  // CHECK: groups = 8 : i64
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, layout = #nn.layout<NCHW44>, groups = 8 : i64, group_filter} : (tensor<1x2x8x8x4xf32>, tensor<2x1x1x3x3x4xf32>) -> tensor<1x2x6x6x4xf32>
  return
}

// CHECK-LABEL: @conv2d_int8
func.func @conv2d_int8(%a: tensor<1x4x8x8xi8>, %b: tensor<6x4x3x3xi8>) {
  // CHECK: -> tensor<1x6x6x6xi32>
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xi8>, tensor<6x4x3x3xi8>) -> tensor<1x6x6x6xi32>
  return
}

// CHECK-LABEL: @conv2d_int16
func.func @conv2d_int16(%a: tensor<1x4x8x8xi8>, %b: tensor<6x4x3x3xi8>) {
  // CHECK: out_type = i16
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, out_type = i16} : (tensor<1x4x8x8xi8>, tensor<6x4x3x3xi8>) -> tensor<1x6x6x6xi16>
  return
}

// CHECK-LABEL: @conv2d_quantized
func.func @conv2d_quantized(%a: tensor<1x4x8x8x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<6x4x3x3x!quant.uniform<i8:f32, 5.000000e-01>>) {
  // CHECK: -> tensor<1x6x6x6x!quant.uniform<i32:f32, 2.500000e-01>>
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<6x4x3x3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<1x6x6x6x!quant.uniform<i32:f32, 2.500000e-01>>
  return
}

// CHECK-LABEL: @conv2d_dynamic
func.func @conv2d_dynamic(%a: tensor<?x4x?x8xf32>, %b: tensor<6x4x3x3xf32>) {
  // CHECK: -> tensor<?x6x?x6xf32>
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x4x?x8xf32>, tensor<6x4x3x3xf32>) -> tensor<?x6x?x6xf32>
  return
}

// CHECK-LABEL: @conv2d_unranked
func.func @conv2d_unranked(%a: tensor<*xf32>, %b: tensor<6x4x3x3xf32>) {
  // CHECK: -> tensor<*xf32>
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<*xf32>, tensor<6x4x3x3xf32>) -> tensor<*xf32>
  return
}

// CHECK-LABEL: @conv2d_unknown
func.func @conv2d_unknown(%a: tensor<1x4x8x8x!nn.unknown>, %b: tensor<6x4x3x3xf32>) {
  // CHECK: -> tensor<1x6x6x6x!nn.unknown>
  %0 = nn.conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8x!nn.unknown>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6x!nn.unknown>
  return
}

// CHECK-LABEL: @conv_transpose2d
func.func @conv_transpose2d(%a: tensor<1x6x6x6xf32>, %b: tensor<6x4x3x3xf32>) {
  // CHECK: nn.conv_transpose2d %{{.*}}, %{{.*}} {
  %0 = nn.conv_transpose2d %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x6x6x6xf32>, tensor<6x4x3x3xf32>) -> tensor<1x4x11x11xf32>
  return
}

// CHECK-LABEL: @conv_transpose2d_like
func.func @conv_transpose2d_like(%a: tensor<1x6x6x6xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x4x12x12xf32>) {
  // CHECK: like %{{.*}} {
  %0 = nn.conv_transpose2d %a, %b like %c {strides = array<i64: 2, 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x6x6x6xf32>, tensor<6x4x3x3xf32>, tensor<1x4x12x12xf32>) -> tensor<1x4x12x12xf32>
  return
}

// CHECK-LABEL: @conv_transpose2d_bias
func.func @conv_transpose2d_bias(%a: tensor<1x6x6x6xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x4x1x1xf32>) {
  // CHECK: bias %{{.*}} {
  %0 = nn.conv_transpose2d %a, %b bias %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x6x6xf32>, tensor<6x4x3x3xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  return
}

// CHECK-LABEL: @conv_transpose2d_grouped
func.func @conv_transpose2d_grouped(%a: tensor<1x6x6x6xf32>, %b: tensor<2x3x2x3x3xf32>) {
  // CHECK: group_filter
  %0 = nn.conv_transpose2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, group_filter} : (tensor<1x6x6x6xf32>, tensor<2x3x2x3x3xf32>) -> tensor<1x4x8x8xf32>
  return
}

// CHECK-LABEL: @conv3d
func.func @conv3d(%a: tensor<1x3x6x7x8xf32>, %b: tensor<4x3x3x3x3xf32>) {
  // CHECK: nn.conv3d %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1, 1>,
  %0 = nn.conv3d %a, %b {strides = array<i64: 1, 1, 1>, pads = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>} : (tensor<1x3x6x7x8xf32>, tensor<4x3x3x3x3xf32>) -> tensor<1x4x6x7x8xf32>
  return
}

// CHECK-LABEL: @conv3d_ndhwc
func.func @conv3d_ndhwc(%a: tensor<1x6x7x8x4xf32>, %b: tensor<2x3x3x3x3x2xf32>) {
  // CHECK: group_filter, groups = 2 : i64, layout = #nn.layout<NDHWC>
  %0 = nn.conv3d %a, %b {strides = array<i64: 1, 2, 1>, pads = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>, layout = #nn.layout<NDHWC>, groups = 2 : i64, group_filter} : (tensor<1x6x7x8x4xf32>, tensor<2x3x3x3x3x2xf32>) -> tensor<1x6x4x8x6xf32>
  return
}

// CHECK-LABEL: @conv_transpose3d
func.func @conv_transpose3d(%a: tensor<1x4x4x4x4xf32>, %b: tensor<4x3x2x2x2xf32>) {
  // CHECK: nn.conv_transpose3d
  %0 = nn.conv_transpose3d %a, %b {strides = array<i64: 2, 2, 2>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : (tensor<1x4x4x4x4xf32>, tensor<4x3x2x2x2xf32>) -> tensor<1x3x8x8x8xf32>
  return
}

// CHECK-LABEL: @conv_transpose3d_like
func.func @conv_transpose3d_like(%a: tensor<1x4x4x4x4xf32>, %b: tensor<4x3x2x2x2xf32>, %c: tensor<1x3x9x9x9xf32>) {
  // CHECK: like %{{.*}} {
  %0 = nn.conv_transpose3d %a, %b like %c {strides = array<i64: 2, 2, 2>, pads = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : (tensor<1x4x4x4x4xf32>, tensor<4x3x2x2x2xf32>, tensor<1x3x9x9x9xf32>) -> tensor<1x3x9x9x9xf32>
  return
}
