func.func @main(%x: tensor<?x3xf32> {nn.name = "x"}, %shape: tensor<1xi32> {nn.name = "shape", nn.default = dense<6> : tensor<1xi32>}) -> (tensor<?xf32> {nn.name = "flat"}, tensor<?x3xf32> {nn.name = "relu"}) {
  %0 = nn.relu %x : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %1 = nn.reshape %0, %shape : (tensor<?x3xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %1, %0 : tensor<?xf32>, tensor<?x3xf32>
}
