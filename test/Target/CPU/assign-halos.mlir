// RUN: model-opt --pass-pipeline='builtin.module(convert-nn-to-cpu,convert-nn-to-linalg,canonicalize,func.func(propagate-blocking,fuse-epilogues),canonicalize,func.func(assign-halos))' --split-input-file %s | FileCheck %s

// The widest halo of two readers, [top, left, bottom, right]; a window of 3 in
// steps of 2 from row -1 reaches no row below a height of 4, one of 2 from
// column 0 in steps of 1 beyond the 3 columns for 4 outputs one. Both readers
// know of it, and so does the unpack.
// CHECK-LABEL: func.func @widest
// CHECK: %[[P:.*]] = cpu.pack {{.*}} {halo = array<i64: 0, 0, 0, 0>}
// CHECK: %[[E:.*]] = "cpu.conv2d"(%[[P]],
// CHECK-SAME: halo = array<i64: 1, 1, 0, 1>, input_halo = array<i64: 0, 0, 0, 0>
// CHECK: tensor<1x1x5x5x16xf32>) -> tensor<1x1x5x5x16xf32>
// CHECK: cpu.unpack %[[E]] {{.*}}halo = array<i64: 1, 1, 0, 1>{{.*}} : tensor<1x1x5x5x16xf32> into tensor<1x16x4x3xf32>
// CHECK: "cpu.conv2d"(%[[E]],
// CHECK-SAME: halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 1, 1, 0, 1>
// CHECK-SAME: pads = array<i64: 1, 1>
// CHECK: "cpu.depthwise_conv2d"(%[[E]],
// CHECK-SAME: halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 1, 1, 0, 1>, pads = array<i64: 0, 0>
func.func @widest(%x: tensor<1x16x4x3xf32>) -> (tensor<1x16x4x3xf32>, tensor<1x16x2x2xf32>, tensor<1x16x4x3xf32>) {
  %w = nn.constant dense<0.5> : tensor<16x16x1x1xf32> : tensor<16x16x1x1xf32>
  %v = nn.constant dense<0.5> : tensor<16x16x3x3xf32> : tensor<16x16x3x3xf32>
  %u = nn.constant dense<0.5> : tensor<16x1x1x2xf32> : tensor<16x1x1x2xf32>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x16x4x3xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x3xf32>
  %1 = nn.conv2d %0, %v {strides = array<i64: 2, 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x16x4x3xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x2x2xf32>
  %2 = nn.conv2d %0, %u {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 1>, dilations = array<i64: 1, 1>, groups = 16 : i64} : (tensor<1x16x4x3xf32>, tensor<16x1x1x2xf32>) -> tensor<1x16x4x3xf32>
  return %0, %1, %2 : tensor<1x16x4x3xf32>, tensor<1x16x2x2xf32>, tensor<1x16x4x3xf32>
}

// -----

// Padding that no window needs, since the last one ends before it, is none; of
// an epilogue's operand the halo is in extra_halos.
// CHECK-LABEL: func.func @extra
// CHECK: %[[P:.*]] = cpu.pack %arg0 {{.*}} {halo = array<i64: 1, 1, 0, 0>} : tensor<1x16x4x4xf32> into tensor<1x1x5x5x16xf32>
// CHECK: "cpu.eltwise"(%[[P]], %{{.*}}) <{extra_halos = [array<i64: 1, 1, 0, 0>], halo = array<i64: 0, 0, 0, 0>}>
// CHECK: "cpu.conv2d"(%[[P]]
// CHECK-SAME: input_halo = array<i64: 1, 1, 0, 0>
func.func @extra(%x: tensor<1x16x4x4xf32>) -> (tensor<1x16x4x4xf32>, tensor<1x16x2x2xf32>) {
  %w = nn.constant dense<0.5> : tensor<16x16x3x3xf32> : tensor<16x16x3x3xf32>
  %i = tensor.empty() : tensor<1x1x4x4x16xf32>
  %p = cpu.pack %x into %i {halo = array<i64: 0, 0, 0, 0>} : tensor<1x16x4x4xf32> into tensor<1x1x4x4x16xf32> -> tensor<1x1x4x4x16xf32>
  %e = "cpu.eltwise"(%p, %i) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%a: f32):
    %n = arith.negf %a : f32
    cpu.yield %n
  }) : (tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  %o = tensor.empty() : tensor<1x16x4x4xf32>
  %u = cpu.unpack %p into %o {halo = array<i64: 0, 0, 0, 0>} : tensor<1x1x4x4x16xf32> into tensor<1x16x4x4xf32> -> tensor<1x16x4x4xf32>
  %c = nn.conv2d %u, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x16x4x4xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x2x2xf32>
  %v = cpu.unpack %e into %o {halo = array<i64: 0, 0, 0, 0>} : tensor<1x1x4x4x16xf32> into tensor<1x16x4x4xf32> -> tensor<1x16x4x4xf32>
  return %v, %c : tensor<1x16x4x4xf32>, tensor<1x16x2x2xf32>
}

// -----

// A vector of channels that a convolution reads with padding: the reshape gets
// a copy without a halo.
// CHECK-LABEL: func.func @channels
// CHECK: %[[P:.*]] = cpu.pool2d {{.*}} -> tensor<1x2x3x3x16xf32>
// CHECK: %[[U:.*]] = cpu.unpack %[[P]] {{.*}}halo = array<i64: 1, 1, 1, 1>{{.*}} into tensor<1x32x1x1xf32>
// CHECK: %[[C:.*]] = cpu.pack %[[U]] {{.*}} {halo = array<i64: 0, 0, 0, 0>}
// CHECK: "cpu.conv2d"(%[[P]],
// CHECK-SAME: input_halo = array<i64: 1, 1, 1, 1>
// CHECK: tensor.collapse_shape %[[C]]
func.func @channels(%x: tensor<1x17x4x4xf32>) -> (tensor<1x17x4x4xf32>, tensor<1x17x1x1xf32>) {
  %w = nn.constant dense<0.5> : tensor<17x17x3x3xf32> : tensor<17x17x3x3xf32>
  %0 = nn.max_pool2d %x {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>} : (tensor<1x17x4x4xf32>) -> tensor<1x17x4x4xf32>
  %1 = nn.avg_pool2d %0 {kernel = array<i64: 4, 4>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>} : (tensor<1x17x4x4xf32>) -> tensor<1x17x1x1xf32>
  %2 = nn.conv2d %1, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x17x1x1xf32>, tensor<17x17x3x3xf32>) -> tensor<1x17x1x1xf32>
  %3 = nn.mul %0, %1 : (tensor<1x17x4x4xf32>, tensor<1x17x1x1xf32>) -> tensor<1x17x4x4xf32>
  return %3, %2 : tensor<1x17x4x4xf32>, tensor<1x17x1x1xf32>
}

// -----

// Codes around 3 are padded with 3.
!x = !quant.uniform<u8:f32, 0.5:3>
// CHECK-LABEL: func.func @zero_point
// CHECK: cpu.pack {{.*}}fill = 3 : i64, halo = array<i64: 1, 1, 1, 1>
func.func @zero_point(%x: tensor<1x16x4x4x!x>) -> tensor<1x16x4x4x!x> {
  %w = nn.constant dense<1> : tensor<16x16x3x3xi8> : tensor<16x16x3x3x!x>
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1, 1>, out_type = !x} : (tensor<1x16x4x4x!x>, tensor<16x16x3x3x!x>) -> tensor<1x16x4x4x!x>
  return %0 : tensor<1x16x4x4x!x>
}
