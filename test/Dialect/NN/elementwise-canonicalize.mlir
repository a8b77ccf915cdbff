// RUN: model-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @casts
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[H:.*]] = nn.cast %[[X]] {to = f16}
// CHECK-NEXT: return %[[X]], %[[H]]
func.func @casts(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf16>) {
  %0 = nn.cast %x {to = f32} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.cast %0 {to = f16} : (tensor<4xf32>) -> tensor<4xf16>
  return %0, %1 : tensor<4xf32>, tensor<4xf16>
}

// CHECK-LABEL: func.func @idempotent
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[R:.*]] = nn.relu %[[X]]
// CHECK-NEXT: %[[A:.*]] = nn.abs %[[X]]
// CHECK-NEXT: %[[F:.*]] = nn.floor %[[X]]
// CHECK-NEXT: return %[[R]], %[[A]], %[[F]], %[[X]]
func.func @idempotent(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = nn.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %3 = nn.abs %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = nn.floor %x : (tensor<4xf32>) -> tensor<4xf32>
  %5 = nn.floor %4 : (tensor<4xf32>) -> tensor<4xf32>
  %6 = nn.maximum %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = nn.minimum %6, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1, %3, %5, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @involutions
// CHECK-SAME: (%[[X:.*]]: tensor<4xi32>, %[[P:.*]]: tensor<4xi1>)
// CHECK-NEXT: return %[[X]], %[[P]]
func.func @involutions(%x: tensor<4xi32>, %p: tensor<4xi1>) -> (tensor<4xi32>, tensor<4xi1>) {
  %0 = nn.neg %x : (tensor<4xi32>) -> tensor<4xi32>
  %1 = nn.neg %0 : (tensor<4xi32>) -> tensor<4xi32>
  %2 = nn.logical_not %p : (tensor<4xi1>) -> tensor<4xi1>
  %3 = nn.logical_not %2 : (tensor<4xi1>) -> tensor<4xi1>
  return %1, %3 : tensor<4xi32>, tensor<4xi1>
}

// CHECK-LABEL: func.func @neutral
// CHECK-SAME: (%[[X:.*]]: tensor<2x4xf32>, %[[I:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]], %[[I]]
func.func @neutral(%x: tensor<2x4xf32>, %i: tensor<4xi32>) -> (tensor<2x4xf32>, tensor<4xi32>) {
  %one = nn.constant dense<1.0> : tensor<1xf32> : tensor<1xf32>
  %zero = nn.constant dense<0.0> : tensor<4xf32> : tensor<4xf32>
  %negzero = nn.constant dense<-0.0> : tensor<1xf32> : tensor<1xf32>
  %izero = nn.constant dense<0> : tensor<1xi32> : tensor<1xi32>
  %ione = nn.constant dense<1> : tensor<4xi32> : tensor<4xi32>
  %0 = nn.mul %x, %one : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  %1 = nn.mul %one, %0 : (tensor<1xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = nn.div %1, %one : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  %3 = nn.sub %2, %zero : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %4 = nn.add %3, %negzero : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  %5 = nn.pow_const %4 {exponent = 1.0 : f32} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %6 = nn.add %i, %izero : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
  %7 = nn.mul %6, %ione : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %5, %7 : tensor<2x4xf32>, tensor<4xi32>
}

// What only looks neutral.
// CHECK-LABEL: func.func @must_stay
// CHECK: nn.add
// CHECK: nn.sub
// CHECK: nn.mul
// CHECK: nn.mul
// CHECK: nn.add {{.*}} {activation = #nn.activation<relu>}
// CHECK: nn.div
// CHECK: nn.relu
// CHECK: nn.relu
// CHECK: nn.mul
// CHECK: return
func.func @must_stay(%x: tensor<4xf32>, %s: tensor<1xf32>, %d: tensor<?xf32>,
                     %i: tensor<4xi32>, %q: tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<*xf32>, tensor<4xf32>,
        tensor<4xf32>, tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<4xf32>) {
  %one = nn.constant dense<1.0> : tensor<4xf32> : tensor<4xf32>
  %zero = nn.constant dense<0.0> : tensor<4xf32> : tensor<4xf32>
  %negzero = nn.constant dense<-0.0> : tensor<4xf32> : tensor<4xf32>
  %ione = nn.constant dense<1> : tensor<4xi32> : tensor<4xi32>
  // -0 + 0 is 0.
  %0 = nn.add %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.sub %x, %negzero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // The constant stretches the other operand, or may.
  %2 = nn.mul %s, %one : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = nn.mul %d, %one : (tensor<?xf32>, tensor<4xf32>) -> tensor<*xf32>
  %4 = nn.add %x, %negzero {activation = #nn.activation<relu>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // A division of integers gives f32.
  %5 = nn.div %i, %ione : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xf32>
  // Quantized codes.
  %6 = nn.relu %q : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>
  %7 = nn.relu %6 : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>
  %two = nn.constant dense<[1.0, 1.0, 1.0, 2.0]> : tensor<4xf32> : tensor<4xf32>
  %8 = nn.mul %x, %two : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %7, %8 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<*xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<4xf32>
}

// Constants move to the right where that changes nothing.
// CHECK-LABEL: func.func @commute
// CHECK: nn.add %[[X:.*]], %[[C:.*]] :
// CHECK: nn.maximum %[[C]], %[[X]] :
func.func @commute(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = nn.constant dense<3.0> : tensor<4xf32> : tensor<4xf32>
  %0 = nn.add %c, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.maximum %c, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
