// RUN: model-opt --convert-nn-to-cpu --split-input-file %s | FileCheck %s
// RUN: model-opt --convert-nn-to-cpu=lanes=8 --split-input-file %s | FileCheck %s --check-prefix=LANES8

// 17 channels are two blocks of 16; weights, bias and activation are its own.
// CHECK-LABEL: func.func @dense
// CHECK-SAME: (%[[X:.*]]: tensor<2x17x7x9xf32>)
// CHECK-DAG: %[[W:.*]] = nn.constant {{.*}} : tensor<3x2x3x3x16x16xf32>
// CHECK-DAG: %[[B:.*]] = nn.constant {{.*}} : tensor<3x16xf32>
// CHECK-DAG: %[[E:.*]] = tensor.empty() : tensor<2x2x7x9x16xf32>
// CHECK-DAG: %[[P:.*]] = cpu.pack %[[X]] into %[[E]] {halo = array<i64: 0, 0, 0, 0>} : tensor<2x17x7x9xf32> into tensor<2x2x7x9x16xf32>
// CHECK-DAG: %[[I:.*]] = tensor.empty() : tensor<2x3x4x4x16xf32>
// CHECK: %[[C:.*]] = "cpu.conv2d"(%[[P]], %[[W]], %[[B]], %[[I]])
// CHECK-SAME: algorithm = #cpu.algorithm<direct>
// CHECK-SAME: dilations = array<i64: 1, 2>
// CHECK-SAME: extra_halos = [array<i64: 0, 0, 0, 0>]
// CHECK-SAME: halo = array<i64: 0, 0, 0, 0>
// CHECK-SAME: input_halo = array<i64: 0, 0, 0, 0>
// CHECK-SAME: pads = array<i64: 1, 0>
// CHECK-SAME: strides = array<i64: 2, 2>
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f32):
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[ADD:.*]] = arith.addf %[[SUM]], %[[BIAS]]
// CHECK: %[[GT:.*]] = arith.cmpf ogt, %[[ZERO]], %[[ADD]]
// CHECK: %[[MAX:.*]] = arith.select %[[GT]], %[[ZERO]], %[[ADD]]
// CHECK: cpu.yield %[[MAX]]
// CHECK: %[[U:.*]] = cpu.unpack %[[C]] into %{{.*}} {halo = array<i64: 0, 0, 0, 0>} : tensor<2x3x4x4x16xf32> into tensor<2x33x4x4xf32>
// CHECK: return %[[U]]
// LANES8-LABEL: func.func @dense
// LANES8: "cpu.conv2d"
// LANES8: (tensor<2x3x7x9x8xf32>, tensor<5x3x3x3x8x8xf32>, tensor<5x8xf32>, tensor<2x5x4x4x8xf32>) -> tensor<2x5x4x4x8xf32>
func.func @dense(%x: tensor<2x17x7x9xf32>) -> tensor<2x33x4x4xf32> {
  %w = nn.constant dense<0.5> : tensor<33x17x3x3xf32> : tensor<33x17x3x3xf32>
  %b = nn.constant dense<0.25> : tensor<1x33x1x1xf32> : tensor<1x33x1x1xf32>
  %0 = nn.conv2d %x, %w bias %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 2>, dilations = array<i64: 1, 2>, activation = #nn.activation<relu>} : (tensor<2x17x7x9xf32>, tensor<33x17x3x3xf32>, tensor<1x33x1x1xf32>) -> tensor<2x33x4x4xf32>
  return %0 : tensor<2x33x4x4xf32>
}

// -----

// Three channels are a block of their own, without surplus.
// CHECK-LABEL: func.func @first
// CHECK: cpu.pack {{.*}} : tensor<1x3x8x8xf32> into tensor<1x1x8x8x3xf32>
// CHECK: (tensor<1x1x8x8x3xf32>, tensor<1x1x3x3x3x16xf32>, tensor<1x16xf32>, tensor<1x1x6x6x16xf32>) -> tensor<1x1x6x6x16xf32>
// LANES8-LABEL: func.func @first
// LANES8: (tensor<1x1x8x8x3xf32>, tensor<2x1x3x3x3x8xf32>, tensor<2x8xf32>, tensor<1x2x6x6x8xf32>) -> tensor<1x2x6x6x8xf32>
func.func @first(%x: tensor<1x3x8x8xf32>) -> tensor<1x16x6x6xf32> {
  %w = nn.constant dense<0.5> : tensor<16x3x3x3xf32> : tensor<16x3x3x3xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x6x6xf32>
  return %0 : tensor<1x16x6x6xf32>
}

// -----

// Weights go [OC][IC][KH][KW] -> [OC/b][IC/c][KH][KW][c][b]; a mirrored filter
// is mirrored at once. Two channels in, one out: 2 of 16 numbers of a vector.
// CHECK-LABEL: func.func @flip
// CHECK: nn.constant dense<{{\[\[\[\[\[\[}}2.000000e+00, 0.000000e+00, {{[0., e+]*}}], [4.000000e+00, {{[0., e+]*}}]],
// CHECK-SAME: {{\[\[}}1.000000e+00, {{[0., e+]*}}], [3.000000e+00, {{[0., e+]*}}]]]]]]> : tensor<1x1x1x2x2x16xf32>
// LANES8-LABEL: func.func @flip
func.func @flip(%x: tensor<1x2x1x3xf32>) -> tensor<1x1x1x2xf32> {
  %w = nn.constant dense<[[[[1.0, 2.0]], [[3.0, 4.0]]]]> : tensor<1x2x1x2xf32> : tensor<1x2x1x2xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, flip_filter} : (tensor<1x2x1x3xf32>, tensor<1x2x1x2xf32>) -> tensor<1x1x1x2xf32>
  return %0 : tensor<1x1x1x2xf32>
}

// -----

// The residual comes behind the bias, in both forms of a channel-wise filter.
// CHECK-LABEL: func.func @depthwise
// CHECK: %[[R:.*]] = cpu.pack %arg1
// CHECK: "cpu.depthwise_conv2d"(%{{.*}}, %{{.*}}, %{{.*}}, %[[R]], %{{.*}}) <{
// CHECK-SAME: extra_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>]
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f32, %[[RES:.*]]: f32):
// CHECK-NEXT: %[[A:.*]] = arith.addf %[[SUM]], %[[BIAS]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[RES]]
// CHECK: cpu.yield
// CHECK: (tensor<1x2x5x5x16xf32>, tensor<2x3x3x16xf32>, tensor<2x16xf32>, tensor<1x2x5x5x16xf32>, tensor<1x2x5x5x16xf32>)
// CHECK: "cpu.depthwise_conv2d"
// CHECK: (tensor<1x2x5x5x16xf32>, tensor<2x1x1x16xf32>, tensor<2x16xf32>, tensor<1x2x5x5x16xf32>)
// LANES8-LABEL: func.func @depthwise
// LANES8: (tensor<1x3x5x5x8xf32>, tensor<3x3x3x8xf32>, tensor<3x8xf32>, tensor<1x3x5x5x8xf32>, tensor<1x3x5x5x8xf32>)
func.func @depthwise(%x: tensor<1x20x5x5xf32>, %r: tensor<1x20x5x5xf32>) -> tensor<1x20x5x5xf32> {
  %w = nn.constant dense<0.5> : tensor<20x1x1x3x3xf32> : tensor<20x1x1x3x3xf32>
  %v = nn.constant dense<0.5> : tensor<20x1x1x1xf32> : tensor<20x1x1x1xf32>
  %0 = nn.conv2d %x, %w residual %r {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 20 : i64, group_filter} : (tensor<1x20x5x5xf32>, tensor<20x1x1x3x3xf32>, tensor<1x20x5x5xf32>) -> tensor<1x20x5x5xf32>
  %1 = nn.conv2d %0, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 20 : i64} : (tensor<1x20x5x5xf32>, tensor<20x1x1x1xf32>) -> tensor<1x20x5x5xf32>
  return %1 : tensor<1x20x5x5xf32>
}

// -----

// CHECK-LABEL: func.func @pools
// CHECK: cpu.pool2d {{.*}} {halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, kernel = array<i64: 3, 2>, kind = #cpu.pool_kind<max>, pads = array<i64: 1, 0>, strides = array<i64: 2, 2>} : tensor<1x2x7x8x16xf32> into tensor<1x2x4x4x16xf32>
// CHECK: cpu.pool2d {{.*}} kind = #cpu.pool_kind<average>
// CHECK: cpu.pool2d {{.*}} kind = #cpu.pool_kind<average_inside>
// LANES8-LABEL: func.func @pools
// LANES8: cpu.pool2d {{.*}} : tensor<1x3x7x8x8xf32> into tensor<1x3x4x4x8xf32>
func.func @pools(%x: tensor<1x20x7x8xf32>) -> tensor<1x20x1x1xf32> {
  %0 = nn.max_pool2d %x {kernel = array<i64: 3, 2>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 0>} : (tensor<1x20x7x8xf32>) -> tensor<1x20x4x4xf32>
  %1 = nn.avg_pool2d %0 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>, count_include_pad} : (tensor<1x20x4x4xf32>) -> tensor<1x20x2x2xf32>
  %2 = nn.avg_pool2d %1 {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>} : (tensor<1x20x2x2xf32>) -> tensor<1x20x1x1xf32>
  return %2 : tensor<1x20x1x1xf32>
}
