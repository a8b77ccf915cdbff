// Every operator of the index and shape families, with no field at its default,
// comes back as written.
// RUN: model-translate --mlir-to-mgb %s -o %t.mge
// RUN: model-translate --mgb-to-mlir %t.mge -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: model-translate --mlir-to-mgb %t.mlir -o %t.2.mge
// RUN: cmp %t.mge %t.2.mge

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<5x6x8xf32> {nn.name = "x"}, %i: tensor<3xi32> {nn.name = "i"}, %b: tensor<5x4xi32> {nn.name = "b"}, %h: tensor<5x6xi32> {nn.name = "h"}, %m: tensor<5x6x8xi1> {nn.name = "m"}, %k: tensor<1xi32> {nn.name = "k"}, %v: tensor<1xf32> {nn.name = "v"}, %w: tensor<8x8x3x3xf32> {nn.name = "w"}, %z: tensor<5x6x1xf32> {nn.name = "z"}, %c: tensor<2x3x3xi32> {nn.name = "c"}) -> (tensor<5x6x8xf32>, tensor<5x6x3xf32>, tensor<5x6x8xf32>, tensor<3x6x8xf32>, tensor<5x4x8xf32>, tensor<5x6x8xf32>, tensor<5x6x8xf32>, tensor<5x6x1xf32>, tensor<5x6x8xf32>, tensor<5x6x8xf32>, tensor<1x6x8xi32>, tensor<5x6x1xi32>, tensor<5x6x8xf32>, tensor<5x?xf32>, tensor<5x?xi32>, tensor<5xf32>, tensor<?xf32>, tensor<?xi32>, tensor<5x6x8xf32>, tensor<?xf32>, tensor<?x?xf16>, tensor<9x6x12xf32>, tensor<2x3xf32>, tensor<?x?xf32>, tensor<1x1x3x3x8x8xf32>, tensor<3x?xi32>) {
  // CHECK: nn.slice_update %{{.*}}[%{{.*}}, %{{.*}}] = %{{.*}} {axes = array<i64: -1, 0>, has_begin = array<i1: true, false>, has_end = array<i1: false, false>, has_index = array<i1: false, true>, has_step = array<i1: false, false>
  %0 = nn.slice_update %x[%k, %k] = %v {axes = array<i64: -1, 0>, has_begin = array<i1: true, false>, has_end = array<i1: false, false>, has_step = array<i1: false, false>, has_index = array<i1: false, true>} : (tensor<5x6x8xf32>, tensor<1xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5x6x8xf32>
  // CHECK: nn.index %{{.*}}[%{{.*}}] {axes = array<i64: 2>
  %1 = nn.index %x[%i] {axes = array<i64: 2>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6x8xf32>, tensor<3xi32>) -> tensor<5x6x3xf32>
  // CHECK: nn.index_put
  %2 = nn.index_put %x[%i] = %v {axes = array<i64: 2>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6x8xf32>, tensor<1xf32>, tensor<3xi32>) -> tensor<5x6x8xf32>
  // CHECK: nn.mesh_index %{{.*}}[%{{.*}}] {axes = array<i64: 0>, has_begin
  %3 = nn.mesh_index %x[%i] {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6x8xf32>, tensor<3xi32>) -> tensor<3x6x8xf32>
  // CHECK: nn.mesh_index %{{.*}}[%{{.*}}] {axes = array<i64: 1>, batched, has_begin
  %4 = nn.mesh_index %x[%b] {batched, axes = array<i64: 1>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6x8xf32>, tensor<5x4xi32>) -> tensor<5x4x8xf32>
  // CHECK: nn.mesh_index_put %{{.*}}[%{{.*}}] = %{{.*}} {axes = array<i64: 0>, has_begin
  %5 = nn.mesh_index_put %x[%i] = %v {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6x8xf32>, tensor<1xf32>, tensor<3xi32>) -> tensor<5x6x8xf32>
  // CHECK: nn.mesh_index_put %{{.*}}[%{{.*}}] = %{{.*}} {axes = array<i64: 1>, batched, has_begin
  %6 = nn.mesh_index_put %x[%b] = %v {batched, axes = array<i64: 1>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6x8xf32>, tensor<1xf32>, tensor<5x4xi32>) -> tensor<5x6x8xf32>
  // CHECK: nn.index_one_hot %{{.*}}, %{{.*}} {axis = 2 : i64
  %7 = nn.index_one_hot %x, %h {axis = 2 : i64} : (tensor<5x6x8xf32>, tensor<5x6xi32>) -> tensor<5x6x1xf32>
  // CHECK: nn.index_put_one_hot %{{.*}}, %{{.*}}, %{{.*}} {axis = -1 : i64
  %8 = nn.index_put_one_hot %x, %h, %z {axis = -1 : i64} : (tensor<5x6x8xf32>, tensor<5x6xi32>, tensor<5x6x1xf32>) -> tensor<5x6x8xf32>
  // CHECK: nn.cumsum %{{.*}} {axis = -2 : i64, {{.*}}reverse}
  %9 = nn.cumsum %x {axis = -2 : i64, reverse} : (tensor<5x6x8xf32>) -> tensor<5x6x8xf32>
  // CHECK: nn.argmax %{{.*}} {axis = 0 : i64
  %10 = nn.argmax %x {axis = 0 : i64} : (tensor<5x6x8xf32>) -> tensor<1x6x8xi32>
  // CHECK: nn.argmin %{{.*}} {axis = -1 : i64
  %11 = nn.argmin %x {axis = -1 : i64} : (tensor<5x6x8xf32>) -> tensor<5x6x1xi32>
  // CHECK: nn.masked_fill %{{.*}}, %{{.*}} {{{.*}}value = -3.500000e+00 : f32
  %12 = nn.masked_fill %x, %m {value = -3.5 : f32} : (tensor<5x6x8xf32>, tensor<5x6x8xi1>) -> tensor<5x6x8xf32>
  %s = nn.constant dense<[5, 48]> : tensor<2xi32> : tensor<2xi32>
  %rows = nn.reshape %x, %s : (tensor<5x6x8xf32>, tensor<2xi32>) -> tensor<5x48xf32>
  // CHECK: nn.topk %{{.*}}, %{{.*}} {{{.*}}mode = #nn.topk_mode<sorted>
  %13:2 = nn.topk %rows, %k {mode = #nn.topk_mode<sorted>} : (tensor<5x48xf32>, tensor<1xi32>) -> (tensor<5x?xf32>, tensor<5x?xi32>)
  // CHECK: nn.topk %{{.*}}, %{{.*}} {{{.*}}mode = #nn.topk_mode<kth_only>
  %14 = nn.topk %rows, %k {mode = #nn.topk_mode<kth_only>} : (tensor<5x48xf32>, tensor<1xi32>) -> tensor<5xf32>
  // CHECK: nn.cond_take %{{.*}}, %{{.*}} {epsilon = 1.250000e-01 : f32, {{.*}}predicate = #nn.predicate<ne>, value = 2.000000e+00 : f32}
  %15:2 = nn.cond_take %x, %x {predicate = #nn.predicate<ne>, value = 2.0 : f32, epsilon = 0.125 : f32} : (tensor<5x6x8xf32>, tensor<5x6x8xf32>) -> (tensor<?xf32>, tensor<?xi32>)
  // CHECK: nn.select
  %16 = nn.select %m, %x, %x : (tensor<5x6x8xi1>, tensor<5x6x8xf32>, tensor<5x6x8xf32>) -> tensor<5x6x8xf32>
  // CHECK: nn.linspace %{{.*}}, %{{.*}}, %{{.*}} {endpoint = false
  %17 = nn.linspace %v, %v, %k {endpoint = false} : (tensor<1xf32>, tensor<1xf32>, tensor<1xi32>) -> tensor<?xf32>
  // CHECK: nn.eye %{{.*}} {diagonal = -2 : i64, element_type = f16
  %18 = nn.eye %k {diagonal = -2 : i64, element_type = f16} : (tensor<1xi32>) -> tensor<?x?xf16>
  // The format has room for seven axes: those past the rank stay.
  // CHECK: nn.pad %{{.*}} {high = array<i64: 4, 0, 1, 0, 9>, low = array<i64: 0, 0, 3, 0, 0>, {{.*}}mode = #nn.pad_mode<replicate>, value = 7.000000e+00 : f32
  %19 = nn.pad %x {low = array<i64: 0, 0, 3>, high = array<i64: 4, 0, 1, 0, 9>, mode = #nn.pad_mode<replicate>, value = 7.0 : f32} : (tensor<5x6x8xf32>) -> tensor<9x6x12xf32>
  // CHECK: nn.gather_nd %{{.*}}, %{{.*}} {{{.*}}non_overlapping
  %20 = nn.gather_nd %x, %c {non_overlapping} : (tensor<5x6x8xf32>, tensor<2x3x3xi32>) -> tensor<2x3xf32>
  // CHECK: nn.diag %{{.*}} {diagonal = 3 : i64
  %21 = nn.diag %17 {diagonal = 3 : i64} : (tensor<?xf32>) -> tensor<?x?xf32>
  // CHECK: nn.relayout %{{.*}} {groups = 2 : i64, {{.*}}mode = #nn.relayout_mode<NCHW_NCHW88_CONV_DENSE_WEIGHT>, out_channels = 5 : i64
  %22 = nn.relayout %w {mode = #nn.relayout_mode<NCHW_NCHW88_CONV_DENSE_WEIGHT>, groups = 2 : i64, out_channels = 5 : i64} : (tensor<8x8x3x3xf32>) -> tensor<1x1x3x3x8x8xf32>
  // CHECK: nn.nonzero
  %23 = nn.nonzero %x : (tensor<5x6x8xf32>) -> tensor<3x?xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13#0, %13#1, %14, %15#0, %15#1, %16, %17, %18, %19, %20, %21, %22, %23 : tensor<5x6x8xf32>, tensor<5x6x3xf32>, tensor<5x6x8xf32>, tensor<3x6x8xf32>, tensor<5x4x8xf32>, tensor<5x6x8xf32>, tensor<5x6x8xf32>, tensor<5x6x1xf32>, tensor<5x6x8xf32>, tensor<5x6x8xf32>, tensor<1x6x8xi32>, tensor<5x6x1xi32>, tensor<5x6x8xf32>, tensor<5x?xf32>, tensor<5x?xi32>, tensor<5xf32>, tensor<?xf32>, tensor<?xi32>, tensor<5x6x8xf32>, tensor<?xf32>, tensor<?x?xf16>, tensor<9x6x12xf32>, tensor<2x3xf32>, tensor<?x?xf32>, tensor<1x1x3x3x8x8xf32>, tensor<3x?xi32>
}
