!u8 = !quant.uniform<u8:f32, 0.5:128>
!i4 = !quant.uniform<i4:f32, 0.25>
// Each input is an output: what comes in goes out.
func.func @main(%b: tensor<2x3xi1> {nn.name = "bool"}, %q: tensor<4x!u8> {nn.name = "u8"}, %p: tensor<2x3x!i4> {nn.name = "i4"}, %h: tensor<2xf16> {nn.name = "f16"}, %f: tensor<2xbf16> {nn.name = "bf16"}, %l: tensor<2xi64> {nn.name = "i64"}, %c: tensor<2xcomplex<f32>> {nn.name = "c64"}, %s: tensor<f64> {nn.name = "f64"}) -> (tensor<2x3xi1>, tensor<4x!u8>, tensor<2x3x!i4>, tensor<2xf16>, tensor<2xbf16>, tensor<2xi64>, tensor<2xcomplex<f32>>, tensor<f64>) {
  return %b, %q, %p, %h, %f, %l, %c, %s : tensor<2x3xi1>, tensor<4x!u8>, tensor<2x3x!i4>, tensor<2xf16>, tensor<2xbf16>, tensor<2xi64>, tensor<2xcomplex<f32>>, tensor<f64>
}
