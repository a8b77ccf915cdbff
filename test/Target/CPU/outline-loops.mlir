// RUN: model-opt --outline-loops --split-input-file %s | FileCheck %s

// Equal ops share a function, whatever their operands and locations; another
// constant makes another. A number from outside comes as an argument, a constant
// goes in.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>, %[[X:.*]]: f32
// CHECK: call @[[F:.*]](%[[A]], %[[B]]) :
// CHECK: call @[[F]](%[[B]], %[[A]]) :
// CHECK: call @[[G:.*]](%[[A]], %[[B]]) :
// CHECK: call @[[H:.*]](%[[A]], %[[B]], %[[X]]) :
// CHECK: call @[[FILL:.*]](%[[X]], %[[A]]) :
// CHECK: return
// CHECK: func.func private @[[F]](%[[P:.*]]: memref<4xf32> {llvm.noalias}, %[[Q:.*]]: memref<4xf32> {llvm.noalias}) attributes {llvm.bareptr, passthrough = ["noinline"]}
// CHECK: %[[K:.*]] = arith.constant 2.0
// CHECK: linalg.generic {{.*}} ins(%[[P]] : memref<4xf32>) outs(%[[Q]] : memref<4xf32>)
// CHECK: arith.mulf %{{.*}}, %[[K]]
// CHECK: func.func private @[[G]](
// CHECK: arith.constant 3.0
// CHECK: func.func private @[[H]](
// CHECK: func.func private @[[FILL]](
// CHECK-NOT: func.func
#id = affine_map<(d0) -> (d0)>
func.func @main(%a: memref<4xf32>, %b: memref<4xf32>, %x: f32) {
  %k = arith.constant 2.0 : f32
  %l = arith.constant 3.0 : f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.mulf %i, %k : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<4xf32>) outs(%a : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.mulf %in, %k : f32
    linalg.yield %m : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.mulf %i, %l : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.mulf %i, %x : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  return
}

// -----

// Views of one buffer may overlap; the same buffer twice is one argument.
// CHECK-LABEL: func.func @views(
// CHECK: call @[[F:.*]](%{{.*}}, %{{.*}}, %[[C:.*]]) :
// CHECK: call @[[G:.*]](%[[C]]) :
// CHECK: func.func private @[[F]](%{{[a-z0-9]*}}: memref<4xf32, strided<[1]>>, %{{[a-z0-9]*}}: memref<4xf32, strided<[1], offset: 2>>, %{{[a-z0-9]*}}: memref<4xf32> {llvm.noalias})
// CHECK: func.func private @[[G]](%{{[a-z0-9]*}}: memref<4xf32> {llvm.noalias})
#id = affine_map<(d0) -> (d0)>
func.func @views(%a: memref<8xf32>, %c: memref<4xf32>) {
  %v = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %w = memref.subview %a[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%v, %w : memref<4xf32, strided<[1]>>, memref<4xf32, strided<[1], offset: 2>>) outs(%c : memref<4xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %r = arith.mulf %i, %j : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%c : memref<4xf32>) outs(%c : memref<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.mulf %i, %i : f32
    linalg.yield %r : f32
  }
  return
}

// -----

// Must not fire: sizes that the run knows, a check within, no elements.
// CHECK-LABEL: func.func @stay(
// CHECK-NOT: call
#id = affine_map<(d0) -> (d0)>
func.func @stay(%a: memref<?xf32>, %b: memref<4xindex>, %c: memref<0xf32>, %x: f32) {
  %n = arith.constant 4 : index
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%b : memref<4xindex>) {
  ^bb0(%i: index):
    %ok = arith.cmpi ult, %i, %n : index
    cf.assert %ok, "an index is out of range"
    linalg.yield %i : index
  }
  linalg.fill ins(%x : f32) outs(%c : memref<0xf32>)
  return
}
