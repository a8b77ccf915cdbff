// RUN: model-opt --convert-nn-to-linalg %s | FileCheck %s

func.func private @double(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = nn.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @same(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// What a function does not know of a size is checked behind the call.
// CHECK-LABEL: @if(
// CHECK: %[[TRUE:.*]] = arith.cmpi ne
// CHECK: scf.if %[[TRUE]] -> (tensor<2xf32>)
// CHECK: %[[CALL:.*]] = func.call @double
// CHECK: cf.assert
// CHECK: %[[CAST:.*]] = tensor.cast %[[CALL]] : tensor<?xf32> to tensor<2xf32>
// CHECK: scf.yield %[[CAST]]
// CHECK: else
// CHECK-NEXT: %[[OTHER:.*]] = func.call @same
// CHECK-NEXT: scf.yield %[[OTHER]]
func.func @if(%c: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = nn.if %c then @double else @same(%x) : (tensor<i32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Ops that depend on the same marks share a region, whatever stands between
// them.
// CHECK-LABEL: @marked(
// CHECK: linalg.generic
// CHECK: %[[BRANCH:.*]] = scf.if
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: else
// CHECK: linalg.fill
// CHECK: cf.assert {{.*}}, "an output is of a branch that did not run"
// CHECK: return %[[BRANCH]]
func.func @marked(%p: tensor<1xi32>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = nn.cond_mark %x if %p : (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
  %1 = nn.add %0, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = nn.mul %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = nn.add %1, %2 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %3, %2 : tensor<2xf32>, tensor<2xf32>
}
