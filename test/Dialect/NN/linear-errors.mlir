// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @matmul_rank(%a: tensor<2x4x3xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+2 {{operands must have ranks 2 and 2, got 3 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matmul %a, %b : (tensor<2x4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @matmul_inner(%a: tensor<4x3xf32>, %b: tensor<5x3xf32>) {
  // expected-error @+2 {{inner dims differ: 3 and 5}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matmul %a, %b : (tensor<4x3xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @matmul_types(%a: tensor<4x3xf32>, %b: tensor<3x5xf16>) {
  // expected-error @+2 {{operand element types differ: 'f32' and 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matmul %a, %b : (tensor<4x3xf32>, tensor<3x5xf16>) -> tensor<4x5xf32>
  return
}

// -----

func.func @matmul_element(%a: tensor<4x4xi32>) {
  // expected-error @+2 {{element type 'i32' has no matrix product}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matmul %a, %a : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
  return
}

// -----

func.func @matmul_out_type(%a: tensor<4x4xf32>) {
  // expected-error @+2 {{a product of 'f32' elements cannot be of type 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matmul %a, %a {out_type = f16} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf16>
  return
}

// -----

!q = !quant.uniform<i8:f32, 0.5>
func.func @matmul_quantized_out_type(%a: tensor<4x4x!q>) {
  // expected-error @+2 {{'out_type' 'i32' does not fit quantized operands}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matmul %a, %a {out_type = i32} : (tensor<4x4x!q>, tensor<4x4x!q>) -> tensor<4x4xi32>
  return
}

// -----

!qs = !quant.uniform<i8:f32, 0.5>
!qu = !quant.uniform<u8:f32, 0.5>
func.func @matmul_quantized_mix(%a: tensor<4x4x!qs>, %b: tensor<4x4x!qu>) {
  // expected-error @+2 {{operand element types differ: '!quant.uniform<i8:f32, 5.000000e-01>' and '!quant.uniform<u8:f32, 5.000000e-01>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matmul %a, %b : (tensor<4x4x!qs>, tensor<4x4x!qu>) -> tensor<4x4xi32>
  return
}

// -----

!q32 = !quant.uniform<i32:f32, 0.5>
func.func @matmul_quantized_element(%a: tensor<4x4x!q32>) {
  // expected-error @+2 {{element type '!quant.uniform<i32:f32, 5.000000e-01>' has no matrix product}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matmul %a, %a : (tensor<4x4x!q32>, tensor<4x4x!q32>) -> tensor<4x4x!q32>
  return
}

// -----

!tiny = !quant.uniform<i8:f32, 1.0e-30>
func.func @matmul_scale(%a: tensor<4x4x!tiny>) {
  // expected-error-re @+2 {{the product of the scales of {{.*}} is not a scale}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matmul %a, %a : (tensor<4x4x!tiny>, tensor<4x4x!tiny>) -> tensor<4x4xi32>
  return
}

// -----

func.func @matmul_accumulate(%a: tensor<4x4xf32>) {
  // expected-error @+2 {{'accumulate_f32' needs 16-bit floats, got 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matmul %a, %a {accumulate_f32} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @matmul_blocks(%a: tensor<2x3x4x4xf32>, %b: tensor<3x5x4xf32>) {
  // expected-error @+2 {{format MK8 needs blocks of 8, got 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matmul %a, %b {format = #nn.matmul_format<MK8>} : (tensor<2x3x4x4xf32>, tensor<3x5x4xf32>) -> tensor<2x5x8xf32>
  return
}

// -----

func.func @matmul_result(%a: tensor<4x3xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<4x5xf32>' are incompatible with return type(s) of operation 'tensor<4x6xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matmul %a, %b : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @batch_matmul_batch(%a: tensor<2x4x3xf32>, %b: tensor<3x3x5xf32>) {
  // expected-error @+2 {{batch sizes differ: 2 and 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.batch_matmul %a, %b : (tensor<2x4x3xf32>, tensor<3x3x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @dot_rank(%a: tensor<2x4xf32>) {
  // expected-error @+2 {{operands must be vectors, got rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.dot %a, %a : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @dot_length(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+2 {{vector lengths differ: 4 and 5}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.dot %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @dot_types(%a: tensor<4xf32>, %b: tensor<4xf16>) {
  // expected-error @+2 {{operand element types differ: 'f32' and 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.dot %a, %b : (tensor<4xf32>, tensor<4xf16>) -> tensor<1xf32>
  return
}

// -----

func.func @inverse_square(%a: tensor<3x4xf32>) {
  // expected-error @+2 {{matrices must be square, got 3 by 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matrix_inverse %a : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @inverse_rank(%a: tensor<3xf32>) {
  // expected-error @+2 {{input must have rank 2 or more, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matrix_inverse %a : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @inverse_type(%a: tensor<3x3xi32>) {
  // expected-error @+2 {{needs floats, got 'i32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.matrix_inverse %a : (tensor<3x3xi32>) -> tensor<3x3xi32>
  return
}

// -----

func.func @svd_type(%a: tensor<3x3xf16>) {
  // expected-error @+2 {{needs f32 elements, got 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.svd %a {compute_uv = false} : (tensor<3x3xf16>) -> tensor<3xf16>
  return
}

// -----

func.func @svd_rank(%a: tensor<3xf32>) {
  // expected-error @+2 {{input must have rank 2 or more, got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.svd %a {compute_uv = false} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @cross_axis(%a: tensor<2x3xf32>) {
  // expected-error @+2 {{axis 2 is out of range for rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cross %a, %a {axis_a = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @cross_length(%a: tensor<2x4xf32>) {
  // expected-error @+2 {{vectors must have 3 elements, got 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cross %a, %a : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @cross_shape(%a: tensor<2x3xf32>, %b: tensor<5x3xf32>) {
  // expected-error @+2 {{operand shapes differ: 'tensor<2x3xf32>' and 'tensor<5x3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cross %a, %b : (tensor<2x3xf32>, tensor<5x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @cross_rank(%a: tensor<3xf32>, %b: tensor<2x3xf32>) {
  // expected-error @+2 {{operand ranks differ: 1 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cross %a, %b : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @cross_types(%a: tensor<3xf32>, %b: tensor<3xf16>) {
  // expected-error @+2 {{operand element types differ: 'f32' and 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cross %a, %b : (tensor<3xf32>, tensor<3xf16>) -> tensor<3xf32>
  return
}
