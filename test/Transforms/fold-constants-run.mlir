// What no rule evaluates is run.
// RUN: model-opt %s --fold-constants --mlir-print-elementsattrs-with-hex-if-larger=-1 | FileCheck %s
// RUN: model-opt %s --fold-constants --remarks=missed -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: model-opt %s --fold-constants -o %t.once
// RUN: model-opt %t.once --fold-constants -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK-LABEL: func.func @unary
// CHECK-NEXT:    %[[C:.*]] = nn.constant {mgb.vars = ["y"]} dense<[1.000000e+00, 2.000000e+00, -3.000000e+00]> : tensor<3xf32>
// CHECK-NEXT:    return %[[C]]
func.func @unary() -> tensor<3xf32> {
  %a = nn.constant dense<[1.4, 1.6, -3.4]> : tensor<3xf32> : tensor<3xf32>
  %0 = nn.round %a {mgb.vars = ["y"]} : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Rules and runs take turns; a subgraph is one run however many roots it has.
// CHECK-LABEL: func.func @mixed
// CHECK-NEXT:    %[[A:.*]] = nn.constant dense<[3.000000e+00, 3.000000e+00, 1.000000e+00]> : tensor<3xf32>
// CHECK-NEXT:    %[[B:.*]] = nn.constant dense<[6, 6, 2]> : tensor<3xi32>
// CHECK-NEXT:    return %[[A]], %[[B]]
func.func @mixed() -> (tensor<3xf32>, tensor<3xi32>) {
  %a = nn.constant dense<[1.4, 1.6, -1.4]> : tensor<3xf32> : tensor<3xf32>
  %0 = nn.ceil %a : (tensor<3xf32>) -> tensor<3xf32>
  %1 = nn.abs %0 : (tensor<3xf32>) -> tensor<3xf32>
  %c = nn.constant dense<1.0> : tensor<1xf32> : tensor<1xf32>
  %2 = nn.add %0, %c : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  %3 = nn.maximum %2, %1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %4 = nn.cast %3 {to = i32} : (tensor<3xf32>) -> tensor<3xi32>
  %5 = nn.add %4, %4 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %3, %5 : tensor<3xf32>, tensor<3xi32>
}

// Each type in its own storage; what is a splat stays one.
// CHECK-LABEL: func.func @types
// CHECK-NEXT:    nn.constant dense<[3, 2]> : tensor<2xui8>
// CHECK-NEXT:    nn.constant dense<2.000000e+00> : tensor<4096xf16>
// CHECK-NEXT:    nn.constant dense<true> : tensor<4096xi1>
// CHECK-NEXT:    nn.constant dense<[2, -128]> : tensor<2xi8> : tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
// CHECK-NEXT:    return
func.func @types() -> (tensor<2xui8>, tensor<4096xi1>, tensor<4096xf16>, tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %a = nn.constant dense<[3, 1]> : tensor<2xui8> : tensor<2xui8>
  %b = nn.constant dense<2> : tensor<2xui8> : tensor<2xui8>
  %c = nn.constant dense<1.5> : tensor<4096xf16> : tensor<4096xf16>
  %d = nn.constant dense<[1.0, -100.0]> : tensor<2xf32> : tensor<2xf32>
  %0 = nn.maximum %a, %b : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %2 = nn.ceil %c : (tensor<4096xf16>) -> tensor<4096xf16>
  %1 = nn.cast %2 {to = i1} : (tensor<4096xf16>) -> tensor<4096xi1>
  %3 = nn.cast %d {to = !quant.uniform<i8:f32, 0.5>} : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return %0, %1, %2, %3 : tensor<2xui8>, tensor<4096xi1>, tensor<4096xf16>, tensor<2x!quant.uniform<i8:f32, 0.5>>
}

// Several results, within the graph; the same subgraph for two roots.
// CHECK-LABEL: func.func @results
// CHECK-NEXT:    %[[V:.*]] = nn.constant dense<{{\[}}[5.000000e+00], [4.000000e+00]]> : tensor<2x1xf32>
// CHECK-NEXT:    %[[I:.*]] = nn.constant dense<{{\[}}[2, 0]]> : tensor<1x2xi32>
// CHECK-NEXT:    return %[[V]], %[[I]]
func.func @results() -> (tensor<2x1xf32>, tensor<1x2xi32>) {
  %x = nn.constant dense<[[4.0, 1.0, 5.0]]> : tensor<1x3xf32> : tensor<1x3xf32>
  %k = nn.constant dense<-2> : tensor<1xi32> : tensor<1xi32>
  %v, %i = nn.topk %x, %k {mode = #nn.topk_mode<sorted>} : (tensor<1x3xf32>, tensor<1xi32>) -> (tensor<1x2xf32>, tensor<1x2xi32>)
  %0 = nn.transpose %v {permutation = array<i64: 1, 0>} : (tensor<1x2xf32>) -> tensor<2x1xf32>
  %1 = nn.abs %i : (tensor<1x2xi32>) -> tensor<1x2xi32>
  return %0, %1 : tensor<2x1xf32>, tensor<1x2xi32>
}

// An index out of range has no value. What does not hang on it does.
// CHECK-LABEL: func.func @check
// CHECK:         %[[A:.*]] = nn.index_one_hot
// CHECK:         nn.abs %[[A]]
// CHECK-NEXT:    %[[B:.*]] = nn.constant dense<2.000000e+00> : tensor<1x1xf32>
// MISSED:        [Missed] run | {{.*}}Function=check | Reason="an index is out of range"
// MISSED-NOT:    {{.}}
func.func @check() -> (tensor<1x1xf32>, tensor<1x1xf32>) {
  %x = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32> : tensor<1x2xf32>
  %i = nn.constant dense<1> : tensor<1xi32> : tensor<1xi32>
  %j = nn.constant dense<7> : tensor<1xi32> : tensor<1xi32>
  %0 = nn.index_one_hot %x, %j {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1xi32>) -> tensor<1x1xf32>
  %1 = nn.abs %0 : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %2 = nn.index_one_hot %x, %i {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1xi32>) -> tensor<1x1xf32>
  return %1, %2 : tensor<1x1xf32>, tensor<1x1xf32>
}
