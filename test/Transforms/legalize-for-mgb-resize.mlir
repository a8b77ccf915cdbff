// RUN: model-opt %s --legalize-for-mgb | FileCheck %s
// RUN: model-opt %s --legalize-for-mgb -o %t.once
// RUN: model-opt %t.once --legalize-for-mgb -o %t.twice
// RUN: diff %t.once %t.twice


// Rows 0, 1.5 and 3 of 4; the last row's weight is on itself. Columns stay.
// CHECK-LABEL: func.func @linear
// CHECK-SAME:    %[[X:[^:]*]]: tensor<1x2x4x3xf32>
// CHECK-DAG:     %[[LOW:.*]] = nn.constant dense<[0, 1, 3]> : tensor<3xi32>
// CHECK-DAG:     %[[HIGH:.*]] = nn.constant dense<[1, 2, 3]> : tensor<3xi32>
// CHECK-DAG:     %[[WEIGHTS:.*]] = nn.constant dense<{{.*}}[0.000000e+00], [5.000000e-01], [0.000000e+00]{{.*}}> : tensor<1x1x3x1xf32>
// CHECK-DAG:     %[[A:.*]] = nn.index %[[X]][%[[LOW]]] {axes = array<i64: 2>,
// CHECK-DAG:     %[[B:.*]] = nn.index %[[X]][%[[HIGH]]] {axes = array<i64: 2>,
// CHECK:         %[[D:.*]] = nn.sub %[[B]], %[[A]]
// CHECK:         %[[P:.*]] = nn.mul %[[D]], %[[WEIGHTS]]
// CHECK:         %[[Y:.*]] = nn.add %[[A]], %[[P]] {mgb.vars = ["y"]}
// CHECK-NEXT:    return %[[Y]]
func.func @linear(%x: tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32> {
  %size = nn.constant dense<3> : tensor<2xi32> : tensor<2xi32>
  %0 = nn.resize2d %x, %size {coordinates = #nn.coordinates<align_corners>, mgb.vars = ["y"]} : (tensor<1x2x4x3xf32>, tensor<2xi32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}

// One tap, also of integers; floor((i + 0.5)*3/2) in NHWC.
// CHECK-LABEL: func.func @nearest
// CHECK-NOT:     nn.resize2d
// CHECK:         %[[I:.*]] = nn.constant dense<[0, 2]> : tensor<2xi32>
// CHECK:         nn.index %{{.*}}[%[[I]]] {axes = array<i64: 1>,
// CHECK-NOT:     nn.index
// CHECK:         return
func.func @nearest(%x: tensor<1x3x4x2xui8>) -> tensor<1x2x4x2xui8> {
  %size = nn.constant dense<[2, 4]> : tensor<2xi32> : tensor<2xi32>
  %0 = nn.resize2d %x, %size {layout = #nn.layout<NHWC>, mode = #nn.interpolation<nearest>} : (tensor<1x3x4x2xui8>, tensor<2xi32>) -> tensor<1x2x4x2xui8>
  return %0 : tensor<1x2x4x2xui8>
}

// Nothing moves.
// CHECK-LABEL: func.func @same_size
// CHECK:         %[[Y:.*]] = nn.identity %{{.*}} : (tensor<1x2x4x3xf32>)
// CHECK-NEXT:    return %[[Y]]
func.func @same_size(%x: tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32> {
  %size = nn.constant dense<[4, 3]> : tensor<2xi32> : tensor<2xi32>
  %0 = nn.resize2d %x, %size {coordinates = #nn.coordinates<asymmetric>} : (tensor<1x2x4x3xf32>, tensor<2xi32>) -> tensor<1x2x4x3xf32>
  return %0 : tensor<1x2x4x3xf32>
}

// What the format has stays.
// CHECK-LABEL: func.func @native
// CHECK:         nn.resize2d %{{.*}}, %{{.*}} : (
// CHECK:         nn.resize2d %{{.*}}, %{{.*}} {coordinates = #nn.coordinates<asymmetric>, mode = #nn.interpolation<nearest>}
// CHECK:         nn.resize2d %{{.*}}, %{{.*}} {mode = #nn.interpolation<cubic>}
func.func @native(%x: tensor<1x2x4x3xf32>) -> (tensor<1x2x8x6xf32>, tensor<1x2x8x6xf32>, tensor<1x2x8x6xf32>) {
  %size = nn.constant dense<[8, 6]> : tensor<2xi32> : tensor<2xi32>
  %0 = nn.resize2d %x, %size : (tensor<1x2x4x3xf32>, tensor<2xi32>) -> tensor<1x2x8x6xf32>
  %1 = nn.resize2d %x, %size {coordinates = #nn.coordinates<asymmetric>, mode = #nn.interpolation<nearest>} : (tensor<1x2x4x3xf32>, tensor<2xi32>) -> tensor<1x2x8x6xf32>
  %2 = nn.resize2d %x, %size {mode = #nn.interpolation<cubic>} : (tensor<1x2x4x3xf32>, tensor<2xi32>) -> tensor<1x2x8x6xf32>
  return %0, %1, %2 : tensor<1x2x8x6xf32>, tensor<1x2x8x6xf32>, tensor<1x2x8x6xf32>
}

// Neither a size that is not known nor a mean of integers, which would be
// rounded twice.
// CHECK-LABEL: func.func @kept
// CHECK:         nn.resize2d {{.*}} {coordinates = #nn.coordinates<asymmetric>}
// CHECK:         nn.resize2d {{.*}} {coordinates = #nn.coordinates<asymmetric>}
func.func @kept(%x: tensor<1x2x4x3xf32>, %n: tensor<2xi32>, %u: tensor<1x2x4x3xui8>) -> (tensor<1x2x?x?xf32>, tensor<1x2x8x6xui8>) {
  %size = nn.constant dense<[8, 6]> : tensor<2xi32> : tensor<2xi32>
  %0 = nn.resize2d %x, %n {coordinates = #nn.coordinates<asymmetric>} : (tensor<1x2x4x3xf32>, tensor<2xi32>) -> tensor<1x2x?x?xf32>
  %1 = nn.resize2d %u, %size {coordinates = #nn.coordinates<asymmetric>} : (tensor<1x2x4x3xui8>, tensor<2xi32>) -> tensor<1x2x8x6xui8>
  return %0, %1 : tensor<1x2x?x?xf32>, tensor<1x2x8x6xui8>
}
