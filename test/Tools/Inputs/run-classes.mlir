func.func @main(%x: tensor<1x4xf32>) -> (tensor<1x3xf32> {nn.name = "first"}, tensor<1x4xf32> {nn.name = "second"}) {
  %c = nn.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32> : tensor<1x3xf32>
  %0 = nn.exp %x : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %1 = nn.exp %c : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %1, %0 : tensor<1x3xf32>, tensor<1x4xf32>
}
