// RUN: model-opt --convert-nn-to-cpu=products=dot_i8 --split-input-file %s | FileCheck %s --check-prefixes=CHECK,DOT
// RUN: model-opt --convert-nn-to-cpu=products=madd_i16 --split-input-file %s | FileCheck %s --check-prefixes=CHECK,MADD
// RUN: model-opt --convert-nn-to-cpu="lanes=8" --split-input-file %s | FileCheck %s --check-prefixes=CHECK,LANES

// Signed codes: vpdpbusd reads them as 128 more, which the first extra takes
// off: each output channel has 17 weights of 2. The bias is what its codes stand
// for.
!x = !quant.uniform<i8:f32, 0.5>
!w = !quant.uniform<i8:f32, 0.25>
!b = !quant.uniform<i32:f32, 0.125>
// CHECK-LABEL: func.func @signed
// DOT-DAG: %[[W:.*]] = nn.constant {{.*}} : tensor<2x2x1x1x4x64xi8>
// DOT-DAG: %[[C:.*]] = nn.constant dense<{{\[\[}}-4352, {{.*}}> : tensor<2x16xi32>
// DOT-DAG: %[[B:.*]] = nn.constant dense<{{\[\[}}1.250000e+00, {{.*}}> : tensor<2x16xf32>
// DOT-DAG: %[[S:.*]] = builtin.unrealized_conversion_cast %arg0 {{.*}} to tensor<1x17x4x4xi8>
// DOT: %[[P:.*]] = cpu.pack %[[S]]
// DOT: "cpu.conv2d"(%[[P]], %[[W]], %[[C]], %[[B]], %{{.*}})
// DOT-SAME: products = #cpu.products<dot_i8>
// DOT-NOT: unsigned_input
// DOT-NEXT: ^bb0(%[[SUM:.*]]: i32, %[[OFF:.*]]: i32, %[[BIAS:.*]]: f32):
// DOT-DAG: %[[SCALE:.*]] = arith.constant 1.250000e-01 : f32
// DOT: %[[ALL:.*]] = arith.addi %[[SUM]], %[[OFF]] : i32
// DOT-NEXT: %[[F:.*]] = arith.sitofp %[[ALL]] : i32 to f32
// DOT-NEXT: %[[M:.*]] = arith.mulf %[[F]], %[[SCALE]] : f32
// DOT-NEXT: arith.addf %[[M]], %[[BIAS]] : f32
// DOT: arith.trunci {{.*}} : i32 to i8
// DOT-NEXT: cpu.yield %{{.*}} : i8
// DOT: cpu.unpack {{.*}} tensor<1x2x4x4x16xi8> into tensor<1x17x4x4xi8>
// MADD: "cpu.conv2d"
// MADD-SAME: products = #cpu.products<madd_i16>
// MADD-NEXT: ^bb0(%{{.*}}: i32, %{{.*}}: f32):
// MADD: (tensor<1x2x4x4x16xi8>, tensor<2x2x1x1x4x64xi16>, tensor<2x16xf32>, tensor<1x2x4x4x16xi8>)
// LANES: "cpu.conv2d"
// LANES-NOT: products
// LANES: (tensor<1x3x4x4x8xi8>, tensor<3x3x1x1x8x8xi16>, tensor<3x8xf32>, tensor<1x3x4x4x8xi8>)
func.func @signed(%x: tensor<1x17x4x4x!x>) -> tensor<1x17x4x4x!x> {
  %w = nn.constant dense<2> : tensor<17x17x1x1xi8> : tensor<17x17x1x1x!w>
  %b = nn.constant dense<10> : tensor<1x17x1x1xi32> : tensor<1x17x1x1x!b>
  %0 = nn.conv2d %x, %w bias %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, out_type = !x} : (tensor<1x17x4x4x!x>, tensor<17x17x1x1x!w>, tensor<1x17x1x1x!b>) -> tensor<1x17x4x4x!x>
  return %0 : tensor<1x17x4x4x!x>
}

// -----

// Unsigned codes around 3: padding holds 3, and 9 * 4 * 5 * 3 is too much in
// each sum. Weights of 133 around 128 fit a byte, and four channels are a block.
!x = !quant.uniform<u8:f32, 0.5:3>
!w = !quant.uniform<u8:f32, 0.25:128>
// CHECK-LABEL: func.func @unsigned
// DOT: nn.constant {{.*}} : tensor<1x1x3x3x1x64xi8>
// CHECK: nn.constant dense<-540> : tensor<{{.*}}xi32>
// CHECK: "cpu.conv2d"
// CHECK-SAME: padding = 3 : i64
// DOT-SAME: products = #cpu.products<dot_i8>
// CHECK-SAME: unsigned_input
// DOT: cpu.yield %{{.*}} : i32
func.func @unsigned(%x: tensor<1x4x4x4x!x>) -> tensor<1x16x4x4x!quant.uniform<i32:f32, 0.125>> {
  %w = nn.constant dense<133> : tensor<16x4x3x3xi8> : tensor<16x4x3x3x!w>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4x!x>, tensor<16x4x3x3x!w>) -> tensor<1x16x4x4x!quant.uniform<i32:f32, 0.125>>
  return %0 : tensor<1x16x4x4x!quant.uniform<i32:f32, 0.125>>
}

// -----

// 200 does not fit a signed byte; vpdpbusd has no unsigned weights.
!x = !quant.uniform<u8:f32, 0.5>
// CHECK-LABEL: func.func @wide
// DOT: products = #cpu.products<madd_i16>
// MADD: products = #cpu.products<madd_i16>
func.func @wide(%x: tensor<1x16x4x4x!x>) -> tensor<1x16x4x4xf32> {
  %w = nn.constant dense<200> : tensor<16x16x1x1xi8> : tensor<16x16x1x1x!x>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, out_type = f32} : (tensor<1x16x4x4x!x>, tensor<16x16x1x1x!x>) -> tensor<1x16x4x4xf32>
  return %0 : tensor<1x16x4x4xf32>
}

// -----

// Depthwise weights are as wide as the sums. Pooling and concatenation work on
// bytes, and no cast is left between kernels.
!x = !quant.uniform<u8:f32, 0.5:3>
// CHECK-LABEL: func.func @chain
// CHECK: builtin.unrealized_conversion_cast %arg0
// CHECK-NOT: unrealized_conversion_cast
// CHECK: "cpu.depthwise_conv2d"
// CHECK-SAME: padding = 3 : i64
// CHECK-SAME: unsigned_input
// DOT: tensor<1x3x3x16xi32>
// LANES: tensor<2x3x3x8xi32>
// CHECK-NOT: unrealized_conversion_cast
// CHECK: cpu.pool2d {{.*}}unsigned_input
// CHECK-NOT: unrealized_conversion_cast
// CHECK: cpu.gather_channels
// CHECK: builtin.unrealized_conversion_cast
func.func @chain(%x: tensor<1x16x4x4x!x>) -> tensor<1x32x2x2x!x> {
  %w = nn.constant dense<1> : tensor<16x1x1x3x3xi8> : tensor<16x1x1x3x3x!x>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 16 : i64, group_filter, out_type = !x} : (tensor<1x16x4x4x!x>, tensor<16x1x1x3x3x!x>) -> tensor<1x16x4x4x!x>
  %1 = nn.max_pool2d %0 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x16x4x4x!x>) -> tensor<1x16x2x2x!x>
  %2 = nn.concat %1, %1 {axis = 1 : i64} : (tensor<1x16x2x2x!x>, tensor<1x16x2x2x!x>) -> tensor<1x32x2x2x!x>
  return %2 : tensor<1x32x2x2x!x>
}

// -----

// Nibbles, a mean of padding that is not 0, weights of the other kind, codes of
// two scales.
!n = !quant.uniform<i4:f32, 0.5>
!x = !quant.uniform<i8:f32, 0.5:1>
// CHECK-LABEL: func.func @not
// CHECK-NOT: cpu.
func.func @not(%x: tensor<1x16x4x4x!n>, %y: tensor<1x16x4x4x!x>, %v: tensor<16x16x1x1x!x>) -> (tensor<1x16x4x4x!quant.uniform<i32:f32, 0.25>>, tensor<1x16x4x4x!x>, tensor<1x16x4x4x!quant.uniform<i32:f32, 0.25>>) {
  %w = nn.constant dense<2> : tensor<16x16x1x1xi4> : tensor<16x16x1x1x!n>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x4x4x!n>, tensor<16x16x1x1x!n>) -> tensor<1x16x4x4x!quant.uniform<i32:f32, 0.25>>
  %1 = nn.avg_pool2d %y {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, count_include_pad} : (tensor<1x16x4x4x!x>) -> tensor<1x16x4x4x!x>
  %2 = nn.conv2d %y, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x4x4x!x>, tensor<16x16x1x1x!x>) -> tensor<1x16x4x4x!quant.uniform<i32:f32, 0.25>>
  return %0, %1, %2 : tensor<1x16x4x4x!quant.uniform<i32:f32, 0.25>>, tensor<1x16x4x4x!x>, tensor<1x16x4x4x!quant.uniform<i32:f32, 0.25>>
}

// -----

// A matrix product: five rows are two groups. 17 columns of weights of 2, of
// signed codes around 1: -(1 + 128) * 10, or -1 * 10.
!x = !quant.uniform<i8:f32, 0.5:1>
!w = !quant.uniform<i8:f32, 0.25>
// CHECK-LABEL: func.func @matmul
// DOT-DAG: nn.constant {{.*}}-1290{{.*}} : tensor<17xi32>
// MADD-DAG: nn.constant {{.*}}-10{{.*}} : tensor<17xi32>
// CHECK: "cpu.matmul"
// DOT-SAME: products = #cpu.products<dot_i8>
// LANES-NOT: products
// DOT: (tensor<3x5xi8>, tensor<2x2x64xi8>, tensor<17xi32>, tensor<3x17xi8>) -> tensor<3x17xi8>
// MADD: (tensor<3x5xi8>, tensor<2x2x64xi16>, tensor<17xi32>, tensor<3x17xi8>) -> tensor<3x17xi8>
// LANES: (tensor<3x5xi8>, tensor<3x5x8xi16>, tensor<17xi32>, tensor<3x17xi8>) -> tensor<3x17xi8>
func.func @matmul(%x: tensor<3x5x!x>) -> tensor<3x17x!x> {
  %w = nn.constant dense<2> : tensor<5x17xi8> : tensor<5x17x!w>
  %0 = nn.matmul %x, %w {out_type = !x} : (tensor<3x5x!x>, tensor<5x17x!w>) -> tensor<3x17x!x>
  return %0 : tensor<3x17x!x>
}
