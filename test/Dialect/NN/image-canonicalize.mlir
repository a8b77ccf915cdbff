// RUN: model-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @flip_nothing
// CHECK-NEXT: return %arg0
func.func @flip_nothing(%arg0: tensor<1x5x6x3xf32>) -> tensor<1x5x6x3xf32> {
  %0 = nn.flip %arg0 : (tensor<1x5x6x3xf32>) -> tensor<1x5x6x3xf32>
  return %0 : tensor<1x5x6x3xf32>
}

// CHECK-LABEL: @flip_something
// CHECK: nn.flip
func.func @flip_something(%arg0: tensor<1x5x6x3xf32>) -> tensor<1x5x6x3xf32> {
  %0 = nn.flip %arg0 {vertical} : (tensor<1x5x6x3xf32>) -> tensor<1x5x6x3xf32>
  return %0 : tensor<1x5x6x3xf32>
}
