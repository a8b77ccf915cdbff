// RUN: model-opt --pass-pipeline='builtin.module(convert-nn-to-cpu,func.func(choose-kernels))' --split-input-file %s | FileCheck %s --check-prefixes=CHECK,L16
// RUN: model-opt --pass-pipeline='builtin.module(convert-nn-to-cpu{lanes=8},func.func(choose-kernels))' --split-input-file %s | FileCheck %s --check-prefixes=CHECK,L8
// RUN: model-opt --pass-pipeline='builtin.module(convert-nn-to-cpu{strassen=false})' --split-input-file %s | FileCheck %s --check-prefix=OFF

// Seven products of halves: of rows, or of columns if rows are odd.
// OFF-NOT: strassen
// CHECK-LABEL: func.func @halves
// L16: nn.constant {{.*}} : tensor<7x4x4x16x16xf32>
// L16: algorithm = #cpu.algorithm<strassen>{{.*}} tile = array<i64: 14, 2>
// L16: algorithm = #cpu.algorithm<strassen>{{.*}} tile = array<i64: 7, 2>
// L8: nn.constant {{.*}} : tensor<7x8x8x8x8xf32>
// L8: algorithm = #cpu.algorithm<strassen>{{.*}} tile = array<i64: 6, 2>
// L8: algorithm = #cpu.algorithm<strassen>{{.*}} tile = array<i64: 6, 2>
func.func @halves(%a: tensor<1x128x14x14xf32>, %b: tensor<1x128x13x14xf32>) -> (tensor<1x128x14x14xf32>, tensor<1x128x13x14xf32>) {
  %w = nn.constant dense<0.5> : tensor<128x128x1x1xf32> : tensor<128x128x1x1xf32>
  %0 = nn.conv2d %a, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x128x14x14xf32>, tensor<128x128x1x1xf32>) -> tensor<1x128x14x14xf32>
  %1 = nn.conv2d %b, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x128x13x14xf32>, tensor<128x128x1x1xf32>) -> tensor<1x128x13x14xf32>
  return %0, %1 : tensor<1x128x14x14xf32>, tensor<1x128x13x14xf32>
}

// -----

// Not: odd rows and columns, few pixels, few channels, blocks that have no
// halves, windows, steps, pads, f16.
// CHECK-LABEL: func.func @direct
// CHECK-NOT: strassen
func.func @direct(%odd: tensor<1x128x13x13xf32>, %few: tensor<1x128x8x8xf32>, %a: tensor<1x96x14x14xf32>, %b: tensor<1x144x14x14xf32>, %c: tensor<1x256x14x14xf32>, %h: tensor<1x256x14x14xf16>)
    -> (tensor<1x128x13x13xf32>, tensor<1x128x8x8xf32>, tensor<1x96x14x14xf32>, tensor<1x136x14x14xf32>, tensor<1x256x7x7xf32>, tensor<1x256x16x16xf32>, tensor<1x256x14x14xf16>) {
  %w = nn.constant dense<0.5> : tensor<128x128x1x1xf32> : tensor<128x128x1x1xf32>
  %wa = nn.constant dense<0.5> : tensor<96x96x1x1xf32> : tensor<96x96x1x1xf32>
  %wb = nn.constant dense<0.5> : tensor<136x144x1x1xf32> : tensor<136x144x1x1xf32>
  %wc = nn.constant dense<0.5> : tensor<256x256x1x1xf32> : tensor<256x256x1x1xf32>
  %wh = nn.constant dense<0.5> : tensor<256x256x1x1xf16> : tensor<256x256x1x1xf16>
  %0 = nn.conv2d %odd, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x128x13x13xf32>, tensor<128x128x1x1xf32>) -> tensor<1x128x13x13xf32>
  %1 = nn.conv2d %few, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x128x8x8xf32>, tensor<128x128x1x1xf32>) -> tensor<1x128x8x8xf32>
  %2 = nn.conv2d %a, %wa {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x96x14x14xf32>, tensor<96x96x1x1xf32>) -> tensor<1x96x14x14xf32>
  %3 = nn.conv2d %b, %wb {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x144x14x14xf32>, tensor<136x144x1x1xf32>) -> tensor<1x136x14x14xf32>
  %4 = nn.conv2d %c, %wc {strides = array<i64: 2, 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x256x14x14xf32>, tensor<256x256x1x1xf32>) -> tensor<1x256x7x7xf32>
  %5 = nn.conv2d %c, %wc {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x256x14x14xf32>, tensor<256x256x1x1xf32>) -> tensor<1x256x16x16xf32>
  %6 = nn.conv2d %h, %wh {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x256x14x14xf16>, tensor<256x256x1x1xf16>) -> tensor<1x256x14x14xf16>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<1x128x13x13xf32>, tensor<1x128x8x8xf32>, tensor<1x96x14x14xf32>, tensor<1x136x14x14xf32>, tensor<1x256x7x7xf32>, tensor<1x256x16x16xf32>, tensor<1x256x14x14xf16>
}

// -----

// Surplus channels of the last block: convolutions leave them out.
// CHECK-LABEL: func.func @surplus
// L16: last_channels = 8 : i64
// L8-NOT: last_channels
// CHECK: return
func.func @surplus(%x: tensor<1x24x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %w = nn.constant dense<0.5> : tensor<16x24x1x1xf32> : tensor<16x24x1x1xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x24x8x8xf32>, tensor<16x24x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}
