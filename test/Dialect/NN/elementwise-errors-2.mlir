// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @case18(%x: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'out_type' '!quant.uniform<i8:f32, 2.500000e-01>' needs quantized operands, got 'f32'}}
  %0 = nn.relu %x {out_type = !quant.uniform<i8:f32, 2.500000e-01>} : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 2.500000e-01>>
  return
}

// -----

func.func @case19(%x: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'out_type' 'i1' needs quantized operands, got 'f32'}}
  %0 = nn.add %x, %x {out_type = i1} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @case20(%x: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'out_type' 'i8' needs quantized operands, got 'f32'}}
  %0 = nn.less %x, %x {out_type = i8} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi8>
  return
}

// -----

func.func @case21(%x: tensor<3x!quant.uniform<i8:f32, 2.500000e-01>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'out_type' must be quantized, got 'f32'}}
  %0 = nn.relu %x {out_type = f32} : (tensor<3x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<3xf32>
  return
}

// -----

func.func @case22(%x: tensor<3x!quant.uniform<i8:f32, 2.500000e-01>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operands must be i1, got '!quant.uniform<i8:f32, 2.500000e-01>'}}
  %0 = nn.logical_not %x {out_type = !quant.uniform<i8:f32, 2.500000e-01>} : (tensor<3x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<3x!quant.uniform<i8:f32, 2.500000e-01>>
  return
}

// -----

func.func @case23(%x: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'a' must hold integers, got 'f32'}}
  %0 = nn.fma_saturate %x, %x, %x : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xi8>
  return
}

// -----

func.func @case24(%x: tensor<3xi8>, %y: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'c' must hold 'f32', got 'i8'}}
  %0 = nn.fma_saturate %x, %y, %x : (tensor<3xi8>, tensor<3xf32>, tensor<3xi8>) -> tensor<3xi8>
  return
}

// -----

func.func @case25(%x: tensor<3xi32>, %k: tensor<1xi8>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'out_type' must be i8 or i16, got 'i32'}}
  %0 = nn.shift_right_saturate %x, %k {out_type = i32} : (tensor<3xi32>, tensor<1xi8>) -> tensor<3xi32>
  return
}

// -----

func.func @case26(%x: tensor<3xf32>, %k: tensor<1xi8>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'input' must hold integers, got 'f32'}}
  %0 = nn.shift_right_saturate %x, %k {out_type = i8} : (tensor<3xf32>, tensor<1xi8>) -> tensor<3xi8>
  return
}

// -----

func.func @case27(%x: tensor<3xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'shift' must hold 'i8', got 'i32'}}
  %0 = nn.shift_right_saturate %x, %x {out_type = i8} : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi8>
  return
}

// -----

func.func @case28(%x: tensor<3xi32>, %k: tensor<3xi8>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'shift' must have one element, got 'tensor<3xi8>'}}
  %0 = nn.shift_right_saturate %x, %k {out_type = i8} : (tensor<3xi32>, tensor<3xi8>) -> tensor<3xi8>
  return
}

// -----

func.func @case29(%x: tensor<3xi8>, %y: tensor<3xi8>, %m: tensor<1xi8>, %k: tensor<1xi8>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'lhs' must hold i16 or i32, got 'i8'}}
  %0 = nn.add_requantize %x, %y, %m, %k, %k, %k : (tensor<3xi8>, tensor<3xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3xi8>
  return
}

// -----

func.func @case30(%x: tensor<3xi16>, %y: tensor<3xi32>, %m: tensor<1xi16>, %k: tensor<1xi8>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'rhs' must hold 'i16', got 'i32'}}
  %0 = nn.add_requantize %x, %y, %m, %k, %k, %k : (tensor<3xi16>, tensor<3xi32>, tensor<1xi16>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3xi8>
  return
}

// -----

func.func @case31(%x: tensor<3xi16>, %y: tensor<3xi16>, %m: tensor<1xi32>, %k: tensor<1xi8>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'multiplier' must hold 'i16', got 'i32'}}
  %0 = nn.add_requantize %x, %y, %m, %k, %k, %k : (tensor<3xi16>, tensor<3xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3xi8>
  return
}

// -----

func.func @case32(%x: tensor<3xi16>, %y: tensor<3xi16>, %m: tensor<3xi16>, %k: tensor<1xi8>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'multiplier' must have one element, got 'tensor<3xi16>'}}
  %0 = nn.add_requantize %x, %y, %m, %k, %k, %k : (tensor<3xi16>, tensor<3xi16>, tensor<3xi16>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3xi8>
  return
}

// -----

func.func @case33(%x: tensor<3xi16>, %y: tensor<3xi16>, %m: tensor<1xi16>, %k: tensor<1xi16>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'shift' must hold 'i8', got 'i16'}}
  %0 = nn.add_requantize %x, %y, %m, %k, %k, %k : (tensor<3xi16>, tensor<3xi16>, tensor<1xi16>, tensor<1xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<3xi8>
  return
}

// -----

func.func @case34(%x: tensor<3xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{input must hold floats, got 'i32'}}
  %0 = nn.pow_const %x {exponent = 2.0 : f32} : (tensor<3xi32>) -> tensor<3xi32>
  return
}

// -----

func.func @case35(%x: tensor<3xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'to' must be an element type, got 'none'}}
  %0 = nn.cast %x {to = none} : (tensor<3xi32>) -> tensor<3xf32>
  return
}
