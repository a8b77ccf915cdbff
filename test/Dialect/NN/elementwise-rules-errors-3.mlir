// The element types that an op of one operand does not take.
// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @is_inf(%x: tensor<2xcomplex<f32>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'complex<f32>' has no arithmetic}}
  %0 = nn.is_inf %x : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @is_nan(%x: tensor<2xcomplex<f32>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'complex<f32>' has no arithmetic}}
  %0 = nn.is_nan %x : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @log(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.log %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @log1p(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.log1p %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @log_sigmoid(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.log_sigmoid %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @neg(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.neg %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @relu6(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.relu6 %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @round(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.round %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @sigmoid(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.sigmoid %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @sign(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.sign %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @silu(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.silu %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @sin(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.sin %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @sinh(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.sinh %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @softplus(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.softplus %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @sqrt(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.sqrt %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @square(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.square %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @tan(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.tan %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @tanh(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.tanh %x : (tensor<2xi1>) -> tensor<2xi1>
  return
}
