// Import evaluates shapes that travel as data and narrows what depends on them.
// The types below say nothing; those of the file that comes back say it all.
// RUN: model-translate --mlir-to-mgb %s -o %t.mge
// RUN: model-translate --mgb-to-mlir %t.mge | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<2x3x4x5xf32> {nn.name = "x"}, %y: tensor<1xi32> {nn.name = "y"}) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  %zero = nn.constant dense<0> : tensor<1xi32> : tensor<1xi32>
  %one = nn.constant dense<1> : tensor<1xi32> : tensor<1xi32>
  %two = nn.constant dense<2> : tensor<1xi32> : tensor<1xi32>
  %minus = nn.constant dense<-1> : tensor<1xi32> : tensor<1xi32>
  %seven = nn.constant dense<7> : tensor<1xi32> : tensor<1xi32>
  %shape = nn.shape_of %x : (tensor<2x3x4x5xf32>) -> tensor<4xi32>

  // [n, c*h*w]
  %n = nn.slice %shape[%zero] {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<4xi32>, tensor<1xi32>) -> tensor<1xi32>
  %rest = nn.slice %shape[%one] {axes = array<i64: 0>, has_begin = array<i1: true>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: false>} : (tensor<4xi32>, tensor<1xi32>) -> tensor<?xi32>
  %prod = nn.reduce_prod %rest {axis = 0 : i64} : (tensor<?xi32>) -> tensor<1xi32>
  %flat = nn.concat %n, %prod {axis = 0 : i64} : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = nn.reshape %x, %flat : (tensor<2x3x4x5xf32>, tensor<2xi32>) -> tensor<*xf32>
  // CHECK: nn.reduce_prod {{.*}} : (tensor<3xi32>) -> tensor<1xi32>
  // CHECK: nn.reshape {{.*}} -> tensor<2x60xf32>

  // Backwards: [5, 4, 3, 2], as a matrix and back.
  %back = nn.slice %shape[%minus] {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: true>, has_index = array<i1: false>} : (tensor<4xi32>, tensor<1xi32>) -> tensor<?xi32>
  %square = nn.constant dense<2> : tensor<2xi32> : tensor<2xi32>
  %matrix = nn.reshape %back, %square : (tensor<?xi32>, tensor<2xi32>) -> tensor<*xi32>
  %turned = nn.transpose %matrix {permutation = array<i64: 1, 0>} : (tensor<*xi32>) -> tensor<?x?xi32>
  %four = nn.constant dense<4> : tensor<1xi32> : tensor<1xi32>
  %vector = nn.reshape %turned, %four : (tensor<?x?xi32>, tensor<1xi32>) -> tensor<*xi32>
  %1 = nn.reshape %x, %vector : (tensor<2x3x4x5xf32>, tensor<*xi32>) -> tensor<*xf32>
  // CHECK: nn.reshape {{.*}} -> tensor<5x3x4x2xf32>

  // [n*2+1, 3] - ..., floor(-7/2) = -4, -7 mod 2 = 1.
  %double = nn.mul %shape, %two : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
  %odd = nn.add %double, %one : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
  %neg = nn.neg %seven : (tensor<1xi32>) -> tensor<1xi32>
  %quot = nn.floor_div %neg, %two : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %mod = nn.mod %neg, %two : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %five = nn.sub %mod, %quot : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %least = nn.maximum %odd, %five : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
  %most = nn.minimum %least, %seven : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>
  // [5, 7, 7, 7]
  %scalar = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %2 = nn.broadcast_to %scalar, %most : (tensor<1xf32>, tensor<4xi32>) -> tensor<*xf32>
  // CHECK: nn.broadcast_to {{.*}} -> tensor<5x7x7x7xf32>

  // A dim that is an input is not known, the rank is.
  %some = nn.concat %n, %y {axis = 0 : i64} : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3 = nn.reshape %x, %some {inferred_axis = 1 : i64} : (tensor<2x3x4x5xf32>, tensor<2xi32>) -> tensor<*xf32>
  // CHECK: nn.reshape {{.*}} -> tensor<?x?xf32>

  // 258 as ui8 is 2.
  %big = nn.constant dense<258> : tensor<1xi32> : tensor<1xi32>
  %byte = nn.cast %big {to = ui8} : (tensor<1xi32>) -> tensor<1xui8>
  %small = nn.cast %byte {to = i32} : (tensor<1xui8>) -> tensor<1xi32>
  %sum = nn.reduce_sum %shape {axis = 0 : i64} : (tensor<4xi32>) -> tensor<1xi32>
  %both = nn.concat %small, %sum {axis = 0 : i64} : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %4 = nn.eye %both {element_type = f32} : (tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: nn.eye {{.*}} -> tensor<2x14xf32>
  %5 = nn.linspace %scalar, %scalar, %sum : (tensor<1xf32>, tensor<1xf32>, tensor<1xi32>) -> tensor<?xf32>
  // CHECK: nn.linspace {{.*}} -> tensor<14xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<?x?xf32>, tensor<?xf32>
}
