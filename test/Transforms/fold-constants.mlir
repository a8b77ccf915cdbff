// RUN: model-opt %s --fold-constants | FileCheck %s
// RUN: model-opt %s --fold-constants=max-growth-bytes=4096 | FileCheck %s --check-prefix=GROW
// RUN: model-opt %s --fold-constants -o %t.once
// RUN: model-opt %t.once --fold-constants -o %t.twice
// RUN: diff %t.once %t.twice

// A chain becomes one constant, under the name of its last op.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT:    %[[C:.*]] = nn.constant {mgb.vars = ["y"]} dense<{{\[}}[7.000000e+00, 9.000000e+00], [0.000000e+00, 1.000000e+00]]>
// CHECK-NEXT:    return %[[C]]
func.func @chain() -> tensor<2x2xf32> {
  %a = nn.constant dense<[[1.0, 2.0], [-3.0, -2.0]]> : tensor<2x2xf32> : tensor<2x2xf32>
  %b = nn.constant dense<2.0> : tensor<1xf32> : tensor<1xf32>
  %c = nn.constant dense<5.0> : tensor<2x2xf32> : tensor<2x2xf32>
  %0 = nn.mul %a, %b : (tensor<2x2xf32>, tensor<1xf32>) -> tensor<2x2xf32>
  %1 = nn.add %0, %c {mgb.vars = ["t"]} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = nn.relu %1 {mgb.vars = ["y"]} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// Integers wrap; casts round toward zero and to nearest even.
// CHECK-LABEL: func.func @types
// CHECK-NEXT:    %[[A:.*]] = nn.constant dense<-2147483648> : tensor<1xi32>
// CHECK-NEXT:    %[[B:.*]] = nn.constant dense<[1, -1]> : tensor<2xi32>
// CHECK-NEXT:    %[[C:.*]] = nn.constant dense<[2.048000e+03, 2.052000e+03]> : tensor<2xf16>
// CHECK-NEXT:    return %[[A]], %[[B]], %[[C]]
func.func @types() -> (tensor<1xi32>, tensor<2xi32>, tensor<2xf16>) {
  %a = nn.constant dense<2147483647> : tensor<1xi32> : tensor<1xi32>
  %b = nn.constant dense<1> : tensor<1xi32> : tensor<1xi32>
  %c = nn.constant dense<[1.5, -1.5]> : tensor<2xf32> : tensor<2xf32>
  %d = nn.constant dense<[2049.0, 2051.0]> : tensor<2xf32> : tensor<2xf32>
  %0 = nn.add %a, %b : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %1 = nn.cast %c {to = i32} : (tensor<2xf32>) -> tensor<2xi32>
  %2 = nn.cast %d {to = f16} : (tensor<2xf32>) -> tensor<2xf16>
  return %0, %1, %2 : tensor<1xi32>, tensor<2xi32>, tensor<2xf16>
}

// A splat stays one; the result is used by an op that stays.
// CHECK-LABEL: func.func @splat
// CHECK-NEXT:    %[[C:.*]] = nn.constant dense<6.000000e+00> : tensor<64x64xf32>
// CHECK-NEXT:    nn.add %{{.*}}, %[[C]]
func.func @splat(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = nn.constant dense<2.0> : tensor<64x64xf32> : tensor<64x64xf32>
  %b = nn.constant dense<3.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.mul %a, %b : (tensor<64x64xf32>, tensor<1xf32>) -> tensor<64x64xf32>
  %1 = nn.add %x, %0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// The model would grow by 128*128*4 - 2*128*4 = 64512 bytes.
// CHECK-LABEL: func.func @growth
// CHECK-NEXT:    nn.constant
// CHECK-NEXT:    return
// GROW-LABEL: func.func @growth
// GROW:         nn.add
func.func @growth() -> tensor<128x128xf32> {
  %a = nn.constant dense<1.0> : tensor<128x1xf32> : tensor<128x1xf32>
  %b = nn.constant dense<2.0> : tensor<1x128xf32> : tensor<1x128xf32>
  %0 = nn.add %a, %b : (tensor<128x1xf32>, tensor<1x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

// Must not fire: missing bytes, values without a result in the type, what is
// no constant.
// CHECK-LABEL: func.func @stay
// CHECK:         nn.relu
// CHECK-NEXT:    nn.cast
// CHECK-NEXT:    nn.add
// CHECK-NEXT:    nn.add
// CHECK-NEXT:    return
func.func @stay(%x: tensor<1xf32> {nn.default = dense<1.0> : tensor<1xf32>}) -> (tensor<1xf32>, tensor<1xi32>, tensor<1xf32>, tensor<1xf32>) {
  %a = nn.constant dense_resource<__elided__> : tensor<1xf32> : tensor<1xf32>
  %b = nn.constant dense<3.0e9> : tensor<1xf32> : tensor<1xf32>
  %v = nn.variable dense<1.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.relu %a : (tensor<1xf32>) -> tensor<1xf32>
  %1 = nn.cast %b {to = i32} : (tensor<1xf32>) -> tensor<1xi32>
  %2 = nn.add %b, %v : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %3 = nn.add %b, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %0, %1, %2, %3 : tensor<1xf32>, tensor<1xi32>, tensor<1xf32>, tensor<1xf32>
}
