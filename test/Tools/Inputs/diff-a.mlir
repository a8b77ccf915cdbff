func.func @main(%x: tensor<1x2x4x4xf32> {nn.name = "x"}, %y: tensor<2xf32> {nn.name = "y"})
    -> (tensor<1x2x4x4xf32> {nn.name = "out"}, tensor<1x2x4x4xf32> {nn.name = "second"}) {
  %w = nn.constant {mgb.name = "w"} dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %0 = nn.conv2d %x, %w {mgb.name = "conv", dilations = array<i64: 1, 1>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.relu %0 {mgb.name = "act"} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %c = nn.constant dense<[[[[1.0]], [[2.0]]]]> : tensor<1x2x1x1xf32> : tensor<1x2x1x1xf32>
  %2 = nn.add %1, %c : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %3 = nn.exp %2 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %4 = nn.abs %3 {mgb.name = "gone"} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %5 = nn.foreign "ge" "Odd"(%4) {params = [{type = "Odd", input = ["gone:0"]}]} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %3, %5 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}
