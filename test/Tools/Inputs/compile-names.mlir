// Names that are no identifiers, that are equal as such, and that end comments.
func.func @main(%a: tensor<2xf32> {nn.name = "a*/b"}, %b: tensor<f32> {nn.name = "a**b"}, %c: tensor<2x!quant.uniform<u8:f32, 0.5:128>> {nn.name = "count"}) -> (tensor<2xf32> {nn.name = "\C3\A9\22?\3F/"}, tensor<2x!quant.uniform<u8:f32, 0.5:128>>) {
  %0 = nn.add %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0, %c : tensor<2xf32>, tensor<2x!quant.uniform<u8:f32, 0.5:128>>
}
