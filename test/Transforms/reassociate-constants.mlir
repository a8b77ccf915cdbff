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
