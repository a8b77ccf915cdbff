// RUN: model-opt --emit-kernels --split-input-file %s | FileCheck %s

// Equal ops share a function, whatever their operands and the names of their
// region's values; another constant, attribute or type makes another. A name
// that the model has is not taken.
// CHECK-LABEL: func.func @eltwise_0(
// CHECK-SAME: %[[A:.*]]: memref<1x1x2x3x16xf32>, %[[B:.*]]: memref<1x1x2x3x16xf32>, %[[C:.*]]: memref<1x1x4x3x16xf32>
// CHECK: %[[I:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK: %[[N:.*]] = arith.index_cast %[[I]]
// CHECK: %[[PA:.*]] = llvm.inttoptr %[[N]]
// CHECK: memref.extract_aligned_pointer_as_index %[[B]]
// CHECK: %[[PB:.*]] = llvm.inttoptr
// CHECK: call @[[F:eltwise_0_0]](%[[PA]], %[[PB]], %[[ZERO:.*]], %[[ZERO]], %[[TWO:.*]])
// CHECK: call @[[F]](
// CHECK: call @[[G:eltwise_1]](
// CHECK: call @[[H:eltwise_2]](
// CHECK: return
// Each of the two rows is a unit; 3 pixels times load, product and store.
// Addresses are those of the loops' bodies and what is known of the rest.
// CHECK: func.func private @[[F]](%[[X:.*]]: !llvm.ptr {llvm.noalias}, %[[Y:.*]]: !llvm.ptr {llvm.noalias}, %{{.*}}: index, %[[BEGIN:.*]]: index, %[[END:.*]]: index) attributes {cpu.units = array<i64: 2, 18>, passthrough = ["noinline", "modelwright-kernel"]}
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// CHECK: %[[XR:.*]] = llvm.getelementptr %[[X]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<192 x i8>
// CHECK: scf.for
// CHECK: %[[XC:.*]] = llvm.getelementptr %[[XR]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<64 x i8>
// CHECK: %[[V:.*]] = llvm.load %[[XC]] {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK: %[[K:.*]] = arith.constant dense<2.0{{.*}}> : vector<16xf32>
// CHECK: %[[M:.*]] = arith.mulf %[[V]], %[[K]] : vector<16xf32>
// CHECK: llvm.store %[[M]], %{{.*}} {alignment = 4 : i64}
// CHECK-NOT: unrealized_conversion_cast
// CHECK: func.func private @[[G]]
// CHECK: arith.constant dense<3.0{{.*}}> : vector<16xf32>
// CHECK: func.func private @[[H]]
// The halo is cleared: rows 0 and 3, of the one image, by whom computes the
// second of two units.
// CHECK-SAME: %[[FROM:[^,:]*]]: index, %[[TO:[^,:]*]]: index) attributes
// CHECK-DAG: %[[Z:.*]] = arith.constant dense<0.0{{.*}}> : vector<16xf32>
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: arith.mulf
// CHECK: %[[FIRST:.*]] = arith.divui %[[FROM]], %[[TWO]]
// CHECK: %[[LAST:.*]] = arith.divui %[[TO]], %[[TWO]]
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[LAST]]
// CHECK: llvm.store %[[Z]]
// CHECK: llvm.store %[[Z]]
// CHECK-NOT: func.func
func.func @eltwise_0(%a: memref<1x1x2x3x16xf32>, %b: memref<1x1x2x3x16xf32>, %c: memref<1x1x4x3x16xf32>) {
  "cpu.eltwise"(%a, %b) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32):
    %k = arith.constant 2.0 : f32
    %r = arith.mulf %p, %k : f32
    cpu.yield %r
  }) : (memref<1x1x2x3x16xf32>, memref<1x1x2x3x16xf32>) -> ()
  "cpu.eltwise"(%b, %a) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%x: f32):
    %two = arith.constant 2.0 : f32
    %y = arith.mulf %x, %two : f32
    cpu.yield %y
  }) : (memref<1x1x2x3x16xf32>, memref<1x1x2x3x16xf32>) -> ()
  "cpu.eltwise"(%a, %b) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32):
    %k = arith.constant 3.0 : f32
    %r = arith.mulf %p, %k : f32
    cpu.yield %r
  }) : (memref<1x1x2x3x16xf32>, memref<1x1x2x3x16xf32>) -> ()
  "cpu.eltwise"(%a, %c) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 1, 0, 1, 0>}> ({
  ^bb0(%p: f32):
    %k = arith.constant 2.0 : f32
    %r = arith.mulf %p, %k : f32
    cpu.yield %r
  }) : (memref<1x1x2x3x16xf32>, memref<1x1x4x3x16xf32>) -> ()
  return
}

// -----

// The same operands in another order within the region are another function.
// CHECK-LABEL: func.func @order
// CHECK: call @eltwise_0
// CHECK: call @eltwise_1
func.func @order(%a: memref<1x1x2x3x16xf32>, %b: memref<1x1x2x3x16xf32>, %c: memref<1x1x2x3x16xf32>) {
  "cpu.eltwise"(%a, %b, %c) <{extra_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32, %q: f32):
    %r = arith.subf %p, %q : f32
    cpu.yield %r
  }) : (memref<1x1x2x3x16xf32>, memref<1x1x2x3x16xf32>, memref<1x1x2x3x16xf32>) -> ()
  "cpu.eltwise"(%a, %b, %c) <{extra_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32, %q: f32):
    %r = arith.subf %q, %p : f32
    cpu.yield %r
  }) : (memref<1x1x2x3x16xf32>, memref<1x1x2x3x16xf32>, memref<1x1x2x3x16xf32>) -> ()
  return
}

// -----

// 17 of 32 channels are there: 16 in one block, one in the other; the other 15
// become 0, and the halo.
// CHECK-LABEL: func.func @pack(
// CHECK: func.func private @pack_0{{.*}}cpu.units = array<i64: 8,
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.0{{.*}}> : vector<1xf32>
// CHECK-COUNT-17: llvm.load %{{.*}} -> vector<1xf32>
// CHECK-COUNT-15: llvm.store %[[ZERO]]
// CHECK: func.func private @unpack_1
// CHECK-COUNT-17: llvm.load %{{.*}} -> vector<1xf32>
// CHECK-NOT: llvm.load
func.func @pack(%x: memref<1x17x4x4xf32>, %y: memref<1x2x5x5x16xf32>) {
  cpu.pack %x into %y {halo = array<i64: 1, 1, 0, 0>} : memref<1x17x4x4xf32> into memref<1x2x5x5x16xf32>
  cpu.unpack %y into %x {halo = array<i64: 1, 1, 0, 0>} : memref<1x2x5x5x16xf32> into memref<1x17x4x4xf32>
  return
}

// -----

// Sums of a tile are carried through the loop over the products: here 5 rows
// times 2 blocks, and a shorter tile of 2. Of the last block 3 columns are
// there.
// CHECK-LABEL: func.func @matmul(
// 2 strips of columns by 2 tiles of rows.
// CHECK: func.func private @matmul_0{{.*}}cpu.units = array<i64: 4,
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-10: vector.fma
// CHECK-NOT: vector.fma
// CHECK: scf.yield
// CHECK-COUNT-10: llvm.store
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store
func.func @matmul(%a: memref<7x4xf32>, %w: memref<3x4x16xf32>, %b: memref<35xf32>, %c: memref<7x35xf32>) {
  "cpu.matmul"(%a, %w, %b, %c) <{tile = array<i64: 5, 2>}> ({
  ^bb0(%p: f32, %q: f32):
    %r = arith.addf %p, %q : f32
    cpu.yield %r
  }) : (memref<7x4xf32>, memref<3x4x16xf32>, memref<35xf32>, memref<7x35xf32>) -> ()
  return
}

// -----

// A buffer may begin elsewhere than its memory does.
// CHECK-LABEL: func.func private @eltwise_0(
// CHECK: llvm.getelementptr %{{.*}}[256] : (!llvm.ptr) -> !llvm.ptr, i8
func.func @offset(%a: memref<1x1x1x1x16xf32, strided<[64, 64, 64, 64, 1], offset: 64>>, %b: memref<1x1x1x1x16xf32>) {
  "cpu.eltwise"(%a, %b) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32):
    %r = arith.addf %p, %p : f32
    cpu.yield %r
  }) : (memref<1x1x1x1x16xf32, strided<[64, 64, 64, 64, 1], offset: 64>>, memref<1x1x1x1x16xf32>) -> ()
  return
}

// -----

// Winograd's algorithm: with several tiles of squares these are the units, each
// computed in the memory of the thread; if all of the image is one tile, its
// steps are functions, one after the other.
// CHECK-LABEL: func.func @winograd(
// CHECK: call @conv2d_0
// CHECK: call @conv2d_1
// CHECK: call @conv2d_2
// CHECK: call @conv2d_3
// CHECK: func.func private @conv2d_0(
// CHECK-SAME: %[[THREAD:[^,:]*]]: index, %{{[^,:]*}}: index, %{{[^,:]*}}: index) attributes {cpu.units = array<i64: 2,
// CHECK: %[[NUMBER:.*]] = arith.index_cast %[[THREAD]]
// CHECK: llvm.getelementptr %{{.*}}[%[[NUMBER]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<23040 x i8>
// CHECK: func.func private @conv2d_1{{.*}}cpu.units = array<i64: 4,
// CHECK: func.func private @conv2d_2{{.*}}cpu.units = array<i64: 36,
// CHECK: func.func private @conv2d_3{{.*}}cpu.units = array<i64: 4,
func.func @winograd(%x: memref<2x1x10x10x16xf32>, %w: memref<36x1x1x16x16xf32>, %s: memref<1080x16xf32>, %y: memref<2x1x8x8x16xf32>,
                    %x1: memref<1x1x10x10x16xf32>, %s1: memref<360x16xf32>, %y1: memref<1x1x8x8x16xf32>) {
  "cpu.conv2d"(%x, %w, %s, %y) <{algorithm = #cpu.algorithm<winograd4>, dilations = array<i64: 1, 1>, extra_halos = [],
      halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 1, 1, 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>,
      pads = array<i64: 1, 1>, strides = array<i64: 1, 1>, tile = array<i64: 4, 1>}> ({
  ^bb0(%sum: f32):
    cpu.yield %sum
  }) : (memref<2x1x10x10x16xf32>, memref<36x1x1x16x16xf32>, memref<1080x16xf32>, memref<2x1x8x8x16xf32>) -> ()
  "cpu.conv2d"(%x1, %w, %s1, %y1) <{algorithm = #cpu.algorithm<winograd4>, dilations = array<i64: 1, 1>, extra_halos = [],
      halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 1, 1, 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>,
      pads = array<i64: 1, 1>, strides = array<i64: 1, 1>, tile = array<i64: 4, 1>}> ({
  ^bb0(%sum: f32):
    cpu.yield %sum
  }) : (memref<1x1x10x10x16xf32>, memref<36x1x1x16x16xf32>, memref<360x16xf32>, memref<1x1x8x8x16xf32>) -> ()
  return
}

// -----

// Sixteen pixels of a block at a time, by four rounds of interleaving. Rows of
// 14 follow each other without a halo: 196 pixels, the last 16 from 180 on.
// CHECK-LABEL: func.func @transpose(
// CHECK: func.func private @pack_0{{.*}}cpu.units = array<i64: 1,
// CHECK: scf.for
// CHECK-COUNT-16: llvm.load %{{.*}} -> vector<16xf32>
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-16: llvm.store %{{.*}} : vector<16xf32>
// CHECK-COUNT-16: llvm.load %{{.*}} -> vector<16xf32>
// Channels of an image, at once.
// CHECK: func.func private @pack_1{{.*}}cpu.units = array<i64: 2,
// CHECK-COUNT-3: llvm.load %{{.*}} -> vector<16xf32>
// CHECK-COUNT-2: vector.shuffle
// CHECK: llvm.store %{{.*}} : vector<48xf32>
// CHECK-NOT: llvm.store
func.func @transpose(%x: memref<1x16x14x14xf32>, %y: memref<1x1x14x14x16xf32>, %i: memref<1x3x2x16xf32>, %j: memref<1x1x2x16x3xf32>) {
  cpu.pack %x into %y {halo = array<i64: 0, 0, 0, 0>} : memref<1x16x14x14xf32> into memref<1x1x14x14x16xf32>
  cpu.pack %i into %j {halo = array<i64: 0, 0, 0, 0>} : memref<1x3x2x16xf32> into memref<1x1x2x16x3xf32>
  return
}

// -----

// Strassen's algorithm: the sums of the input, a unit for each row of a block of
// a quarter; then rows of a quarter of the result.
// CHECK-LABEL: func.func @strassen(
// CHECK: call @conv2d_0
// CHECK: call @conv2d_1
// CHECK: func.func private @conv2d_0({{.*}}cpu.units = array<i64: 4,
// CHECK: arith.addf
// CHECK-COUNT-3: arith.subf
// CHECK-COUNT-4: llvm.store
// CHECK: func.func private @conv2d_1({{.*}}cpu.units = array<i64: 2,
// CHECK-COUNT-28: vector.fma
// CHECK-NOT: vector.fma
func.func @strassen(%x: memref<1x4x4x4x16xf32>, %w: memref<7x1x2x16x16xf32>, %s: memref<64x16xf32>, %y: memref<1x2x4x4x16xf32>) {
  "cpu.conv2d"(%x, %w, %s, %y) <{algorithm = #cpu.algorithm<strassen>, dilations = array<i64: 1, 1>, extra_halos = [],
      halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>,
      pads = array<i64: 0, 0>, strides = array<i64: 1, 1>, tile = array<i64: 4, 1>}> ({
  ^bb0(%sum: f32):
    cpu.yield %sum
  }) : (memref<1x4x4x4x16xf32>, memref<7x1x2x16x16xf32>, memref<64x16xf32>, memref<1x2x4x4x16xf32>) -> ()
  return
}

// -----

// Rows of a large image come in bands, here 8 of 2 rows, of all blocks: unit u
// is row u % 2 of block u / 2 % 3 in band u / 6.
// CHECK-LABEL: func.func private @eltwise_0(
// CHECK-SAME: cpu.units = array<i64: 48, 768>
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : index
// CHECK: scf.for %[[UNIT:.*]] = %
// CHECK: arith.remui %[[UNIT]], %[[TWO]]
// CHECK: %[[REST:.*]] = arith.divui %[[UNIT]], %[[TWO]]
// CHECK: arith.remui %[[REST]], %[[THREE]]
// CHECK: arith.divui %[[REST]], %[[THREE]]
func.func @bands(%a: memref<1x3x16x8x16xf32>, %b: memref<1x3x16x8x16xf32>) {
  "cpu.eltwise"(%a, %b) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32):
    cpu.yield %p
  }) : (memref<1x3x16x8x16xf32>, memref<1x3x16x8x16xf32>) -> ()
  return
}

// -----

// MLIR's op holds 29 bits of a distance.
// CHECK-LABEL: func.func private @eltwise_0(
// CHECK: %[[FAR:.*]] = arith.constant 1073741824 : i64
// CHECK: llvm.getelementptr %{{.*}}[%[[FAR]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
func.func @far(%a: memref<1x1x1x1x16xf32, strided<[64, 64, 64, 64, 1], offset: 268435456>>, %b: memref<1x1x1x1x16xf32>) {
  "cpu.eltwise"(%a, %b) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32):
    %r = arith.addf %p, %p : f32
    cpu.yield %r
  }) : (memref<1x1x1x1x16xf32, strided<[64, 64, 64, 64, 1], offset: 268435456>>, memref<1x1x1x1x16xf32>) -> ()
  return
}
