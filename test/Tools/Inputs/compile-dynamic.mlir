func.func @main(%x: tensor<?x3xf32> {nn.name = "x"}, %y: tensor<?xf32> {nn.name = "y"}) -> (tensor<?x3xf32> {nn.name = "sum"}, tensor<?x?xf32> {nn.name = "like x"}) {
  %0 = nn.add %x, %y : (tensor<?x3xf32>, tensor<?xf32>) -> tensor<?x3xf32>
  %1 = nn.shape_of %x : (tensor<?x3xf32>) -> tensor<2xi32>
  %2 = nn.reshape %0, %1 : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0, %2 : tensor<?x3xf32>, tensor<?x?xf32>
}
