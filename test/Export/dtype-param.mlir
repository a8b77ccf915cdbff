// RUN: model-opt %s -o %t.mgb
// RUN: model-translate --mgb-to-mlir %t.mgb | FileCheck %s
// RUN: model-opt %t.mgb -o %t.again.mgb && cmp %t.mgb %t.again.mgb
// RUN: model-opt %s --emit=mgv2 -o %t.v2.mgb
// RUN: model-translate --mgb-to-mlir %t.v2.mgb | FileCheck %s

// A scale stored with a dtype that has none is kept.

// CHECK: nn.cast %{{.*}} {mgb.dtype_param = {scale = 5.000000e-01 : f32, zero_point = 0 : i64}, {{.*}}to = f32}
func.func @main(%x: tensor<2x3xi32> {nn.name = "x"}) -> tensor<2x3xf32> {
  %0 = nn.cast %x {to = f32, mgb.name = "c", mgb.dtype_param = {scale = 0.5 : f32, zero_point = 0 : i64}} : (tensor<2x3xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
