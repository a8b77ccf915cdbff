func.func @main(%x: tensor<f32> {nn.name = "x"}) -> (tensor<f32> {nn.name = "y"}) {
  %0 = nn.abs %x : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
