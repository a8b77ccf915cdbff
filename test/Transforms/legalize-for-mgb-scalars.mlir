// RUN: model-opt %s --legalize-for-mgb | FileCheck %s
// RUN: model-opt %s --legalize-for-mgb -o %t.once
// RUN: model-opt %t.once --legalize-for-mgb -o %t.twice
// RUN: diff %t.once %t.twice

// The format has no tensors of rank 0.
// CHECK-LABEL: func.func @scalars
// CHECK-SAME:    (%[[S:.*]]: tensor<1xf32>, %[[X:.*]]: tensor<4xf32>) -> (tensor<1xf32>, tensor<4xf32>)
// CHECK-DAG:     %[[C:.*]] = nn.constant dense<2.000000e+00> : tensor<1xf32> : tensor<1xf32>
// CHECK-DAG:     %[[MAX:.*]] = nn.reduce_max %[[X]]
// CHECK-DAG:     %[[ONE:.*]] = nn.constant dense<1> : tensor<1xi32> : tensor<1xi32>
// CHECK:         %[[R:.*]] = nn.reshape %[[MAX]], %[[ONE]] : (tensor<1xf32>, tensor<1xi32>) -> tensor<1xf32>
// CHECK:         %[[P:.*]] = nn.mul %[[R]], %[[S]] : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
// CHECK:         %[[Y:.*]] = nn.mul %[[X]], %[[C]] : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
// CHECK:         return %[[P]], %[[Y]]
func.func @scalars(%s: tensor<f32>, %x: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %c = nn.constant dense<2.0> : tensor<f32> : tensor<f32>
  %empty = nn.constant dense<[]> : tensor<0xi32> : tensor<0xi32>
  %0 = nn.reduce_max %x {axis = 0 : i64} : (tensor<4xf32>) -> tensor<1xf32>
  %1 = nn.reshape %0, %empty : (tensor<1xf32>, tensor<0xi32>) -> tensor<f32>
  %2 = nn.mul %1, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %4 = nn.mul %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %2, %4 : tensor<f32>, tensor<4xf32>
}

// Equal numbers that GE ops imply are one constant; those of the file are not.
// CHECK-LABEL: func.func @implied
// CHECK:         nn.constant {ge.implicit} dense<3>
// CHECK-NEXT:    nn.constant dense<3>
// CHECK-NEXT:    nn.constant {ge.implicit} dense<4>
// CHECK-NEXT:    nn.add
func.func @implied(%x: tensor<4xi32>) -> tensor<4xi32> {
  %a = nn.constant {ge.implicit} dense<3> : tensor<1xi32> : tensor<1xi32>
  %b = nn.constant dense<3> : tensor<1xi32> : tensor<1xi32>
  %c = nn.constant {ge.implicit} dense<4> : tensor<1xi32> : tensor<1xi32>
  %d = nn.constant {ge.implicit} dense<3> : tensor<1xi32> : tensor<1xi32>
  %0 = nn.add %x, %a : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
  %1 = nn.add %0, %b : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
  %2 = nn.add %1, %c : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
  %3 = nn.add %2, %d : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
  return %3 : tensor<4xi32>
}
