// Shapes that travel as data are checked when a file is read.
// RUN: model-translate --mlir-to-mgb %s -o %t.mge
// RUN: not model-translate --mgb-to-mlir %t.mge -o %t.mlir 2>&1 | FileCheck %s

// CHECK: error: {{.*}}cannot reshape 'tensor<2x3xf32>' to 'tensor<3x3xf32>'
func.func @main(%x: tensor<2x3xf32> {nn.name = "x"}) -> tensor<?x?xf32> {
  %one = nn.constant dense<1> : tensor<1xi32> : tensor<1xi32>
  %dim = nn.shape_of %x {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<1xi32>
  %more = nn.add %dim, %one : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %shape = nn.concat %more, %more {axis = 0 : i64} : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = nn.reshape %x, %shape : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
