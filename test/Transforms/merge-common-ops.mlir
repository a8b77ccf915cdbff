// RUN: model-opt %s --merge-common-ops | FileCheck %s
// RUN: model-opt %s --merge-common-ops -o %t.once
// RUN: model-opt %t.once --merge-common-ops -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: model-opt %s --cse | FileCheck %s --check-prefix=CSE

// Names inside of the graph do not keep ops apart; chains merge in one run.
// MLIR's cse does not see through the names.
// CHECK-LABEL: func.func @names
// CHECK-NEXT:    %[[E:.*]] = nn.exp
// CHECK-NEXT:    %[[R:.*]] = nn.relu %[[E]]
// CHECK-NEXT:    nn.add %[[R]], %[[R]]
// CSE-LABEL: func.func @names
// CSE-COUNT-2: nn.exp
// CSE-COUNT-2: nn.relu
func.func @names(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.exp %x {mgb.name = "a"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.exp %x {mgb.name = "b"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = nn.relu %0 {mgb.vars = ["c"]} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = nn.relu %1 {mgb.vars = ["d"]} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = nn.add %2, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// The survivor takes the name that leaves the graph.
// CHECK-LABEL: func.func @output
// CHECK-NEXT:    %[[E:.*]] = nn.exp %{{.*}} {mgb.vars = ["out"]}
// CHECK-NEXT:    %[[R:.*]] = nn.relu %[[E]]
// CHECK-NEXT:    return %[[R]], %[[E]]
func.func @output(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = nn.exp %x {mgb.vars = ["inner"]} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.exp %x {mgb.vars = ["out"]} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = nn.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %2, %1 : tensor<4xf32>, tensor<4xf32>
}

// Must not fire: two outputs with names of their own; format attributes.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-2: nn.exp
// CHECK-COUNT-2: nn.relu
// CHECK:         nn.add
// CHECK-NEXT:    nn.add
// CHECK-NEXT:    return
// CSE-LABEL: func.func @stay
// CSE-COUNT-2: nn.exp
func.func @stay(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = nn.exp %x {mgb.vars = ["a"]} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.exp %x {mgb.vars = ["b"]} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = nn.relu %x {mgb.comp_node = ["xpux:0"]} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = nn.relu %x {mgb.comp_node = ["xpux:1"]} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = nn.add %2, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = nn.add %2, %3 {activation = #nn.activation<relu>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
