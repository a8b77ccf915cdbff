// RUN: model-opt --convert-nn-to-linalg %s | FileCheck %s

// The loops over taps go around those over positions.
// CHECK-DAG: #[[$IN:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d3, d6 * 2 + d4, d7 + d5 * 3)>
// CHECK-DAG: #[[$FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d1, d2, d3, d4, d5)>
// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2, d6, d7)>

// CHECK-LABEL: @conv
// CHECK: tensor.pad %{{.*}} low[0, 0, 1, 4] high[0, 0, 1, 4]
// CHECK: linalg.generic {indexing_maps = [#[[$IN]], #[[$FILTER]], #[[$OUT]]], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "parallel", "parallel"]}
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @conv(%x: tensor<1x4x8x8xf32>, %w: tensor<2x3x2x3x3xf32>) -> tensor<1x6x4x10xf32> {
  %0 = nn.conv2d %x, %w {strides = array<i64: 2, 1>, pads = array<i64: 1, 4>, dilations = array<i64: 1, 3>, groups = 2 : i64, group_filter} : (tensor<1x4x8x8xf32>, tensor<2x3x2x3x3xf32>) -> tensor<1x6x4x10xf32>
  return %0 : tensor<1x6x4x10xf32>
}

// Codes lose their zero points, the padding is the input's; the sums are scaled
// and added to the bias as f32, divided by multiplication.
// CHECK-LABEL: @quantized
// CHECK: %[[PAD:.*]] = arith.constant 7 : i8
// CHECK: tensor.yield %[[PAD]]
// CHECK: arith.extui {{.*}} : i8 to i32
// CHECK: %[[ZERO:.*]] = arith.constant 7 : i32
// CHECK: arith.subi %{{.*}}, %[[ZERO]]
// CHECK: arith.extsi {{.*}} : i8 to i32
// CHECK: arith.muli
// CHECK: arith.sitofp {{.*}} : i32 to f32
// CHECK: arith.constant 1.250000e-01 : f32
// CHECK: arith.addf
// CHECK: arith.constant 4.000000e+00 : f32
// CHECK: arith.mulf
func.func @quantized(%x: tensor<1x1x4x4x!quant.uniform<u8:f32, 0.5:7>>, %w: tensor<1x1x3x3x!quant.uniform<i8:f32, 0.25>>, %b: tensor<1x1x1x1x!quant.uniform<i32:f32, 0.125>>) -> tensor<1x1x4x4x!quant.uniform<i8:f32, 0.25>> {
  %0 = nn.conv2d %x, %w bias %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>, out_type = !quant.uniform<i8:f32, 0.25>} : (tensor<1x1x4x4x!quant.uniform<u8:f32, 0.5:7>>, tensor<1x1x3x3x!quant.uniform<i8:f32, 0.25>>, tensor<1x1x1x1x!quant.uniform<i32:f32, 0.125>>) -> tensor<1x1x4x4x!quant.uniform<i8:f32, 0.25>>
  return %0 : tensor<1x1x4x4x!quant.uniform<i8:f32, 0.25>>
}

// CHECK-LABEL: @blocked
// CHECK: linalg.transpose ins(%{{.*}} : tensor<1x2x6x6x4xf32>) {{.*}} permutation = [0, 1, 4, 2, 3]
// CHECK: linalg.transpose ins(%{{.*}} : tensor<1x1x2x3x3x4x4xf32>) {{.*}} permutation = [0, 1, 6, 2, 5, 3, 4]
// CHECK: linalg.generic
// CHECK: linalg.transpose {{.*}} permutation = [0, 1, 3, 4, 2]
func.func @blocked(%x: tensor<1x2x6x6x4xf32>, %w: tensor<1x2x3x3x4x4xf32>) -> tensor<1x1x4x4x4xf32> {
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, layout = #nn.layout<NCHW44>} : (tensor<1x2x6x6x4xf32>, tensor<1x2x3x3x4x4xf32>) -> tensor<1x1x4x4x4xf32>
  return %0 : tensor<1x1x4x4x4xf32>
}

// One loop per spatial dim of the filter; each tap adds to places that are the
// stride apart.
// CHECK-LABEL: @transposed
// CHECK: %[[FULL:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<1x1x2x9x9xf32>)
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[FULL]])
// CHECK: scf.for
// CHECK: tensor.extract_slice {{.*}} [1, 1, 2, 4, 4] [1, 1, 1, 2, 2]
// CHECK: linalg.generic
// CHECK: tensor.insert_slice
// CHECK: tensor.extract_slice {{.*}}[0, 0, 0, 1, 1] [1, 1, 2, 7, 7] [1, 1, 1, 1, 1]
func.func @transposed(%x: tensor<1x3x4x4xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x2x7x7xf32> {
  %0 = nn.conv_transpose2d %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x2x7x7xf32>
  return %0 : tensor<1x2x7x7xf32>
}
