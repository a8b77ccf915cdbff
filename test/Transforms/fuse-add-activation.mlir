// RUN: model-opt %s --fuse-add-activation | FileCheck %s
// RUN: model-opt %s --fuse-add-activation=fuse-mul-add=false | FileCheck %s --check-prefix=NOMUL
// RUN: model-opt %s --fuse-add-activation -o %t.once
// RUN: model-opt %t.once --fuse-add-activation -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK-LABEL: func.func @add_relu
// CHECK-NEXT:    nn.add %{{.*}}, %{{.*}} {activation = #nn.activation<relu>, mgb.vars = ["y"]}
// CHECK-NEXT:    return
func.func @add_relu(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.add %a, %b {mgb.vars = ["s"]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.relu %0 {mgb.vars = ["y"]} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @others
// CHECK-DAG:     {activation = #nn.activation<sigmoid>}
// CHECK-DAG:     {activation = #nn.activation<tanh>}
// CHECK-DAG:     {activation = #nn.activation<h_swish>}
// CHECK:         return
func.func @others(%a: tensor<4xf32>, %b: tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = nn.add %a, %b : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %1 = nn.sigmoid %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = nn.add %a, %b : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %3 = nn.tanh %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = nn.add %a, %b : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %5 = nn.h_swish %4 : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %3, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @mul_add
// CHECK-NEXT:    nn.fma %arg0, %arg1, %arg2 {mgb.name = "s"}
// CHECK-NEXT:    return
// NOMUL-LABEL: func.func @mul_add
// NOMUL-NEXT:    nn.mul
// NOMUL-NEXT:    nn.add
func.func @mul_add(%a: tensor<4xf32>, %b: tensor<1xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = nn.mul %a, %b {mgb.name = "m"} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %1 = nn.add %c, %0 {mgb.name = "s"} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @two_products
// CHECK-NEXT:    nn.fma2 %arg0, %arg1, %arg1, %arg2
// CHECK-NEXT:    return
func.func @two_products(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.mul %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.mul %b, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = nn.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// A sum with an activation has no multiply-add form.
// CHECK-LABEL: func.func @activation_wins
// CHECK-NEXT:    nn.mul
// CHECK-NEXT:    nn.add {{.*}}activation = #nn.activation<relu>
// CHECK-NEXT:    return
func.func @activation_wins(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.mul %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.add %0, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = nn.relu %1 : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Must not fire: the intermediate result has another user or leaves the graph.
// CHECK-LABEL: func.func @shared
// CHECK-NEXT:    nn.mul
// CHECK-NEXT:    nn.add
// CHECK-NEXT:    nn.relu
// CHECK-NEXT:    nn.exp
// CHECK-NEXT:    return
func.func @shared(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = nn.mul %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.add %0, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = nn.relu %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = nn.exp %1 : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Must not fire: integers have no fused form, an activation is there already,
// the square of a product.
// CHECK-LABEL: func.func @others_stay
// CHECK-NEXT:    nn.mul
// CHECK-NEXT:    nn.add
// CHECK-NEXT:    nn.add {{.*}}tanh
// CHECK-NEXT:    nn.relu
// CHECK-NEXT:    nn.mul
// CHECK-NEXT:    nn.add
// CHECK-NEXT:    return
func.func @others_stay(%i: tensor<4xi32>, %a: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = nn.mul %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = nn.add %0, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %2 = nn.add %a, %a {activation = #nn.activation<tanh>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = nn.relu %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = nn.mul %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = nn.add %4, %4 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1, %3, %5 : tensor<4xi32>, tensor<4xf32>, tensor<4xf32>
}
