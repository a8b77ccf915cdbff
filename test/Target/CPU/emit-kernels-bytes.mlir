// RUN: model-opt --emit-kernels --split-input-file %s | FileCheck %s

// Signed bytes: four channels for all lanes, 128 added to each; sums with a long
// epilogue are kept on the stack; the halo holds the code of 0.
// CHECK-LABEL: func.func private @conv2d_0
// CHECK: llvm.alloca
// CHECK: %[[Q:.*]] = llvm.load {{.*}} -> vector<4xi8>
// CHECK: %[[W:.*]] = vector.bitcast %[[Q]] : vector<4xi8> to vector<1xi32>
// CHECK: %[[S:.*]] = vector.extract %[[W]][0] : i32 from vector<1xi32>
// CHECK: %[[V:.*]] = vector.broadcast %[[S]] : i32 to vector<16xi32>
// CHECK: %[[X:.*]] = arith.xori %[[V]], %{{.*}} : vector<16xi32>
// CHECK: %[[B:.*]] = vector.bitcast %[[X]] : vector<16xi32> to vector<64xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[B]], %{{.*}}) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
// CHECK: llvm.store {{.*}} : vector<16xi32>
// CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi8>
// CHECK: llvm.store {{.*}} : vector<16xi8>
func.func @dot(%x: memref<1x1x4x4x16xi8>, %w: memref<1x1x1x1x4x64xi8>, %y: memref<1x1x5x5x16xi8>) {
  "cpu.conv2d"(%x, %w, %y) <{algorithm = #cpu.algorithm<direct>, dilations = array<i64: 1, 1>, extra_halos = [], fill = 7 : i64, halo = array<i64: 1, 1, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, pads = array<i64: 0, 0>, products = #cpu.products<dot_i8>, strides = array<i64: 1, 1>, tile = array<i64: 4, 1>}> ({
  ^bb0(%s: i32):
    %0 = arith.sitofp %s : i32 to f32
    %1 = arith.addf %0, %0 : f32
    %2 = arith.addf %1, %0 : f32
    %3 = arith.addf %2, %0 : f32
    %4 = arith.addf %3, %0 : f32
    %5 = arith.addf %4, %0 : f32
    %6 = arith.addf %5, %0 : f32
    %7 = arith.fptosi %6 : f32 to i32
    %8 = arith.trunci %7 : i32 to i8
    cpu.yield %8 : i8
  }) : (memref<1x1x4x4x16xi8>, memref<1x1x1x1x4x64xi8>, memref<1x1x5x5x16xi8>) -> ()
  return
}

// -----

// Unsigned ones as they are; 8 lanes.
// CHECK-LABEL: func.func private @conv2d_0
// CHECK-NOT: arith.xori
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"
func.func @dot_unsigned(%x: memref<1x1x4x4x8xi8>, %w: memref<1x1x1x1x2x32xi8>, %y: memref<1x1x4x4x8xi32>) {
  "cpu.conv2d"(%x, %w, %y) <{algorithm = #cpu.algorithm<direct>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, pads = array<i64: 0, 0>, products = #cpu.products<dot_i8>, strides = array<i64: 1, 1>, tile = array<i64: 4, 1>, unsigned_input}> ({
  ^bb0(%s: i32):
    cpu.yield %s : i32
  }) : (memref<1x1x4x4x8xi8>, memref<1x1x1x1x2x32xi8>, memref<1x1x4x4x8xi32>) -> ()
  return
}

// -----

// Pairs of 16 bits: two vectors of weights for four channels.
// CHECK-LABEL: func.func private @conv2d_0
// CHECK: %[[Q:.*]] = llvm.load {{.*}} -> vector<4xi8>
// CHECK: %[[E:.*]] = arith.extui %[[Q]] : vector<4xi8> to vector<4xi16>
// CHECK: vector.bitcast %[[E]] : vector<4xi16> to vector<2xi32>
// CHECK: %[[A:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%{{.*}}, %{{.*}}) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
// CHECK: %[[S:.*]] = arith.addi %{{.*}}, %[[A]] : vector<8xi32>
// CHECK: %[[B:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// CHECK: arith.addi %[[S]], %[[B]] : vector<8xi32>
func.func @madd(%x: memref<1x1x4x4x8xi8>, %w: memref<1x1x1x1x2x32xi16>, %y: memref<1x1x4x4x8xi32>) {
  "cpu.conv2d"(%x, %w, %y) <{algorithm = #cpu.algorithm<direct>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, pads = array<i64: 0, 0>, products = #cpu.products<madd_i16>, strides = array<i64: 1, 1>, tile = array<i64: 4, 1>, unsigned_input}> ({
  ^bb0(%s: i32):
    cpu.yield %s : i32
  }) : (memref<1x1x4x4x8xi8>, memref<1x1x1x1x2x32xi16>, memref<1x1x4x4x8xi32>) -> ()
  return
}

// -----

// Where there is neither: one product per lane.
// CHECK-LABEL: func.func private @conv2d_0
// CHECK: %[[L:.*]] = llvm.load {{.*}} -> vector<8xi16>
// CHECK: %[[W:.*]] = arith.extsi %[[L]] : vector<8xi16> to vector<8xi32>
// CHECK: %[[P:.*]] = arith.extsi {{.*}} : i8 to i32
// CHECK: %[[V:.*]] = vector.broadcast %[[P]] : i32 to vector<8xi32>
// CHECK: arith.muli %[[V]], %[[W]] : vector<8xi32>
// A depthwise one, and means of codes.
// CHECK-LABEL: func.func private @depthwise_conv2d_1
// CHECK: arith.extui {{.*}} : vector<8xi8> to vector<8xi32>
// CHECK-NEXT: arith.muli
// CHECK-LABEL: func.func private @pool2d_2
// CHECK: arith.extui {{.*}} : vector<8xi8> to vector<8xi32>
// CHECK: math.absi
// CHECK: arith.divui
// CHECK-LABEL: func.func private @pool2d_3
// CHECK: arith.maxui {{.*}} : vector<8xi8>
func.func @lanes(%x: memref<1x1x4x4x8xi8>, %w: memref<1x1x1x1x8x8xi16>, %d: memref<1x1x1x8xi32>, %y: memref<1x1x4x4x8xi32>, %m: memref<1x1x2x2x8xi8>) {
  "cpu.conv2d"(%x, %w, %y) <{algorithm = #cpu.algorithm<direct>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>, tile = array<i64: 4, 1>}> ({
  ^bb0(%s: i32):
    cpu.yield %s : i32
  }) : (memref<1x1x4x4x8xi8>, memref<1x1x1x1x8x8xi16>, memref<1x1x4x4x8xi32>) -> ()
  "cpu.depthwise_conv2d"(%x, %d, %y) <{dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>, tile = array<i64: 4, 1>, unsigned_input}> ({
  ^bb0(%s: i32):
    cpu.yield %s : i32
  }) : (memref<1x1x4x4x8xi8>, memref<1x1x1x8xi32>, memref<1x1x4x4x8xi32>) -> ()
  cpu.pool2d %x into %m {halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, kernel = array<i64: 2, 2>, kind = #cpu.pool_kind<average>, pads = array<i64: 0, 0>, strides = array<i64: 2, 2>, unsigned_input} : memref<1x1x4x4x8xi8> into memref<1x1x2x2x8xi8>
  cpu.pool2d %x into %m {halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, kernel = array<i64: 2, 2>, kind = #cpu.pool_kind<max>, pads = array<i64: 0, 0>, strides = array<i64: 2, 2>, unsigned_input} : memref<1x1x4x4x8xi8> into memref<1x1x2x2x8xi8>
  return
}

// -----

// Pairs of bf16.
// CHECK-LABEL: func.func private @conv2d_0
// CHECK: llvm.load {{.*}} -> vector<2xbf16>
// CHECK: vector.bitcast {{.*}} : vector<16xi32> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
func.func @bf16(%x: memref<1x1x4x4x16xbf16>, %w: memref<1x1x1x1x8x32xbf16>, %y: memref<1x1x4x4x16xf32>) {
  "cpu.conv2d"(%x, %w, %y) <{algorithm = #cpu.algorithm<direct>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, pads = array<i64: 0, 0>, products = #cpu.products<dot_bf16>, strides = array<i64: 1, 1>, tile = array<i64: 4, 1>}> ({
  ^bb0(%s: f32):
    cpu.yield %s
  }) : (memref<1x1x4x4x16xbf16>, memref<1x1x1x1x8x32xbf16>, memref<1x1x4x4x16xf32>) -> ()
  return
}

// -----

// The last group of a row of five holds one byte that is there.
// CHECK-LABEL: func.func private @matmul_0
// CHECK: llvm.load {{.*}} -> vector<4xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"
// CHECK: %[[B:.*]] = llvm.load {{.*}} -> i8
// CHECK: vector.from_elements %[[B]], %[[ZERO:.*]], %[[ZERO]], %[[ZERO]] : vector<4xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"
func.func @matmul(%x: memref<1x5xi8>, %w: memref<1x2x32xi8>, %y: memref<1x8xi32>) {
  "cpu.matmul"(%x, %w, %y) <{products = #cpu.products<dot_i8>, tile = array<i64: 1, 1>}> ({
  ^bb0(%s: i32):
    cpu.yield %s : i32
  }) : (memref<1x5xi8>, memref<1x2x32xi8>, memref<1x8xi32>) -> ()
  return
}

// -----

// Four pixels of 16 bytes of the next block of channels are one cache line; a
// 1x1 window has no other use for it.
// CHECK-LABEL: func.func private @conv2d_0
// CHECK: "llvm.intr.prefetch"
// CHECK-NOT: "llvm.intr.prefetch"
// CHECK: scf.for
func.func @prefetch(%x: memref<1x3x4x4x16xi8>, %w: memref<1x3x1x1x4x64xi8>, %y: memref<1x1x4x4x16xi32>) {
  "cpu.conv2d"(%x, %w, %y) <{algorithm = #cpu.algorithm<direct>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, pads = array<i64: 0, 0>, products = #cpu.products<dot_i8>, strides = array<i64: 1, 1>, tile = array<i64: 4, 1>}> ({
  ^bb0(%s: i32):
    cpu.yield %s : i32
  }) : (memref<1x3x4x4x16xi8>, memref<1x3x1x1x4x64xi8>, memref<1x1x4x4x16xi32>) -> ()
  return
}
