// What `dump --input-data` makes of y = -x: the output is a check.
module attributes {mgb.testcase_file} {
  func.func @main(%x: tensor<2xf32> {nn.name = "x"}, %e: tensor<2xf32> {nn.name = "a:expect"}) -> (tensor<2xf32> {nn.name = "y"}, tensor<2xf32> {nn.name = "z"}) {
    %0 = nn.neg %x : (tensor<2xf32>) -> tensor<2xf32>
    %1 = nn.sub %e, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %2 = nn.abs %1 : (tensor<2xf32>) -> tensor<2xf32>
    %3 = nn.reduce_max %2 {axis = 0 : i64} : (tensor<2xf32>) -> tensor<1xf32>
    %4 = nn.assert_equal %e, %0 error %3 {max_error = 1.0e-4 : f32} : (tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
    %5 = nn.exp %x : (tensor<2xf32>) -> tensor<2xf32>
    return %4, %5 : tensor<2xf32>, tensor<2xf32>
  }
  func.func @testcase_0() -> (tensor<2xf32> {nn.name = "e0"}, tensor<2xf32> {nn.name = "x0"}) attributes {mgb.testcase = 0 : i64} {
    %x = nn.constant dense<[1.0, 0.0]> : tensor<2xf32> : tensor<2xf32>
    %e = nn.constant dense<[-1.0, 0.0]> : tensor<2xf32> : tensor<2xf32>
    return %e, %x : tensor<2xf32>, tensor<2xf32>
  }
  func.func @testcase_1() -> (tensor<2xf32> {nn.name = "e1"}, tensor<2xf32> {nn.name = "x1"}) attributes {mgb.testcase = 1 : i64} {
    %x = nn.constant dense<[4.0, 0.0]> : tensor<2xf32> : tensor<2xf32>
    %e = nn.constant dense<[-4.0, 0.5]> : tensor<2xf32> : tensor<2xf32>
    return %e, %x : tensor<2xf32>, tensor<2xf32>
  }
}
