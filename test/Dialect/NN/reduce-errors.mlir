// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @case0(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{axis 2 is out of range for rank 2}}
  %0 = nn.reduce_sum %x {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @case1(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'nn.reduce_max' op attribute 'axis' failed to satisfy constraint: integer of at most 32 bits}}
  %0 = nn.reduce_max %x {axis = -9223372036854775808 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @case2(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{needs either 'axis' or a target shape, got neither}}
  %0 = nn.reduce_sum %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @case3(%x: tensor<2x3xf32>, %t: tensor<2xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{needs either 'axis' or a target shape, got both}}
  %0 = nn.reduce_sum %x to %t {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @case4(%x: tensor<2x3xf32>, %t: tensor<2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{target shape must hold integers, got 'f32'}}
  %0 = nn.reduce_sum %x to %t : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @case5(%x: tensor<2x3xf32>, %t: tensor<1x2xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{target shape must have rank 1, got 2}}
  %0 = nn.reduce_sum %x to %t : (tensor<2x3xf32>, tensor<1x2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @case6(%x: tensor<2x3xf32>, %t: tensor<3xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{target shape has rank 3, the input 2}}
  %0 = nn.reduce_sum %x to %t : (tensor<2x3xf32>, tensor<3xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @case7(%x: tensor<2x3xf32>) {
  %t = nn.constant dense<[2, 2]> : tensor<2xi32> : tensor<2xi32>
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{target dim 1 is 2, expected 1 or the input's 3}}
  %0 = nn.reduce_prod %x to %t : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @case8(%x: tensor<2x3xf32>) {
  %t = nn.constant dense<[2, -1]> : tensor<2xi32> : tensor<2xi32>
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{target shape has the dim -1}}
  %0 = nn.reduce_mean %x to %t : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @case9(%x: tensor<4x!quant.uniform<u8:f32, 2.500000e-01:128>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type '!quant.uniform<u8:f32, 2.500000e-01:128>' has no nn.reduce_sum}}
  %0 = nn.reduce_sum %x {axis = 0 : i64} : (tensor<4x!quant.uniform<u8:f32, 2.500000e-01:128>>) -> tensor<4x!quant.uniform<u8:f32, 2.500000e-01:128>>
  return
}

// -----

func.func @case10(%x: tensor<4x!quant.uniform<u8:f32, 2.500000e-01:128>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type '!quant.uniform<u8:f32, 2.500000e-01:128>' has no nn.reduce_sum_sqr}}
  %0 = nn.reduce_sum_sqr %x {axis = 0 : i64} : (tensor<4x!quant.uniform<u8:f32, 2.500000e-01:128>>) -> tensor<4x!quant.uniform<u8:f32, 2.500000e-01:128>>
  return
}

// -----

func.func @case11(%x: tensor<4x!quant.uniform<u8:f32, 2.500000e-01:128>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type '!quant.uniform<u8:f32, 2.500000e-01:128>' has no nn.reduce_prod}}
  %0 = nn.reduce_prod %x {axis = 0 : i64} : (tensor<4x!quant.uniform<u8:f32, 2.500000e-01:128>>) -> tensor<4x!quant.uniform<u8:f32, 2.500000e-01:128>>
  return
}

// -----

func.func @case12(%x: tensor<4x!quant.uniform<i8:f32, 2.500000e-01>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type '!quant.uniform<i8:f32, 2.500000e-01>' has no nn.reduce_sum_sqr}}
  %0 = nn.reduce_sum_sqr %x {axis = 0 : i64} : (tensor<4x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<4x!quant.uniform<i8:f32, 2.500000e-01>>
  return
}

// -----

func.func @case13(%x: tensor<4x!quant.uniform<i8:f32, 2.500000e-01>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type '!quant.uniform<i8:f32, 2.500000e-01>' has no nn.reduce_prod}}
  %0 = nn.reduce_prod %x {axis = 0 : i64} : (tensor<4x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<4x!quant.uniform<i8:f32, 2.500000e-01>>
  return
}

// -----

func.func @case14(%x: tensor<4xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{element type 'i1' has no nn.reduce_min}}
  %0 = nn.reduce_min %x {axis = 0 : i64} : (tensor<4xi1>) -> tensor<1xi1>
  return
}

// -----

func.func @case15(%x: tensor<4xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{data_type o32_c32 does not take 'i1'}}
  %0 = nn.reduce_sum %x {axis = 0 : i64, data_type = #nn.reduce_type<o32_c32>} : (tensor<4xi1>) -> tensor<1xf32>
  return
}

// -----

func.func @case16(%x: tensor<4xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{data_type o16_c32 does not take 'i32'}}
  %0 = nn.reduce_sum %x {axis = 0 : i64, data_type = #nn.reduce_type<o16_c32>} : (tensor<4xi32>) -> tensor<1xf32>
  return
}

// -----

func.func @case17(%x: tensor<4xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{data_type io16_c32 does not take 'i32'}}
  %0 = nn.reduce_sum %x {axis = 0 : i64, data_type = #nn.reduce_type<io16_c32>} : (tensor<4xi32>) -> tensor<1xf32>
  return
}

// -----

func.func @case18(%x: tensor<4x!quant.uniform<i8:f32, 2.500000e-01>>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{data_type quint8_o32 does not take '!quant.uniform<i8:f32, 2.500000e-01>'}}
  %0 = nn.reduce_sum %x {axis = 0 : i64, data_type = #nn.reduce_type<quint8_o32>} : (tensor<4x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<1xf32>
  return
}

// -----

func.func @case19(%x: tensor<4xi8>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{data_type qint8_o32 does not take 'i8'}}
  %0 = nn.reduce_sum %x {axis = 0 : i64, data_type = #nn.reduce_type<qint8_o32>} : (tensor<4xi8>) -> tensor<1xf32>
  return
}
