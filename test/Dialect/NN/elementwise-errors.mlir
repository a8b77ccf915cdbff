// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @case0(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operand shapes do not broadcast: dim 1 is 3 and 2}}
  %0 = nn.sub %x, %y : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @case1(%x: tensor<3xf32>, %y: tensor<1x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operand shapes do not broadcast: dim 1 is 4 and 3}}
  %0 = nn.fma %x, %x, %y : (tensor<3xf32>, tensor<3xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @case2(%x: tensor<3xf32>, %y: tensor<3xf16>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operand element types differ: 'f32' and 'f16'}}
  %0 = nn.add %x, %y : (tensor<3xf32>, tensor<3xf16>) -> tensor<3xf32>
  return
}

// -----

func.func @case3(%x: tensor<3xi8>, %y: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operand element types differ: 'i8' and 'f32'}}
  %0 = nn.mul %x, %y : (tensor<3xi8>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @case4(%x: tensor<3xf32>, %y: tensor<3xi16>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operand element types differ: 'f32' and 'i16'}}
  %0 = nn.fma %x, %y, %x : (tensor<3xf32>, tensor<3xi16>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @case5(%x: tensor<3x!quant.uniform<i8:f32, 2.500000e-01>>, %y: tensor<3x!quant.uniform<u8:f32, 2.500000e-01:128>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operand element types differ: '!quant.uniform<i8:f32, 2.500000e-01>' and '!quant.uniform<u8:f32, 2.500000e-01:128>'}}
  %0 = nn.maximum %x, %y : (tensor<3x!quant.uniform<i8:f32, 2.500000e-01>>, tensor<3x!quant.uniform<u8:f32, 2.500000e-01:128>>) -> tensor<3x!quant.uniform<i8:f32, 2.500000e-01>>
  return
}

// -----

func.func @case6(%x: tensor<3xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.relu %x : (tensor<3xi1>) -> tensor<3xi1>
  return
}

// -----

func.func @case7(%x: tensor<3xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.abs %x : (tensor<3xi1>) -> tensor<3xi1>
  return
}

// -----

func.func @case8(%x: tensor<3xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.exp %x : (tensor<3xi1>) -> tensor<3xi1>
  return
}

// -----

func.func @case9(%x: tensor<3xcomplex<f32>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'complex<f32>' has no arithmetic}}
  %0 = nn.less %x, %x : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return
}

// -----

func.func @case10(%x: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operands must be integers, got 'f32'}}
  %0 = nn.shift_left %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @case11(%x: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operands must be integers, got 'f32'}}
  %0 = nn.shift_right %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @case12(%x: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operands must be integers, got 'f32'}}
  %0 = nn.rounding_mul_high %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @case13(%x: tensor<3xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operands must be integers, got 'i1'}}
  %0 = nn.shift_left %x, %x : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  return
}

// -----

func.func @case14(%x: tensor<3xi8>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operands must be i1, got 'i8'}}
  %0 = nn.logical_not %x : (tensor<3xi8>) -> tensor<3xi8>
  return
}

// -----

func.func @case15(%x: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operands must be i1, got 'f32'}}
  %0 = nn.logical_and %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @case16(%x: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operands must be i1, got 'f32'}}
  %0 = nn.logical_or %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @case17(%x: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operands must be i1, got 'f32'}}
  %0 = nn.logical_xor %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}
