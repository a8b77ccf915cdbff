func.func @main(%x: tensor<2xf32> {nn.name = "x"}) -> tensor<2xf32> {
  %0 = nn.foreign "ge" "Odd"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = nn.relu %0 : (tensor<2xf32>) -> tensor<2xf32>
  %2 = nn.foreign "ge" "Odder"(%1) : (tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
