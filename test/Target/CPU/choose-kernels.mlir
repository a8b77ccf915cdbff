// RUN: model-opt --pass-pipeline='builtin.module(convert-nn-to-cpu,func.func(choose-kernels))' --split-input-file %s | FileCheck %s --check-prefixes=BOTH,L16
// RUN: model-opt --pass-pipeline='builtin.module(convert-nn-to-cpu{lanes=8},func.func(choose-kernels))' --split-input-file %s | FileCheck %s --check-prefixes=BOTH,L8

// Rows of a dense convolution, as [pixels, blocks]: 28 sums fit the registers of
// AVX-512, 12 those of AVX2. Of 16 channels there is one block of 16, but two
// of 8. A row is cut evenly if that leaves tiles of more than half the most.
// BOTH-LABEL: func.func @rows
// L16: tile = array<i64: 28, 1>
// L16: tile = array<i64: 28, 1>
// L16: tile = array<i64: 28, 1>
// L16: tile = array<i64: 28, 1>
// L16: tile = array<i64: 27, 1>
// L16: tile = array<i64: 14, 1>
// L16: tile = array<i64: 13, 1>
// L16: tile = array<i64: 7, 1>
// L16: tile = array<i64: 1, 1>
// L8: tile = array<i64: 4, 2>
// L8: tile = array<i64: 4, 2>
// L8: tile = array<i64: 5, 2>
// L8: tile = array<i64: 4, 2>
// L8: tile = array<i64: 6, 2>
// L8: tile = array<i64: 6, 2>
// L8: tile = array<i64: 6, 2>
// L8: tile = array<i64: 6, 2>
// L8: tile = array<i64: 1, 2>
func.func @rows(%x112: tensor<1x16x1x112xf32>, %x56: tensor<1x16x1x56xf32>, %x55: tensor<1x16x1x55xf32>, %x28: tensor<1x16x1x28xf32>, %x27: tensor<1x16x1x27xf32>, %x14: tensor<1x16x1x14xf32>, %x13: tensor<1x16x1x13xf32>, %x7: tensor<1x16x1x7xf32>, %x1: tensor<1x16x1x1xf32>) -> (tensor<1x16x1x112xf32>, tensor<1x16x1x56xf32>, tensor<1x16x1x55xf32>, tensor<1x16x1x28xf32>, tensor<1x16x1x27xf32>, tensor<1x16x1x14xf32>, tensor<1x16x1x13xf32>, tensor<1x16x1x7xf32>, tensor<1x16x1x1xf32>) {
  %w = nn.constant dense<0.5> : tensor<16x16x1x1xf32> : tensor<16x16x1x1xf32>
  %0 = nn.conv2d %x112, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x112xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x1x112xf32>
  %1 = nn.conv2d %x56, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x56xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x1x56xf32>
  %2 = nn.conv2d %x55, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x55xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x1x55xf32>
  %3 = nn.conv2d %x28, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x28xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x1x28xf32>
  %4 = nn.conv2d %x27, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x27xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x1x27xf32>
  %5 = nn.conv2d %x14, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x14xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x1x14xf32>
  %6 = nn.conv2d %x13, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x13xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x1x13xf32>
  %7 = nn.conv2d %x7, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x7xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x1x7xf32>
  %8 = nn.conv2d %x1, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x1xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x1x1xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<1x16x1x112xf32>, tensor<1x16x1x56xf32>, tensor<1x16x1x55xf32>, tensor<1x16x1x28xf32>, tensor<1x16x1x27xf32>, tensor<1x16x1x14xf32>, tensor<1x16x1x13xf32>, tensor<1x16x1x7xf32>, tensor<1x16x1x1xf32>
}

// -----

// Two blocks share each broadcast.
// BOTH-LABEL: func.func @two_blocks
// L16: tile = array<i64: 14, 2>
// L16: tile = array<i64: 14, 2>
// L16: tile = array<i64: 11, 2>
// L16: tile = array<i64: 14, 2>
// L16: tile = array<i64: 9, 2>
// L16: tile = array<i64: 14, 2>
// L16: tile = array<i64: 13, 2>
// L16: tile = array<i64: 7, 2>
// L16: tile = array<i64: 1, 2>
func.func @two_blocks(%x112: tensor<1x16x1x112xf32>, %x56: tensor<1x16x1x56xf32>, %x55: tensor<1x16x1x55xf32>, %x28: tensor<1x16x1x28xf32>, %x27: tensor<1x16x1x27xf32>, %x14: tensor<1x16x1x14xf32>, %x13: tensor<1x16x1x13xf32>, %x7: tensor<1x16x1x7xf32>, %x1: tensor<1x16x1x1xf32>) -> (tensor<1x32x1x112xf32>, tensor<1x32x1x56xf32>, tensor<1x32x1x55xf32>, tensor<1x32x1x28xf32>, tensor<1x32x1x27xf32>, tensor<1x32x1x14xf32>, tensor<1x32x1x13xf32>, tensor<1x32x1x7xf32>, tensor<1x32x1x1xf32>) {
  %w = nn.constant dense<0.5> : tensor<32x16x1x1xf32> : tensor<32x16x1x1xf32>
  %0 = nn.conv2d %x112, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x112xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x1x112xf32>
  %1 = nn.conv2d %x56, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x56xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x1x56xf32>
  %2 = nn.conv2d %x55, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x55xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x1x55xf32>
  %3 = nn.conv2d %x28, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x28xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x1x28xf32>
  %4 = nn.conv2d %x27, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x27xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x1x27xf32>
  %5 = nn.conv2d %x14, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x14xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x1x14xf32>
  %6 = nn.conv2d %x13, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x13xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x1x13xf32>
  %7 = nn.conv2d %x7, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x7xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x1x7xf32>
  %8 = nn.conv2d %x1, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x1xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x1x1xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<1x32x1x112xf32>, tensor<1x32x1x56xf32>, tensor<1x32x1x55xf32>, tensor<1x32x1x28xf32>, tensor<1x32x1x27xf32>, tensor<1x32x1x14xf32>, tensor<1x32x1x13xf32>, tensor<1x32x1x7xf32>, tensor<1x32x1x1xf32>
}

// -----

// Rows of up to 3 (1 with AVX2) leave registers to four blocks.
// BOTH-LABEL: func.func @four_blocks
// L16: tile = array<i64: 4, 2>
// L16: tile = array<i64: 3, 4>
// L16: tile = array<i64: 1, 4>
// L8: tile = array<i64: 4, 2>
// L8: tile = array<i64: 3, 2>
// L8: tile = array<i64: 1, 4>
func.func @four_blocks(%x4: tensor<1x16x1x4xf32>, %x3: tensor<1x16x1x3xf32>, %x1: tensor<1x16x1x1xf32>) -> (tensor<1x64x1x4xf32>, tensor<1x64x1x3xf32>, tensor<1x64x1x1xf32>) {
  %w = nn.constant dense<0.5> : tensor<64x16x1x1xf32> : tensor<64x16x1x1xf32>
  %0 = nn.conv2d %x4, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x4xf32>, tensor<64x16x1x1xf32>) -> tensor<1x64x1x4xf32>
  %1 = nn.conv2d %x3, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x3xf32>, tensor<64x16x1x1xf32>) -> tensor<1x64x1x3xf32>
  %2 = nn.conv2d %x1, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x1x1xf32>, tensor<64x16x1x1xf32>) -> tensor<1x64x1x1xf32>
  return %0, %1, %2 : tensor<1x64x1x4xf32>, tensor<1x64x1x3xf32>, tensor<1x64x1x1xf32>
}

// -----

// Depthwise, as [pixels, rows]: two rows share what they read, unless windows
// go in steps or have gaps, or there is one row only.
// BOTH-LABEL: func.func @depthwise
// L16: tile = array<i64: 7, 2>
// L16: tile = array<i64: 7, 2>
// L16: tile = array<i64: 7, 1>
// L16: tile = array<i64: 5, 1>
// L16: tile = array<i64: 7, 1>
// L8: tile = array<i64: 2, 2>
// L8: tile = array<i64: 2, 2>
// L8: tile = array<i64: 2, 1>
// L8: tile = array<i64: 2, 1>
// L8: tile = array<i64: 2, 1>
func.func @depthwise(%x0: tensor<1x16x14x14xf32>, %x1: tensor<1x16x13x13xf32>, %x2: tensor<1x16x15x15xf32>, %x3: tensor<1x16x9x9xf32>, %x4: tensor<1x16x3x9xf32>) -> (tensor<1x16x14x14xf32>, tensor<1x16x13x13xf32>, tensor<1x16x7x7xf32>, tensor<1x16x5x5xf32>, tensor<1x16x1x7xf32>) {
  %w = nn.constant dense<0.5> : tensor<16x1x3x3xf32> : tensor<16x1x3x3xf32>
  %0 = nn.conv2d %x0, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 16 : i64} : (tensor<1x16x14x14xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x14x14xf32>
  %1 = nn.conv2d %x1, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 16 : i64} : (tensor<1x16x13x13xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x13x13xf32>
  %2 = nn.conv2d %x2, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 16 : i64} : (tensor<1x16x15x15xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x7x7xf32>
  %3 = nn.conv2d %x3, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 2, 2>, groups = 16 : i64} : (tensor<1x16x9x9xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x5x5xf32>
  %4 = nn.conv2d %x4, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 16 : i64} : (tensor<1x16x3x9xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x1x7xf32>
  return %0, %1, %2, %3, %4 : tensor<1x16x14x14xf32>, tensor<1x16x13x13xf32>, tensor<1x16x7x7xf32>, tensor<1x16x5x5xf32>, tensor<1x16x1x7xf32>
}

// -----

// A vector times a matrix reads eight streams of weights at once; several rows
// share two. A tile that is there already stays.
// BOTH-LABEL: func.func @matmul
// BOTH: tile = array<i64: 1, 8>
// BOTH: tile = array<i64: 5, 2>
// BOTH: tile = array<i64: 14, 1>
// BOTH: tile = array<i64: 3, 1>
func.func @matmul(%a: tensor<1x8xf32>, %b: tensor<5x8xf32>, %c: tensor<14x8xf32>, %w: tensor<9x8x16xf32>, %v: tensor<1x8x16xf32>) -> (tensor<1x144xf32>, tensor<5x144xf32>, tensor<14x16xf32>, tensor<14x16xf32>) {
  %e0 = tensor.empty() : tensor<1x144xf32>
  %0 = "cpu.matmul"(%a, %w, %e0) <{}> ({
  ^bb0(%s: f32):
    cpu.yield %s
  }) : (tensor<1x8xf32>, tensor<9x8x16xf32>, tensor<1x144xf32>) -> tensor<1x144xf32>
  %e1 = tensor.empty() : tensor<5x144xf32>
  %1 = "cpu.matmul"(%b, %w, %e1) <{}> ({
  ^bb0(%s: f32):
    cpu.yield %s
  }) : (tensor<5x8xf32>, tensor<9x8x16xf32>, tensor<5x144xf32>) -> tensor<5x144xf32>
  %e2 = tensor.empty() : tensor<14x16xf32>
  %2 = "cpu.matmul"(%c, %v, %e2) <{}> ({
  ^bb0(%s: f32):
    cpu.yield %s
  }) : (tensor<14x8xf32>, tensor<1x8x16xf32>, tensor<14x16xf32>) -> tensor<14x16xf32>
  %e3 = tensor.empty() : tensor<14x16xf32>
  %3 = "cpu.matmul"(%c, %v, %e3) <{tile = array<i64: 3, 1>}> ({
  ^bb0(%s: f32):
    cpu.yield %s
  }) : (tensor<14x8xf32>, tensor<1x8x16xf32>, tensor<14x16xf32>) -> tensor<14x16xf32>
  return %0, %1, %2, %3 : tensor<1x144xf32>, tensor<5x144xf32>, tensor<14x16xf32>, tensor<14x16xf32>
}
