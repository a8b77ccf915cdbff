// RUN: model-opt --convert-nn-to-cpu --split-input-file %s | FileCheck %s
// RUN: model-opt --convert-nn-to-cpu=lanes=8 --split-input-file %s | FileCheck %s --check-prefix=LANES8

// One part comes from a kernel; blocks need not be full.
// CHECK-LABEL: func.func @concat
// CHECK: cpu.gather_channels %{{.*}}, %{{.*}} into %{{.*}} {channels = array<i64: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 20>, {{.*}}} : tensor<1x1x2x2x16xf32>, tensor<1x1x2x2x16xf32> into tensor<1x2x2x2x16xf32>
// CHECK: cpu.unpack {{.*}} : tensor<1x2x2x2x16xf32> into tensor<1x17x2x2xf32>
// LANES8-LABEL: func.func @concat
// LANES8: cpu.gather_channels {{.*}} : tensor<1x2x2x2x8xf32>, tensor<1x1x2x2x8xf32> into tensor<1x3x2x2x8xf32>
func.func @concat(%x: tensor<1x12x4x4xf32>, %y: tensor<1x5x2x2xf32>) -> tensor<1x17x2x2xf32> {
  %0 = nn.max_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x12x4x4xf32>) -> tensor<1x12x2x2xf32>
  %1 = nn.concat %0, %y {axis = -3 : i64} : (tensor<1x12x2x2xf32>, tensor<1x5x2x2xf32>) -> tensor<1x17x2x2xf32>
  return %1 : tensor<1x17x2x2xf32>
}

// -----

// Slices from the end and in steps.
// CHECK-LABEL: func.func @slices
// CHECK-DAG: cpu.gather_channels {{.*}} {channels = array<i64: 10, 11>,
// CHECK-DAG: cpu.gather_channels {{.*}} {channels = array<i64: 1, 4, 7, 10>,
func.func @slices(%x: tensor<1x12x4x4xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x4x2x2xf32>) {
  %0 = nn.max_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x12x4x4xf32>) -> tensor<1x12x2x2xf32>
  %m2 = nn.constant dense<-2> : tensor<1xi32> : tensor<1xi32>
  %c1 = nn.constant dense<1> : tensor<1xi32> : tensor<1xi32>
  %c3 = nn.constant dense<3> : tensor<1xi32> : tensor<1xi32>
  %1 = nn.slice %0[%m2] {axes = array<i64: 1>, has_begin = array<i1: true>, has_end = array<i1: false>, has_index = array<i1: false>, has_step = array<i1: false>} : (tensor<1x12x2x2xf32>, tensor<1xi32>) -> tensor<1x2x2x2xf32>
  %2 = nn.slice %0[%c1, %c3] {axes = array<i64: 1>, has_begin = array<i1: true>, has_end = array<i1: false>, has_index = array<i1: false>, has_step = array<i1: true>} : (tensor<1x12x2x2xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x2x2xf32>
  return %1, %2 : tensor<1x2x2x2xf32>, tensor<1x4x2x2xf32>
}

// -----

// CHECK-LABEL: func.func @split
// CHECK-DAG: cpu.gather_channels {{.*}} {channels = array<i64: 0, 1, 2, 3, 4>,
// CHECK-DAG: cpu.gather_channels {{.*}} {channels = array<i64: 5, 6, 7, 8, 9, 10, 11>,
func.func @split(%x: tensor<1x12x4x4xf32>) -> (tensor<1x5x2x2xf32>, tensor<1x7x2x2xf32>) {
  %0 = nn.max_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x12x4x4xf32>) -> tensor<1x12x2x2xf32>
  %c5 = nn.constant dense<5> : tensor<1xi32> : tensor<1xi32>
  %c7 = nn.constant dense<7> : tensor<1xi32> : tensor<1xi32>
  %1:2 = nn.split %0, %c5, %c7 {axis = 1 : i64} : (tensor<1x12x2x2xf32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<1x5x2x2xf32>, tensor<1x7x2x2xf32>)
  return %1#0, %1#1 : tensor<1x5x2x2xf32>, tensor<1x7x2x2xf32>
}

// -----

// Concatenation, shuffle and slice in a row are one.
// CHECK-LABEL: func.func @shuffle
// CHECK: %[[A:.*]] = cpu.pool2d
// CHECK: %[[B:.*]] = cpu.pool2d
// CHECK: cpu.gather_channels %[[A]], %[[B]] into {{.*}} {channels = array<i64: 2, 18, 3, 19>,
// CHECK-NOT: cpu.gather_channels
// CHECK: return
func.func @shuffle(%x: tensor<1x8x4x4xf32>) -> tensor<1x4x2x2xf32> {
  %a = nn.max_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32>
  %b = nn.avg_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32>
  %0 = nn.concat %a, %b {axis = 1 : i64} : (tensor<1x8x2x2xf32>, tensor<1x8x2x2xf32>) -> tensor<1x16x2x2xf32>
  %s5 = nn.constant dense<[1, 2, 8, 2, 2]> : tensor<5xi32> : tensor<5xi32>
  %s4 = nn.constant dense<[1, 16, 2, 2]> : tensor<4xi32> : tensor<4xi32>
  %1 = nn.reshape %0, %s5 : (tensor<1x16x2x2xf32>, tensor<5xi32>) -> tensor<1x2x8x2x2xf32>
  %2 = nn.transpose %1 {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x8x2x2xf32>) -> tensor<1x8x2x2x2xf32>
  %3 = nn.reshape %2, %s4 : (tensor<1x8x2x2x2xf32>, tensor<4xi32>) -> tensor<1x16x2x2xf32>
  %c4 = nn.constant dense<4> : tensor<1xi32> : tensor<1xi32>
  %c8 = nn.constant dense<8> : tensor<1xi32> : tensor<1xi32>
  %4 = nn.slice %3[%c4, %c8] {axes = array<i64: 1>, has_begin = array<i1: true>, has_end = array<i1: true>, has_index = array<i1: false>, has_step = array<i1: false>} : (tensor<1x16x2x2xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x2x2xf32>
  return %4 : tensor<1x4x2x2xf32>
}

// -----

// Not: rows, another order, what no kernel computed, what only the run knows.
// CHECK-LABEL: func.func @others
// CHECK-NOT: cpu.gather_channels
// CHECK: return
func.func @others(%x: tensor<1x8x4x4xf32>, %n: tensor<1xi32>) -> (tensor<1x8x1x2xf32>, tensor<1x8x2x2xf32>, tensor<1x2x4x4xf32>, tensor<1x?x2x2xf32>) {
  %a = nn.max_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32>
  %c1 = nn.constant dense<1> : tensor<1xi32> : tensor<1xi32>
  %c6 = nn.constant dense<6> : tensor<1xi32> : tensor<1xi32>
  %0 = nn.slice %a[%c1] {axes = array<i64: 2>, has_begin = array<i1: true>, has_end = array<i1: false>, has_index = array<i1: false>, has_step = array<i1: false>} : (tensor<1x8x2x2xf32>, tensor<1xi32>) -> tensor<1x8x1x2xf32>
  %s5 = nn.constant dense<[1, 2, 4, 2, 2]> : tensor<5xi32> : tensor<5xi32>
  %s4 = nn.constant dense<[1, 8, 2, 2]> : tensor<4xi32> : tensor<4xi32>
  %1 = nn.reshape %a, %s5 : (tensor<1x8x2x2xf32>, tensor<5xi32>) -> tensor<1x2x4x2x2xf32>
  %2 = nn.transpose %1 {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x2x4x2x2xf32>) -> tensor<1x2x4x2x2xf32>
  %3 = nn.reshape %2, %s4 : (tensor<1x2x4x2x2xf32>, tensor<4xi32>) -> tensor<1x8x2x2xf32>
  %4 = nn.slice %x[%c6] {axes = array<i64: 1>, has_begin = array<i1: true>, has_end = array<i1: false>, has_index = array<i1: false>, has_step = array<i1: false>} : (tensor<1x8x4x4xf32>, tensor<1xi32>) -> tensor<1x2x4x4xf32>
  %5 = nn.slice %a[%n] {axes = array<i64: 1>, has_begin = array<i1: true>, has_end = array<i1: false>, has_index = array<i1: false>, has_step = array<i1: false>} : (tensor<1x8x2x2xf32>, tensor<1xi32>) -> tensor<1x?x2x2xf32>
  return %0, %3, %4, %5 : tensor<1x8x1x2xf32>, tensor<1x8x2x2xf32>, tensor<1x2x4x4xf32>, tensor<1x?x2x2xf32>
}
