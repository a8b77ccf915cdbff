func.func @main() -> (tensor<1x4x6x6xf32>, tensor<8x8xf32>, tensor<1x8xi32>) {
  %x = nn.constant dense<[[[[0.1, -0.7, 0.3], [0.9, 1.3, -2.1], [0.4, 0.2, 7.5]]]]> : tensor<1x1x3x3xf32> : tensor<1x1x3x3xf32>
  %w = nn.constant dense<[[[[0.5, 0.25], [1.0, -0.3]]], [[[0.1, 0.2], [0.3, 0.7]]], [[[0.5, 0.2], [1.0, -0.1]]], [[[-0.1, 0.2], [0.6, 0.7]]]]> : tensor<4x1x2x2xf32> : tensor<4x1x2x2xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 2, 2>, dilations = array<i64: 1, 1>, activation = #nn.activation<tanh>} : (tensor<1x1x3x3xf32>, tensor<4x1x2x2xf32>) -> tensor<1x4x6x6xf32>
  %a = nn.constant dense<[[0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7], [0.8]]> : tensor<8x1xf32> : tensor<8x1xf32>
  %b = nn.constant dense<[[0.1, 1.2, -0.3, 1.4, 5.5, -0.6, 0.7, 0.8]]> : tensor<1x8xf32> : tensor<1x8xf32>
  %1 = nn.atan2 %a, %b : (tensor<8x1xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  %2 = nn.exp %1 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = nn.erf %2 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %4:2 = nn.argsort %b : (tensor<1x8xf32>) -> (tensor<1x8xf32>, tensor<1x8xi32>)
  %5 = nn.abs %4#1 : (tensor<1x8xi32>) -> tensor<1x8xi32>
  return %0, %3, %5 : tensor<1x4x6x6xf32>, tensor<8x8xf32>, tensor<1x8xi32>
}
