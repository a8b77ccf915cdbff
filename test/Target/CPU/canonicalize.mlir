// RUN: model-opt --canonicalize %s | FileCheck %s

// What was unpacked only to be packed again, with the same block and halo.
// CHECK-LABEL: func.func @cancel
// CHECK-NEXT: return %arg0
func.func @cancel(%b: tensor<1x2x4x4x16xf32>) -> tensor<1x2x4x4x16xf32> {
  %e = tensor.empty() : tensor<1x20x4x4xf32>
  %f = tensor.empty() : tensor<1x2x4x4x16xf32>
  %0 = cpu.unpack %b into %e {halo = array<i64: 0, 0, 0, 0>} : tensor<1x2x4x4x16xf32> into tensor<1x20x4x4xf32> -> tensor<1x20x4x4xf32>
  %1 = cpu.pack %0 into %f {halo = array<i64: 0, 0, 0, 0>} : tensor<1x20x4x4xf32> into tensor<1x2x4x4x16xf32> -> tensor<1x2x4x4x16xf32>
  return %1 : tensor<1x2x4x4x16xf32>
}

// Another block, another halo.
// CHECK-LABEL: func.func @keep
// CHECK: cpu.unpack
// CHECK: cpu.pack
// CHECK: cpu.pack
func.func @keep(%b: tensor<1x2x4x4x16xf32>) -> (tensor<1x4x4x4x8xf32>, tensor<1x2x6x4x16xf32>) {
  %e = tensor.empty() : tensor<1x32x4x4xf32>
  %f = tensor.empty() : tensor<1x4x4x4x8xf32>
  %g = tensor.empty() : tensor<1x2x6x4x16xf32>
  %0 = cpu.unpack %b into %e {halo = array<i64: 0, 0, 0, 0>} : tensor<1x2x4x4x16xf32> into tensor<1x32x4x4xf32> -> tensor<1x32x4x4xf32>
  %1 = cpu.pack %0 into %f {halo = array<i64: 0, 0, 0, 0>} : tensor<1x32x4x4xf32> into tensor<1x4x4x4x8xf32> -> tensor<1x4x4x4x8xf32>
  %2 = cpu.pack %0 into %g {halo = array<i64: 1, 0, 1, 0>} : tensor<1x32x4x4xf32> into tensor<1x2x6x4x16xf32> -> tensor<1x2x6x4x16xf32>
  return %1, %2 : tensor<1x4x4x4x8xf32>, tensor<1x2x6x4x16xf32>
}
