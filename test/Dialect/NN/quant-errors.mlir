// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @case0(%x: tensor<3xi8>, %s: tensor<1xi8>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{input must hold floats, got 'i8'}}
  %0 = nn.tqt %x, %s {qmin = -128 : i32, qmax = 127 : i32} : (tensor<3xi8>, tensor<1xi8>) -> tensor<3xi8>
  return
}

// -----

func.func @case1(%x: tensor<3xf32>, %s: tensor<1xf16>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operand element types differ: 'f32' and 'f16'}}
  %0 = nn.fake_quant %x, %s, %s {qmin = -128 : i32, qmax = 127 : i32} : (tensor<3xf32>, tensor<1xf16>, tensor<1xf16>) -> tensor<3xf32>
  return
}

// -----

func.func @case2(%x: tensor<3xf32>, %s: tensor<2x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operand of type 'tensor<2x3xf32>' does not broadcast to the input 'tensor<3xf32>'}}
  %0 = nn.fake_quant %x, %s, %s {qmin = -128 : i32, qmax = 127 : i32} : (tensor<3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @case3(%x: tensor<1xf32>, %s: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operand of type 'tensor<3xf32>' does not broadcast to the input 'tensor<1xf32>'}}
  %0 = nn.lsq %x, %s, %s, %s {qmin = -128 : i32, qmax = 127 : i32} : (tensor<1xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @case4(%x: tensor<2xf32>, %s: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{operand shapes do not broadcast: dim 0 is 2 and 3}}
  %0 = nn.tqt %x, %s {qmin = -128 : i32, qmax = 127 : i32} : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}
