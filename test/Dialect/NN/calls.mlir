// RUN: model-opt %s -split-input-file -verify-diagnostics -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: model-opt %t.mlir -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: nn.if %{{.*}} then @a else @b(%{{.*}}) : (tensor<1xi1>, tensor<?xf32>) -> tensor<?xf32>
// CHECK: nn.case %{{.*}} of [@a, @b, @a](%{{.*}}) : (tensor<i32>, tensor<?xf32>) -> tensor<*xf32>
// CHECK: nn.while @c do @a(%{{.*}}) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK: nn.call @c(%{{.*}}) : (tensor<?xf32>) -> tensor<1xi1>
func.func @main(%p: tensor<1xi1>, %i: tensor<i32>, %x: tensor<?xf32>) -> tensor<1xi1> {
  %0 = nn.if %p then @a else @b (%x) : (tensor<1xi1>, tensor<?xf32>) -> tensor<?xf32>
  %1 = nn.case %i of [@a, @b, @a] (%0) : (tensor<i32>, tensor<?xf32>) -> tensor<*xf32>
  %2 = nn.while @c do @a (%0) : (tensor<?xf32>) -> tensor<?xf32>
  %3 = nn.call @c (%2) : (tensor<?xf32>) -> tensor<1xi1>
  return %3 : tensor<1xi1>
}
func.func private @a(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @b(%x: tensor<*xf32>) -> tensor<*x!nn.unknown> {
  %0 = nn.foreign "ge" "Odd"(%x) : (tensor<*xf32>) -> tensor<*x!nn.unknown>
  return %0 : tensor<*x!nn.unknown>
}
func.func private @c(%x: tensor<4xf32>) -> tensor<1xi1> {
  %0 = nn.constant dense<true> : tensor<1xi1> : tensor<1xi1>
  return %0 : tensor<1xi1>
}

// -----

func.func @missing(%p: tensor<1xi1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'nn.if' op @nobody is no function}}
  %0 = nn.if %p then @nobody else @nobody (%x) : (tensor<1xi1>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @two(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @arguments(%x: tensor<4xf32>) {
  // expected-error @+1 {{'nn.call' op @two has 2 arguments, expected 1}}
  %0 = nn.call @two (%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @one(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @argument_type(%x: tensor<5xf32>) {
  // expected-error @+1 {{'nn.call' op argument 0 of @one is 'tensor<4xf32>', expected 'tensor<5xf32>'}}
  %0 = nn.call @one (%x) : (tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @one(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @result_type(%i: tensor<i32>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'nn.case' op result 0 of @one is 'tensor<4xf32>', expected 'tensor<4xi32>'}}
  %0 = nn.case %i of [@one] (%x) : (tensor<i32>, tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func private @one(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @results(%i: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error @+1 {{'nn.if' op @one has 1 results, expected 0}}
  nn.if %i then @one else @one (%x) : (tensor<i1>, tensor<4xf32>) -> ()
  return
}

// -----

func.func @no_branch(%i: tensor<i32>) {
  // expected-error @+1 {{'nn.case' op needs one branch or more}}
  nn.case %i of [] () : (tensor<i32>) -> ()
  return
}

// -----

func.func @loop(%x: tensor<4xf32>) {
  // expected-error @+1 {{'nn.while' op has 1 inputs and 0 outputs}}
  nn.while @c do @c (%x) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func private @body(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @cond(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}
func.func @cond_results(%x: tensor<4xf32>) {
  // expected-error @+1 {{'nn.while' op @cond has 2 results, expected 1}}
  %0 = nn.while @cond do @body (%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
