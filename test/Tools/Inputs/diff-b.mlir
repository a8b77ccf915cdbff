func.func @main(%y: tensor<2xf32> {nn.name = "y"}, %x: tensor<1x2x4x4xf32> {nn.name = "x"})
    -> (tensor<1x2x4x4xf32> {nn.name = "result"}, tensor<1x2x4x4xf32> {nn.name = "second"}) {
  %c = nn.constant dense<[[[[1.0]], [[2.5]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %w = nn.constant {mgb.name = "w"} dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[5.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %0 = nn.conv2d %x, %w {activation = #nn.activation<relu>, mgb.name = "act", dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = nn.add %0, %c : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %3 = nn.exp %2 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %4 = nn.neg %3 {mgb.name = "new"} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %5 = nn.foreign "ge" "Odd"(%4) {params = [{type = "Odd", input = ["new:0"]}]} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %3, %5 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}
