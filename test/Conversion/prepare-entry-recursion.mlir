// RUN: not model-opt --prepare-entry --split-input-file %s 2>&1 | FileCheck %s

// CHECK: 'again' calls itself: it cannot be run
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = nn.call @again(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @again(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = nn.call @again(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK: 'ping' calls itself: it cannot be run
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = nn.call @ping(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @ping(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = nn.call @pong(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @pong(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = nn.call @ping(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Two calls of one function are no recursion.

// CHECK-NOT: error
// CHECK-LABEL: func.func @twice
func.func @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = nn.call @once(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = nn.call @once(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @once(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
