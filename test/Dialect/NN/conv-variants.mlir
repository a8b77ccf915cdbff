// RUN: model-opt %s | model-opt | FileCheck %s

// CHECK-LABEL: @batch_conv2d
func.func @batch_conv2d(%a: tensor<2x4x8x8xf32>, %b: tensor<2x6x4x3x3xf32>, %c: tensor<1x6x1x1xf32>) {
  // CHECK: nn.batch_conv2d %{{.*}}, %{{.*}} bias %{{.*}} {activation = #nn.activation<relu>,
  %0 = nn.batch_conv2d %a, %b bias %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, activation = #nn.activation<relu>} : (tensor<2x4x8x8xf32>, tensor<2x6x4x3x3xf32>, tensor<1x6x1x1xf32>) -> tensor<2x6x6x6xf32>
  return
}

// CHECK-LABEL: @batch_conv2d_grouped
func.func @batch_conv2d_grouped(%a: tensor<2x4x8x8xf32>, %b: tensor<2x2x3x2x3x3xf32>) {
  // CHECK: group_filter, groups = 2 : i64
  %0 = nn.batch_conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, group_filter} : (tensor<2x4x8x8xf32>, tensor<2x2x3x2x3x3xf32>) -> tensor<2x6x6x6xf32>
  return
}

// CHECK-LABEL: @deform_conv2d
func.func @deform_conv2d(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<1x36x8x8xf32>, %d: tensor<1x18x8x8xf32>) {
  // CHECK: nn.deform_conv2d %{{.*}}, %{{.*}} offset %{{.*}} mask %{{.*}} {
  %0 = nn.deform_conv2d %a, %b offset %c mask %d {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x36x8x8xf32>, tensor<1x18x8x8xf32>) -> tensor<1x6x8x8xf32>
  return
}

// CHECK-LABEL: @region_conv2d
func.func @region_conv2d(%a: tensor<1x4x8x8xf32>, %b: tensor<4x1x1x3x3xf32>, %c: tensor<1x8x8xi32>, %d: tensor<1x6x6xi32>) {
  // CHECK: nn.region_conv2d %{{.*}}, %{{.*}} in %{{.*}} out %{{.*}} {
  %0 = nn.region_conv2d %a, %b in %c out %d {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, group_filter} : (tensor<1x4x8x8xf32>, tensor<4x1x1x3x3xf32>, tensor<1x8x8xi32>, tensor<1x6x6xi32>) -> tensor<1x4x6x6xf32>
  return
}

// CHECK-LABEL: @mask_conv2d
func.func @mask_conv2d(%a: tensor<1x4x8x8xf32>, %b: tensor<6x4x3x3xf32>, %c: tensor<6x6xi8>) {
  // CHECK: nn.mask_conv2d %{{.*}}, %{{.*}} mask %{{.*}} {
  %0 = nn.mask_conv2d %a, %b mask %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<6x6xi8>) -> tensor<1x6x6x6xf32>
  return
}

// CHECK-LABEL: @mask_propagate
func.func @mask_propagate(%a: tensor<8x9xi32>) {
  // CHECK: nn.mask_propagate %{{.*}} {dilations = array<i64: 1, 1>, kernel = array<i64: 3, 3>,
  %0 = nn.mask_propagate %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 1>, pads = array<i64: 1, 0>, dilations = array<i64: 1, 1>} : (tensor<8x9xi32>) -> tensor<4x7xi32>
  return
}

// CHECK-LABEL: @local_conv2d
func.func @local_conv2d(%a: tensor<1x4x8x8xf32>, %b: tensor<6x6x4x3x3x5xf32>) {
  // CHECK: nn.local_conv2d
  %0 = nn.local_conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>} : (tensor<1x4x8x8xf32>, tensor<6x6x4x3x3x5xf32>) -> tensor<1x5x6x6xf32>
  return
}

// CHECK-LABEL: @local_conv2d_grouped
func.func @local_conv2d_grouped(%a: tensor<1x4x8x8xf32>, %b: tensor<2x6x6x2x3x3x5xf32>) {
  // CHECK: {flip_filter, group_filter,
  %0 = nn.local_conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, group_filter, flip_filter} : (tensor<1x4x8x8xf32>, tensor<2x6x6x2x3x3x5xf32>) -> tensor<1x10x6x6xf32>
  return
}

// CHECK-LABEL: @local_share_conv2d
func.func @local_share_conv2d(%a: tensor<1x4x8x8xf32>, %b: tensor<2x3x4x3x3x5xf32>) {
  // CHECK: spatial_groups = array<i64: 2, 3>
  %0 = nn.local_share_conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, spatial_groups = array<i64: 2, 3>} : (tensor<1x4x8x8xf32>, tensor<2x3x4x3x3x5xf32>) -> tensor<1x5x6x6xf32>
  return
}

// CHECK-LABEL: @local_share_conv2d_grouped
func.func @local_share_conv2d_grouped(%a: tensor<1x4x8x8xf32>, %b: tensor<2x2x3x2x3x3x5xf32>) {
  // CHECK: group_filter
  %0 = nn.local_share_conv2d %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, spatial_groups = array<i64: 2, 3>, group_filter} : (tensor<1x4x8x8xf32>, tensor<2x2x3x2x3x3x5xf32>) -> tensor<1x10x6x6xf32>
  return
}

// CHECK-LABEL: @im2col
func.func @im2col(%a: tensor<1x2x7x8xf32>) {
  // CHECK: nn.im2col
  %0 = nn.im2col %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x8xf32>) -> tensor<1x2x4x4x3x3xf32>
  return
}

// CHECK-LABEL: @col2im
func.func @col2im(%a: tensor<1x2x4x4x3x3xf32>) {
  // CHECK: output_size = array<i64: 7, 8>
  %0 = nn.col2im %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>, output_size = array<i64: 7, 8>} : (tensor<1x2x4x4x3x3xf32>) -> tensor<1x2x7x8xf32>
  return
}

// CHECK-LABEL: @correlation
func.func @correlation(%a: tensor<1x4x8x8xf32>, %b: tensor<1x4x8x8xf32>) {
  // CHECK: nn.correlation %{{.*}}, %{{.*}} {kernel_size = 3 : i64, max_displacement = 2 : i64, multiply = true, pad = 3 : i64,
  %0 = nn.correlation %a, %b {kernel_size = 3 : i64, max_displacement = 2 : i64, stride1 = 2 : i64, stride2 = 1 : i64, pad = 3 : i64, multiply = true} : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x25x4x4xf32>
  return
}

// CHECK-LABEL: @unranked
func.func @unranked(%a: tensor<*xf32>, %b: tensor<*xf32>, %c: tensor<*xf32>, %d: tensor<*xf32>) {
  // CHECK: -> tensor<*xf32>
  %0 = nn.deform_conv2d %a, %b offset %c mask %d {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return
}

// CHECK-LABEL: @im2col_unranked
func.func @im2col_unranked(%a: tensor<*xf32>) {
  // CHECK: -> tensor<?x?x?x?x3x2xf32>
  %0 = nn.im2col %a {kernel = array<i64: 3, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<*xf32>) -> tensor<?x?x?x?x3x2xf32>
  return
}
