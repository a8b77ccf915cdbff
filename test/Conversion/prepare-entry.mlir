// RUN: model-opt --prepare-entry --split-input-file --verify-diagnostics %s | FileCheck %s
// RUN: model-opt --prepare-entry=max-inline=2 --split-input-file --verify-diagnostics %s | FileCheck %s --check-prefix=TWO

// A long constant, shared by two ops, and a variable become arguments behind the
// inputs, then the status; a splat and a short one stay.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: tensor<17xf32> {bufferization.writable = false, nn.name = "x"}
// CHECK-SAME: %[[C:[^:]*]]: tensor<17xf32> {bufferization.writable = false, nn.constant = dense<[1.0{{.*}}]> : tensor<17xf32>}
// CHECK-SAME: %[[V:[^:]*]]: tensor<2xf32> {bufferization.writable = false, nn.constant = dense<5.0{{.*}}> : tensor<2xf32>}
// CHECK-SAME: %{{[^:]*}}: tensor<1xi64> {bufferization.writable = false, nn.status}
// CHECK-SAME: -> (tensor<17xf32> {nn.name = "y"}
// CHECK-DAG: %[[S:.*]] = nn.constant dense<3.0{{.*}}> : tensor<17xf32>
// CHECK-DAG: %[[T:.*]] = nn.constant dense<[1.0{{.*}}, 2.0{{.*}}, 3.0{{.*}}]> : tensor<3xf32>
// CHECK-NOT: nn.constant
// CHECK-NOT: nn.variable
// CHECK: %[[A:.*]] = nn.add %[[X]], %[[C]]
// CHECK: %[[B:.*]] = nn.mul %[[A]], %[[C]]
// CHECK: %[[D:.*]] = nn.add %[[B]], %[[S]]
// CHECK: return %[[D]], %[[V]], %[[T]]
// TWO-LABEL: func.func @main(
// TWO-SAME: nn.constant = dense<[1.0{{[^]]*}}]> : tensor<17xf32>
// TWO-SAME: nn.constant = dense<[1.0{{[^]]*}}]> : tensor<3xf32>
func.func @main(%x: tensor<17xf32> {nn.name = "x"}) -> (tensor<17xf32> {nn.name = "y"}, tensor<2xf32>, tensor<3xf32>) {
  %c = nn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0]> : tensor<17xf32> : tensor<17xf32>
  %d = nn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0]> : tensor<17xf32> : tensor<17xf32>
  %s = nn.constant dense<3.0> : tensor<17xf32> : tensor<17xf32>
  %t = nn.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32> : tensor<3xf32>
  %v = nn.variable dense<5.0> : tensor<2xf32> : tensor<2xf32>
  %0 = nn.add %x, %c : (tensor<17xf32>, tensor<17xf32>) -> tensor<17xf32>
  %1 = nn.mul %0, %d : (tensor<17xf32>, tensor<17xf32>) -> tensor<17xf32>
  %2 = nn.add %1, %s : (tensor<17xf32>, tensor<17xf32>) -> tensor<17xf32>
  return %2, %v, %t : tensor<17xf32>, tensor<2xf32>, tensor<3xf32>
}

// Other functions keep theirs.
// CHECK-LABEL: func.func private @other(
// CHECK-SAME: %{{[^,]*}}: tensor<3xf32>) -> tensor<3xf32>
// CHECK: nn.constant
// TWO-LABEL: func.func private @other(
// TWO: nn.constant
func.func private @other(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = nn.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32> : tensor<3xf32>
  %0 = nn.add %x, %c : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Elements of the same bytes but another type are another argument.
// CHECK-LABEL: func.func @types(
// CHECK-SAME: nn.constant = dense<[1, 2, 3, 4{{[^]]*}}]> : tensor<17xi8>
// CHECK-SAME: tensor<17x!quant.uniform<i8:f32, 5.000000e-01>> {{.*}}nn.constant = dense<[1, 2, 3, 4{{.*}}]> : tensor<17xi8>
func.func @types() -> (tensor<17xi8>, tensor<17x!quant.uniform<i8:f32, 0.5>>) {
  %c = nn.constant dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]> : tensor<17xi8> : tensor<17xi8>
  %d = nn.constant dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]> : tensor<17xi8> : tensor<17x!quant.uniform<i8:f32, 0.5>>
  return %c, %d : tensor<17xi8>, tensor<17x!quant.uniform<i8:f32, 0.5>>
}

// -----

// The entry is the first public function.
// CHECK-LABEL: func.func private @helper
// CHECK-NOT: nn.status
// CHECK-LABEL: func.func @second
// CHECK-SAME: nn.status
// CHECK-LABEL: func.func @third
// CHECK-NOT: nn.status
func.func private @helper() {
  return
}
func.func @second() {
  return
}
func.func @third() {
  return
}

// -----

// expected-error @below {{there is no public function to run}}
module {
  func.func private @main() {
    return
  }
}
