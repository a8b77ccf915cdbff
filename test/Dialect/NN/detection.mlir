// RUN: model-opt %s | model-opt | FileCheck %s

// CHECK-LABEL: @roi_pool
func.func @roi_pool(%a: tensor<2x3x10x12xf32>, %b: tensor<5x5xf32>, %c: tensor<2xi32>) {
  // CHECK: nn.roi_pool %{{.*}}, %{{.*}}, %{{.*}} {mode = #nn.pool_mode<max>, spatial_scale = 5.000000e-01 : f32} :
  %0:2 = nn.roi_pool %a, %b, %c {mode = #nn.pool_mode<max>, spatial_scale = 0.5 : f32} : (tensor<2x3x10x12xf32>, tensor<5x5xf32>, tensor<2xi32>) -> (tensor<5x3x?x?xf32>, tensor<5x3x?x?xi32>)
  return
}

// CHECK-LABEL: @roi_align
func.func @roi_align(%a: tensor<2x3x10x12xf32>, %b: tensor<5x5xf32>) {
  // CHECK: nn.roi_align %{{.*}}, %{{.*}} {mode = #nn.pool_mode<average>, offset = 5.000000e-01 : f32, pooled_size = array<i64: 3, 2>, sample_size = array<i64: 2, 2>, spatial_scale = 5.000000e-01 : f32} :
  %0:2 = nn.roi_align %a, %b {mode = #nn.pool_mode<average>, spatial_scale = 0.5 : f32, offset = 0.5 : f32, pooled_size = array<i64: 3, 2>, sample_size = array<i64: 2, 2>} : (tensor<2x3x10x12xf32>, tensor<5x5xf32>) -> (tensor<5x3x3x2xf32>, tensor<5x3x3x2xi32>)
  return
}

// CHECK-LABEL: @roi_align_nchw4
func.func @roi_align_nchw4(%a: tensor<2x1x10x12x4x!quant.uniform<i8:f32, 5.000000e-01>>, %b: tensor<5x5xf32>) {
  // CHECK: layout = #nn.layout<NCHW4>
  %0:2 = nn.roi_align %a, %b {mode = #nn.pool_mode<average>, spatial_scale = 0.5 : f32, offset = 0.5 : f32, pooled_size = array<i64: 3, 2>, sample_size = array<i64: 2, 2>, layout = #nn.layout<NCHW4>} : (tensor<2x1x10x12x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<5x5xf32>) -> (tensor<5x1x3x2x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<5x1x3x2x4xi32>)
  return
}

// CHECK-LABEL: @roi_align_unranked
func.func @roi_align_unranked(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  // CHECK: -> (tensor<?x?x3x2xf32>, tensor<?x?x3x2xi32>)
  %0:2 = nn.roi_align %a, %b {mode = #nn.pool_mode<average>, spatial_scale = 0.5 : f32, offset = 0.5 : f32, pooled_size = array<i64: 3, 2>, sample_size = array<i64: 2, 2>} : (tensor<*xf32>, tensor<*xf32>) -> (tensor<?x?x3x2xf32>, tensor<?x?x3x2xi32>)
  return
}

// CHECK-LABEL: @deform_psroi_pool
func.func @deform_psroi_pool(%a: tensor<1x4x8x8xf32>, %b: tensor<2x5xf32>, %c: tensor<2x2x2x2xf32>) {
  // CHECK: nn.deform_psroi_pool %{{.*}}, %{{.*}}, %{{.*}} {no_trans, part_size = 2 : i64,
  %0:2 = nn.deform_psroi_pool %a, %b, %c {no_trans, spatial_scale = 0.5 : f32, trans_std = 0.1 : f32, pooled_size = array<i64: 2, 2>, part_size = 2 : i64, sample_per_part = 2 : i64} : (tensor<1x4x8x8xf32>, tensor<2x5xf32>, tensor<2x2x2x2xf32>) -> (tensor<2x4x2x2xf32>, tensor<2x4x2x2xf32>)
  return
}

// CHECK-LABEL: @nms
func.func @nms(%a: tensor<2x100x4xf32>) {
  // CHECK: nn.nms %{{.*}} {iou_threshold = 5.000000e-01 : f32, max_output = 20 : i64} : (tensor<2x100x4xf32>) -> (tensor<2x20xi32>, tensor<2xi32>)
  %0:2 = nn.nms %a {iou_threshold = 0.5 : f32, max_output = 20 : i64} : (tensor<2x100x4xf32>) -> (tensor<2x20xi32>, tensor<2xi32>)
  return
}

// CHECK-LABEL: @roi_pool_constant
func.func @roi_pool_constant(%a: tensor<2x3x10x12xf32>, %b: tensor<5x5xf32>) {
  %size = nn.constant dense<[3, 2]> : tensor<2xi32> : tensor<2xi32>
  // CHECK: -> (tensor<5x3x3x2xf32>, tensor<5x3x3x2xi32>)
  %0:2 = nn.roi_pool %a, %b, %size {mode = #nn.pool_mode<max>, spatial_scale = 0.5 : f32} : (tensor<2x3x10x12xf32>, tensor<5x5xf32>, tensor<2xi32>) -> (tensor<5x3x3x2xf32>, tensor<5x3x3x2xi32>)
  return
}
