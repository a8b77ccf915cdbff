// RUN: model-opt %s | model-opt | FileCheck %s

!qs8 = !quant.uniform<i8:f32, 5.000000e-01>
!qu8 = !quant.uniform<u8:f32, 2.500000e-01:128>
!qs4 = !quant.uniform<i4:f32, 5.000000e-01>

// CHECK-LABEL: @matmul
func.func @matmul(%a: tensor<4x3xf32>, %b: tensor<3x5xf32>, %bt: tensor<5x3xf32>,
                  %h: tensor<4x3xf16>, %i: tensor<4x3xi8>) {
  // CHECK: nn.matmul %{{.*}}, %{{.*}} : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %0 = nn.matmul %a, %b : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  // CHECK: nn.matmul %{{.*}}, %{{.*}} {transpose_b}
  %1 = nn.matmul %a, %bt {transpose_b} : (tensor<4x3xf32>, tensor<5x3xf32>) -> tensor<4x5xf32>
  // CHECK: nn.matmul %{{.*}}, %{{.*}} {accumulate_f32, transpose_a}
  %2 = nn.matmul %h, %h {accumulate_f32, transpose_a} : (tensor<4x3xf16>, tensor<4x3xf16>) -> tensor<3x3xf16>
  %3 = nn.matmul %i, %i {transpose_b} : (tensor<4x3xi8>, tensor<4x3xi8>) -> tensor<4x4xi32>
  // CHECK: nn.matmul %{{.*}}, %{{.*}} {out_type = i16, transpose_b} : {{.*}} -> tensor<4x4xi16>
  %4 = nn.matmul %i, %i {out_type = i16, transpose_b} : (tensor<4x3xi8>, tensor<4x3xi8>) -> tensor<4x4xi16>
  return
}

// CHECK-LABEL: @matmul_quantized
func.func @matmul_quantized(%a: tensor<4x3x!qs8>, %b: tensor<3x4x!qs8>,
                            %c: tensor<4x4x!qu8>, %d: tensor<4x4x!qs4>) {
  // CHECK: -> tensor<4x4x!quant.uniform<i32:f32, 2.500000e-01>>
  %0 = nn.matmul %a, %b : (tensor<4x3x!qs8>, tensor<3x4x!qs8>) -> tensor<4x4x!quant.uniform<i32:f32, 0.25>>
  // CHECK: -> tensor<4x4x!quant.uniform<i32:f32, 6.250000e-02>>
  %1 = nn.matmul %c, %c : (tensor<4x4x!qu8>, tensor<4x4x!qu8>) -> tensor<4x4x!quant.uniform<i32:f32, 0.0625>>
  // CHECK: -> tensor<4x4x!quant.uniform<i16:f32, 2.500000e-01>>
  %2 = nn.matmul %d, %d : (tensor<4x4x!qs4>, tensor<4x4x!qs4>) -> tensor<4x4x!quant.uniform<i16:f32, 0.25>>
  return
}

// CHECK-LABEL: @matmul_blocked
func.func @matmul_blocked(%a: tensor<2x3x4x4xf32>, %b: tensor<3x5x4xf32>) {
  // CHECK: {format = #nn.matmul_format<MK4>}
  %0 = nn.matmul %a, %b {format = #nn.matmul_format<MK4>} : (tensor<2x3x4x4xf32>, tensor<3x5x4xf32>) -> tensor<2x5x4xf32>
  %1 = nn.matmul %a, %b {format = #nn.matmul_format<MK4_DOT>} : (tensor<2x3x4x4xf32>, tensor<3x5x4xf32>) -> tensor<2x5x?xf32>
  return
}

// CHECK-LABEL: @matmul_dynamic
func.func @matmul_dynamic(%a: tensor<?x3xf32>, %b: tensor<*xf32>, %c: tensor<3x?xf32>,
                          %u: tensor<*x!nn.unknown>) {
  %0 = nn.matmul %a, %b : (tensor<?x3xf32>, tensor<*xf32>) -> tensor<*xf32>
  %1 = nn.matmul %a, %c : (tensor<?x3xf32>, tensor<3x?xf32>) -> tensor<?x?xf32>
  // CHECK: -> tensor<*x!nn.unknown>
  %2 = nn.matmul %a, %u : (tensor<?x3xf32>, tensor<*x!nn.unknown>) -> tensor<*x!nn.unknown>
  return
}

// CHECK-LABEL: @batch_matmul
func.func @batch_matmul(%a: tensor<2x4x3xf32>, %b: tensor<?x5x3xf32>) {
  // CHECK: nn.batch_matmul %{{.*}}, %{{.*}} {transpose_b} : {{.*}} -> tensor<2x4x5xf32>
  %0 = nn.batch_matmul %a, %b {transpose_b} : (tensor<2x4x3xf32>, tensor<?x5x3xf32>) -> tensor<2x4x5xf32>
  return
}

// CHECK-LABEL: @dot
func.func @dot(%a: tensor<7xf32>, %one: tensor<1xf32>, %i: tensor<7xi8>) {
  // CHECK: nn.dot %{{.*}}, %{{.*}} : (tensor<7xf32>, tensor<1xf32>) -> tensor<1xf32>
  %0 = nn.dot %a, %one : (tensor<7xf32>, tensor<1xf32>) -> tensor<1xf32>
  %1 = nn.dot %i, %i : (tensor<7xi8>, tensor<7xi8>) -> tensor<1xi32>
  return
}

// CHECK-LABEL: @matrix_inverse
func.func @matrix_inverse(%a: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
  // CHECK: nn.matrix_inverse %{{.*}} : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %0 = nn.matrix_inverse %a : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %0 : tensor<2x3x3xf32>
}

// CHECK-LABEL: @svd
func.func @svd(%a: tensor<5x4x3xf32>, %d: tensor<4x?xf32>) {
  // CHECK: nn.svd %{{.*}} : (tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3xf32>, tensor<5x3x3xf32>)
  %0:3 = nn.svd %a : (tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3xf32>, tensor<5x3x3xf32>)
  // CHECK: nn.svd %{{.*}} {full_matrices} : (tensor<5x4x3xf32>) -> (tensor<5x4x4xf32>, tensor<5x3xf32>, tensor<5x3x3xf32>)
  %1:3 = nn.svd %a {full_matrices} : (tensor<5x4x3xf32>) -> (tensor<5x4x4xf32>, tensor<5x3xf32>, tensor<5x3x3xf32>)
  // CHECK: nn.svd %{{.*}} {compute_uv = false} : (tensor<5x4x3xf32>) -> tensor<5x3xf32>
  %2 = nn.svd %a {compute_uv = false} : (tensor<5x4x3xf32>) -> tensor<5x3xf32>
  %3 = nn.svd %d {compute_uv = false} : (tensor<4x?xf32>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: @cross
func.func @cross(%a: tensor<2x5x3xf32>, %b: tensor<3x2x5xf32>) {
  // CHECK: nn.cross %{{.*}}, %{{.*}} : {{.*}} -> tensor<2x5x3xf32>
  %0 = nn.cross %a, %a : (tensor<2x5x3xf32>, tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  // CHECK: nn.cross %{{.*}}, %{{.*}} {axis_b = 0 : i64, axis_c = 1 : i64}
  %1 = nn.cross %a, %b {axis_b = 0 : i64, axis_c = 1 : i64} : (tensor<2x5x3xf32>, tensor<3x2x5xf32>) -> tensor<2x3x5xf32>
  return
}
