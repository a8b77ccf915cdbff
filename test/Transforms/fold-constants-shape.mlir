// RUN: model-opt %s --fold-constants | FileCheck %s
// RUN: model-opt %s --fold-constants=max-growth-bytes=16 | FileCheck %s --check-prefix=LIMIT
// RUN: model-opt %s --fold-constants -o %t.once
// RUN: model-opt %t.once --fold-constants -o %t.twice
// RUN: diff %t.once %t.twice

// The permutation itself, not its inverse: result axis i is axis p[i].
// CHECK-LABEL: func.func @transpose
// CHECK-NEXT:    %[[C:.*]] = nn.constant dense<{{\[}}{{\[}}{{\[}}0, 4], [1, 5]], {{\[}}[2, 6], [3, 7]]]> : tensor<2x2x2xi8>
// CHECK-NEXT:    %[[D:.*]] = nn.constant dense<{{\[}}{{\[}}{{\[}}0], [2]], {{\[}}[1], [3]]]> : tensor<2x2x1xi8>
// CHECK-NEXT:    return %[[C]], %[[D]]
func.func @transpose() -> (tensor<2x2x2xi8>, tensor<2x2x1xi8>) {
  %a = nn.constant dense<[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]> : tensor<2x2x2xi8> : tensor<2x2x2xi8>
  %b = nn.constant dense<[[[0, 1], [2, 3]]]> : tensor<1x2x2xi8> : tensor<1x2x2xi8>
  %0 = nn.transpose %a {permutation = array<i64: 1, 2, 0>} : (tensor<2x2x2xi8>) -> tensor<2x2x2xi8>
  %1 = nn.transpose %b {permutation = array<i64: 2, 1, -1>} : (tensor<1x2x2xi8>) -> tensor<2x2x1xi8>
  return %0, %1 : tensor<2x2x2xi8>, tensor<2x2x1xi8>
}

// CHECK-LABEL: func.func @views
// CHECK-NEXT:    %[[A:.*]] = nn.constant dense<{{\[}}[1, 2], [3, 4]]> : tensor<2x2xi32>
// CHECK-NEXT:    %[[B:.*]] = nn.constant dense<{{\[}}{{\[}}{{\[}}[1, 2]], {{\[}}[3, 4]]]]> : tensor<1x2x1x2xi32>
// CHECK-NEXT:    return %[[A]], %[[B]]
func.func @views() -> (tensor<2x2xi32>, tensor<1x2x1x2xi32>) {
  %a = nn.constant dense<[1, 2, 3, 4]> : tensor<4xi32> : tensor<4xi32>
  %s = nn.constant dense<2> : tensor<2xi32> : tensor<2xi32>
  %0 = nn.reshape %a, %s : (tensor<4xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  %1 = nn.expand_squeeze %0 {axes = array<i64: 1, 0>, squeeze = array<i1: false, false>} : (tensor<2x2xi32>) -> tensor<1x2x1x2xi32>
  return %0, %1 : tensor<2x2xi32>, tensor<1x2x1x2xi32>
}

// CHECK-LABEL: func.func @concat
// CHECK-NEXT:    %[[A:.*]] = nn.constant dense<{{\[}}[1, 2, 7], [3, 4, 7]]> : tensor<2x3xi32>
// CHECK-NEXT:    %[[B:.*]] = nn.constant dense<7> : tensor<4x1xi32>
// CHECK-NEXT:    return %[[A]], %[[B]]
func.func @concat() -> (tensor<2x3xi32>, tensor<4x1xi32>) {
  %a = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32> : tensor<2x2xi32>
  %b = nn.constant dense<7> : tensor<2x1xi32> : tensor<2x1xi32>
  %0 = nn.concat %a, %b {axis = -1 : i64} : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  %1 = nn.concat %b, %b {axis = 0 : i64} : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<4x1xi32>
  return %0, %1 : tensor<2x3xi32>, tensor<4x1xi32>
}

// CHECK-LABEL: func.func @shape_of
// CHECK-NEXT:    %[[A:.*]] = nn.constant dense<[2, 3]> : tensor<2xi32>
// CHECK-NEXT:    %[[B:.*]] = nn.constant dense<3> : tensor<1xi32>
// CHECK-NEXT:    return %[[A]], %[[B]]
func.func @shape_of() -> (tensor<2xi32>, tensor<1xi32>) {
  %a = nn.constant dense<1.0> : tensor<2x1xf32> : tensor<2x1xf32>
  %b = nn.constant dense<1.0> : tensor<3xf32> : tensor<3xf32>
  %0 = nn.shape_of %a, %b : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2xi32>
  %1 = nn.shape_of %a, %b {axis = -1 : i64} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<1xi32>
  return %0, %1 : tensor<2xi32>, tensor<1xi32>
}

// Above the limit nothing is broadcast: 64 bytes from 8 and the shape's 8.
// CHECK-LABEL: func.func @broadcast
// CHECK-NEXT:    %[[A:.*]] = nn.constant dense<{{.*}}> : tensor<8x2xi32>
// CHECK-NEXT:    return %[[A]]
// LIMIT-LABEL: func.func @broadcast
// LIMIT:         nn.broadcast_to
func.func @broadcast() -> tensor<8x2xi32> {
  %a = nn.constant dense<[1, 2]> : tensor<2xi32> : tensor<2xi32>
  %s = nn.constant dense<[8, 2]> : tensor<2xi32> : tensor<2xi32>
  %0 = nn.broadcast_to %a, %s : (tensor<2xi32>, tensor<2xi32>) -> tensor<8x2xi32>
  return %0 : tensor<8x2xi32>
}

// A transposed weight with other users would be stored twice.
// LIMIT-LABEL: func.func @shared_weight
// LIMIT:         nn.transpose
func.func @shared_weight(%x: tensor<1x8xf32>) -> (tensor<1x8xf32>, tensor<1x8xf32>) {
  %w = nn.constant dense<2.0> : tensor<8x8xf32> : tensor<8x8xf32>
  %0 = nn.transpose %w {permutation = array<i64: 1, 0>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = nn.matmul %x, %0 : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<1x8xf32>
  %2 = nn.matmul %x, %w : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<1x8xf32>
  return %1, %2 : tensor<1x8xf32>, tensor<1x8xf32>
}
