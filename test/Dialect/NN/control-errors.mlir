// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @pred_none(%v: tensor<1xf32>) {
  // expected-error @+2 {{needs one key or more}}
  // expected-error @+1 {{failed to infer returned types}}
  nn.cond_pred %v keys() {epsilon = 1.0e-4 : f32} : (tensor<1xf32>) -> ()
  return
}

// -----

func.func @pred_scalar(%v: tensor<2xf32>) {
  // expected-error @+2 {{the value must be a scalar of shape 1, got 'tensor<2xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cond_pred %v keys(%v) {epsilon = 1.0e-4 : f32} : (tensor<2xf32>, tensor<2xf32>) -> tensor<1xi32>
  return
}

// -----

func.func @pred_key(%v: tensor<1xf32>, %k: tensor<2xf32>) {
  // expected-error @+2 {{a key must be a scalar of shape 1, got 'tensor<2xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cond_pred %v keys(%k) {epsilon = 1.0e-4 : f32} : (tensor<2xf32>, tensor<1xf32>) -> tensor<1xi32>
  return
}

// -----

func.func @pred_types(%v: tensor<1xf32>, %k: tensor<1xi32>) {
  // expected-error @+2 {{element types of value and key differ: 'f32' and 'i32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cond_pred %v keys(%k) {epsilon = 1.0e-4 : f32} : (tensor<1xi32>, tensor<1xf32>) -> tensor<1xi32>
  return
}

// -----

func.func @logical_type(%p: tensor<1xf32>) {
  // expected-error @+2 {{a predicate must be of type 'tensor<1xi32>', got 'tensor<1xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cond_logical %p : (tensor<1xf32>) -> tensor<1xi32>
  return
}

// -----

func.func @mark_predicate(%x: tensor<2xf32>, %p: tensor<2xi32>) {
  // expected-error @+2 {{a predicate must be of type 'tensor<1xi32>', got 'tensor<2xi32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cond_mark %x if %p : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @merge_outputs(%x: tensor<2xf32>) {
  // expected-error @+2 {{3 branch values do not make 2 outputs}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.cond_merge(%x, %x, %x) {num_outputs = 2 : i64} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @merge_zero(%x: tensor<2xf32>) {
  // expected-error @+2 {{1 branch values do not make 0 outputs}}
  // expected-error @+1 {{failed to infer returned types}}
  nn.cond_merge(%x) {num_outputs = 0 : i64} : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @merge_shapes(%x: tensor<2xf32>) {
  // expected-error @+2 {{mode sum needs 1 shapes, got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cond_merge(%x, %x) {mode = #nn.cond_merge_mode<sum>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @merge_predicate(%x: tensor<2xf32>) {
  // expected-error @+2 {{mode sum_cond_out needs a predicate}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = nn.cond_merge(%x, %x) {mode = #nn.cond_merge_mode<sum_cond_out>} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<1xi32>)
  return
}

// -----

func.func @merge_no_predicate(%x: tensor<2xf32>, %p: tensor<1xi32>) {
  // expected-error @+2 {{mode exact_one takes no predicate}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cond_merge(%x, %x) if %p : (tensor<2xf32>, tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @merge_same_shape(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error @+2 {{shapes of branches differ: 'tensor<2xf32>' and 'tensor<3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cond_merge(%x, %y) {mode = #nn.cond_merge_mode<exact_one_same_shape>} : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @merge_types(%x: tensor<2xf32>, %y: tensor<2xf16>) {
  // expected-error @+2 {{element types of branches differ: 'f32' and 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.cond_merge(%x, %y) : (tensor<2xf32>, tensor<2xf16>) -> tensor<2xf32>
  return
}

// -----

func.func @identity_result(%x: tensor<2xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.identity %x : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @assert_shapes(%x: tensor<2xf32>, %y: tensor<3xf32>, %e: tensor<1xf32>) {
  // expected-error @+2 {{shapes differ: expected 'tensor<2xf32>', got 'tensor<3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.assert_equal %x, %y error %e {max_error = 1.0e-4 : f32} : (tensor<2xf32>, tensor<3xf32>, tensor<1xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @assert_error(%x: tensor<2xf32>) {
  // expected-error @+2 {{the error must be a scalar of shape 1, got 'tensor<2xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.assert_equal %x, %x error %x {max_error = 1.0e-4 : f32} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
