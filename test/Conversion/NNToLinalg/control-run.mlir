// RUN: model-run %s --input zero=zeros | FileCheck %s

// Branches and loops by functions; the functions know less of the shapes.

func.func private @double(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = nn.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @same(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func private @below(%x: tensor<?xf32>) -> tensor<1xf32> {
  %0 = nn.constant dense<50.0> : tensor<1xf32> : tensor<1xf32>
  %1 = nn.reduce_max %x {axis = 0 : i64} : (tensor<?xf32>) -> tensor<1xf32>
  %2 = nn.less %1, %0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %2 : tensor<1xf32>
}
// Swaps its values and counts down.
func.func private @swap(%n: tensor<1xi32>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<1xi32>, tensor<2xf32>, tensor<2xf32>) {
  %one = nn.constant dense<1> : tensor<1xi32> : tensor<1xi32>
  %0 = nn.sub %n, %one : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  return %0, %y, %x : tensor<1xi32>, tensor<2xf32>, tensor<2xf32>
}
func.func private @counts(%n: tensor<1xi32>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<1xi32> {
  return %n : tensor<1xi32>
}
// An op of a function that does not run does not fail either.
func.func private @fail(%x: tensor<2xf32>) -> tensor<2xf32> {
  %error = nn.constant dense<2.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.assert_equal %x, %x error %error {max_error = 1.0 : f32} : (tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK: output0: tensor<2xf32> [1, 3]
// CHECK: output1: tensor<2xf32> [2, 6]
// CHECK: output2: tensor<2xf32> [2, 6]
// CHECK: output3: tensor<2xf32> [1, 3]
// CHECK: output4: tensor<2xf32> [32, 96]
// CHECK: output5: tensor<2xf32> [7, 8]
// CHECK: output6: tensor<2xf32> [2, 6]
// CHECK: output7: tensor<2xf32> [1, 3]
func.func @main(%zero: tensor<1xi32> {nn.name = "zero"}) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %x = nn.constant dense<[1.0, 3.0]> : tensor<2xf32> : tensor<2xf32>
  %y = nn.constant dense<[7.0, 8.0]> : tensor<2xf32> : tensor<2xf32>
  %one = nn.constant dense<1> : tensor<1xi32> : tensor<1xi32>
  %minus = nn.constant dense<-1> : tensor<1xi32> : tensor<1xi32>
  %three = nn.constant dense<3> : tensor<1xi32> : tensor<1xi32>
  %0 = nn.if %zero then @double else @same(%x) : (tensor<1xi32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = nn.if %one then @double else @same(%x) : (tensor<1xi32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = nn.case %zero of [@double, @same](%x) : (tensor<1xi32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = nn.case %minus of [@double, @same](%x) : (tensor<1xi32>, tensor<2xf32>) -> tensor<2xf32>
  %4 = nn.while @below do @double(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %5:3 = nn.while @counts do @swap(%three, %x, %y) : (tensor<1xi32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1xi32>, tensor<2xf32>, tensor<2xf32>)
  %6 = nn.call @double(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %7 = nn.if %zero then @fail else @same(%x) : (tensor<1xi32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1, %2, %3, %4, %5#1, %6, %7 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
