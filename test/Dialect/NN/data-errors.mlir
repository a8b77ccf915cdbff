// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @constant_shape() -> tensor<3xf32> {
  // expected-error @+1 {{'nn.constant' op value has type 'tensor<2xf32>', expected 'tensor<3xf32>'}}
  %0 = nn.constant dense<0.0> : tensor<2xf32> : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @constant_storage() -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>> {
  // expected-error @+1 {{'nn.constant' op value has type 'tensor<2xi32>', expected 'tensor<2xi8>'}}
  %0 = nn.constant dense<1> : tensor<2xi32> : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
}

// -----

func.func @constant_dynamic() -> tensor<?xf32> {
  // expected-error @+1 {{'nn.constant' op needs a ranked result of static shape, got 'tensor<?xf32>'}}
  %0 = nn.constant dense<0.0> : tensor<2xf32> : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @constant_unknown() -> tensor<2x!nn.unknown> {
  // expected-error @+1 {{'nn.constant' op element type '!nn.unknown' has no constants}}
  %0 = nn.constant dense<0.0> : tensor<2xf32> : tensor<2x!nn.unknown>
  return %0 : tensor<2x!nn.unknown>
}

// -----

func.func @constant_bytes() -> tensor<2xf32> {
  // expected-error @+1 {{'nn.constant' op value has 4 bytes, 'tensor<2xf32>' needs 8}}
  %0 = nn.constant dense_resource<short> : tensor<2xf32> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      short: "0x040000000000803F"
    }
  }
#-}

// -----

func.func @variable_shape() -> tensor<3xf32> {
  // expected-error @+1 {{'nn.variable' op value has type 'tensor<2xf32>', expected 'tensor<3xf32>'}}
  %0 = nn.variable dense<0.0> : tensor<2xf32> : tensor<3xf32>
  return %0 : tensor<3xf32>
}
