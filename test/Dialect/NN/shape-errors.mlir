// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<5x6xf32>, %i: tensor<1xi32>) {
  // expected-error @+2 {{every item needs four flags: got 1 axes and 0 flags}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.slice %x[%i] {axes = array<i64: 0>, has_begin = array<i1>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<1xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<1xi32>) {
  // expected-error @+2 {{axis 2 is out of range for rank 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.slice %x[%i] {axes = array<i64: 2>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<1xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<1xi32>) {
  // expected-error @+2 {{axis 1 has two items}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.slice %x[%i, %i] {axes = array<i64: 1, -1>, has_begin = array<i1: false, false>, has_end = array<i1: false, false>, has_step = array<i1: false, false>, has_index = array<i1: true, true>} : (tensor<5x6xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<1xi32>) {
  // expected-error @+2 {{item 0 has an index and slice bounds}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.slice %x[%i, %i] {axes = array<i64: 1>, has_begin = array<i1: true>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<1xi32>) {
  // expected-error @+2 {{the items read 2 indices, got 1}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.slice %x[%i] {axes = array<i64: 1>, has_begin = array<i1: true>, has_end = array<i1: true>, has_step = array<i1: false>, has_index = array<i1: false>} : (tensor<5x6xf32>, tensor<1xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  %c = nn.constant dense<0> : tensor<1xi32> : tensor<1xi32>
  // expected-error @+2 {{slice of axis 0 has step 0}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.slice %x[%c] {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: true>, has_index = array<i1: false>} : (tensor<5x6xf32>, tensor<1xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  %c = nn.constant dense<-6> : tensor<1xi32> : tensor<1xi32>
  // expected-error @+2 {{slice begin -6 is out of range for 5 elements of axis 0}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.slice %x[%c] {axes = array<i64: 0>, has_begin = array<i1: true>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: false>} : (tensor<5x6xf32>, tensor<1xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  %c = nn.constant dense<5> : tensor<1xi32> : tensor<1xi32>
  // expected-error @+2 {{index 5 is out of range for 5 elements of axis 0}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.slice %x[%c] {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<1xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<2xi32>) {
  // expected-error @+2 {{index must be one integer, got 'tensor<2xi32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.slice %x[%i] {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<1xf32>) {
  // expected-error @+2 {{slice begin must be one integer, got 'tensor<1xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.slice %x[%i] {axes = array<i64: 0>, has_begin = array<i1: true>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: false>} : (tensor<5x6xf32>, tensor<1xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<1xi32>, %v: tensor<5xf32>) {
  // expected-error @+2 {{value of type 'tensor<5xf32>' does not broadcast to the indexed 'tensor<6xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.slice_update %x[%i] = %v {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<5xf32>, tensor<1xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<1xi32>, %v: tensor<6xi32>) {
  // expected-error @+2 {{value must have element type 'f32', got 'tensor<6xi32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.slice_update %x[%i] = %v {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<6xi32>, tensor<1xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %s: tensor<2xf32>) {
  // expected-error @+2 {{shape must be a vector of integers, got 'tensor<2xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.broadcast_to %x, %s : (tensor<5x6xf32>, tensor<2xf32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  %s = nn.constant dense<[5, -1]> : tensor<2xi32> : tensor<2xi32>
  // expected-error @+2 {{shape has the negative dim -1}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.broadcast_to %x, %s : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  %s = nn.constant dense<[5]> : tensor<1xi32> : tensor<1xi32>
  // expected-error @+2 {{cannot broadcast 'tensor<5x6xf32>' to rank 1}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.broadcast_to %x, %s : (tensor<5x6xf32>, tensor<1xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  %s = nn.constant dense<[5, 12]> : tensor<2xi32> : tensor<2xi32>
  // expected-error @+2 {{cannot broadcast dim 6 of 'tensor<5x6xf32>' to 12}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.broadcast_to %x, %s : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<1xf32>) {
  %s = nn.constant dense<2000000000> : tensor<3xi32> : tensor<3xi32>
  // expected-error @+2 {{the result has too many elements}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.broadcast_to %x, %s : (tensor<1xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{permutation is empty}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.transpose %x {permutation = array<i64>} : (tensor<5x6xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{input_rank is negative: -1}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.transpose %x {permutation = array<i64: 1, 0>, input_rank = -1 : i64} : (tensor<5x6xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{input has rank 2, expected 3}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.transpose %x {permutation = array<i64: 1, 0>, input_rank = 3 : i64} : (tensor<5x6xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{permutation has axis 2, expected -1 or an axis of 'tensor<5x6xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.transpose %x {permutation = array<i64: 1, 2>} : (tensor<5x6xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{permutation names axis 1 twice}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.transpose %x {permutation = array<i64: 1, 1>} : (tensor<5x6xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{cannot drop axis 0 of size 5}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.transpose %x {permutation = array<i64: 1>} : (tensor<5x6xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{got 1 axes and 0 squeeze flags}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.expand_squeeze %x {axes = array<i64: 1>, squeeze = array<i1>} : (tensor<5x6xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{axis 3 is out of range for rank 3}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.expand_squeeze %x {axes = array<i64: 3>, squeeze = array<i1: false>} : (tensor<5x6xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{cannot squeeze axis 1 of size 6}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.expand_squeeze %x {axes = array<i64: 1>, squeeze = array<i1: true>} : (tensor<5x6xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  %s = nn.constant dense<[4, 7]> : tensor<2xi32> : tensor<2xi32>
  // expected-error @+2 {{cannot reshape 'tensor<5x6xf32>' to 'tensor<4x7xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.reshape %x, %s : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  %s = nn.constant dense<[4, 7]> : tensor<2xi32> : tensor<2xi32>
  // expected-error @+2 {{cannot infer axis 1: 30 elements do not divide by 4}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.reshape %x, %s {inferred_axis = 1 : i64} : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  %s = nn.constant dense<[0, 7]> : tensor<2xi32> : tensor<2xi32>
  // expected-error @+2 {{cannot infer axis 1: 30 elements do not divide by 0}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.reshape %x, %s {inferred_axis = 1 : i64} : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  %s = nn.constant dense<[4, 7]> : tensor<2xi32> : tensor<2xi32>
  // expected-error @+2 {{axis 2 is out of range for rank 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.reshape %x, %s {inferred_axis = 2 : i64} : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<*xf32>
  return
}
