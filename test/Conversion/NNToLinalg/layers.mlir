// RUN: model-opt --convert-nn-to-linalg %s -split-input-file -verify-diagnostics -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir

// CHECK: func.func private @mw_matrix_inverse_f64(index, index, index, index, index)

// CHECK-LABEL: func.func @mean
// CHECK: linalg.fill {{.*}} tensor<2x4xf64>
// CHECK: iterator_types = ["parallel", "reduction", "parallel"]
// CHECK: arith.addf %{{.*}} : f64
// CHECK: tensor.dim
// CHECK: arith.divf %{{.*}} : f64
func.func @mean(%x: tensor<2x?x4xf16>) -> tensor<2x1x4xf16> {
  %0 = nn.reduce_mean %x {axis = 1 : i64} : (tensor<2x?x4xf16>) -> tensor<2x1x4xf16>
  return %0 : tensor<2x1x4xf16>
}

// The columns are the innermost loop.
// CHECK-LABEL: func.func @matmul
// CHECK: iterator_types = ["parallel", "reduction", "parallel"]
// CHECK: arith.muli %{{.*}} : i32
// CHECK: arith.addi %{{.*}} : i32
func.func @matmul(%a: tensor<4x5xi8>, %b: tensor<5x3xi8>) -> tensor<4x3xi32> {
  %0 = nn.matmul %a, %b : (tensor<4x5xi8>, tensor<5x3xi8>) -> tensor<4x3xi32>
  return %0 : tensor<4x3xi32>
}

// The inner sizes are equal, or the run ends.
// CHECK-LABEL: func.func @matmul_dynamic
// CHECK: cf.assert %{{.*}}, "dim 1 of an operand must have the size 5"
func.func @matmul_dynamic(%a: tensor<?x?xf32>, %b: tensor<5x3xf32>) -> tensor<?x3xf32> {
  %0 = nn.matmul %a, %b : (tensor<?x?xf32>, tensor<5x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @inverse
// CHECK-COUNT-3: memref.extract_aligned_pointer_as_index
// CHECK: call @mw_matrix_inverse_f64
func.func @inverse(%x: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %0 = nn.matrix_inverse %x : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

// CHECK-LABEL: func.func @softmax
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: arith.divf
func.func @softmax(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = nn.softmax %x {axis = 1 : i64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// The root is taken once per channel.
// CHECK-LABEL: func.func @batch_norm
// CHECK: linalg.generic
// CHECK: math.sqrt
// CHECK: -> tensor<1x6x1x1xf32>
// CHECK: linalg.generic
// CHECK-NOT: math.sqrt
// CHECK: -> tensor<2x6x3x4xf32>
func.func @batch_norm(%x: tensor<2x6x3x4xf32>, %p: tensor<1x6x1x1xf32>) -> tensor<2x6x3x4xf32> {
  %0 = nn.batch_norm %x, %p, %p stats %p, %p {epsilon = 1.0e-2 : f64, avg_factor = 0.25 : f64} : (tensor<2x6x3x4xf32>, tensor<1x6x1x1xf32>, tensor<1x6x1x1xf32>, tensor<1x6x1x1xf32>, tensor<1x6x1x1xf32>) -> tensor<2x6x3x4xf32>
  return %0 : tensor<2x6x3x4xf32>
}

// The input's part of the gates is one product for all steps.
// CHECK-LABEL: func.func @lstm
// CHECK: -> tensor<5x2x24xf32>
// CHECK: scf.for
// CHECK: -> tensor<2x24xf32>
// CHECK: math.tanh
// CHECK: tensor.insert_slice
func.func @lstm(%x: tensor<5x2x4xf32>, %h: tensor<1x2x6xf32>, %c: tensor<1x2x6xf32>, %w: tensor<288xf32>) -> tensor<5x2x6xf32> {
  %0:4 = nn.lstm(%x, %h, %c, %w) {hidden_size = 6 : i64} : (tensor<5x2x4xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<288xf32>) -> (tensor<5x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<480xsi8>)
  return %0#0 : tensor<5x2x6xf32>
}

// -----

func.func @dropout(%x: tensor<5x2x4xf32>, %h: tensor<2x2x6xf32>, %w: tensor<156xf32>) -> tensor<5x2x6xf32> {
  // expected-error @+1 {{'nn.rnn' cannot be run for these types}}
  %0:3 = nn.rnn(%x, %h, %w) {hidden_size = 6 : i64, num_layers = 2 : i64, dropout = 0.5 : f32, training} : (tensor<5x2x4xf32>, tensor<2x2x6xf32>, tensor<156xf32>) -> (tensor<5x2x6xf32>, tensor<2x2x6xf32>, tensor<480xsi8>)
  return %0#0 : tensor<5x2x6xf32>
}

// -----

func.func @target(%x: tensor<3x4xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'nn.reduce_sum' cannot be run for these types}}
  %0 = nn.reduce_sum %x to %s : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @format(%a: tensor<2x3x32x4xf32>, %b: tensor<3x5x4xf32>) -> tensor<2x5x?xf32> {
  // expected-error @+1 {{'nn.matmul' cannot be run for these types}}
  %0 = nn.matmul %a, %b {format = #nn.matmul_format<N32K4_DOT>} : (tensor<2x3x32x4xf32>, tensor<3x5x4xf32>) -> tensor<2x5x?xf32>
  return %0 : tensor<2x5x?xf32>
}
