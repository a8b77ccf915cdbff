// RUN: model-opt %s | model-opt | FileCheck %s

// CHECK-LABEL: @batch_norm
func.func @batch_norm(%a: tensor<2x4x8x8xf32>, %b: tensor<1x4x1x1xf32>, %c: tensor<1x4x1x1xf32>, %d: tensor<1x4x1x1xf32>, %e: tensor<1x4x1x1xf32>) {
  // CHECK: nn.batch_norm %{{.*}}, %{{.*}}, %{{.*}} stats %{{.*}}, %{{.*}} {avg_factor = 1.000000e+00 : f64, epsilon = 1.000000e-05 : f64} :
  %0 = nn.batch_norm %a, %b, %c stats %d, %e {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xf32>
  return
}

// CHECK-LABEL: @batch_norm_stats
func.func @batch_norm_stats(%a: tensor<2x4x8x8xf32>, %b: tensor<1x4x1x1xf32>, %c: tensor<1x4x1x1xf32>, %d: tensor<1x4x1x1xf32>, %e: tensor<1x4x1x1xf32>) {
  // CHECK: num_stats = 3 : i64
  %0:4 = nn.batch_norm %a, %b, %c stats %d, %e {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64, num_stats = 3 : i64} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<0xsi8>)
  return
}

// CHECK-LABEL: @batch_norm_training
func.func @batch_norm_training(%a: tensor<2x4x8x8xf32>, %b: tensor<1x4x1x1xf32>, %c: tensor<1x4x1x1xf32>) {
  // CHECK: num_stats = 2 : i64, training}
  %0:3 = nn.batch_norm %a, %b, %c {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64, training, num_stats = 2 : i64} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>)
  return
}

// CHECK-LABEL: @batch_norm_updating
func.func @batch_norm_updating(%a: tensor<2x4x8x8xf32>, %b: tensor<1x4x1x1xf32>, %c: tensor<1x4x1x1xf32>, %d: tensor<1x4x1x1xf32>, %e: tensor<1x4x1x1xf32>) {
  // CHECK: -> (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<0xsi8>)
  %0:6 = nn.batch_norm %a, %b, %c stats %d, %e {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64, training, num_stats = 5 : i64} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<0xsi8>)
  return
}

// CHECK-LABEL: @batch_norm_nhwc
func.func @batch_norm_nhwc(%a: tensor<2x8x8x4xf16>, %b: tensor<1x1x1x4xf32>, %c: tensor<1x1x1x4xf32>) {
  // CHECK: param_dim = #nn.param_dim<dim_111c>
  %0 = nn.batch_norm %a, %b, %c {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64, training, param_dim = #nn.param_dim<dim_111c>} : (tensor<2x8x8x4xf16>, tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<2x8x8x4xf16>
  return
}

// CHECK-LABEL: @batch_norm_unranked
func.func @batch_norm_unranked(%a: tensor<*xf32>, %b: tensor<1x4x1x1xf32>, %c: tensor<1x4x1x1xf32>) {
  // CHECK: -> (tensor<*xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>)
  %0:3 = nn.batch_norm %a, %b, %c {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64, training, num_stats = 2 : i64} : (tensor<*xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> (tensor<*xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>)
  return
}

// CHECK-LABEL: @lrn
func.func @lrn(%a: tensor<2x4x8x8xf32>) {
  // CHECK: nn.lrn %{{.*}} {alpha = 9.99999974E-5 : f32, beta = 7.500000e-01 : f32, k = 2.000000e+00 : f32, size = 5 : i64}
  %0 = nn.lrn %a {size = 5 : i64, k = 2.0 : f32, alpha = 1.0e-04 : f32, beta = 0.75 : f32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// CHECK-LABEL: @layer_norm
func.func @layer_norm(%a: tensor<2x5x16xf32>, %b: tensor<16xf32>, %c: tensor<16xf32>) {
  // CHECK: nn.layer_norm %{{.*}} weight %{{.*}} bias %{{.*}} {epsilon = 9.99999974E-6 : f32, normalized_dims = 1 : i64, normalized_size = 16 : i64}
  %0:3 = nn.layer_norm %a weight %b bias %c {epsilon = 1.0e-05 : f32, normalized_dims = 1 : i64, normalized_size = 16 : i64} : (tensor<2x5x16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<2x5x16xf32>, tensor<2x5xf32>, tensor<2x5xf32>)
  return
}

// CHECK-LABEL: @layer_norm_plain
func.func @layer_norm_plain(%a: tensor<2x3x4x5xf16>) {
  // CHECK: -> (tensor<2x3x4x5xf16>, tensor<2x3xf32>, tensor<2x3xf32>)
  %0:3 = nn.layer_norm %a {epsilon = 1.0e-05 : f32, normalized_dims = 2 : i64, normalized_size = 20 : i64} : (tensor<2x3x4x5xf16>) -> (tensor<2x3x4x5xf16>, tensor<2x3xf32>, tensor<2x3xf32>)
  return
}

// CHECK-LABEL: @layer_norm_unranked
func.func @layer_norm_unranked(%a: tensor<*xf32>) {
  // CHECK: -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  %0:3 = nn.layer_norm %a {epsilon = 1.0e-05 : f32, normalized_dims = 2 : i64, normalized_size = 20 : i64} : (tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// CHECK-LABEL: @general_norm
func.func @general_norm(%a: tensor<2x6x5xf32>, %b: tensor<6xf32>, %c: tensor<6xf32>) {
  // CHECK: {axis_begin = 1 : i64, axis_end = 2 : i64,
  %0:3 = nn.general_norm %a weight %b bias %c {epsilon = 1.0e-05 : f32, axis_begin = 1 : i64, axis_end = 2 : i64} : (tensor<2x6x5xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<2x6x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>)
  return
}

// CHECK-LABEL: @general_norm_all
func.func @general_norm_all(%a: tensor<2x6x5xf32>) {
  // CHECK: -> (tensor<2x6x5xf32>, tensor<1xf32>, tensor<1xf32>)
  %0:3 = nn.general_norm %a {epsilon = 1.0e-05 : f32, axis_begin = 0 : i64, axis_end = 3 : i64} : (tensor<2x6x5xf32>) -> (tensor<2x6x5xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// CHECK-LABEL: @group_norm
func.func @group_norm(%a: tensor<2x4x8x8xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  // CHECK: nn.group_norm %{{.*}} weight %{{.*}} bias %{{.*}} {epsilon = 9.99999974E-6 : f32, groups = 2 : i64}
  %0:3 = nn.group_norm %a weight %b bias %c {epsilon = 1.0e-05 : f32, groups = 2 : i64} : (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x8x8xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  return
}

// CHECK-LABEL: @instance_norm
func.func @instance_norm(%a: tensor<?x4x8x8xf32>) {
  // CHECK: -> (tensor<?x4x8x8xf32>, tensor<?x4xf32>, tensor<?x4xf32>)
  %0:3 = nn.instance_norm %a {epsilon = 1.0e-05 : f32} : (tensor<?x4x8x8xf32>) -> (tensor<?x4x8x8xf32>, tensor<?x4xf32>, tensor<?x4xf32>)
  return
}

// CHECK-LABEL: @softmax
func.func @softmax(%a: tensor<3x5x7xf32>) {
  // CHECK: nn.softmax %{{.*}} {axis = -1 : i64}
  %0 = nn.softmax %a {axis = -1 : i64} : (tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  return
}
