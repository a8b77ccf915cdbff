// RUN: model-opt %s | model-opt | FileCheck %s

// One line per mode.
// CHECK-LABEL: func @modes
func.func @modes(%x0: tensor<2x5x6x8xf32>, %x1: tensor<2x5x2x6x4xf32>,
    %x2: tensor<2x5x6x7xf32>, %x3: tensor<2x7x5x6xf32>,
    %x4: tensor<2x7x5x6xf32>, %x5: tensor<2x5x2x6x4xf32>,
    %x6: tensor<2x5x2x6x4xf32>, %x7: tensor<8x3x1x2xf32>,
    %x8: tensor<8x3x1x2xf32>, %x9: tensor<5x8x3x1x2xf32>,
    %x10: tensor<5x8x3x1x2xf32>, %x11: tensor<8x1x1x2x3xf32>,
    %x12: tensor<8x1x1x2x3xf32>, %x13: tensor<8x12x1x2xf32>,
    %x14: tensor<5x8x12x1x2xf32>, %x15: tensor<2x3x5x6x4xf32>,
    %x16: tensor<3x5x6x2x4xf32>, %x17: tensor<16x9x1x2xf32>,
    %x18: tensor<9x1x1x2x3xf32>, %x19: tensor<5x16x9x1x2xf32>,
    %x20: tensor<2x9x5x6xf32>, %x21: tensor<2x2x5x6x8xf32>,
    %x22: tensor<2x3x5x6xf32>, %x23: tensor<7x3x1x2xf32>,
    %x24: tensor<2x6x5x6xf32>, %x25: tensor<2x2x5x6x4xf32>,
    %x26: tensor<7x5x1x2xf32>, %x27: tensor<3x7x5x1x2xf32>,
    %x28: tensor<2x65x5x6xf32>, %x29: tensor<2x2x5x6x64xf32>,
    %x30: tensor<2x3x5x6xf32>, %x31: tensor<2x5x6x3xf32>,
    %x32: tensor<2x5x2x6x4xf32>, %x33: tensor<2x?x5x6xf32>) {
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NHWC_NHWCD4>{{.*}}} : (tensor<2x5x6x8xf32>) -> tensor<2x5x2x6x4xf32>
  %0 = nn.relayout %x0 {mode = #nn.relayout_mode<NHWC_NHWCD4>} : (tensor<2x5x6x8xf32>) -> tensor<2x5x2x6x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NHWCD4_NHWC>{{.*}}} : (tensor<2x5x2x6x4xf32>) -> tensor<2x5x6x8xf32>
  %1 = nn.relayout %x1 {mode = #nn.relayout_mode<NHWCD4_NHWC>} : (tensor<2x5x2x6x4xf32>) -> tensor<2x5x6x8xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NHWC_NHWCD4I>{{.*}}} : (tensor<2x5x6x7xf32>) -> tensor<2x5x2x6x4xf32>
  %2 = nn.relayout %x2 {mode = #nn.relayout_mode<NHWC_NHWCD4I>} : (tensor<2x5x6x7xf32>) -> tensor<2x5x2x6x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW_NHWCD4>{{.*}}} : (tensor<2x7x5x6xf32>) -> tensor<2x5x2x6x4xf32>
  %3 = nn.relayout %x3 {mode = #nn.relayout_mode<NCHW_NHWCD4>} : (tensor<2x7x5x6xf32>) -> tensor<2x5x2x6x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW_NHWCD4I>{{.*}}} : (tensor<2x7x5x6xf32>) -> tensor<2x5x2x6x4xf32>
  %4 = nn.relayout %x4 {mode = #nn.relayout_mode<NCHW_NHWCD4I>} : (tensor<2x7x5x6xf32>) -> tensor<2x5x2x6x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NHWCD4I_NCHW>{{.*}}} : (tensor<2x5x2x6x4xf32>) -> tensor<2x8x5x6xf32>
  %5 = nn.relayout %x5 {mode = #nn.relayout_mode<NHWCD4I_NCHW>} : (tensor<2x5x2x6x4xf32>) -> tensor<2x8x5x6xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NHWCD4_NCHW>{{.*}}} : (tensor<2x5x2x6x4xf32>) -> tensor<2x8x5x6xf32>
  %6 = nn.relayout %x6 {mode = #nn.relayout_mode<NHWCD4_NCHW>} : (tensor<2x5x2x6x4xf32>) -> tensor<2x8x5x6xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<INTER_WEIGHT_DENSE>{{.*}}} : (tensor<8x3x1x2xf32>) -> tensor<2x1x2x3x4xf32>
  %7 = nn.relayout %x7 {mode = #nn.relayout_mode<INTER_WEIGHT_DENSE>} : (tensor<8x3x1x2xf32>) -> tensor<2x1x2x3x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<INTER_WEIGHT_DENSEI>{{.*}}} : (tensor<8x3x1x2xf32>) -> tensor<2x1x2x3x4xf32>
  %8 = nn.relayout %x8 {mode = #nn.relayout_mode<INTER_WEIGHT_DENSEI>} : (tensor<8x3x1x2xf32>) -> tensor<2x1x2x3x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<INTER_WEIGHT_GROUP>{{.*}}} : (tensor<5x8x3x1x2xf32>) -> tensor<5x2x1x2x3x4xf32>
  %9 = nn.relayout %x9 {mode = #nn.relayout_mode<INTER_WEIGHT_GROUP>} : (tensor<5x8x3x1x2xf32>) -> tensor<5x2x1x2x3x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<INTER_WEIGHT_GROUPI>{{.*}}} : (tensor<5x8x3x1x2xf32>) -> tensor<5x2x1x2x3x4xf32>
  %10 = nn.relayout %x10 {mode = #nn.relayout_mode<INTER_WEIGHT_GROUPI>} : (tensor<5x8x3x1x2xf32>) -> tensor<5x2x1x2x3x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<INTER_WEIGHT_CHAN>{{.*}}} : (tensor<8x1x1x2x3xf32>) -> tensor<2x1x2x3x4xf32>
  %11 = nn.relayout %x11 {mode = #nn.relayout_mode<INTER_WEIGHT_CHAN>} : (tensor<8x1x1x2x3xf32>) -> tensor<2x1x2x3x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<INTER_WEIGHT_CHANI>{{.*}}} : (tensor<8x1x1x2x3xf32>) -> tensor<2x1x2x3x4xf32>
  %12 = nn.relayout %x12 {mode = #nn.relayout_mode<INTER_WEIGHT_CHANI>} : (tensor<8x1x1x2x3xf32>) -> tensor<2x1x2x3x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<INTER_WEIGHT_DENSEI_DOT>{{.*}}} : (tensor<8x12x1x2xf32>) -> tensor<2x1x2x3x4x4xf32>
  %13 = nn.relayout %x13 {mode = #nn.relayout_mode<INTER_WEIGHT_DENSEI_DOT>} : (tensor<8x12x1x2xf32>) -> tensor<2x1x2x3x4x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<INTER_WEIGHT_GROUPI_DOT>{{.*}}} : (tensor<5x8x12x1x2xf32>) -> tensor<5x2x1x2x3x4x4xf32>
  %14 = nn.relayout %x14 {mode = #nn.relayout_mode<INTER_WEIGHT_GROUPI_DOT>} : (tensor<5x8x12x1x2xf32>) -> tensor<5x2x1x2x3x4x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW4_CHWN4>{{.*}}} : (tensor<2x3x5x6x4xf32>) -> tensor<3x5x6x2x4xf32>
  %15 = nn.relayout %x15 {mode = #nn.relayout_mode<NCHW4_CHWN4>} : (tensor<2x3x5x6x4xf32>) -> tensor<3x5x6x2x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<CHWN4_NCHW4>{{.*}}} : (tensor<3x5x6x2x4xf32>) -> tensor<2x3x5x6x4xf32>
  %16 = nn.relayout %x16 {mode = #nn.relayout_mode<CHWN4_NCHW4>} : (tensor<3x5x6x2x4xf32>) -> tensor<2x3x5x6x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW_NCHW88_CONV_DENSE_WEIGHT>{{.*}}} : (tensor<16x9x1x2xf32>) -> tensor<2x2x1x2x8x8xf32>
  %17 = nn.relayout %x17 {mode = #nn.relayout_mode<NCHW_NCHW88_CONV_DENSE_WEIGHT>} : (tensor<16x9x1x2xf32>) -> tensor<2x2x1x2x8x8xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW_NCHW88_CONV_CHAN_WEIGHT>{{.*}}} : (tensor<9x1x1x2x3xf32>) -> tensor<2x1x1x2x3x8xf32>
  %18 = nn.relayout %x18 {mode = #nn.relayout_mode<NCHW_NCHW88_CONV_CHAN_WEIGHT>} : (tensor<9x1x1x2x3xf32>) -> tensor<2x1x1x2x3x8xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW_NCHW88_CONV_GROUP_WEIGHT>{{.*}}} : (tensor<5x16x9x1x2xf32>) -> tensor<5x2x2x1x2x8x8xf32>
  %19 = nn.relayout %x19 {mode = #nn.relayout_mode<NCHW_NCHW88_CONV_GROUP_WEIGHT>} : (tensor<5x16x9x1x2xf32>) -> tensor<5x2x2x1x2x8x8xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW_NCHW88>{{.*}}} : (tensor<2x9x5x6xf32>) -> tensor<2x2x5x6x8xf32>
  %20 = nn.relayout %x20 {mode = #nn.relayout_mode<NCHW_NCHW88>} : (tensor<2x9x5x6xf32>) -> tensor<2x2x5x6x8xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW88_NCHW>{{.*}}} : (tensor<2x2x5x6x8xf32>) -> tensor<2x16x5x6xf32>
  %21 = nn.relayout %x21 {mode = #nn.relayout_mode<NCHW88_NCHW>} : (tensor<2x2x5x6x8xf32>) -> tensor<2x16x5x6xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW_NCHW4_IC_SMALL>{{.*}}} : (tensor<2x3x5x6xf32>) -> tensor<2x1x5x6x4xf32>
  %22 = nn.relayout %x22 {mode = #nn.relayout_mode<NCHW_NCHW4_IC_SMALL>} : (tensor<2x3x5x6xf32>) -> tensor<2x1x5x6x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW_NCHW4_IC_SMALL_CONV_DENSE_WEIGHT>{{.*}}} : (tensor<7x3x1x2xf32>) -> tensor<7x1x1x2x4xf32>
  %23 = nn.relayout %x23 {mode = #nn.relayout_mode<NCHW_NCHW4_IC_SMALL_CONV_DENSE_WEIGHT>} : (tensor<7x3x1x2xf32>) -> tensor<7x1x1x2x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW_NCHW4>{{.*}}} : (tensor<2x6x5x6xf32>) -> tensor<2x2x5x6x4xf32>
  %24 = nn.relayout %x24 {mode = #nn.relayout_mode<NCHW_NCHW4>, groups = 2 : i64} : (tensor<2x6x5x6xf32>) -> tensor<2x2x5x6x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW4_NCHW>{{.*}}} : (tensor<2x2x5x6x4xf32>) -> tensor<2x7x5x6xf32>
  %25 = nn.relayout %x25 {mode = #nn.relayout_mode<NCHW4_NCHW>, out_channels = 7 : i64} : (tensor<2x2x5x6x4xf32>) -> tensor<2x7x5x6xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW_NCHW4_WEIGHT>{{.*}}} : (tensor<7x5x1x2xf32>) -> tensor<8x2x1x2x4xf32>
  %26 = nn.relayout %x26 {mode = #nn.relayout_mode<NCHW_NCHW4_WEIGHT>} : (tensor<7x5x1x2xf32>) -> tensor<8x2x1x2x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW_NCHW4_WEIGHT>{{.*}}} : (tensor<3x7x5x1x2xf32>) -> tensor<3x8x2x1x2x4xf32>
  %27 = nn.relayout %x27 {mode = #nn.relayout_mode<NCHW_NCHW4_WEIGHT>} : (tensor<3x7x5x1x2xf32>) -> tensor<3x8x2x1x2x4xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW_NCHW64>{{.*}}} : (tensor<2x65x5x6xf32>) -> tensor<2x2x5x6x64xf32>
  %28 = nn.relayout %x28 {mode = #nn.relayout_mode<NCHW_NCHW64>} : (tensor<2x65x5x6xf32>) -> tensor<2x2x5x6x64xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW64_NCHW>{{.*}}} : (tensor<2x2x5x6x64xf32>) -> tensor<2x128x5x6xf32>
  %29 = nn.relayout %x29 {mode = #nn.relayout_mode<NCHW64_NCHW>} : (tensor<2x2x5x6x64xf32>) -> tensor<2x128x5x6xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW_NHWC>{{.*}}} : (tensor<2x3x5x6xf32>) -> tensor<2x5x6x3xf32>
  %30 = nn.relayout %x30 {mode = #nn.relayout_mode<NCHW_NHWC>} : (tensor<2x3x5x6xf32>) -> tensor<2x5x6x3xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NHWC_NCHW>{{.*}}} : (tensor<2x5x6x3xf32>) -> tensor<2x3x5x6xf32>
  %31 = nn.relayout %x31 {mode = #nn.relayout_mode<NHWC_NCHW>} : (tensor<2x5x6x3xf32>) -> tensor<2x3x5x6xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NHWCD4I_NHWC>{{.*}}} : (tensor<2x5x2x6x4xf32>) -> tensor<2x5x6x8xf32>
  %32 = nn.relayout %x32 {mode = #nn.relayout_mode<NHWCD4I_NHWC>} : (tensor<2x5x2x6x4xf32>) -> tensor<2x5x6x8xf32>
  // CHECK: nn.relayout %{{.*}} {{{.*}}mode = #nn.relayout_mode<NCHW_NCHW4>{{.*}}} : (tensor<2x?x5x6xf32>) -> tensor<2x?x5x6x4xf32>
  %33 = nn.relayout %x33 {mode = #nn.relayout_mode<NCHW_NCHW4>} : (tensor<2x?x5x6xf32>) -> tensor<2x?x5x6x4xf32>
  return
}

// CHECK-LABEL: func @requantize
func.func @requantize(%x: tensor<1x3x5x6xui8>, %u: tensor<*xf32>) {
  // CHECK: out_type = !quant.uniform<i8:f32, 5.000000e-01>
  %0 = nn.relayout %x {mode = #nn.relayout_mode<NCHW_NCHW4>, out_type = !quant.uniform<i8:f32, 0.5>} : (tensor<1x3x5x6xui8>) -> tensor<1x1x5x6x4x!quant.uniform<i8:f32, 0.5>>
  // CHECK: -> tensor<*xf32>
  %1 = nn.relayout %u {mode = #nn.relayout_mode<NCHW_NHWC>} : (tensor<*xf32>) -> tensor<*xf32>
  return
}
