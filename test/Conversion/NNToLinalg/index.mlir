// RUN: model-opt --convert-nn-to-linalg --split-input-file --verify-diagnostics --canonicalize %s | FileCheck %s

// Negative indices count from the end; all are checked.
// CHECK-LABEL: func.func @index(
// CHECK: linalg.generic
// CHECK: %[[WRAPPED:.*]] = arith.select
// CHECK: %[[GOOD:.*]] = arith.cmpi ult, %[[WRAPPED]], %{{.*}} : index
// CHECK: cf.assert %[[GOOD]], "an index is out of range"
// CHECK: tensor.extract %{{.*}}[%[[WRAPPED]], %{{.*}}] : tensor<5x6xf32>
func.func @index(%x: tensor<5x6xf32>, %i: tensor<3xi32>) -> tensor<3x6xf32> {
  %0 = nn.index %x[%i] {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<3xi32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// -----

// Values are put one after another: the last one wins.
// CHECK-LABEL: func.func @index_put(
// CHECK: scf.for
// CHECK: tensor.insert %{{.*}} into
func.func @index_put(%x: tensor<5xf32>, %v: tensor<3xf32>, %i: tensor<3xi32>) -> tensor<5xf32> {
  %0 = nn.index_put %x[%i] = %v {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5xf32>, tensor<3xf32>, tensor<3xi32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// Rows are sorted by the runtime library; unsigned bytes by a wider key.
// CHECK: func.func private @mw_argsort_i32(index, index, index, index, index, index)
// CHECK-LABEL: func.func @argsort(
// CHECK: arith.extui %{{.*}} : i8 to i32
// CHECK: call @mw_argsort_i32(
func.func @argsort(%x: tensor<3x9xui8>) -> (tensor<3x9xui8>, tensor<3x9xi32>) {
  %0:2 = nn.argsort %x : (tensor<3x9xui8>) -> (tensor<3x9xui8>, tensor<3x9xi32>)
  return %0#0, %0#1 : tensor<3x9xui8>, tensor<3x9xi32>
}

// -----

// The number of elements is counted first.
// CHECK-LABEL: func.func @nonzero(
// CHECK: %[[COUNT:.*]] = scf.for
// CHECK: tensor.empty(%[[COUNT]]) : tensor<1x?xi32>
// CHECK: scf.if
func.func @nonzero(%x: tensor<4xf32>) -> tensor<1x?xi32> {
  %0 = nn.nonzero %x : (tensor<4xf32>) -> tensor<1x?xi32>
  return %0 : tensor<1x?xi32>
}

// -----

func.func @cumsum(%x: tensor<4x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<u8:f32, 0.5:3>> {
  // expected-error @below {{'nn.cumsum' cannot be run for these types}}
  %0 = nn.cumsum %x {axis = 0 : i64} : (tensor<4x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<u8:f32, 0.5:3>>
  return %0 : tensor<4x!quant.uniform<u8:f32, 0.5:3>>
}
