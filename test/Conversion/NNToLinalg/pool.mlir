// RUN: model-opt --convert-nn-to-linalg %s | FileCheck %s

// CHECK-DAG: #[[$IN:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3 * 2 + d1, d4 * 2 + d2, d5)>
// CHECK-DAG: #[[$TAPS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2)>
// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d4, d5)>

// The padding of a maximum never wins; channels stay where they are.
// CHECK-LABEL: @max
// CHECK: %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK: tensor.pad {{.*}} low[0, 1, 0, 0] high[0, 0, 1, 0]
// CHECK: tensor.yield %[[LOW]]
// CHECK: linalg.generic {indexing_maps = [#[[$IN]], #[[$TAPS]], #[[$OUT]]], iterator_types = ["parallel", "reduction", "reduction", "parallel", "parallel", "parallel"]}
// CHECK: arith.maximumf
func.func @max(%x: tensor<1x5x5x3xf32>) -> tensor<1x3x3x3xf32> {
  %0 = nn.max_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 1, 0, 0, 1>, layout = #nn.layout<NHWC>} : (tensor<1x5x5x3xf32>) -> tensor<1x3x3x3xf32>
  return %0 : tensor<1x3x3x3xf32>
}

// Means of codes are integers, rounded; padding that counts is the zero point,
// padding that does not adds no code and shrinks the count.
// CHECK-LABEL: @mean
// CHECK: %[[ZERO:.*]] = arith.constant 3 : i8
// CHECK: tensor.yield %[[ZERO]]
// CHECK: arith.extui {{.*}} : i8 to i64
// CHECK-NOT: linalg.index
// CHECK: math.absi
// CHECK: arith.divsi
// CHECK: %[[NONE:.*]] = arith.constant 0 : i8
// CHECK: tensor.yield %[[NONE]]
// CHECK: linalg.index
// CHECK: arith.divsi
func.func @mean(%x: tensor<1x1x4x4x!quant.uniform<u8:f32, 0.5:3>>) -> (tensor<1x1x3x3x!quant.uniform<u8:f32, 0.5:3>>, tensor<1x1x3x3x!quant.uniform<u8:f32, 0.5:3>>) {
  %0 = nn.avg_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1>, count_include_pad} : (tensor<1x1x4x4x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<1x1x3x3x!quant.uniform<u8:f32, 0.5:3>>
  %1 = nn.avg_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1>} : (tensor<1x1x4x4x!quant.uniform<u8:f32, 0.5:3>>) -> tensor<1x1x3x3x!quant.uniform<u8:f32, 0.5:3>>
  return %0, %1 : tensor<1x1x3x3x!quant.uniform<u8:f32, 0.5:3>>, tensor<1x1x3x3x!quant.uniform<u8:f32, 0.5:3>>
}

// A size that only the result's type knows is checked.
// CHECK-LABEL: @adaptive
// CHECK: cf.assert {{.*}}, "the output size is not that of the result's type"
// CHECK: cf.assert
// CHECK: linalg.generic
func.func @adaptive(%x: tensor<1x3x6x4xf32>, %size: tensor<2xi32>) -> tensor<1x3x3x2xf32> {
  %0 = nn.adaptive_max_pool2d %x, %size : (tensor<1x3x6x4xf32>, tensor<2xi32>) -> tensor<1x3x3x2xf32>
  return %0 : tensor<1x3x3x2xf32>
}
