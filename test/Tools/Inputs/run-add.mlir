func.func @main(%x: tensor<2x3xf32> {nn.name = "x"}, %y: tensor<3xf32> {nn.name = "a=b", nn.default = dense<[10.0, 20.0, 30.0]> : tensor<3xf32>}) -> (tensor<2x3xf32> {nn.name = "sum"}, tensor<2x3xf32> {nn.name = "neg"}) {
  %0 = nn.add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = nn.neg %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}
