// RUN: model-opt %s --O1 | FileCheck %s
// RUN: model-opt %s --canonicalize | FileCheck %s --check-prefix=CANON
// RUN: model-opt %s --O1 -o %t.once
// RUN: model-opt %t.once --O1 -o %t.twice
// RUN: diff %t.once %t.twice

// Values that leave the graph keep their names through the pipeline.

// CHECK-LABEL: func.func @ops
// CHECK-DAG:     nn.exp %{{.*}} {mgb.vars = ["a"]}
// CHECK-DAG:     nn.exp %{{.*}} {mgb.vars = ["b"]}
// CHECK:         return
func.func @ops(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = nn.exp %x {mgb.vars = ["a"]} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.exp %x {mgb.vars = ["b"]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// MLIR's folder merges constants, but none that carry different facts.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT:    %[[A:.*]] = nn.constant {mgb.vars = ["a"]}
// CHECK-NEXT:    %[[B:.*]] = nn.constant {mgb.vars = ["b"]}
// CHECK-NEXT:    return %[[A]], %[[B]]
// CANON-LABEL: func.func @constants
// CANON-DAG:     %[[A:.*]] = nn.constant {mgb.vars = ["a"]}
// CANON-DAG:     %[[B:.*]] = nn.constant {mgb.vars = ["b"]}
// CANON:         return %[[A]], %[[B]]
func.func @constants() -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = nn.constant {mgb.vars = ["a"]} dense<1.0> : tensor<4xf32> : tensor<4xf32>
  %1 = nn.constant {mgb.vars = ["b"]} dense<1.0> : tensor<4xf32> : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// The fused op has the name of the last one.
// CHECK-LABEL: func.func @fused
// CHECK:         nn.conv2d {{.*}} bias %{{.*}} {activation = #nn.activation<relu>{{.*}}mgb.vars = ["y"]
// CHECK-NEXT:    return
func.func @fused(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<1.0> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %k = nn.constant dense<2.0> : tensor<1xf32> : tensor<1xf32>
  %b = nn.constant dense<3.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, mgb.vars = ["c"]} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.mul %0, %k {mgb.vars = ["m"]} : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %2 = nn.add %1, %b {mgb.vars = ["s"]} : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %3 = nn.relu %2 {mgb.vars = ["y"]} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %3 : tensor<1x2x4x4xf32>
}
