func.func @main(%x: tensor<4xf32> {nn.name = "x"}) -> (tensor<4xf32> {nn.name = "y"}) {
  %0 = nn.cast %x {to = f16} : (tensor<4xf32>) -> tensor<4xf16>
  %1 = nn.exp %0 : (tensor<4xf16>) -> tensor<4xf16>
  %2 = nn.cast %1 {to = f32} : (tensor<4xf16>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
