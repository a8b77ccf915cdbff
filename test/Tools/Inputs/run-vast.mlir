// More memory than there is, in between and as the output.
func.func @main(%x: tensor<1048576x1x1xf32> {nn.name = "x"}, %y: tensor<1x1048576x1xf32> {nn.name = "y"},
                %z: tensor<1x1x1024xf32> {nn.name = "z"}) -> (tensor<1048576x1048576x1024xf32> {nn.name = "sum"}) {
  %0 = nn.add %x, %y : (tensor<1048576x1x1xf32>, tensor<1x1048576x1xf32>) -> tensor<1048576x1048576x1xf32>
  %1 = nn.add %0, %z : (tensor<1048576x1048576x1xf32>, tensor<1x1x1024xf32>) -> tensor<1048576x1048576x1024xf32>
  return %1 : tensor<1048576x1048576x1024xf32>
}
