func.func @main(%x: tensor<7x3x50xf32> {nn.name = "x"}) -> (tensor<3x1xf32> {nn.name = "y"}) {
  %s = nn.constant dense<[3, 1]> : tensor<2xi32> : tensor<2xi32>
  %0 = nn.reduce_sum %x to %s : (tensor<7x3x50xf32>, tensor<2xi32>) -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}
