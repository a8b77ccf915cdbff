func.func @main() -> tensor<4194304x4194304xf32> {
  %a = nn.constant dense<1.0> : tensor<4194304x4194304xf32> : tensor<4194304x4194304xf32>
  %b = nn.constant dense<2.0> : tensor<4194304x4194304xf32> : tensor<4194304x4194304xf32>
  %0 = nn.matmul %a, %b : (tensor<4194304x4194304xf32>, tensor<4194304x4194304xf32>) -> tensor<4194304x4194304xf32>
  return %0 : tensor<4194304x4194304xf32>
}
