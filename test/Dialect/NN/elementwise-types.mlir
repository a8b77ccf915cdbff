// RUN: model-opt %s | model-opt | FileCheck %s

!qa = !quant.uniform<i8:f32, 2.500000e-01>
!qb = !quant.uniform<i8:f32, 5.000000e-01>
!qc = !quant.uniform<u8:f32, 1.250000e-01:128>

// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%a: tensor<2x1x4xf32>, %b: tensor<3x1xf32>,
                     %c: tensor<?x?x4xf32>, %d: tensor<*xf32>) {
  // CHECK: nn.sub {{.*}} -> tensor<2x3x4xf32>
  %0 = nn.sub %a, %b : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK: nn.sub {{.*}} -> tensor<2x?x4xf32>
  %1 = nn.sub %a, %c : (tensor<2x1x4xf32>, tensor<?x?x4xf32>) -> tensor<2x?x4xf32>
  // CHECK: nn.sub {{.*}} -> tensor<*xf32>
  %2 = nn.sub %a, %d : (tensor<2x1x4xf32>, tensor<*xf32>) -> tensor<*xf32>
  // CHECK: nn.fma {{.*}} -> tensor<2x3x4xf32>
  %3 = nn.fma %a, %b, %a : (tensor<2x1x4xf32>, tensor<3x1xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @activations
func.func @activations(%a: tensor<4xf32>, %b: tensor<4xi32>) {
  // CHECK: nn.add %{{.*}}, %{{.*}} : (tensor<4xf32>
  %0 = nn.add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: nn.add {{.*}} {activation = #nn.activation<relu>}
  %1 = nn.add %a, %a {activation = #nn.activation<relu>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: nn.add {{.*}} {activation = #nn.activation<h_swish>}
  %2 = nn.add %a, %a {activation = #nn.activation<h_swish>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: nn.add {{.*}} -> tensor<4xi32>
  %3 = nn.add %b, %b {activation = #nn.activation<relu>} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: nn.add {{.*}} -> tensor<4xf32>
  %4 = nn.add %b, %b {activation = #nn.activation<sigmoid>} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @numbers
func.func @numbers(%h: tensor<4xf16>, %b: tensor<4xbf16>, %i: tensor<4xi32>,
                   %u: tensor<4xui8>, %p: tensor<4xi1>) {
  // CHECK: nn.exp {{.*}} -> tensor<4xf16>
  %0 = nn.exp %h : (tensor<4xf16>) -> tensor<4xf16>
  // CHECK: nn.tanh {{.*}} -> tensor<4xbf16>
  %1 = nn.tanh %b : (tensor<4xbf16>) -> tensor<4xbf16>
  // CHECK: nn.abs {{.*}} -> tensor<4xi32>
  %2 = nn.abs %i : (tensor<4xi32>) -> tensor<4xi32>
  // Integers become f32 where only floats have a meaning.
  // CHECK: nn.exp {{.*}} -> tensor<4xf32>
  %3 = nn.exp %i : (tensor<4xi32>) -> tensor<4xf32>
  // CHECK: nn.minimum {{.*}} -> tensor<4xui8>
  %4 = nn.minimum %u, %u : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  // CHECK: nn.less {{.*}} -> tensor<4xi32>
  %5 = nn.less %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: nn.equal {{.*}} : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %6 = nn.equal %p, %p : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  // CHECK: nn.less_equal {{.*}} {out_type = i1} {{.*}} -> tensor<4xi1>
  %7 = nn.less_equal %h, %h {out_type = i1} : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
  // CHECK: nn.is_nan {{.*}} {out_type = i1} {{.*}} -> tensor<4xi1>
  %8 = nn.is_nan %h {out_type = i1} : (tensor<4xf16>) -> tensor<4xi1>
  return
}

// CHECK-LABEL: func.func @quantized
func.func @quantized(%a: tensor<4x!qa>, %b: tensor<4x!qb>) {
  // CHECK: nn.relu {{.*}} -> tensor<4x!quant.uniform<i8:f32, 2.500000e-01>>
  %0 = nn.relu %a : (tensor<4x!qa>) -> tensor<4x!qa>
  // CHECK: nn.exp {{.*}} {out_type = !quant.uniform<u8:f32, 1.250000e-01:128>}
  %1 = nn.exp %a {out_type = !qc} : (tensor<4x!qa>) -> tensor<4x!qc>
  // CHECK: nn.mul {{.*}} {out_type = !quant.uniform<u8:f32, 1.250000e-01:128>}
  %2 = nn.mul %a, %b {out_type = !qc} : (tensor<4x!qa>, tensor<4x!qb>) -> tensor<4x!qc>
  // CHECK: nn.add {{.*}} {activation = #nn.activation<tanh>, out_type = !quant.uniform<i8:f32, 2.500000e-01>}
  %3 = nn.add %a, %b {activation = #nn.activation<tanh>, out_type = !qa} : (tensor<4x!qa>, tensor<4x!qb>) -> tensor<4x!qa>
  return
}

// CHECK-LABEL: func.func @unknown
func.func @unknown(%a: tensor<4x!nn.unknown>, %b: tensor<4xf32>) {
  // CHECK: nn.sub {{.*}} -> tensor<4x!nn.unknown>
  %0 = nn.sub %a, %b : (tensor<4x!nn.unknown>, tensor<4xf32>) -> tensor<4x!nn.unknown>
  // CHECK: nn.exp {{.*}} {out_type = !quant.uniform
  %1 = nn.exp %a {out_type = !qa} : (tensor<4x!nn.unknown>) -> tensor<4x!qa>
  return
}

// CHECK-LABEL: func.func @mixed
func.func @mixed(%s: tensor<4xi16>, %u: tensor<4xui8>, %i: tensor<4xi32>,
                 %f: tensor<4xf32>, %k: tensor<1xi8>, %m: tensor<1xi16>) {
  // CHECK: nn.fma {{.*}} -> tensor<4xi32>
  %0 = nn.fma %s, %i, %i : (tensor<4xi16>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: nn.fma {{.*}} -> tensor<4xf32>
  %1 = nn.fma %s, %f, %f : (tensor<4xi16>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: nn.fma {{.*}} -> tensor<4xf32>
  %2 = nn.fma %u, %f, %f : (tensor<4xui8>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: nn.mul {{.*}} -> tensor<4xf32>
  %3 = nn.mul %s, %f : (tensor<4xi16>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: nn.mul {{.*}} -> tensor<4xf32>
  %4 = nn.mul %f, %s : (tensor<4xf32>, tensor<4xi16>) -> tensor<4xf32>
  // CHECK: nn.fma_saturate {{.*}} -> tensor<4xi8>
  %5 = nn.fma_saturate %i, %f, %f : (tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xi8>
  // CHECK: nn.shift_right_saturate {{.*}} {out_type = i16} {{.*}} -> tensor<4xi16>
  %6 = nn.shift_right_saturate %i, %k {out_type = i16} : (tensor<4xi32>, tensor<1xi8>) -> tensor<4xi16>
  // CHECK: nn.add_requantize {{.*}} -> tensor<4xi8>
  %7 = nn.add_requantize %s, %s, %m, %k, %k, %k : (tensor<4xi16>, tensor<4xi16>, tensor<1xi16>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return
}

// CHECK-LABEL: func.func @attributes
func.func @attributes(%f: tensor<?x4xf32>, %u: tensor<*xf32>) {
  // CHECK: nn.pow_const {{.*}} {exponent = -5.000000e-01 : f32}
  %0 = nn.pow_const %f {exponent = -5.000000e-01 : f32} : (tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK: nn.cast {{.*}} {to = !quant.uniform<i8:f32, 2.500000e-01>}
  %1 = nn.cast %f {to = !qa} : (tensor<?x4xf32>) -> tensor<?x4x!qa>
  // CHECK: nn.cast {{.*}} {to = i1} {{.*}} -> tensor<*xi1>
  %2 = nn.cast %u {to = i1} : (tensor<*xf32>) -> tensor<*xi1>
  return
}
