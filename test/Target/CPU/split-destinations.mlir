// RUN: model-opt %s --split-destinations | FileCheck %s

// CHECK-LABEL: func.func @shared
// CHECK-NEXT:    %[[B:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %[[A:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %[[X:.*]] = linalg.exp ins(%{{.*}}) outs(%[[A]] :
// CHECK-NEXT:    %[[Y:.*]] = linalg.exp ins(%[[X]] : {{.*}}) outs(%[[B]] :
// CHECK-NEXT:    return %[[Y]]
func.func @shared(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Sizes known at run time only. What a loop writes into stays outside of it.
// CHECK-LABEL: func.func @loop
// CHECK:         tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK:         tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK:         scf.for
// CHECK-NOT:     tensor.empty
func.func @loop(%x: tensor<?xf32>, %n: index, %c0: index, %c1: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<?xf32>) {
    %2 = linalg.log ins(%y : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// Must not fire: one reader; what is written into is no empty tensor.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-1: tensor.empty
// CHECK-NOT:     tensor.empty
func.func @stay(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.log ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Each op that writes into a fill gets one of its own; readers share another.
// CHECK-LABEL: func.func @fill
// CHECK-COUNT-3: linalg.fill
// CHECK-NOT:     linalg.fill
// CHECK:         linalg.reduce {{.*}} outs(%[[A:.*]] :
// CHECK:         linalg.reduce {{.*}} outs(%[[B:.*]] :
// CHECK:         return %{{.*}}, %{{.*}}, %{{.*}} :
func.func @fill(%x: tensor<2x4xf32>, %zero: f32) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<2x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0]
  %1 = linalg.reduce { arith.mulf } ins(%x : tensor<2x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0]
  return %0, %1, %f : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
