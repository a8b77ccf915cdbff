// RUN: model-opt %s --reassociate-constants | FileCheck %s
// RUN: model-opt %s --reassociate-constants --fold-constants | FileCheck %s --check-prefix=FOLD
// A second run changes nothing.
// RUN: model-opt %s --reassociate-constants -o %t.1
// RUN: model-opt %t.1 --reassociate-constants | diff %t.1 -

// CHECK-LABEL: @chain
// CHECK: %[[S:.*]] = nn.add %{{.*}}, %{{.*}} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK: nn.add %[[S]], %arg0 : (tensor<2xf32>, tensor<3x2xf32>)
// FOLD-LABEL: @chain
// FOLD: nn.constant dense<[4.000000e+00, 6.000000e+00]>
// FOLD: nn.add %{{.*}}, %arg0
func.func @chain(%arg0: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = nn.constant dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %1 = nn.constant dense<[3.0, 4.0]> : tensor<2xf32> : tensor<2xf32>
  %2 = nn.add %arg0, %0 : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %3 = nn.add %1, %2 : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %3 : tensor<3x2xf32>
}

// The first sum is read elsewhere.
// CHECK-LABEL: @shared
// CHECK: %[[A:.*]] = nn.add %arg0, %{{.*}} : (tensor<2xf32>, tensor<2xf32>)
// CHECK: nn.add %[[A]], %{{.*}} : (tensor<2xf32>, tensor<2xf32>)
func.func @shared(%arg0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = nn.constant dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %2 = nn.add %arg0, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = nn.add %2, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2, %3 : tensor<2xf32>, tensor<2xf32>
}

// An activation stands between the sums.
// CHECK-LABEL: @activation
// CHECK: nn.add %arg0, %{{.*}} {activation = #nn.activation<relu>}
// CHECK: nn.add
func.func @activation(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = nn.constant dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %2 = nn.add %arg0, %0 {activation = #nn.activation<relu>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = nn.add %2, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}

// A column and a row: their sum would be a matrix.
// CHECK-LABEL: @growth
// CHECK: nn.add %arg0, %{{.*}} : (tensor<2x2xf32>, tensor<2xf32>)
func.func @growth(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = nn.constant dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %1 = nn.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32> : tensor<2x1xf32>
  %2 = nn.add %arg0, %0 : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %3 = nn.add %2, %1 : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}

// An overridable parameter is no constant.
// CHECK-LABEL: @overridable
// CHECK: nn.add %arg0, %arg1
// CHECK: nn.add
func.func @overridable(%arg0: tensor<2xf32>, %arg1: tensor<2xf32> {nn.default = dense<0.0> : tensor<2xf32>}) -> tensor<2xf32> {
  %0 = nn.constant dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %2 = nn.add %arg0, %arg1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = nn.add %2, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}

// What was joined joins with what follows, in the same run.
// CHECK-LABEL: func.func @three
// CHECK-SAME:    (%[[X:.*]]: tensor<2x3xf32>)
// CHECK-DAG:     %[[A:.*]] = nn.constant dense<1.0
// CHECK-DAG:     %[[B:.*]] = nn.constant dense<2.0
// CHECK-DAG:     %[[C:.*]] = nn.constant dense<3.0
// CHECK:         %[[S:.*]] = nn.add %[[A]], %[[B]]
// CHECK-NEXT:    %[[T:.*]] = nn.add %[[S]], %[[C]]
// CHECK-NEXT:    %[[R:.*]] = nn.add %[[X]], %[[T]]
// CHECK-NEXT:    return %[[R]]
func.func @three(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = nn.constant dense<1.0> : tensor<3xf32> : tensor<3xf32>
  %b = nn.constant dense<2.0> : tensor<2x3xf32> : tensor<2x3xf32>
  %c = nn.constant dense<3.0> : tensor<1xf32> : tensor<1xf32>
  %0 = nn.add %x, %a : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = nn.add %0, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = nn.add %1, %c : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
