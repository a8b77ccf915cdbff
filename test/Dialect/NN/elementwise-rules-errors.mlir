// The element types that an op of one operand does not take.
// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @acos(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.acos %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @acosh(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.acosh %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @asin(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.asin %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @asinh(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.asinh %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @atanh(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.atanh %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @ceil(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.ceil %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @cos(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.cos %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @cosh(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.cosh %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @erf(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.erf %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @erf_inv(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.erf_inv %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @erfc(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.erfc %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @erfc_inv(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.erfc_inv %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @expm1(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.expm1 %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @fast_tanh(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.fast_tanh %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @floor(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.floor %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @gelu(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.gelu %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @h_sigmoid(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.h_sigmoid %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @h_swish(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.h_swish %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}
