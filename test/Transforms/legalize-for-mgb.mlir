// RUN: model-opt %s --legalize-for-mgb | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: model-opt %s --legalize-for-mgb=gpu | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: model-opt %s --legalize-for-mgb=modern-elemwise | FileCheck %s --check-prefix=MODERN
// RUN: model-opt %s --legalize-for-mgb -o %t.once
// RUN: model-opt %t.once --legalize-for-mgb -o %t.twice
// RUN: diff %t.once %t.twice

// CPU-LABEL: func.func @residual
// CPU:         %[[C:.*]] = nn.conv2d %{{.*}}, %{{.*}} bias %{{[^ ]*}} {
// CPU-SAME:      mgb.comp_node = ["xpux:0"], mgb.policy
// CPU-NOT:       mgb.vars
// CPU-NEXT:    nn.add %[[C]], %{{.*}} {activation = #nn.activation<relu>, mgb.comp_node = ["xpux:0"], mgb.vars = ["y"]}
// GPU-LABEL: func.func @residual
// GPU:         nn.conv2d {{.*}} residual
// GPU-NEXT:    return
func.func @residual(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>, %b: tensor<1x2x1x1xf32>, %z: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %0 = nn.conv2d %x, %w bias %b residual %z {activation = #nn.activation<relu>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, mgb.vars = ["y"], mgb.comp_node = ["xpux:0"], mgb.policy = [2 : ui64, 0 : ui64]} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// The format's fourth input needs a bias before it.
// CHECK-LABEL: func.func @residual_without_bias
// CHECK:         %[[C:.*]] = nn.conv2d %{{.*}}, %{{[^ ]*}} {
// CHECK-NEXT:    nn.add %[[C]], %{{.*}} : {{.*}}
func.func @residual_without_bias(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>, %z: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %0 = nn.conv2d %x, %w residual %z {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// What comes from a file stays as it was.
// CHECK-LABEL: func.func @from_file
// CHECK:         nn.conv2d {{.*}} residual
// CHECK-NEXT:    return
func.func @from_file(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>, %b: tensor<1x2x1x1xf32>, %z: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %0 = nn.conv2d %x, %w bias %b residual %z {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, mgb.opr = "ConvBiasForwardV4"} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// ConvBias has relu, sigmoid and h_swish.
// CHECK-LABEL: func.func @expressible
// CHECK:         nn.conv2d %{{.*}}, %{{[^ ]*}} {activation = #nn.activation<h_swish>
// CHECK-NEXT:    return
func.func @expressible(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %0 = nn.conv2d %x, %w {activation = #nn.activation<h_swish>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// Two users: both read the last op.
// CHECK-LABEL: func.func @relu6
// CHECK-NEXT:    %[[SIX:.*]] = nn.constant dense<6.000000e+00>
// CHECK-NEXT:    %[[C:.*]] = nn.conv2d %{{.*}}, %{{[^ ]*}} {activation = #nn.activation<relu>
// CHECK-NEXT:    %[[MIN:.*]] = nn.minimum %[[C]], %[[SIX]] {mgb.name = "n"}
// CHECK-NEXT:    %[[EXP:.*]] = nn.exp %[[MIN]]
// CHECK-NEXT:    return %[[MIN]], %[[EXP]]
// MODERN-LABEL: func.func @relu6
// MODERN:         %[[C:.*]] = nn.conv2d %{{.*}}, %{{[^ ]*}} {dilations
// MODERN-NEXT:    nn.relu6 %[[C]] {mgb.name = "n"}
func.func @relu6(%x: tensor<1x2x4x4xf16>, %w: tensor<2x2x1x1xf16>) -> (tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>) {
  %0 = nn.conv2d %x, %w {activation = #nn.activation<relu6>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, mgb.name = "n"} : (tensor<1x2x4x4xf16>, tensor<2x2x1x1xf16>) -> tensor<1x2x4x4xf16>
  %1 = nn.exp %0 : (tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16>
  return %0, %1 : tensor<1x2x4x4xf16>, tensor<1x2x4x4xf16>
}

// The sum cannot take silu either.
// CHECK-LABEL: func.func @residual_silu
// CHECK:         %[[C:.*]] = nn.conv2d %{{.*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    %[[A:.*]] = nn.add %[[C]], %{{[^ ]*}} :
// CHECK-NEXT:    nn.silu %[[A]]
func.func @residual_silu(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>, %z: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %0 = nn.conv2d %x, %w residual %z {activation = #nn.activation<silu>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: func.func @transposed
// CHECK:         %[[C:.*]] = nn.conv_transpose2d %{{.*}}, %{{[^ ]*}} {dilations
// CHECK-NEXT:    nn.add %[[C]], %{{.*}} {activation = #nn.activation<tanh>}
func.func @transposed(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>, %b: tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %0 = nn.conv_transpose2d %x, %w bias %b {activation = #nn.activation<tanh>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: func.func @group_dim
// CHECK:         %[[W:.*]] = nn.constant dense<1.000000e+00> : tensor<2x1x2x1x1xf32>
// CHECK-NEXT:    nn.conv2d %{{.*}}, %[[W]] {{.*}}group_filter
func.func @group_dim(%x: tensor<1x4x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<1.0> : tensor<2x2x1x1xf32> : tensor<2x2x1x1xf32>
  %0 = nn.conv2d %x, %w {groups = 2 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}
