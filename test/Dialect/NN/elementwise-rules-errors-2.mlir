// The element types that an op of several operands does not take.
// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @abs_grad(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.abs_grad %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @acosh_grad(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.acosh_grad %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @asinh_grad(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.asinh_grad %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @atan2(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.atan2 %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @atanh_grad(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.atanh_grad %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @clip(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.clip %x, %x, %x : (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @cond_less_equal_move(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.cond_less_equal_move %x, %x, %x : (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @cond_less_move(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.cond_less_move %x, %x, %x : (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @div(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.div %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @equal(%x: tensor<2xcomplex<f32>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'complex<f32>' has no arithmetic}}
  %0 = nn.equal %x, %x : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @fast_tanh_grad(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.fast_tanh_grad %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @floor_div(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.floor_div %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @fma2(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.fma2 %x, %x, %x, %x : (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @gelu_grad(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.gelu_grad %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @h_sigmoid_grad(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.h_sigmoid_grad %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @h_swish_grad(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.h_swish_grad %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @less_equal(%x: tensor<2xcomplex<f32>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'complex<f32>' has no arithmetic}}
  %0 = nn.less_equal %x, %x : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @log_add_exp(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.log_add_exp %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @minimum(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.minimum %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @mod(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.mod %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @not_equal(%x: tensor<2xcomplex<f32>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'complex<f32>' has no arithmetic}}
  %0 = nn.not_equal %x, %x : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @pow(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.pow %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @prelu(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.prelu %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @prelu_grad(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.prelu_grad %x, %x, %x : (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @relu6_grad(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.relu6_grad %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @sigmoid_grad(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.sigmoid_grad %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @silu_grad(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.silu_grad %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @softplus_grad(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.softplus_grad %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @switch_gt0(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.switch_gt0 %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @tanh_grad(%x: tensor<2xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no arithmetic}}
  %0 = nn.tanh_grad %x, %x : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}
