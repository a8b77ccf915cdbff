// RUN: model-opt %s -o %t.plain.mgb && model-info %t.plain.mgb | FileCheck %s
// RUN: model-opt %s --canonicalize -o %t.canon.mgb && model-info %t.canon.mgb | FileCheck %s
// RUN: model-opt %s --cse -o %t.cse.mgb && model-info %t.cse.mgb | FileCheck %s
// RUN: model-opt %s -O1 -o %t.o1.mgb && model-info %t.o1.mgb | FileCheck %s
// RUN: model-opt %s -O1 --emit=mgv2 -o %t.v2.mgb && model-info %t.v2.mgb | FileCheck %s
// RUN: model-opt %t.plain.mgb --canonicalize --emit=mgbs -o %t.s.mgb && model-info %t.s.mgb | FileCheck %s
// RUN: model-opt %t.o1.mgb -O1 -o %t.again.mgb && cmp %t.o1.mgb %t.again.mgb
// RUN: %python %oracle/mgbeval.py --compare %t.plain.mgb %t.o1.mgb --random=1 --atol-rel=0
// RUN: %python %oracle/mgbeval.py --compare %t.plain.mgb %t.canon.mgb --random=1 --atol-rel=0
// RUN: model-opt %s --cse --legalize-for-mgb | FileCheck %s --check-prefix=IR

// Graph outputs keep their names and positions, whatever value passes put there.

// CHECK:      input       0 'x' tensor<2x3xf32>
// CHECK-NEXT: output      0 'reshaped' tensor<2x3xf32>
// CHECK-NEXT: output      1 'sum' tensor<2x3xf32>
// CHECK-NEXT: output      2 'exp' tensor<2x3xf32>
// CHECK-NEXT: output      3 'again' tensor<2x3xf32>
// CHECK-NEXT: output      4 'other' tensor<2x3xf32>
// CHECK-NEXT: output      5 'one' tensor<3xf32>
// CHECK-NEXT: output      6 'uno' tensor<3xf32>
// CHECK-NEXT: output      7 'passed' tensor<2x3xf32>
// CHECK-NEXT: output      8 'exp' tensor<2x3xf32>

// One var has one name: a second one costs a copy, the same one does not.
// IR:          %[[EXP:.*]] = nn.exp
// IR:          %[[ONE:.*]] = nn.constant
// IR-NEXT:     %[[AGAIN:.*]] = nn.identity %[[EXP]] {mgb.vars = ["again"]}
// IR-NEXT:     %[[OTHER:.*]] = nn.identity %[[EXP]] {mgb.vars = ["other"]}
// IR-NEXT:     %[[UNO:.*]] = nn.identity %[[ONE]] {mgb.vars = ["uno"]}
// IR-NEXT:     return %{{.*}}, %{{.*}}, %[[EXP]], %[[AGAIN]], %[[OTHER]], %[[ONE]], %[[UNO]], %arg0, %[[EXP]]
func.func @main(%x: tensor<2x3xf32> {nn.name = "x"})
    -> (tensor<2x3xf32> {nn.name = "reshaped"}, tensor<2x3xf32> {nn.name = "sum"},
        tensor<2x3xf32> {nn.name = "exp"}, tensor<2x3xf32> {nn.name = "again"},
        tensor<2x3xf32> {nn.name = "other"}, tensor<3xf32> {nn.name = "one"},
        tensor<3xf32> {nn.name = "uno"}, tensor<2x3xf32> {nn.name = "passed"},
        tensor<2x3xf32> {nn.name = "exp"}) {
  %shape = nn.constant dense<[2, 3]> : tensor<2xi32> : tensor<2xi32>
  %zero = nn.constant dense<-0.0> : tensor<1xf32> : tensor<1xf32>
  // A var inside of the graph that is called as an output.
  %inner = nn.relu %x {mgb.vars = ["sum"]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %tanh = nn.tanh %inner {mgb.vars = ["tanh"]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // Folds to their operands.
  %reshaped = nn.reshape %tanh, %shape {mgb.vars = ["reshaped"]} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %neg = nn.neg %tanh {mgb.vars = ["neg"]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %sum = nn.add %neg, %zero {mgb.vars = ["sum"]} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  // The same twice.
  %exp = nn.exp %tanh : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %other = nn.exp %tanh : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %one = nn.constant dense<1.0> : tensor<3xf32> : tensor<3xf32>
  %uno = nn.constant dense<1.0> : tensor<3xf32> : tensor<3xf32>
  return %reshaped, %sum, %exp, %exp, %other, %one, %uno, %x, %exp : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}
