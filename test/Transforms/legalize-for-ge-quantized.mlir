// RUN: model-opt %s --legalize-for-ge | FileCheck %s
// RUN: model-opt %s --legalize-for-ge --remarks=passed -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: model-opt %s --legalize-for-ge -o %t.once
// RUN: model-opt %t.once --legalize-for-ge -o %t.twice
// RUN: diff %t.once %t.twice

// REMARK: spelled a quantized conv2d by floats

!q8 = !quant.uniform<i8:f32, 0.5>
!w8 = !quant.uniform<i8:f32, 0.25>
!acc = !quant.uniform<i32:f32, 0.125>
!u8 = !quant.uniform<u8:f32, 0.5:128>

// The codes of the weights stay bytes; the sums are those of integers. The
// last op of the activation bears the name.
// CHECK-LABEL: func.func @conv
// CHECK-DAG:     %[[W8:.*]] = nn.constant dense<{{.*}}> : tensor<1x2x1x1xi8>
// CHECK-DAG:     %[[W:.*]] = nn.cast %[[W8]] {to = f32}
// CHECK:         %[[Q:.*]] = nn.minimum
// CHECK-NEXT:    %[[S:.*]] = nn.conv2d %[[Q]], %[[W]] {dilations
// CHECK-NEXT:    %[[K:.*]] = nn.constant dense<1.250000e-01> : tensor<1xf32>
// CHECK-NEXT:    %[[R:.*]] = nn.mul %[[S]], %[[K]]
// CHECK:         %[[B:.*]] = nn.mul %{{.*}}
// CHECK-NEXT:    %[[T:.*]] = nn.add %[[R]], %[[B]]
// CHECK-NEXT:    nn.relu %[[T]]
// CHECK:         nn.minimum {{.*}} {mgb.name = "n"}
// CHECK-NOT:     quant
func.func @conv(%x: tensor<1x2x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %w = nn.constant dense<[[[[3]], [[-2]]]]> : tensor<1x2x1x1xi8> : tensor<1x2x1x1x!w8>
  %b = nn.constant dense<7> : tensor<1x1x1x1xi32> : tensor<1x1x1x1x!acc>
  %0 = nn.cast %x {to = !q8} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4x!q8>
  %1 = nn.conv2d %0, %w bias %b {mgb.name = "n", activation = #nn.activation<relu>, out_type = !q8, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4x!q8>, tensor<1x2x1x1x!w8>, tensor<1x1x1x1x!acc>) -> tensor<1x1x4x4x!q8>
  %2 = nn.cast %1 {to = f32} : (tensor<1x1x4x4x!q8>) -> tensor<1x1x4x4xf32>
  return %2 : tensor<1x1x4x4xf32>
}

// Moves and maxima see codes; sums see numbers, less the zero point.
// CHECK-LABEL: func.func @others
// CHECK:         %[[Q:.*]] = nn.minimum
// CHECK-NEXT:    %[[M:.*]] = nn.max_pool2d %[[Q]]
// CHECK:         %[[R:.*]] = nn.reshape %[[M]], %{{.*}} : (tensor<1x1x2x2xf32>
// CHECK:         %[[Z:.*]] = nn.constant dense<1.280000e+02>
// CHECK-NEXT:    %[[C:.*]] = nn.sub %[[R]], %[[Z]]
// CHECK:         %[[F:.*]] = nn.mul %[[C]], %{{.*}}
// CHECK:         nn.add %[[F]], %{{.*}} : (
// CHECK-NOT:     quant
func.func @others(%x: tensor<1x1x4x4xf32>) -> tensor<4xf32> {
  %s = nn.constant dense<4> : tensor<1xi32> : tensor<1xi32>
  %0 = nn.cast %x {to = !u8} : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4x!u8>
  %1 = nn.max_pool2d %0 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x1x4x4x!u8>) -> tensor<1x1x2x2x!u8>
  %2 = nn.reshape %1, %s : (tensor<1x1x2x2x!u8>, tensor<1xi32>) -> tensor<4x!u8>
  %3 = nn.add %2, %2 {out_type = !u8} : (tensor<4x!u8>, tensor<4x!u8>) -> tensor<4x!u8>
  %4 = nn.cast %3 {to = f32} : (tensor<4x!u8>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// Codes that enter or leave the graph stay codes; so do sums that f32 does not
// hold: 127*2000*128 is more than 2^24.
// CHECK-LABEL: func.func @must_not_fire
// CHECK:         nn.relu %arg0 {{.*}}quant
// CHECK:         nn.conv2d %{{.*}} {{.*}}quant
func.func @must_not_fire(%x: tensor<4x!q8>, %y: tensor<1x2000x1x1xf32>) -> (tensor<4x!q8>, tensor<1x1x1x1xf32>) {
  %w = nn.constant dense<127> : tensor<1x2000x1x1xi8> : tensor<1x2000x1x1x!w8>
  %0 = nn.relu %x {out_type = !q8} : (tensor<4x!q8>) -> tensor<4x!q8>
  %1 = nn.cast %y {to = !q8} : (tensor<1x2000x1x1xf32>) -> tensor<1x2000x1x1x!q8>
  %2 = nn.conv2d %1, %w {out_type = f32, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2000x1x1x!q8>, tensor<1x2000x1x1x!w8>) -> tensor<1x1x1x1xf32>
  return %0, %2 : tensor<4x!q8>, tensor<1x1x1x1xf32>
}
