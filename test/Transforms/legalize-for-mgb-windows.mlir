// RUN: model-opt %s --legalize-for-mgb | FileCheck %s
// RUN: model-opt %s --legalize-for=mgb | FileCheck %s
// RUN: model-opt %s --legalize-for-mgb --remarks=missed -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: model-opt %s --legalize-for-mgb -o %t.once
// RUN: model-opt %t.once --legalize-for-mgb -o %t.twice
// RUN: diff %t.once %t.twice

// The even part of the pads stays.
// CHECK-LABEL: func.func @conv
// CHECK-NEXT:    %[[P:.*]] = nn.pad %arg0 {high = array<i64: 0, 0, 1, 0>, low = array<i64: 0, 0, 0, 2>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x5x6xf32>
// CHECK-NEXT:    nn.conv2d %[[P]], %arg1 {dilations = array<i64: 1, 1>, mgb.name = "n", pads = array<i64: 1, 0>
func.func @conv(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x5x4xf32> {
  %0 = nn.conv2d %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 2, 2, 0>, dilations = array<i64: 1, 1>, mgb.name = "n"} : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x5x4xf32>
  return %0 : tensor<1x2x5x4xf32>
}

// CHECK-LABEL: func.func @max
// CHECK-NEXT:    %[[P:.*]] = nn.pad %arg0 {high = array<i64: 0, 1, 1, 0>, low = array<i64: 0, 0, 0, 0>, value = 0xFF800000 : f32}
// CHECK-NEXT:    nn.max_pool2d %[[P]]
func.func @max(%x: tensor<1x3x3x2xf32>) -> tensor<1x2x2x2xf32> {
  %0 = nn.max_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 1, 0, 1>, layout = #nn.layout<NHWC>} : (tensor<1x3x3x2xf32>) -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}

// A mean that counts its padding needs no scale; one that does not is the sum
// over the elements inside: 4/4, 4/2, 4/2, 4/1.
// CHECK-LABEL: func.func @mean
// CHECK:         %[[S:.*]] = nn.constant dense<{{\[\[\[\[}}1.000000e+00, 2.000000e+00], [2.000000e+00, 4.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK:         %[[A:.*]] = nn.avg_pool2d %{{.*}} {count_include_pad, kernel = array<i64: 2, 2>, pads = array<i64: 0, 0>
// CHECK-NEXT:    %[[M:.*]] = nn.mul %[[A]], %[[S]] {mgb.name = "n"}
// CHECK:         nn.avg_pool2d %{{.*}} {count_include_pad
// CHECK-NOT:     nn.mul
// CHECK:         return %[[M]]
func.func @mean(%x: tensor<1x2x3x3xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) {
  %0 = nn.avg_pool2d %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 1, 0, 1>, mgb.name = "n"} : (tensor<1x2x3x3xf32>) -> tensor<1x2x2x2xf32>
  %1 = nn.avg_pool2d %x {count_include_pad, kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 1, 0, 1>} : (tensor<1x2x3x3xf32>) -> tensor<1x2x2x2xf32>
  return %0, %1 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
}

// CHECK-LABEL: func.func @must_not_fire
// CHECK-NEXT:    nn.max_pool2d %arg0 {{.*}}pads = array<i64: 0, 1, 0, 1>
// CHECK-NEXT:    nn.avg_pool2d %arg1 {{.*}}pads = array<i64: 0, 1, 0, 1>
// CHECK-NEXT:    nn.max_pool2d %arg1 {{.*}}pads = array<i64: 1, 1>
// MISSED: must_not_fire {{.*}}only NCHW and NHWC images of floats are padded apart
// MISSED: must_not_fire {{.*}}only a mean of f32 and of a known shape is scaled apart
func.func @must_not_fire(%i: tensor<1x2x3x3xi8>, %h: tensor<1x2x3x3xf16>) -> (tensor<1x2x2x2xi8>, tensor<1x2x2x2xf16>, tensor<1x2x2x2xf16>) {
  %0 = nn.max_pool2d %i {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 1, 0, 1>} : (tensor<1x2x3x3xi8>) -> tensor<1x2x2x2xi8>
  %1 = nn.avg_pool2d %h {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 1, 0, 1>} : (tensor<1x2x3x3xf16>) -> tensor<1x2x2x2xf16>
  %2 = nn.max_pool2d %h {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1>} : (tensor<1x2x3x3xf16>) -> tensor<1x2x2x2xf16>
  return %0, %1, %2 : tensor<1x2x2x2xi8>, tensor<1x2x2x2xf16>, tensor<1x2x2x2xf16>
}
