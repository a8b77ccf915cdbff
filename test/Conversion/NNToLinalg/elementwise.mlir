// RUN: model-opt --convert-nn-to-linalg %s -split-input-file -verify-diagnostics -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir

// 16-bit floats are computed in f32 and rounded once.
// CHECK-DAG: [[ROWS:#map[0-9]*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @real
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, [[ROWS]], #{{.*}}], iterator_types = ["parallel", "parallel"]}
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: [[ANGLE:%.*]] = math.atan2 %{{.*}}, %{{.*}} : f32
// CHECK: arith.truncf [[ANGLE]] : f32 to f16
func.func @real(%x: tensor<2x3xf16>, %y: tensor<3xf16>) -> tensor<2x3xf16> {
  %0 = nn.atan2 %x, %y : (tensor<2x3xf16>, tensor<3xf16>) -> tensor<2x3xf16>
  return %0 : tensor<2x3xf16>
}

// Rule Real: unsigned integers are converted first.
// CHECK-LABEL: func.func @integer
// CHECK: arith.uitofp %{{.*}} : i8 to f32
// CHECK: math.exp
func.func @integer(%x: tensor<4xui8>) -> tensor<4xf32> {
  %0 = nn.exp %x : (tensor<4xui8>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A divisor of 0 or -1 never reaches the division.
// CHECK-LABEL: func.func @divide
// CHECK: [[ZERO:%.*]] = arith.cmpi eq, [[BY:%.*]], %{{.*}} : i32
// CHECK: [[MINUS:%.*]] = arith.cmpi eq, [[BY]], %{{.*}} : i32
// CHECK: [[INNER:%.*]] = arith.select [[MINUS]], %{{.*}}, [[BY]]
// CHECK: [[DIVISOR:%.*]] = arith.select [[ZERO]], %{{.*}}, [[INNER]]
// CHECK: arith.divsi %{{.*}}, [[DIVISOR]]
func.func @divide(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = nn.floor_div %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// With out_type nn.relu multiplies by the reciprocal of the scale, nn.neg
// divides by it.
// CHECK-LABEL: func.func @quantized
// CHECK: arith.constant 120 : i32
// CHECK: arith.constant 4.000000e+00 : f32
// CHECK-NEXT: arith.mulf
// CHECK: math.copysign
// CHECK-NEXT: arith.addf
// CHECK: arith.fptosi
// CHECK: arith.constant 2.500000e-01 : f32
// CHECK-NEXT: arith.divf
func.func @quantized(%x: tensor<4x!quant.uniform<u8:f32, 0.5:120>>) -> (tensor<4x!quant.uniform<i8:f32, 0.25>>, tensor<4x!quant.uniform<i8:f32, 0.25>>) {
  %0 = nn.relu %x {out_type = !quant.uniform<i8:f32, 0.25>} : (tensor<4x!quant.uniform<u8:f32, 0.5:120>>) -> tensor<4x!quant.uniform<i8:f32, 0.25>>
  %1 = nn.neg %x {out_type = !quant.uniform<i8:f32, 0.25>} : (tensor<4x!quant.uniform<u8:f32, 0.5:120>>) -> tensor<4x!quant.uniform<i8:f32, 0.25>>
  return %0, %1 : tensor<4x!quant.uniform<i8:f32, 0.25>>, tensor<4x!quant.uniform<i8:f32, 0.25>>
}

// A size that is known at run time only is checked, and may be 1.
// CHECK-LABEL: func.func @dynamic
// CHECK: cf.assert %{{.*}}, "dim 0 of an operand must have the size 2 or 1"
// CHECK: tensor.extract
// CHECK: arith.mulf
func.func @dynamic(%x: tensor<?x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = nn.mul %x, %y : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @narrow
// CHECK: arith.addi %{{.*}} : i8
// CHECK: arith.shli
// CHECK: arith.shrui
func.func @narrow(%x: tensor<4xui4>) -> tensor<4xui4> {
  %0 = nn.add %x, %x : (tensor<4xui4>, tensor<4xui4>) -> tensor<4xui4>
  return %0 : tensor<4xui4>
}

// CHECK-LABEL: func.func @fake
// CHECK: math.exp2
// CHECK: arith.maximumf
// CHECK: arith.minimumf
func.func @fake(%x: tensor<4xf32>, %s: tensor<1xf32>) -> tensor<4xf32> {
  %0 = nn.tqt %x, %s {qmin = -128 : i32, qmax = 127 : i32} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @unknown(%x: tensor<4x!nn.unknown>) -> tensor<4x!nn.unknown> {
  // expected-error @+1 {{'nn.exp' cannot be run for these types}}
  %0 = nn.exp %x : (tensor<4x!nn.unknown>) -> tensor<4x!nn.unknown>
  return %0 : tensor<4x!nn.unknown>
}

// -----

func.func @complex(%x: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  // expected-error @+1 {{'nn.cast' cannot be run for these types}}
  %0 = nn.cast %x {to = f32} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
