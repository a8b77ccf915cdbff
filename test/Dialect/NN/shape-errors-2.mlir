// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<5x6xf32>, %y: tensor<5x6xf16>) {
  // expected-error @+2 {{every input must have element type 'f32', got 'tensor<5x6xf16>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.concat %x, %y {axis = 0 : i64} : (tensor<5x6xf32>, tensor<5x6xf16>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %y: tensor<5xf32>) {
  // expected-error @+2 {{input 1 has rank 1, expected 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.concat %x, %y {axis = 0 : i64} : (tensor<5x6xf32>, tensor<5xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %y: tensor<5x7xf32>) {
  // expected-error @+2 {{input 1 has 7 elements in axis 1, expected 6}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.concat %x, %y {axis = 0 : i64} : (tensor<5x6xf32>, tensor<5x7xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{axis 2 is out of range for rank 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.concat %x {axis = 2 : i64} : (tensor<5x6xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+2 {{needs an input}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.concat {axis = 2 : i64} : () -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{needs a part size}}
  // expected-error @+1 {{op failed to infer returned types}}
  nn.split %x {axis = 0 : i64} : (tensor<5x6xf32>) -> ()
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  %c = nn.constant dense<2> : tensor<1xi32> : tensor<1xi32>
  // expected-error @+2 {{part sizes add up to 4, axis 0 has 5 elements}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0:2 = nn.split %x, %c, %c {axis = 0 : i64} : (tensor<5x6xf32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<2x6xf32>, tensor<2x6xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  %c = nn.constant dense<-2> : tensor<1xi32> : tensor<1xi32>
  // expected-error @+2 {{part size is out of range: -2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.split %x, %c {axis = 0 : i64} : (tensor<5x6xf32>, tensor<1xi32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  %c = nn.constant dense<2> : tensor<1xi32> : tensor<1xi32>
  // expected-error @+2 {{axis -3 is out of range for rank 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.split %x, %c {axis = -3 : i64} : (tensor<5x6xf32>, tensor<1xi32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %i: tensor<2xi32>) {
  // expected-error @+2 {{part size must be one integer, got 'tensor<2xi32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.split %x, %i {axis = 0 : i64} : (tensor<5x6xf32>, tensor<2xi32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{axis 0 has the negative pad -1}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.pad %x {low = array<i64: -1>, high = array<i64>} : (tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{cannot reflect 5 elements of axis 0, which has 5}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.pad %x {low = array<i64: 5>, high = array<i64>, mode = #nn.pad_mode<reflect>} : (tensor<5x6xf32>) -> tensor<10x6xf32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{the result has too many elements}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.pad %x {low = array<i64: 9223372036854775807>, high = array<i64>} : (tensor<5x6xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+2 {{needs an input}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.shape_of : () -> tensor<?xi32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>, %y: tensor<4xf32>) {
  // expected-error @+2 {{operand shapes do not broadcast: dim 1 is 6 and 4}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.shape_of %x, %y : (tensor<5x6xf32>, tensor<4xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @f(%x: tensor<5x6xf32>) {
  // expected-error @+2 {{axis 2 is out of range for rank 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.shape_of %x {axis = 2 : i64} : (tensor<5x6xf32>) -> tensor<1xi32>
  return
}

// -----

func.func @f(%f: tensor<1xf32>) {
  %c = nn.constant dense<0> : tensor<1xi32> : tensor<1xi32>
  // expected-error @+2 {{num must be positive, got 0}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.linspace %f, %f, %c : (tensor<1xf32>, tensor<1xf32>, tensor<1xi32>) -> tensor<0xf32>
  return
}

// -----

func.func @f(%f: tensor<2xf32>, %i: tensor<1xi32>) {
  // expected-error @+2 {{start must have one element, got 'tensor<2xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.linspace %f, %f, %i : (tensor<2xf32>, tensor<2xf32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%f: tensor<1xf32>) {
  // expected-error @+2 {{num must be one integer, got 'tensor<1xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.linspace %f, %f, %f : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%i: tensor<3xi32>) {
  // expected-error @+2 {{shape must have 1 or 2 dims, got 3}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.eye %i {element_type = f32} : (tensor<3xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%i: tensor<1xi32>) {
  // expected-error @+2 {{no tensor has element type 'tensor<1xf32>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.eye %i {element_type = tensor<1xf32>} : (tensor<1xi32>) -> tensor<?x?xf32>
  return
}
