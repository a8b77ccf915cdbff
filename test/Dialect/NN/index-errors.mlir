// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<5x6xf32>, %i: tensor<3xi64>) {
  // expected-error @+2 {{index must have element type 'i32', got 'tensor<3xi64>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.index %x[%i] {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<3xi64>) -> tensor<3x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<3xi32>, %j: tensor<2xi32>) {
  // expected-error @+2 {{operand shapes do not broadcast: dim 0 is 3 and 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.index %x[%i, %j] {axes = array<i64: 1, 0>, has_begin = array<i1: false, false>, has_end = array<i1: false, false>, has_step = array<i1: false, false>, has_index = array<i1: true, true>} : (tensor<5x6xf32>, tensor<3xi32>, tensor<2xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<3xi32>, %v: tensor<2x6xf32>) {
  // expected-error @+2 {{value of type 'tensor<2x6xf32>' does not broadcast to the indexed 'tensor<3x6xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.index_put %x[%i] = %v {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<2x6xf32>, tensor<3xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<3x1xi32>) {
  // expected-error @+2 {{index of axis 0 has rank 2, expected 1}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.mesh_index %x[%i] {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<3x1xi32>) -> tensor<3x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<5x1xi32>) {
  // expected-error @+2 {{the batch axis 0 cannot have an index}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.mesh_index %x[%i] {batched, axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<5x1xi32>) -> tensor<3x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+2 {{index of axis 1 has 4 rows, expected 5}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.mesh_index %x[%i] {batched, axes = array<i64: 1>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<4x2xi32>) -> tensor<5x2xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<3xi32>, %v: tensor<2x6xf32>) {
  // expected-error @+2 {{value of type 'tensor<2x6xf32>' does not broadcast to the indexed 'tensor<3x6xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.mesh_index_put %x[%i] = %v {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<2x6xf32>, tensor<3xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %m: tensor<3x2xf32>) {
  // expected-error @+2 {{map must have element type 'i32', got 'tensor<3x2xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.gather_nd %x, %m : (tensor<5x6xf32>, tensor<3x2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %m: tensor<2xi32>) {
  // expected-error @+2 {{map has rank 1, expected at least 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.gather_nd %x, %m : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<1xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %m: tensor<3x3xi32>) {
  // expected-error @+2 {{map has coordinates of 3 axes, the input has rank 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.gather_nd %x, %m : (tensor<5x6xf32>, tensor<3x3xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<6xi32>) {
  // expected-error @+2 {{index has type 'tensor<6xi32>', expected 'tensor<5xi32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.index_one_hot %x, %i {axis = 1 : i64} : (tensor<5x6xf32>, tensor<6xi32>) -> tensor<5x1xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<5xi32>) {
  // expected-error @+2 {{axis 2 is out of range for rank 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.index_one_hot %x, %i {axis = 2 : i64} : (tensor<5x6xf32>, tensor<5xi32>) -> tensor<5x1xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<5xf32>) {
  // expected-error @+2 {{index must have element type 'i32', got 'tensor<5xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.index_one_hot %x, %i {axis = 1 : i64} : (tensor<5x6xf32>, tensor<5xf32>) -> tensor<5x1xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<5xi32>, %v: tensor<5xf32>) {
  // expected-error @+2 {{value has type 'tensor<5xf32>', expected 'tensor<5x1xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.index_put_one_hot %x, %i, %v {axis = 1 : i64} : (tensor<5x6xf32>, tensor<5xi32>, tensor<5xf32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<5xi32>, %v: tensor<5x1xi8>) {
  // expected-error @+2 {{value must have element type 'f32', got 'tensor<5x1xi8>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.index_put_one_hot %x, %i, %v {axis = 1 : i64} : (tensor<5x6xf32>, tensor<5xi32>, tensor<5x1xi8>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+1 {{'nn.diag' op attribute 'diagonal' failed to satisfy constraint: integer of at most 32 bits}}
  %0 = nn.diag %x {diagonal = 4294967296 : i64} : (tensor<5x6xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{diagonal 6 is outside of 'tensor<5x6xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.diag %x {diagonal = 6 : i64} : (tensor<5x6xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6x7xf32>) {
  // expected-error @+2 {{input has rank 3, expected 1 or 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.diag %x : (tensor<5x6x7xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{axis 2 is out of range for rank 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.argmax %x {axis = 2 : i64} : (tensor<5x6xf32>) -> tensor<*xi32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{axis -3 is out of range for rank 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.argmin %x {axis = -3 : i64} : (tensor<5x6xf32>) -> tensor<*xi32>
  return
}

// -----

func.func @f(%x: tensor<5x6x7xf32>) {
  // expected-error @+2 {{input has rank 3, expected 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0:2 = nn.argsort %x : (tensor<5x6x7xf32>) -> (tensor<5x6x7xf32>, tensor<5x6x7xi32>)
  return
}

// -----

func.func @f(%x: tensor<5x6x7xf32>, %i: tensor<1xi32>) {
  // expected-error @+2 {{input has rank 3, expected 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.topk %x, %i {mode = #nn.topk_mode<kth_only>} : (tensor<5x6x7xf32>, tensor<1xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  %c = nn.constant dense<0> : tensor<1xi32> : tensor<1xi32>
  // expected-error @+2 {{k must not be 0}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.topk %x, %c {mode = #nn.topk_mode<kth_only>} : (tensor<5x6xf32>, tensor<1xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<2xi32>) {
  // expected-error @+2 {{k must be one integer, got 'tensor<2xi32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.topk %x, %i {mode = #nn.topk_mode<kth_only>} : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{axis 2147483647 is out of range for rank 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.cumsum %x {axis = 2147483647 : i64} : (tensor<5x6xf32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %m: tensor<5xf32>) {
  // expected-error @+2 {{mask of type 'tensor<5xf32>' has not the shape of 'tensor<5x6xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0:2 = nn.cond_take %x, %m {predicate = #nn.predicate<eq>, value = 0.0 : f32, epsilon = 0.0 : f32} : (tensor<5x6xf32>, tensor<5xf32>) -> (tensor<?xf32>, tensor<?xi32>)
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %m: tensor<5x6xi32>) {
  // expected-error @+2 {{mask must have element type 'i1', got 'tensor<5x6xi32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.select %m, %x, %x : (tensor<5x6xi32>, tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %m: tensor<5x6xi1>, %y: tensor<5x6xf16>) {
  // expected-error @+2 {{on_false must have element type 'f32', got 'tensor<5x6xf16>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.select %m, %x, %y : (tensor<5x6xi1>, tensor<5x6xf32>, tensor<5x6xf16>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %m: tensor<6xi1>) {
  // expected-error @+2 {{shapes differ: 'tensor<6xi1>', 'tensor<5x6xf32>' and 'tensor<5x6xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.select %m, %x, %x : (tensor<6xi1>, tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %m: tensor<6xi1>) {
  // expected-error @+2 {{mask of type 'tensor<6xi1>' has not the leading dims of 'tensor<5x6xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.masked_fill %x, %m {value = 0.0 : f32} : (tensor<5x6xf32>, tensor<6xi1>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %m: tensor<5xi8>) {
  // expected-error @+2 {{mask must have element type 'i1', got 'tensor<5xi8>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.masked_fill %x, %m {value = 0.0 : f32} : (tensor<5x6xf32>, tensor<5xi8>) -> tensor<5x6xf32>
  return
}

// -----

func.func @f(%x: tensor<*xf32>) {
  // expected-error @+1 {{'nn.argmin' op attribute 'axis' failed to satisfy constraint: integer of at most 32 bits}}
  %0 = nn.argmin %x {axis = -2147483649 : i64} : (tensor<*xf32>) -> tensor<*xi32>
  return
}
