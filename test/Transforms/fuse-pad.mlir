// RUN: model-opt %s --fuse-pad | FileCheck %s
// RUN: model-opt %s --fuse-pad --remarks=missed -o %t.x.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: model-opt %s --fuse-pad -o %t.once
// RUN: model-opt %t.once --fuse-pad -o %t.twice
// RUN: diff %t.once %t.twice

// CHECK-LABEL: func.func @conv
// CHECK-NEXT:    nn.conv2d %arg0, %arg1 {dilations = array<i64: 1, 1>, mgb.name = "c", pads = array<i64: 1, 2>, strides = array<i64: 1, 1>} : (tensor<1x2x5x6xf32>
func.func @conv(%x: tensor<1x2x5x6xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x5x8xf32> {
  %0 = nn.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>, mgb.name = "p"} : (tensor<1x2x5x6xf32>) -> tensor<1x2x7x8xf32>
  %1 = nn.conv2d %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 1>, dilations = array<i64: 1, 1>, mgb.name = "c"} : (tensor<1x2x7x8xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x8xf32>
  return %1 : tensor<1x3x5x8xf32>
}

// Sides that differ, two pads in a row, channels last.
// CHECK-LABEL: func.func @uneven
// CHECK-NEXT:    nn.conv2d %arg0, %arg1 {{{.*}}pads = array<i64: 0, 2, 1, 2>
// CHECK-NEXT:    return
func.func @uneven(%x: tensor<1x5x6x2xf32>, %w: tensor<3x3x3x2xf32>) -> tensor<1x5x7x3xf32> {
  %0 = nn.pad %x {low = array<i64: 0, 0, 1>, high = array<i64: 0, 1, 1>} : (tensor<1x5x6x2xf32>) -> tensor<1x6x8x2xf32>
  %1 = nn.pad %0 {low = array<i64>, high = array<i64: 0, 1, 1, 0>} : (tensor<1x6x8x2xf32>) -> tensor<1x7x9x2xf32>
  %2 = nn.conv2d %1, %w {layout = #nn.layout<NHWC>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x7x9x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x5x7x3xf32>
  return %2 : tensor<1x5x7x3xf32>
}

// A mean counts what was a pad.
// CHECK-LABEL: func.func @mean
// CHECK-NEXT:    nn.avg_pool2d %arg0 {count_include_pad, kernel = array<i64: 3, 3>, pads = array<i64: 1, 1>
// CHECK-NEXT:    nn.avg_pool2d %arg0 {count_include_pad, kernel = array<i64: 3, 3>, pads = array<i64: 2, 2>
func.func @mean(%x: tensor<1x2x5x5xf32>) -> (tensor<1x2x5x5xf32>, tensor<1x2x7x7xf32>) {
  %0 = nn.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x7x7xf32>
  %1 = nn.avg_pool2d %0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>} : (tensor<1x2x7x7xf32>) -> tensor<1x2x5x5xf32>
  %2 = nn.avg_pool2d %0 {count_include_pad, kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1>} : (tensor<1x2x7x7xf32>) -> tensor<1x2x7x7xf32>
  return %1, %2 : tensor<1x2x5x5xf32>, tensor<1x2x7x7xf32>
}

// Padding by -infinity, or by 0 where nothing is below.
// CHECK-LABEL: func.func @max
// CHECK-NEXT:    nn.max_pool2d %arg0 {kernel = array<i64: 3, 3>, pads = array<i64: 1, 1>
// CHECK-NEXT:    %[[R:.*]] = nn.relu %arg0
// CHECK-NEXT:    nn.max_pool2d %[[R]] {kernel = array<i64: 3, 3>, pads = array<i64: 0, 1, 0, 1>
func.func @max(%x: tensor<1x2x6x6xf32>) -> (tensor<1x2x6x6xf32>, tensor<1x2x3x3xf32>) {
  %0 = nn.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>, value = 0xFF800000 : f32} : (tensor<1x2x6x6xf32>) -> tensor<1x2x8x8xf32>
  %1 = nn.max_pool2d %0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>} : (tensor<1x2x8x8xf32>) -> tensor<1x2x6x6xf32>
  %2 = nn.relu %x : (tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  %3 = nn.pad %2 {low = array<i64: 0, 0, 0, 0>, high = array<i64: 0, 0, 1, 1>} : (tensor<1x2x6x6xf32>) -> tensor<1x2x7x7xf32>
  %4 = nn.max_pool2d %3 {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x2x7x7xf32>) -> tensor<1x2x3x3xf32>
  return %1, %4 : tensor<1x2x6x6xf32>, tensor<1x2x3x3xf32>
}

// Codes are padded by their zero point.
// CHECK-LABEL: func.func @codes
// CHECK-NEXT:    nn.conv2d %arg0, %arg1 {{{.*}}pads = array<i64: 1, 1>
!q = !quant.uniform<u8:f32, 0.5:128>
!f = !quant.uniform<u8:f32, 0.25:127>
!s = !quant.uniform<i32:f32, 0.125>
func.func @codes(%x: tensor<1x2x5x5x!q>, %w: tensor<3x2x3x3x!f>) -> tensor<1x3x5x5x!s> {
  %0 = nn.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>, value = 128.0 : f32} : (tensor<1x2x5x5x!q>) -> tensor<1x2x7x7x!q>
  %1 = nn.conv2d %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x7x!q>, tensor<3x2x3x3x!f>) -> tensor<1x3x5x5x!s>
  return %1 : tensor<1x3x5x5x!s>
}

// A pad that leaves the graph stays, its user reads what is before.
// CHECK-LABEL: func.func @leaves
// CHECK-NEXT:    %[[P:.*]] = nn.pad %arg0
// CHECK-NEXT:    %[[C:.*]] = nn.conv2d %arg0, %arg1 {{{.*}}pads = array<i64: 1, 1>
// CHECK-NEXT:    return %[[P]], %[[C]]
func.func @leaves(%x: tensor<1x2x5x5xf32>, %w: tensor<3x2x3x3xf32>) -> (tensor<1x2x7x7xf32>, tensor<1x3x5x5xf32>) {
  %0 = nn.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x7x7xf32>
  %1 = nn.conv2d %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x7xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32>
  return %0, %1 : tensor<1x2x7x7xf32>, tensor<1x3x5x5xf32>
}

//===----------------------------------------------------------------------===//
// Refused
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @other_number
// CHECK-COUNT-3: nn.pad
// CHECK:         return
// REMARK-COUNT-2: a convolution pads with 0
// REMARK: mean pooling pads with 0
// The pass visits pads from the last to the first.
func.func @other_number(%x: tensor<1x2x5x5xf32>, %w: tensor<3x2x3x3xf32>, %q: tensor<1x2x5x5x!q>, %f: tensor<3x2x3x3x!f>) -> (tensor<1x3x5x5xf32>, tensor<1x2x5x5xf32>, tensor<1x3x5x5x!s>) {
  %0 = nn.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>, value = 1.0 : f32} : (tensor<1x2x5x5xf32>) -> tensor<1x2x7x7xf32>
  %1 = nn.avg_pool2d %0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>} : (tensor<1x2x7x7xf32>) -> tensor<1x2x5x5xf32>
  %2 = nn.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>, value = 1.0 : f32} : (tensor<1x2x5x5xf32>) -> tensor<1x2x7x7xf32>
  %3 = nn.conv2d %2, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x7xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32>
  %4 = nn.pad %q {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>, value = 0.0 : f32} : (tensor<1x2x5x5x!q>) -> tensor<1x2x7x7x!q>
  %5 = nn.conv2d %4, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x7x!q>, tensor<3x2x3x3x!f>) -> tensor<1x3x5x5x!s>
  return %3, %1, %5 : tensor<1x3x5x5xf32>, tensor<1x2x5x5xf32>, tensor<1x3x5x5x!s>
}

// CHECK-LABEL: func.func @other_mode
// CHECK-COUNT-2: nn.pad
// CHECK:         return
// REMARK: it pads the batch or the channels
// REMARK: it pads with what is at the edge
func.func @other_mode(%x: tensor<1x2x5x5xf32>, %w: tensor<3x2x3x3xf32>, %y: tensor<1x1x7x7xf32>) -> (tensor<1x3x5x5xf32>, tensor<1x3x5x5xf32>) {
  %0 = nn.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>, mode = #nn.pad_mode<reflect>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x7x7xf32>
  %1 = nn.conv2d %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x7xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32>
  %2 = nn.pad %y {low = array<i64: 0, 1>, high = array<i64>} : (tensor<1x1x7x7xf32>) -> tensor<1x2x7x7xf32>
  %3 = nn.conv2d %2, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x7xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32>
  return %1, %3 : tensor<1x3x5x5xf32>, tensor<1x3x5x5xf32>
}

// CHECK-LABEL: func.func @uncounted
// CHECK-NEXT:    nn.pad
// CHECK-NEXT:    nn.avg_pool2d {{.*}}pads = array<i64: 1, 1>
// REMARK: its own padding is not counted, that of the pad is
func.func @uncounted(%x: tensor<1x2x5x5xf32>) -> tensor<1x2x7x7xf32> {
  %0 = nn.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x7x7xf32>
  %1 = nn.avg_pool2d %0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1>} : (tensor<1x2x7x7xf32>) -> tensor<1x2x7x7xf32>
  return %1 : tensor<1x2x7x7xf32>
}

// 0 may be the maximum; a window may have nothing else.
// CHECK-LABEL: func.func @maximum
// CHECK-COUNT-2: nn.pad
// CHECK:         return
// REMARK: a window would lie in the padding as a whole
// REMARK: the padding takes part in the maximum
func.func @maximum(%x: tensor<1x2x5x5xf32>) -> (tensor<1x2x5x5xf32>, tensor<1x2x7x7xf32>) {
  %0 = nn.pad %x {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x7x7xf32>
  %1 = nn.max_pool2d %0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>} : (tensor<1x2x7x7xf32>) -> tensor<1x2x5x5xf32>
  %2 = nn.relu %x : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  %3 = nn.pad %2 {low = array<i64: 0, 0, 2, 2>, high = array<i64: 0, 0, 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x8x8xf32>
  %4 = nn.max_pool2d %3 {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>} : (tensor<1x2x8x8xf32>) -> tensor<1x2x7x7xf32>
  return %1, %4 : tensor<1x2x5x5xf32>, tensor<1x2x7x7xf32>
}

// A filter that is padded is no input.
// CHECK-LABEL: func.func @filter
// CHECK-NEXT:    nn.pad
// REMARK: what is padded is not its input alone
func.func @filter(%x: tensor<1x2x5x5xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x3x3xf32> {
  %0 = nn.pad %w {low = array<i64: 0, 0, 1, 1>, high = array<i64: 0, 0, 1, 1>} : (tensor<3x2x1x1xf32>) -> tensor<3x2x3x3xf32>
  %1 = nn.conv2d %x, %0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x5xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x3x3xf32>
  return %1 : tensor<1x3x3x3xf32>
}
