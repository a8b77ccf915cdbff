// What is not run, and why.
// RUN: model-opt %s --fold-constants="max-run-ops=4 max-growth-bytes=4000" -o %t.mlir --remarks=missed 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: FileCheck %s --input-file=%t.mlir

// Those that a run finds out come last; bytes that are missing make no constant.
// MISSED:      Reason="the model would grow by 4088 bytes, max-growth-bytes is 4000"
// MISSED-NEXT: Reason="what it computes is not known"
// MISSED-NEXT: Reason="the size of a result is not known"
// MISSED-NEXT: Reason="it does more than to compute its results"
// MISSED-NEXT: Reason="one of several results leaves the graph"
// MISSED-NEXT: Reason="'nn.optical_flow' cannot be run for these types: (tensor<1x3x15x16x4xui8>) -> (tensor<1x2x4x4x2xi16>)"
// MISSED-NEXT: Reason="5 ops hang on constants alone, max-run-ops is 4"
// MISSED-NEXT: Reason="the size of a result is not known"
// MISSED-NEXT: Reason="what reads it would be invalid"
// MISSED-NOT:    {{.}}

// CHECK-LABEL: func.func @growth
// CHECK:         nn.atan2
func.func @growth() -> tensor<1024x2xf32> {
  %a = nn.constant dense<1.0> : tensor<1024x1xf32> : tensor<1024x1xf32>
  %b = nn.constant dense<[[2.0, 3.0]]> : tensor<1x2xf32> : tensor<1x2xf32>
  %0 = nn.atan2 %a, %b : (tensor<1024x1xf32>, tensor<1x2xf32>) -> tensor<1024x2xf32>
  return %0 : tensor<1024x2xf32>
}

// CHECK-LABEL: func.func @foreign
// CHECK:         nn.foreign
// CHECK-NEXT:    nn.abs
func.func @foreign() -> tensor<2xf32> {
  %a = nn.constant dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %0 = nn.foreign "ge" "Odd"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = nn.abs %0 : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: func.func @size
// CHECK:         nn.abs
func.func @size() -> tensor<?xf32> {
  %a = nn.constant dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %0 = nn.abs %a : (tensor<2xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @call
// CHECK:         nn.call
func.func @call() -> tensor<2xf32> {
  %a = nn.constant dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %0 = nn.call @callee (%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @callee(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// CHECK-LABEL: func.func @results
// CHECK:         nn.topk
func.func @results() -> (tensor<1x1xf32>, tensor<1x1xi32>) {
  %x = nn.constant dense<[[4.0, 1.0]]> : tensor<1x2xf32> : tensor<1x2xf32>
  %k = nn.constant dense<-1> : tensor<1xi32> : tensor<1xi32>
  %v, %i = nn.topk %x, %k {mode = #nn.topk_mode<sorted>} : (tensor<1x2xf32>, tensor<1xi32>) -> (tensor<1x1xf32>, tensor<1x1xi32>)
  return %v, %i : tensor<1x1xf32>, tensor<1x1xi32>
}

// CHECK-LABEL: func.func @lowering
// CHECK:         nn.optical_flow
// CHECK-NEXT:    nn.abs
func.func @lowering() -> tensor<1x2x4x4x2xi16> {
  %a = nn.constant dense<1> : tensor<1x3x15x16x4xui8> : tensor<1x3x15x16x4xui8>
  %0 = nn.optical_flow %a {precision = 2 : i64} : (tensor<1x3x15x16x4xui8>) -> tensor<1x2x4x4x2xi16>
  %1 = nn.abs %0 : (tensor<1x2x4x4x2xi16>) -> tensor<1x2x4x4x2xi16>
  return %1 : tensor<1x2x4x4x2xi16>
}

// CHECK-LABEL: func.func @missing
// CHECK:         nn.abs
func.func @missing(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = nn.constant dense_resource<__elided__> : tensor<2xf32> : tensor<2xf32>
  %0 = nn.abs %a : (tensor<2xf32>) -> tensor<2xf32>
  %1 = nn.abs %x : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// Five ops are more than four.
// CHECK-LABEL: func.func @many
// CHECK-COUNT-5: nn.abs
func.func @many() -> tensor<2xf32> {
  %a = nn.constant dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %0 = nn.abs %a : (tensor<2xf32>) -> tensor<2xf32>
  %1 = nn.abs %0 : (tensor<2xf32>) -> tensor<2xf32>
  %2 = nn.abs %1 : (tensor<2xf32>) -> tensor<2xf32>
  %3 = nn.abs %2 : (tensor<2xf32>) -> tensor<2xf32>
  %4 = nn.abs %3 : (tensor<2xf32>) -> tensor<2xf32>
  return %4 : tensor<2xf32>
}

// A second name of an output; another device.
// CHECK-LABEL: func.func @names
// CHECK:         nn.identity
// CHECK-NEXT:    nn.copy
func.func @names() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = nn.constant dense<[1.0, 2.0]> : tensor<2xf32> : tensor<2xf32>
  %0 = nn.identity %a : (tensor<2xf32>) -> tensor<2xf32>
  %1 = nn.copy %a : (tensor<2xf32>) -> tensor<2xf32>
  return %a, %0, %1 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// A slice of nothing that is there fails when it runs, not when it is
// compiled: it may never run.
// CHECK-LABEL: func.func @invalid
// CHECK:         nn.reduce_sum
// CHECK:         nn.slice
func.func @invalid() -> tensor<?xf32> {
  %x = nn.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32> : tensor<3xf32>
  %a = nn.constant dense<[-2, -2]> : tensor<2xi32> : tensor<2xi32>
  %b = nn.reduce_sum %a {axis = 0 : i64} : (tensor<2xi32>) -> tensor<1xi32>
  %0 = nn.slice %x[%b] {axes = array<i64: 0>, has_begin = array<i1: true>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: false>} : (tensor<3xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
