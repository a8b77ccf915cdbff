func.func @main(%x: tensor<3x9xf32> {nn.name = "x"}) -> (tensor<3x9xf32>, tensor<3x9xi32>) {
  %0:2 = nn.argsort %x : (tensor<3x9xf32>) -> (tensor<3x9xf32>, tensor<3x9xi32>)
  return %0#0, %0#1 : tensor<3x9xf32>, tensor<3x9xi32>
}
