// Names are bytes: these are not UTF-8.
func.func @main(%x: tensor<2xf32> {nn.name = "x\FF"}) -> (tensor<2xf32> {nn.name = "y\FF"}) {
  %0 = nn.exp %x : (tensor<2xf32>) -> tensor<2xf32> loc("e\FF")
  return %0 : tensor<2xf32>
}
