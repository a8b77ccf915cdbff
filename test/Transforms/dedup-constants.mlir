// RUN: model-opt %s --dedup-constants | FileCheck %s
// RUN: model-opt %s --dedup-constants -o %t.once
// RUN: model-opt %t.once --dedup-constants -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK-LABEL: func.func @same_bytes
// CHECK:         %[[A:.*]] = nn.constant
// CHECK-NEXT:    %[[S:.*]] = nn.add %[[A]], %[[A]]
// CHECK-NEXT:    return %[[S]]
func.func @same_bytes() -> tensor<2xf32> {
  %0 = nn.constant {mgb.name = "a"} dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %1 = nn.constant {mgb.name = "b"} dense_resource<blob> : tensor<2xf32> : tensor<2xf32>
  %2 = nn.add %0, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// Signs of zero, types and shapes are differences.
// CHECK-LABEL: func.func @different
// CHECK-COUNT-4: nn.constant
// CHECK:         return
func.func @different() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<2x1xf32>) {
  %0 = nn.constant dense<0.0> : tensor<2xf32> : tensor<2xf32>
  %1 = nn.constant dense<-0.0> : tensor<2xf32> : tensor<2xf32>
  %2 = nn.constant dense<0> : tensor<2xi32> : tensor<2xi32>
  %3 = nn.constant dense<0.0> : tensor<2x1xf32> : tensor<2x1xf32>
  %4 = nn.exp %0 : (tensor<2xf32>) -> tensor<2xf32>
  %5 = nn.exp %1 : (tensor<2xf32>) -> tensor<2xf32>
  %6 = nn.neg %2 : (tensor<2xi32>) -> tensor<2xi32>
  %7 = nn.exp %3 : (tensor<2x1xf32>) -> tensor<2x1xf32>
  return %4, %5, %6, %7 : tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<2x1xf32>
}

// NaN payloads as well.
// CHECK-LABEL: func.func @nan
// CHECK-COUNT-2: nn.constant
// CHECK:         return
func.func @nan() -> tensor<1xf32> {
  %0 = nn.constant dense<0x7FC00000> : tensor<1xf32> : tensor<1xf32>
  %1 = nn.constant dense<0x7FC00001> : tensor<1xf32> : tensor<1xf32>
  %2 = nn.add %0, %1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %2 : tensor<1xf32>
}

// What the file stores in different ways stays so.
// CHECK-LABEL: func.func @attributes
// CHECK-COUNT-2: nn.constant
// CHECK:         return
func.func @attributes() -> tensor<1xf32> {
  %0 = nn.constant {mgb.opr = "ImmutableTensor"} dense<1.0> : tensor<1xf32> : tensor<1xf32>
  %1 = nn.constant {mgb.tensor = {name = "w"}} dense<1.0> : tensor<1xf32> : tensor<1xf32>
  %2 = nn.add %0, %1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %2 : tensor<1xf32>
}

// A variable may change; an input's default may be overridden.
// CHECK-LABEL: func.func @variable
// CHECK-COUNT-2: nn.variable
// CHECK:         nn.constant
func.func @variable(%x: tensor<1xf32> {nn.default = dense<1.0> : tensor<1xf32>}) -> (tensor<1xf32>, tensor<1xf32>) {
  %0 = nn.variable dense<1.0> : tensor<1xf32> : tensor<1xf32>
  %1 = nn.variable dense<1.0> : tensor<1xf32> : tensor<1xf32>
  %2 = nn.constant dense<1.0> : tensor<1xf32> : tensor<1xf32>
  %3 = nn.add %0, %1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %4 = nn.add %x, %2 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %3, %4 : tensor<1xf32>, tensor<1xf32>
}

// A graph output keeps its name.
// CHECK-LABEL: func.func @outputs
// CHECK:         %[[A:.*]] = nn.constant {mgb.vars = ["a"]}
// CHECK-NEXT:    %[[B:.*]] = nn.constant {mgb.vars = ["b"]}
// CHECK-NEXT:    return %[[A]], %[[B]]
func.func @outputs() -> (tensor<1xf32>, tensor<1xf32>) {
  %0 = nn.constant {mgb.vars = ["a"]} dense<1.0> : tensor<1xf32> : tensor<1xf32>
  %1 = nn.constant {mgb.vars = ["b"]} dense<1.0> : tensor<1xf32> : tensor<1xf32>
  return %0, %1 : tensor<1xf32>, tensor<1xf32>
}

// Bytes that are missing are not compared.
// CHECK-LABEL: func.func @elided
// CHECK-COUNT-2: nn.constant
// CHECK:         return
func.func @elided() -> tensor<1xf32> {
  %0 = nn.constant dense_resource<__elided__> : tensor<1xf32> : tensor<1xf32>
  %1 = nn.constant dense_resource<__elided__> : tensor<1xf32> : tensor<1xf32>
  %2 = nn.add %0, %1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %2 : tensor<1xf32>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803F00000040"
    }
  }
#-}
