func.func @main(%x: tensor<2x3xf32> {nn.name = "x"}) -> tensor<2x3xf32> {
  %0 = nn.foreign "mgb" "Nobody"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
