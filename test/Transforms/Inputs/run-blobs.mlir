func.func @f0() -> tensor<4xf32> {
  %a = nn.constant dense_resource<blob0> : tensor<4xf32> : tensor<4xf32>
  %0 = nn.round %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @f1() -> tensor<4xf32> {
  %a = nn.constant dense_resource<blob1> : tensor<4xf32> : tensor<4xf32>
  %0 = nn.round %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @f2() -> tensor<4xf32> {
  %a = nn.constant dense_resource<blob2> : tensor<4xf32> : tensor<4xf32>
  %0 = nn.round %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @f3() -> tensor<4xf32> {
  %a = nn.constant dense_resource<blob3> : tensor<4xf32> : tensor<4xf32>
  %0 = nn.round %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @f4() -> tensor<4xf32> {
  %a = nn.constant dense_resource<blob4> : tensor<4xf32> : tensor<4xf32>
  %0 = nn.round %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @f5() -> tensor<4xf32> {
  %a = nn.constant dense_resource<blob5> : tensor<4xf32> : tensor<4xf32>
  %0 = nn.round %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @f6() -> tensor<4xf32> {
  %a = nn.constant dense_resource<blob6> : tensor<4xf32> : tensor<4xf32>
  %0 = nn.round %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @f7() -> tensor<4xf32> {
  %a = nn.constant dense_resource<blob7> : tensor<4xf32> : tensor<4xf32>
  %0 = nn.round %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
{-#
  dialect_resources: {
    builtin: {
      blob0: "0x001000009A99993F9A99993F9A99993F00000040",
      blob1: "0x400000009A99993F9A99993F9A99993F01000040",
      blob2: "0x001000009A99993F9A99993F9A99993F02000040",
      blob3: "0x400000009A99993F9A99993F9A99993F03000040",
      blob4: "0x001000009A99993F9A99993F9A99993F04000040",
      blob5: "0x400000009A99993F9A99993F9A99993F05000040",
      blob6: "0x001000009A99993F9A99993F9A99993F06000040",
      blob7: "0x400000009A99993F9A99993F9A99993F07000040"
    }
  }
#-}
