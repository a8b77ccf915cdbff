// RUN: model-opt %s --inline-branches | FileCheck %s
// RUN: model-opt %s --inline-branches -o %t.once
// RUN: model-opt %t.once --inline-branches -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: model-opt %s --inline-branches --remarks=missed -o %t.remarks 2>&1 | FileCheck %s --check-prefix=MISSED

// The branch that a constant chooses, and within it what that one calls; the
// name of the output goes to what computes it, others tell where they were.
// CHECK-LABEL: func.func @chosen
// CHECK-NEXT:    %[[N:.*]] = nn.neg %{{.*}} {ge.name = "out/inner"}
// CHECK-NEXT:    %[[S:.*]] = nn.square %[[N]] {ge.name = "out"}
// CHECK-NEXT:    return %[[S]]
func.func @chosen(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = nn.constant dense<true> : tensor<1xi1> : tensor<1xi1>
  %0 = nn.if %c then @then else @else (%x) {ge.name = "out"} : (tensor<1xi1>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @then(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.neg %x {ge.index = 3 : i64, ge.name = "inner"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.call @once (%0) {ge.name = "call"} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @once(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.square %x {ge.name = "s"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// An index beyond the last takes the last; a copy holds the name that an input
// cannot take.
// CHECK-LABEL: func.func @cases
// CHECK-NEXT:    nn.copy %{{.*}} {ge.name = "out"}
// CHECK-NEXT:    return
func.func @cases(%x: tensor<4xf32>) -> tensor<4xf32> {
  %i = nn.constant dense<7> : tensor<i32> : tensor<i32>
  %0 = nn.case %i of [@else, @same] (%x) {ge.name = "out"} : (tensor<i32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @same(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// What is inlined brings the constant for the next: 1 + -1 is 0.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT:    nn.relu
// CHECK-NEXT:    return
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = nn.constant dense<1> : tensor<1xi32> : tensor<1xi32>
  %0 = nn.if %one then @minus else @minus (%one) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %1 = nn.if %0 then @sum else @else (%x) : (tensor<1xi32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @minus(%x: tensor<1xi32>) -> tensor<1xi32> {
  %c = nn.constant dense<-1> : tensor<1xi32> : tensor<1xi32>
  %0 = nn.add %x, %c : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  return %0 : tensor<1xi32>
}
func.func private @sum(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @never
// CHECK-NEXT:    nn.exp
// CHECK-NEXT:    return
func.func @never(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.while @no do @else (%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @no(%x: tensor<4xf32>) -> tensor<1xi1> {
  %0 = nn.constant dense<false> : tensor<1xi1> : tensor<1xi1>
  return %0 : tensor<1xi1>
}

// Must not fire: a condition that is computed, a loop that may run, a graph
// that others call, types that differ.
// CHECK-LABEL: func.func @stay
// CHECK-NEXT:    nn.if
// CHECK-NEXT:    nn.while
// CHECK-NEXT:    nn.call @shared
// CHECK-NEXT:    nn.call @shared
// CHECK-NEXT:    nn.call @typed
// CHECK-NEXT:    return
// MISSED-DAG: [Missed] call {{.*}}others call the graph as well
// MISSED-DAG: [Missed] call {{.*}}the types of the graph and of its call differ
func.func @stay(%p: tensor<1xi1>, %x: tensor<4xf32>, %y: tensor<?xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<?xf32>) {
  %0 = nn.if %p then @else else @else (%x) : (tensor<1xi1>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.while @maybe do @else (%x) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = nn.call @shared (%x) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = nn.call @shared (%x) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = nn.call @typed (%y) : (tensor<?xf32>) -> tensor<?xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<?xf32>
}
// CHECK: func.func private @else
func.func private @else(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.relu %x {ge.name = "r"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @maybe(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @shared(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @typed(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// CHECK-NOT: func.func private @then
