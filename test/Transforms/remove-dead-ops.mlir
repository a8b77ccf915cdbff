// RUN: model-opt %s --remove-dead-ops | FileCheck %s
// RUN: model-opt %s --remove-dead-ops -o %t.once
// RUN: model-opt %t.once --remove-dead-ops -o %t.twice
// RUN: diff %t.once %t.twice

// A chain goes in one run, and the constants that only it read.
// CHECK-LABEL: func.func @chain
// CHECK-SAME:    (%[[X:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xf32>)
// CHECK-NEXT:    %[[B:.*]] = nn.constant dense<2.000000e+00>
// CHECK-NEXT:    %[[R:.*]] = nn.mul %[[X]], %[[B]]
// CHECK-NEXT:    return %[[R]]
func.func @chain(%x: tensor<4xf32>, %unused: tensor<4xf32>) -> tensor<4xf32> {
  %a = nn.constant dense<1.0> : tensor<4xf32> : tensor<4xf32>
  %b = nn.constant dense<2.0> : tensor<4xf32> : tensor<4xf32>
  %0 = nn.add %x, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.add %0, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = nn.mul %1, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = nn.exp %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = nn.mul %x, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// The axes of a GE op are a constant in its file: that stays with the op. What
// only a dead op names goes with that.
// RUN: model-opt %s --remove-dead-ops=keep-named=false | FileCheck %s --check-prefix=UNNAMED
// UNNAMED-LABEL: func.func @named
// UNNAMED-NEXT:    nn.reduce_sum
// CHECK-LABEL: func.func @named
// CHECK-NEXT:    nn.constant {ge.name = "axes"} dense<1>
// CHECK-NEXT:    nn.reduce_sum
// CHECK-NEXT:    return
func.func @named(%x: tensor<4x2xf32>) -> tensor<4x1xf32> {
  %axes = nn.constant {ge.name = "axes"} dense<1> : tensor<1xi32> : tensor<1xi32>
  %other = nn.constant {ge.name = "other:0"} dense<0> : tensor<1xi32> : tensor<1xi32>
  %unnamed = nn.constant {ge.name = "unnamed"} dense<0> : tensor<1xi32> : tensor<1xi32>
  %0 = nn.reduce_sum %x {axis = 1 : i64, ge.name = "y", ge.op = {input = ["x:0", "axes:0"], type = "ReduceSum"}} : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %1 = nn.reduce_sum %x {axis = 0 : i64, ge.name = "z", ge.op = {input = ["x:0", "other:0:0"], type = "ReduceSum"}} : (tensor<4x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<4x1xf32>
}
