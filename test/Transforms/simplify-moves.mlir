// RUN: model-opt %s --simplify-moves | FileCheck %s
// RUN: model-opt %s --simplify-moves -o %t.once
// RUN: model-opt %t.once --simplify-moves -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: model-opt %s --simplify-moves --remarks=all -o %t.remarks 2>&1 | FileCheck %s --check-prefix=REMARK

// Nothing is left of pairs that undo each other, across each other's kind too.
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT:    nn.relu %{{.*}} : (tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16>
// CHECK-NEXT:    return
// REMARK-DAG: [simplify-moves] [Passed] simplify {{.*}}4 ops became 0
func.func @nothing(%x: tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %0 = nn.cast %x {to = f32} : (tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf32>
  %1 = nn.transpose %0 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x4x4x2xf32>
  %2 = nn.cast %1 {to = f16} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf16>
  %3 = nn.transpose %2 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x4x2xf16>) -> tensor<1x2x4x4xf16>
  %4 = nn.relu %3 : (tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf16>
  return %4 : tensor<1x2x4x4xf16>
}

// One op is left where one is enough.
// CHECK-LABEL: func.func @joined
// CHECK-NEXT:    %[[T:.*]] = nn.transpose %{{.*}} {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xi8>) -> tensor<4x2x3xi8>
// CHECK-NEXT:    nn.cast %[[T]] {mgb.name = "out", to = f32} : (tensor<4x2x3xi8>) -> tensor<4x2x3xf32>
// CHECK-NEXT:    return
func.func @joined(%x: tensor<2x3x4xi8>) -> tensor<4x2x3xf32> {
  %0 = nn.transpose %x {permutation = array<i64: 1, 2, 0>} : (tensor<2x3x4xi8>) -> tensor<3x4x2xi8>
  %1 = nn.cast %0 {to = i32} : (tensor<3x4x2xi8>) -> tensor<3x4x2xi32>
  %2 = nn.transpose %1 {permutation = array<i64: 1, 2, 0>} : (tensor<3x4x2xi32>) -> tensor<4x2x3xi32>
  %3 = nn.identity %2 : (tensor<4x2x3xi32>) -> tensor<4x2x3xi32>
  %4 = nn.cast %3 {to = f32, mgb.name = "out"} : (tensor<4x2x3xi32>) -> tensor<4x2x3xf32>
  return %4 : tensor<4x2x3xf32>
}

// The last of several reshapes tells the shape; the others' shapes go too.
// CHECK-LABEL: func.func @reshapes
// CHECK-NEXT:    %[[S:.*]] = nn.constant dense<[6, 4]>
// CHECK-NEXT:    %[[R:.*]] = nn.reshape %{{.*}}, %[[S]]
// CHECK-NEXT:    nn.exp %[[R]]
// CHECK-NEXT:    nn.relu %{{.*}} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:    return
func.func @reshapes(%x: tensor<2x3x4xf32>) -> (tensor<6x4xf32>, tensor<2x3x4xf32>) {
  %s = nn.constant dense<[24]> : tensor<1xi32> : tensor<1xi32>
  %t = nn.constant dense<[6, 4]> : tensor<2xi32> : tensor<2xi32>
  %0 = nn.reshape %x, %s : (tensor<2x3x4xf32>, tensor<1xi32>) -> tensor<24xf32>
  %1 = nn.reshape %0, %t : (tensor<24xf32>, tensor<2xi32>) -> tensor<6x4xf32>
  %2 = nn.exp %1 : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %3 = nn.expand_squeeze %x {axes = array<i64: 1>, squeeze = array<i1: false>} : (tensor<2x3x4xf32>) -> tensor<2x1x3x4xf32>
  %4 = nn.expand_squeeze %3 {axes = array<i64: 1>, squeeze = array<i1: true>} : (tensor<2x1x3x4xf32>) -> tensor<2x3x4xf32>
  %5 = nn.relu %4 : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %2, %5 : tensor<6x4xf32>, tensor<2x3x4xf32>
}

// To blocks of channels and back: what padding there is goes with the second.
// CHECK-LABEL: func.func @relayouts
// CHECK-NEXT:    nn.relu %{{.*}} : (tensor<1x3x2x2xf32>) -> tensor<1x3x2x2xf32>
// CHECK-NEXT:    return
func.func @relayouts(%x: tensor<1x3x2x2xf32>) -> tensor<1x3x2x2xf32> {
  %0 = nn.relayout %x {mode = #nn.relayout_mode<NCHW_NCHW4>} : (tensor<1x3x2x2xf32>) -> tensor<1x1x2x2x4xf32>
  %1 = nn.relayout %0 {mode = #nn.relayout_mode<NCHW4_NCHW>, out_channels = 3 : i64} : (tensor<1x1x2x2x4xf32>) -> tensor<1x3x2x2xf32>
  %2 = nn.relu %1 : (tensor<1x3x2x2xf32>) -> tensor<1x3x2x2xf32>
  return %2 : tensor<1x3x2x2xf32>
}

// A reader of the middle keeps what it reads; the pair goes for the others.
// CHECK-LABEL: func.func @shared
// CHECK-NEXT:    %[[T:.*]] = nn.transpose %[[X:.*]] {{{.*}}} : (tensor<2x3xf32>)
// CHECK-NEXT:    nn.exp %[[T]]
// CHECK-NEXT:    nn.relu %[[X]]
func.func @shared(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x3xf32>) {
  %0 = nn.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = nn.transpose %0 {permutation = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %2 = nn.exp %0 : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %3 = nn.relu %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2, %3 : tensor<3x2xf32>, tensor<2x3xf32>
}

// What leaves the graph keeps its name.
// CHECK-LABEL: func.func @output
// CHECK-NEXT:    %[[E:.*]] = nn.exp %{{.*}} {mgb.name = "out"}
// CHECK-NEXT:    return %[[E]]
func.func @output(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = nn.exp %x {mgb.name = "inner"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = nn.copy %0 {mgb.name = "out"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// Must not fire: a cast that rounds, one that cuts, signs and fractions lost.
// CHECK-LABEL: func.func @narrow
// CHECK-COUNT-8: nn.cast
// CHECK-NOT:     nn.cast
// CHECK:         return
// REMARK-DAG: [simplify-moves] [Missed] narrowing {{.*}}the cast loses values that the one back cannot restore
func.func @narrow(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xf32>) {
  %0 = nn.cast %x {to = f16} : (tensor<4xf32>) -> tensor<4xf16>
  %1 = nn.cast %0 {to = f32} : (tensor<4xf16>) -> tensor<4xf32>
  %2 = nn.cast %i {to = i8} : (tensor<4xi32>) -> tensor<4xi8>
  %3 = nn.cast %2 {to = i32} : (tensor<4xi8>) -> tensor<4xi32>
  %4 = nn.cast %i {to = f32} : (tensor<4xi32>) -> tensor<4xf32>
  %5 = nn.cast %4 {to = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %6 = nn.cast %x {to = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %7 = nn.cast %6 {to = f32} : (tensor<4xi32>) -> tensor<4xf32>
  return %1, %3, %5, %7 : tensor<4xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xf32>
}

// Must not fire: a copy to another device; an input under another name; two
// names for one value; a relayout that drops lanes; a permutation that differs.
// CHECK-LABEL: func.func @stay
// CHECK-NEXT:    nn.copy
// CHECK-NEXT:    nn.exp
// CHECK-NEXT:    nn.identity
// CHECK-NEXT:    nn.identity
// CHECK-NEXT:    = nn.relayout
// CHECK-NEXT:    = nn.relayout
// CHECK-NEXT:    return
// REMARK-DAG: [simplify-moves] [Missed] output-name {{.*}}an input would leave the graph under another name
// REMARK-DAG: [simplify-moves] [Missed] output-name {{.*}}a value would leave the graph under two names
func.func @stay(%x: tensor<2x3xf32>, %y: tensor<1x1x2x2x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<1x1x2x2x4xf32>) {
  %0 = nn.copy %x {mgb.comp_node = ["cpu1"]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = nn.exp %x {mgb.name = "first"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = nn.identity %1 {mgb.name = "second"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = nn.identity %x {mgb.name = "third"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = nn.relayout %y {mode = #nn.relayout_mode<NCHW4_NCHW>, out_channels = 3 : i64} : (tensor<1x1x2x2x4xf32>) -> tensor<1x3x2x2xf32>
  %5 = nn.relayout %4 {mode = #nn.relayout_mode<NCHW_NCHW4>} : (tensor<1x3x2x2xf32>) -> tensor<1x1x2x2x4xf32>
  return %0, %1, %2, %3, %5 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<1x1x2x2x4xf32>
}

// Must not fire: parts of a GE op, which one op of the file stands for.
// CHECK-LABEL: func.func @parts
// CHECK-NEXT:    nn.transpose
// CHECK-NEXT:    nn.transpose
// CHECK-NEXT:    nn.transpose
// CHECK-NEXT:    return
func.func @parts(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = nn.transpose %x {ge.implicit, permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = nn.transpose %0 {ge.op = {type = "Composite"}, permutation = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %2 = nn.transpose %1 {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}
