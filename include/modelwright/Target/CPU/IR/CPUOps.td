//===- CPUOps.td - Kernels over blocked tensors ------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A blocked tensor holds activations as [N][C/b][H][W][b]: b channels lie side
// by side, one vector, and C is rounded up to whole blocks (what the surplus
// channels hold is 0 times a weight for every reader, and never left
// uninitialized). b is the same for all element types, so that an elementwise
// function may read one and give another; quads of bytes lie together in any.
// It may have a halo: rows and columns around the image that hold 0, or the code
// of 0, so that a convolution reads its padding from memory. The halo is part of
// the tensor's shape; how wide it is, an attribute of the ops tells, as
// [top, left, bottom, right]; another, `fill`, what it holds (0 if it is not
// there).
//
// Elements are floats or signless integers. Integers that hold quantized codes
// are signed unless an attribute says otherwise.
//
// All ops write into a destination and work on tensors and on buffers alike.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TARGET_CPU_IR_CPUOPS_TD
#define MODELWRIGHT_TARGET_CPU_IR_CPUOPS_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CPU_Dialect : Dialect {
  let name = "cpu";
  let cppNamespace = "::modelwright::cpu";
  let summary = "kernels of the CPU target, between linalg and vectors";
  let description = [{
    What the schedule makes of the ops that it has kernels for. Each op becomes
    a loop nest over vectors in `emit-kernels`, by the algorithm and the
    register tile that `choose-kernels` wrote on it.
  }];
  let useDefaultAttributePrinterParser = 1;
}

def CPU_Shaped : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>;

class CPU_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::modelwright::cpu";
  let genSpecializedAttr = 0;
}

def CPU_PoolKind : CPU_Enum<"PoolKind", "what a pooling window gives", [
  I32EnumAttrCase<"max", 0>, I32EnumAttrCase<"average", 1>,
  I32EnumAttrCase<"average_inside", 2>
]>;
def CPU_PoolKindAttr : EnumAttr<CPU_Dialect, CPU_PoolKind, "pool_kind"> {
  let assemblyFormat = "`<` $value `>`";
}

def CPU_Algorithm : CPU_Enum<"Algorithm", "how a kernel computes", [
  I32EnumAttrCase<"direct", 0>, I32EnumAttrCase<"winograd4", 1>,
  I32EnumAttrCase<"strassen", 2>
]>;
def CPU_AlgorithmAttr : EnumAttr<CPU_Dialect, CPU_Algorithm, "algorithm"> {
  let assemblyFormat = "`<` $value `>`";
}

def CPU_Products : CPU_Enum<"Products", "how a kernel multiplies and adds", [
  I32EnumAttrCase<"lanes", 0>, I32EnumAttrCase<"madd_i16", 1>,
  I32EnumAttrCase<"dot_i8", 2>, I32EnumAttrCase<"dot_bf16", 3>
]>;
def CPU_ProductsAttr : EnumAttr<CPU_Dialect, CPU_Products, "products"> {
  let assemblyFormat = "`<` $value `>`";
}

/// An op with one destination; on tensors it has one result, on buffers none.
class CPU_Op<string mnemonic, list<Trait> traits = []>
    : Op<CPU_Dialect, mnemonic,
         [DestinationStyleOpInterface,
          DeclareOpInterfaceMethods<MemoryEffectsOpInterface>] # traits> {
  code cpuClassDeclaration = "";
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitMutable();
    }
  }] # cpuClassDeclaration;
  let extraClassDefinition = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<
            ::mlir::MemoryEffects::Effect>> &effects) {
      getKernelEffects(*this, effects);
    }
  }];
}

/// An op whose region computes what is stored from what was accumulated: each
/// of `extras` is of the result's form (its own halo apart) or has one number
/// per channel, as [C/b][b]. The region works on scalars, sums of f32 or i32 and
/// elements as they are stored, and is emitted on vectors of b channels.
class CPU_EpilogueOp<string mnemonic, list<Trait> traits = []>
    : CPU_Op<mnemonic, [IsolatedFromAbove, SingleBlock] # traits> {
  let regions = (region SizedRegion<1>:$epilogue);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let hasVerifier = 1;
}

def CPU_PackOp : CPU_Op<"pack"> {
  let summary = "from NCHW to a blocked tensor";
  let description = [{
    Fills `init`, surplus channels with 0, the halo with `fill`. The block is the last dim
    of `init`.
  }];
  let arguments = (ins CPU_Shaped:$source, CPU_Shaped:$init,
                       DenseI64ArrayAttr:$halo,
                       OptionalAttr<I64Attr>:$fill);
  let hasVerifier = 1;
  let results = (outs Optional<AnyRankedTensor>:$result);
  let hasCanonicalizer = 1;
  let assemblyFormat = [{
    $source `into` $init attr-dict `:` type($source) `into` type($init)
    (`->` type($result)^)?
  }];
}

def CPU_UnpackOp : CPU_Op<"unpack"> {
  let summary = "from a blocked tensor to NCHW";
  let description = "Drops the surplus channels and the halo of `source`.";
  let arguments = (ins CPU_Shaped:$source, CPU_Shaped:$init,
                       DenseI64ArrayAttr:$halo);
  let hasVerifier = 1;
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $source `into` $init attr-dict `:` type($source) `into` type($init)
    (`->` type($result)^)?
  }];
}

def CPU_Conv2DOp : CPU_EpilogueOp<"conv2d", [AttrSizedOperandSegments]> {
  let summary = "2-D convolution of blocked tensors";
  let description = [{
    `weights` are [OC/b][IC/c][KH][KW][c][b] with c the input's block, b the
    result's. The window of output (y, x) begins at input row
    `y*strides[0] - pads[0]`, column `x*strides[1] - pads[1]`; the input's halo
    must hold what windows reach outside of the image.

    If the input has more blocks than the weights' second dim, a multiple, the
    convolution is grouped: as many sections of blocks of the result read one
    section of the input each (`direct` only).

    The epilogue's first argument is the sum, the others are `extras`.

    `algorithm` and `tile` say how it is computed; see choose-kernels. `direct`:
    tile = [pixels, blocks of output channels]. `winograd4`, for windows of 3x3
    in steps of 1, computes 4x4 outputs from 6x6 inputs (Lavin and Gray, "Fast
    Algorithms for Convolutional Neural Networks", F(4x4, 3x3)): `weights` are
    [36][OC/b][IC/c][c][b], transformed; tile = [such squares, blocks].
    `strassen`, for windows of 1x1 in steps of 1 without pads, cuts pixels and
    channels in halves and computes seven products in place of eight; the result
    has an even number of blocks, as has the input, and of rows or columns.
    `weights` are [7][OC/b/2][IC/c/2][c][b]: B11, T2, T3, -T4, T1, B22, B21 (see
    StrassenKernel.cpp); tile as for `direct`. Both work in `scratch`, which
    allocate-scratch adds.

    `last_channels` is how many channels of the last block of inputs are no
    surplus, whose products need not be added; all if it is not there.

    Sums of integers are i32, `products` says how they are formed (`lanes` if it
    is not there). Sums are of
    codes as they are: what zero points add to them is the same for all outputs
    of a channel, since the halo holds `padding`, and is left to the epilogue.
    `lanes`: one product per lane, weights as above, of i16. `madd_i16`: two
    products of 16 bits per lane, weights are [OC/b][IC/c][KH][KW][c/4][4*b] of
    i16, each 4 channels as 2 vectors of b pairs. `dot_i8`: four
    products of bytes per lane, weights of i8 as [..][c/4][4*b], b quads. The
    input's codes are unsigned there: signed ones get 128 added, which is the
    epilogue's to take off, too. Both take inputs of bytes, signed unless
    `unsigned_input` is there.

    16-bit floats are multiplied as f32, weights are of f32. `dot_bf16`: two
    products of bf16 per lane, weights of bf16 as [..][c/2][2*b], b pairs.
  }];
  let arguments = (ins CPU_Shaped:$input, CPU_Shaped:$weights,
    Variadic<CPU_Shaped>:$extras, Optional<AnyStridedMemRef>:$scratch,
    CPU_Shaped:$init,
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
    DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$input_halo,
    DenseI64ArrayAttr:$halo, ArrayAttr:$extra_halos,
    DefaultValuedAttr<CPU_AlgorithmAttr, "Algorithm::direct">:$algorithm,
    OptionalAttr<DenseI64ArrayAttr>:$tile,
    OptionalAttr<CPU_ProductsAttr>:$products,
    UnitAttr:$unsigned_input,
    OptionalAttr<I64Attr>:$padding,
    OptionalAttr<I64Attr>:$fill,
    OptionalAttr<I64Attr>:$last_channels);
  code cpuClassDeclaration = [{
    /// Height and width of the windows.
    ::llvm::SmallVector<int64_t, 2> getKernelSize();
    /// Squares of 4x4 outputs that cover the result: rows and columns of them.
    ::llvm::SmallVector<int64_t, 2> getWinogradSquares();
  }];
}

def CPU_DepthwiseConv2DOp : CPU_EpilogueOp<"depthwise_conv2d"> {
  let summary = "2-D depthwise convolution of blocked tensors";
  let description = [{
    `weights` are [C/b][KH][KW][b], of the type of the sums; all else is as in
    `cpu.conv2d`. `tile` = [pixels, rows].
  }];
  let arguments = (ins CPU_Shaped:$input, CPU_Shaped:$weights,
    Variadic<CPU_Shaped>:$extras, CPU_Shaped:$init,
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
    DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$input_halo,
    DenseI64ArrayAttr:$halo, ArrayAttr:$extra_halos,
    OptionalAttr<DenseI64ArrayAttr>:$tile,
    UnitAttr:$unsigned_input,
    OptionalAttr<I64Attr>:$padding,
    OptionalAttr<I64Attr>:$fill);
}

def CPU_Pool2DOp : CPU_Op<"pool2d"> {
  let summary = "2-D pooling of a blocked tensor";
  let description = [{
    Windows as in `cpu.conv2d`. `max` and `average_inside` leave out what lies
    outside of the image, `average` counts it as 0 and divides by the size of
    the window. Means of integers are rounded half away from zero; those of
    16-bit floats are computed in f32.
  }];
  let arguments = (ins CPU_Shaped:$input, CPU_Shaped:$init,
    CPU_PoolKindAttr:$kind, DenseI64ArrayAttr:$kernel,
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads,
    DenseI64ArrayAttr:$input_halo, DenseI64ArrayAttr:$halo,
    UnitAttr:$unsigned_input,
    OptionalAttr<I64Attr>:$fill);
  let hasVerifier = 1;
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $input `into` $init attr-dict `:` type($input) `into` type($init)
    (`->` type($result)^)?
  }];
}

def CPU_EltwiseOp : CPU_EpilogueOp<"eltwise"> {
  let summary = "elementwise function of blocked tensors";
  let description = [{
    Each element is what the region makes of the elements of `extras` in the
    same place. Elements of the halo are `fill`.
  }];
  let arguments = (ins Variadic<CPU_Shaped>:$extras, CPU_Shaped:$init,
    DenseI64ArrayAttr:$halo, ArrayAttr:$extra_halos,
    OptionalAttr<I64Attr>:$fill);
}

def CPU_GatherChannelsOp : CPU_Op<"gather_channels"> {
  let summary = "a blocked tensor of channels of others";
  let description = [{
    Channel k of the result is channel `channels[k]` of `inputs`, whose channels,
    surplus ones included, are counted through: those of the second begin behind
    the last block of the first. Surplus channels of the result are 0.
    Concatenation, slices and shuffles of channels are all of this kind.
  }];
  let arguments = (ins Variadic<CPU_Shaped>:$inputs, CPU_Shaped:$init,
    DenseI64ArrayAttr:$channels,
    DenseI64ArrayAttr:$halo, ArrayAttr:$input_halos,
    OptionalAttr<I64Attr>:$fill);
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $inputs `into` $init attr-dict `:` type($inputs) `into` type($init)
    (`->` type($result)^)?
  }];
}

def CPU_PackMatrixOp : CPU_Op<"pack_matrix"> {
  let summary = "the right operand of a matrix product in the order of reading";
  let description = [{
    From [K][N] (or, `transposed`, [N][K]) to [ceil(N/b)][K][b], each of a batch
    of matrices if there is a dim more. Columns beyond N are 0.
  }];
  let arguments = (ins CPU_Shaped:$source, CPU_Shaped:$init,
                       UnitAttr:$transposed);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $source `into` $init attr-dict `:` type($source) `into` type($init)
    (`->` type($result)^)?
  }];
}

def CPU_MatMulOp : CPU_EpilogueOp<"matmul"> {
  let summary = "matrix product with a packed right operand";
  let description = [{
    `lhs` is [M][K] row major, `rhs` [ceil(N/b)][K][b], the result [M][N] row
    major; or a batch of each, as a dim more in front. Of `extras`, those of the
    result's rank have its shape, those of rank 1 one number per column, with or
    without those that fill the last block.

    Of f32 or of bytes; `products` and `unsigned_input` are as in `cpu.conv2d`,
    with `rhs` as [ceil(N/b)][ceil(K/4)][4*b] where they are groups.
  }];
  let arguments = (ins CPU_Shaped:$lhs, CPU_Shaped:$rhs,
    Variadic<CPU_Shaped>:$extras, CPU_Shaped:$init,
    OptionalAttr<DenseI64ArrayAttr>:$tile,
    OptionalAttr<CPU_ProductsAttr>:$products, UnitAttr:$unsigned_input);
}

def CPU_YieldOp : Op<CPU_Dialect, "yield", [Pure, Terminator,
    ParentOneOf<["Conv2DOp", "DepthwiseConv2DOp", "EltwiseOp", "MatMulOp"]>]> {
  let summary = "what an epilogue stores";
  let arguments = (ins AnyTypeOf<[AnyFloat, AnySignlessInteger]>:$value);
  // A type that is not written is f32.
  let assemblyFormat = "$value attr-dict custom<ElementType>(type($value))";
}

#endif // MODELWRIGHT_TARGET_CPU_IR_CPUOPS_TD
