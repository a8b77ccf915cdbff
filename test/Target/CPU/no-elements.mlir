// Inputs and outputs without elements.
// RUN: model-run %s --input zeros | FileCheck %s
// RUN: not model-compile %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LIBRARY

// CHECK: tensor<3x0xf32>
// LIBRARY: error: an input or output has no elements
func.func @main(%a: tensor<3x0xf32> {nn.name = "a"}) -> (tensor<3x0xf32> {nn.name = "b"}) {
  %0 = nn.relu %a : (tensor<3x0xf32>) -> tensor<3x0xf32>
  return %0 : tensor<3x0xf32>
}
