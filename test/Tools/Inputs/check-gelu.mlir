func.func @main(%x: tensor<2x3xf32> {nn.name = "x/0"}) -> (tensor<2x3xf32> {nn.name = "y"}) {
  %0 = nn.gelu %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
