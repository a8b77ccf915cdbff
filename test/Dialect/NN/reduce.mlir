// RUN: model-opt %s | model-opt | FileCheck %s

!qs = !quant.uniform<i8:f32, 2.500000e-01>
!qu = !quant.uniform<u8:f32, 2.500000e-01:128>
!qi = !quant.uniform<i32:f32, 2.500000e-01>

// CHECK-LABEL: func.func @axis
func.func @axis(%x: tensor<2x3x4xf32>, %d: tensor<?x3xf32>, %u: tensor<*xf32>) {
  // CHECK: nn.reduce_sum %{{.*}} {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %0 = nn.reduce_sum %x {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  // CHECK: nn.reduce_sum_sqr {{.*}} {axis = -1 : i64}
  %1 = nn.reduce_sum_sqr %x {axis = -1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  // CHECK: nn.reduce_prod
  %2 = nn.reduce_prod %x {axis = 0 : i64} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
  // CHECK: nn.reduce_min {{.*}} -> tensor<1x3xf32>
  %3 = nn.reduce_min %d {axis = 0 : i64} : (tensor<?x3xf32>) -> tensor<1x3xf32>
  // CHECK: nn.reduce_max {{.*}} -> tensor<?x1xf32>
  %4 = nn.reduce_max %d {axis = 1 : i64} : (tensor<?x3xf32>) -> tensor<?x1xf32>
  // CHECK: nn.reduce_mean {{.*}} -> tensor<*xf32>
  %5 = nn.reduce_mean %u {axis = 7 : i64} : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// CHECK-LABEL: func.func @target_shape
func.func @target_shape(%x: tensor<2x1x4xf32>, %t: tensor<3xi32>,
                        %s: tensor<1xi32>, %d: tensor<?xi32>) {
  // CHECK: nn.reduce_sum %{{.*}} to %{{.*}} : (tensor<2x1x4xf32>, tensor<3xi32>) -> tensor<?x1x?xf32>
  %0 = nn.reduce_sum %x to %t : (tensor<2x1x4xf32>, tensor<3xi32>) -> tensor<?x1x?xf32>
  // CHECK: nn.reduce_sum {{.*}} -> tensor<?xf32>
  %1 = nn.reduce_sum %x to %s : (tensor<2x1x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  // CHECK: nn.reduce_sum {{.*}} -> tensor<*xf32>
  %2 = nn.reduce_sum %x to %d : (tensor<2x1x4xf32>, tensor<?xi32>) -> tensor<*xf32>
  %c = nn.constant dense<[1, 1, 4]> : tensor<3xi32> : tensor<3xi32>
  // CHECK: nn.reduce_sum {{.*}} -> tensor<1x1x4xf32>
  %3 = nn.reduce_sum %x to %c : (tensor<2x1x4xf32>, tensor<3xi32>) -> tensor<1x1x4xf32>
  %r = nn.constant dense<4> : tensor<1xi32> : tensor<1xi32>
  // CHECK: nn.reduce_sum {{.*}} -> tensor<4xf32>
  %4 = nn.reduce_sum %x to %r : (tensor<2x1x4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @types
func.func @types(%h: tensor<4xf16>, %f: tensor<4xf32>, %i: tensor<4xi32>,
                 %s: tensor<4x!qs>, %u: tensor<4x!qu>) {
  // CHECK: nn.reduce_sum {{.*}} data_type = #nn.reduce_type<o32_c32>
  %0 = nn.reduce_sum %h {axis = 0 : i64, data_type = #nn.reduce_type<o32_c32>} : (tensor<4xf16>) -> tensor<1xf32>
  // CHECK: nn.reduce_sum {{.*}} data_type = #nn.reduce_type<o16_c32>
  %1 = nn.reduce_sum %f {axis = 0 : i64, data_type = #nn.reduce_type<o16_c32>} : (tensor<4xf32>) -> tensor<1xf16>
  // CHECK: nn.reduce_sum {{.*}} data_type = #nn.reduce_type<io16_c32>
  %2 = nn.reduce_sum %f {axis = 0 : i64, data_type = #nn.reduce_type<io16_c32>} : (tensor<4xf32>) -> tensor<1xf16>
  // CHECK: nn.reduce_mean {{.*}} -> tensor<1xi32>
  %3 = nn.reduce_mean %i {axis = 0 : i64} : (tensor<4xi32>) -> tensor<1xi32>
  // CHECK: nn.reduce_sum {{.*}} -> tensor<1x!quant.uniform<i8:f32, 2.500000e-01>>
  %4 = nn.reduce_sum %s {axis = 0 : i64} : (tensor<4x!qs>) -> tensor<1x!qs>
  // CHECK: nn.reduce_max {{.*}} -> tensor<1x!quant.uniform<u8:f32, 2.500000e-01:128>>
  %5 = nn.reduce_max %u {axis = 0 : i64} : (tensor<4x!qu>) -> tensor<1x!qu>
  // CHECK: nn.reduce_sum {{.*}} -> tensor<1x!quant.uniform<i32:f32, 2.500000e-01>>
  %6 = nn.reduce_sum %s {axis = 0 : i64, data_type = #nn.reduce_type<qint8_o32>} : (tensor<4x!qs>) -> tensor<1x!qi>
  // CHECK: nn.reduce_sum {{.*}} -> tensor<1x!quant.uniform<i32:f32, 2.500000e-01>>
  %7 = nn.reduce_sum %u {axis = 0 : i64, data_type = #nn.reduce_type<quint8_o32>} : (tensor<4x!qu>) -> tensor<1x!qi>
  return
}
