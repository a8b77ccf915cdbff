//===- Passes.td - Graph optimizations ---------------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TRANSFORMS_PASSES_TD
#define MODELWRIGHT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

class NN_FuncPass<string flag> : Pass<flag, "::mlir::func::FuncOp"> {
  let dependentDialects = ["::modelwright::nn::NNDialect"];
}

def FoldBN : NN_FuncPass<"fold-bn"> {
  let summary = "Fold batch norms and per-channel scales into convolutions";
  let description = [{
    A convolution followed by per-channel affine ops with constant parameters
    gets scaled weights and a shifted bias instead:

    ```
    bn(conv(x, w) + b0) = conv(x, w*k) + (b0*k + b)
      with k = scale / sqrt(variance + epsilon), b = bias - mean*k
    ```

    The affine ops are `nn.batch_norm` in inference form and its spelled-out
    forms: `nn.mul`, `nn.div`, `nn.fma`, `nn.add` and `nn.sub` with constants
    that hold one value or one value per channel. A run of them is folded if
    it scales at all (pure additions are left to fuse-conv-bias), for dense,
    grouped and depthwise `nn.conv2d` and for `nn.conv_transpose2d`.

    A run before an `nn.conv2d` that alone reads it goes into that one's weights:
    `conv(k*x + b, w) = conv(x, w*k) + sum(w*b)`. An offset does so only if the
    convolution does not pad: padding is 0 whatever the offset.

    The factors are computed in double precision and rounded once, to the type
    of the weights: results move by the rounding of the weights only.

    If anything was folded, fuse-conv-bias runs on the function, since what
    followed a batch norm follows a convolution now; `fuse=false` leaves that
    to another run.

    The weights are scaled out of place: a convolution that shares its weights
    with other users gets a copy of its own, up to `max-shared-bytes`.

    Refused, each with a `missed` remark: a result with other users or that
    leaves the graph between the ops; parameters that are not constants (an
    overridable input is none) or whose bytes are missing; statistics that are
    used; training mode; factors that are not finite or weights that overflow
    their type; blocked layouts; a convolution with residual or activation.
  }];
  let options = [
    Option<"maxSharedBytes", "max-shared-bytes", "uint64_t",
           /*default=*/"16777216",
           "Largest weight to copy if other users keep the original">,
    Option<"fuse", "fuse", "bool", /*default=*/"true",
           "Run fuse-conv-bias on what was folded, so that the order of the "
           "two passes does not matter">
  ];
  let statistics = [
    Statistic<"numBatchNorms", "batch-norms", "batch norms folded">,
    Statistic<"numScales", "affine-ops", "spelled-out affine ops folded">,
    Statistic<"numCopies", "weight-copies", "weights copied since shared">
  ];
}

def FuseConvBias : NN_FuncPass<"fuse-conv-bias"> {
  let summary = "Fuse bias, residual and activation into convolutions";
  let description = [{
    Grows `nn.conv2d` (dense, grouped, depthwise) and `nn.conv_transpose2d` by
    the ops that follow, to a fixpoint in one run:

    * `nn.add` (and `nn.sub`) of a constant that holds one value per output
      channel in the output's layout, or one value for all: the bias. Shapes
      that could mean another dim never match. A second such constant is added
      to the bias (floats only);
    * `nn.add` of a tensor of the very same static type: the residual of
      `nn.conv2d` (floats only, option `fuse-residual`);
    * `nn.relu`, `nn.sigmoid`, `nn.h_swish`, `nn.tanh`, `nn.relu6`, `nn.silu`,
      `nn.h_sigmoid`, min(max(x, 0), 6) and max(min(x, 6), 0) (relu for
      the max, too), and the activation of a fused `nn.add`: the activation. Integers take relu only.

    The intermediate result must have no other user and must not leave the
    graph. A quantized bias must have the accumulator's scale
    `scale(input)*scale(filter)` (relative error at most 1e-6).

    Only intermediate rounding changes: one step for 16-bit floats, the order
    of additions when two constants merge.

    The fused op has the name of the last op that it replaces, its location
    fuses those of all. A candidate that is not fused gets a `missed` remark
    with the reason.
  }];
  let options = [
    Option<"fuseResidual", "fuse-residual", "bool", /*default=*/"true",
           "Fuse the addition of a tensor of the result's type">
  ];
  let statistics = [
    Statistic<"numBiases", "biases", "biases fused">,
    Statistic<"numResiduals", "residuals", "residuals fused">,
    Statistic<"numActivations", "activations", "activations fused">
  ];
}

def FuseAddActivation : NN_FuncPass<"fuse-add-activation"> {
  let summary = "Fuse elementwise ops with each other";
  let description = [{
    * `nn.add` followed by `nn.relu`, `nn.sigmoid`, `nn.tanh` or `nn.h_swish`
      becomes `nn.add` with that activation;
    * a product that only a sum reads becomes `nn.fma` (a*b + c), two of them
      `nn.fma2` (a*b + c*d), floats only (option `fuse-mul-add`). Both round
      the product and the sum, exactly as the ops they replace.

    The intermediate result must have no other user and must not leave the
    graph.
  }];
  let options = [
    Option<"fuseMulAdd", "fuse-mul-add", "bool", /*default=*/"true",
           "Fuse products into sums">
  ];
  let statistics = [
    Statistic<"numActivations", "activations", "activations fused">,
    Statistic<"numProducts", "products", "products fused">
  ];
}

def FusePad : NN_FuncPass<"fuse-pad"> {
  let summary = "Fuse pads into convolutions and pooling";
  let description = [{
    An `nn.conv2d`, `nn.max_pool2d` or `nn.avg_pool2d` (NCHW, NHWC) whose input
    is an `nn.pad` of height and width pads by itself instead, if its own padding
    is the same number:

    * convolutions and means pad with 0 (the zero point of codes). A mean counts
      what the pad added: it becomes one with `count_include_pad`, which a mean
      with uncounted padding of its own cannot;
    * a maximum disregards its own padding: the pad's number must be -infinity,
      or not be above anything in the image (0 behind a relu), and no window may
      lie in the padding as a whole.

    A pad with several users goes into each that can have it. Results are the same
    bit for bit. Refused, each with a `missed` remark: other numbers and modes,
    pads of other dims, other layouts.
  }];
  let statistics = [Statistic<"numFused", "fused", "pads fused">];
}

def FoldConstants : NN_FuncPass<"fold-constants"> {
  let summary = "Evaluate ops on constants";
  let description = [{
    Ops whose operands are all constants become constants. Elementwise ops on
    f32 and i32, casts between f32, f16 and i32, and ops that only move data
    (reshape, transpose, expand, squeeze, broadcast, concat, shape_of) are
    evaluated by rules of this pass, in one sweep. Arithmetic is done in the op's
    own type.

    All other pure ops of the dialect are run: what hangs on constants alone is
    compiled and run at once, by what the tool has registered with the dialect
    for that (nn::ConstantEvaluator; the tools run them on the CPU, as
    `model-run --schedule=plain` does). That takes some 100 ms, spent only
    if there is such an op. Intermediate results never become attributes.

    These stay, each with a `missed` remark: an op whose results have more than
    `max-growth-bytes` bytes beyond those of the constants that only it reads;
    one whose operand's bytes are missing; foreign ops, calls, ops with effects;
    results of unknown size; several results of which one leaves the graph; what
    has no lowering, and what fails at run time (an index out of range); a cast
    of values that have no exact result; a convolution or a matrix product
    that would bring the multiply-accumulates of what is run in the function
    above `max-run-macs`; and all ops to be run if they are more than
    `max-run-ops`.
  }];
  let options = [
    Option<"maxGrowthBytes", "max-growth-bytes", "uint64_t",
           /*default=*/"65536",
           "Largest growth of the model that one folded op may cause">,
    Option<"maxRunOps", "max-run-ops", "uint64_t", /*default=*/"2048",
           "Most ops of a function that are compiled to be run">,
    Option<"maxRunMacs", "max-run-macs", "uint64_t", /*default=*/"1000000000",
           "Most multiply-accumulates that are run in a function, the default "
           "in about a second">
  ];
  let statistics = [
    Statistic<"numFolded", "folded", "ops evaluated">,
    Statistic<"numRun", "run", "ops among them that were run">
  ];
}

def ReassociateConstants : NN_FuncPass<"reassociate-constants"> {
  let summary = "Bring constant addends together";
  let description = [{
    `(x + c1) + c2` becomes `x + (c1 + c2)` for float constants, which
    fold-constants then evaluates. The first sum must have no activation and no
    other user, and the sum of the constants must not be larger than both.
    The result moves by the rounding of one addition, at most 1 ulp of the
    largest magnitude involved.
  }];
  let statistics = [
    Statistic<"numJoined", "joined", "pairs of addends joined">
  ];
}

def DedupConstants : NN_FuncPass<"dedup-constants"> {
  let summary = "Share constants of equal bytes";
  let description = [{
    Keeps the first of several `nn.constant` of the same type, bytes and
    format attributes (names of operators and vars aside). Bytes are hashed
    and then compared in full; -0.0 and 0.0 differ and so do NaN payloads. A
    constant that leaves the graph under a name of its own stays.
    `nn.variable` is not a constant.
  }];
  let statistics = [
    Statistic<"numShared", "shared", "constants replaced">,
    Statistic<"numBytes", "bytes", "bytes of constants replaced">
  ];
}

def MergeCommonOps : NN_FuncPass<"merge-common-ops"> {
  let summary = "Merge ops that compute the same";
  let description = [{
    MLIR's cse merges ops only if all their attributes agree, and every op of
    a file has a name of its own. This pass looks at op, operands, types and
    all attributes but the names (and the scheduling priority). The first of
    equal ops stays; it takes the names of one that leaves the graph. Ops that
    both leave the graph with different names both stay.

    Only ops without side effects and regions are merged; constants are left
    to dedup-constants.
  }];
  let statistics = [
    Statistic<"numMerged", "merged", "ops merged">
  ];
}

def RemoveDeadOps : NN_FuncPass<"remove-dead-ops"> {
  let summary = "Remove ops and constants that nothing uses";
  let description = [{
    Removes ops without side effects whose results nobody reads, and what only
    they read, with a worklist. Function arguments stay, and so do constants of a
    GE file that an op names as its input there, though it is an attribute here
    (not with `keep-named=false`, for a model that will be no such file).
  }];
  let options = [
    Option<"keepNamed", "keep-named", "bool", /*default=*/"true",
           "Keep constants that ops of a GE file name as inputs">
  ];
  let statistics = [
    Statistic<"numOps", "ops", "ops removed">,
    Statistic<"numBytes", "bytes", "bytes of constants removed">
  ];
}

def InlineBranches : Pass<"inline-branches", "::mlir::ModuleOp"> {
  let summary = "Inline the graphs that constants choose";
  let description = [{
    * `nn.if` and `nn.case` whose condition or index is a constant become the
      ops of the branch;
    * `nn.call` becomes the ops of a function that nothing else calls;
    * `nn.while` whose condition is false at once becomes its inputs.

    Then fold-constants runs, since a branch may bring the constant that
    chooses the next one. Functions that nothing calls any more go.

    Inlined ops are called `CALL/NAME`; the op that computes an output takes
    the output's name, or a copy that is made for it. Refused, each with a
    `missed` remark: graphs whose types are not those of the call, calls that
    are not the only one.
  }];
  let dependentDialects = ["::modelwright::nn::NNDialect"];
  let statistics = [
    Statistic<"numInlined", "inlined", "calls inlined">,
    Statistic<"numFunctions", "functions", "functions removed">
  ];
}

def SimplifyMoves : NN_FuncPass<"simplify-moves"> {
  let summary = "Remove casts, transposes, reshapes and copies in vain";
  let description = [{
    Tools put ops around parts of a graph that change the element type or the
    layout, and such parts meet. A chain of `nn.cast`, `nn.transpose`,
    `nn.reshape`, `nn.expand_squeeze`, `nn.relayout`, `nn.copy` and
    `nn.identity` becomes the shortest one that computes the same:

    * copies (within one device), casts to the same type, transposes that keep
      the order, reshapes and squeezes that keep the shape go;
    * `cast(cast(x))` becomes one cast, or none, if the first one keeps every
      value: to more bits of the same kind, from booleans, from integers to
      floats whose significand holds them. A pair that narrows first rounds and
      stays;
    * two transposes become one, or none; two reshapes become one, or none;
    * a relayout and the one that undoes it go if the first drops nothing;
    * since casts do not care where an element stands, they do not keep moves
      apart, nor moves casts.

    What else reads a part of the chain keeps it; a chain is only rewritten if
    the graph has fewer ops then. Results are the same bit for bit.

    The last op's name stays if its result leaves the graph: the op that
    computes the value takes it. Refused, each with a `missed` remark: casts
    that lose values; values that would leave the graph under two names; ops
    that a GE op's import made or that it consists of.
  }];
  let statistics = [
    Statistic<"numRemoved", "removed", "ops removed">,
    Statistic<"numMade", "made", "ops that took the place of several">
  ];
}

def LegalizeForGE : NN_FuncPass<"legalize-for-ge"> {
  let summary = "Rewrite what GE models cannot express";
  let description = [{
    * `nn.conv2d` with a residual becomes the convolution with its bias and an
      `nn.add` that takes the activation; so does a bias that is not one value
      per channel.
    * Activations that a GE op cannot fuse become ops after it: all but relu and
      relu6 on convolutions and on sums of equal shapes (`Eltwise`); every one
      on sums that broadcast (`Add`) and on transposed convolutions.
    * NCHW filters with a group dim (G,OC/G,IC/G,FH,FW) lose it; what is no
      constant is reshaped in the graph.
    * Quantized values inside of the graph become f32 tensors of their codes,
      and the ops on them floating-point ops with the same result: tensors of
      GE models have no scales. Only where f32 is exact (sums of products below
      2^24), and not where codes enter or leave the graph.
    * NHWC filters are kept as OC,IC/G,FH,FW, the order of all filters there,
      and transposed by parts of the convolution (`ge.implicit`).
    * Ops that GE has not become ops that it has, if shapes and types allow:
      fma, fma2, fast_tanh, h_sigmoid, dot, reduce_sum_sqr, reductions to a shape or with
      another accumulator, argmin, flip, transposes and expand_squeezes that add
      or drop axes, shape_of with an axis or of several tensors, adaptive
      pooling, group_norm and general_norm, comparisons that give numbers, copy
      and identity. Ops that a GE file says (`ge.op`) stay.

    Only ops with float results are unfused: integers would be rounded twice.
    The last op takes the names.
  }];
  let statistics = [
    Statistic<"numDecomposed", "ops decomposed",
              "Ops that became other ops">,
    Statistic<"numGroupDims", "group dims dropped",
              "Filters that lost their group dim">,
    Statistic<"numQuantized", "quantized ops spelled by floats",
              "Quantized ops that became ops on codes held as f32">,
    Statistic<"numFilters", "filters reordered",
              "NHWC filters kept in the order of GE files">,
    Statistic<"numBiases", "biases unfused",
              "Biases per element that became an add">,
    Statistic<"numResiduals", "residuals unfused",
              "Residuals that became an add">,
    Statistic<"numActivations", "activations unfused",
              "Activations that became an op">
  ];
}

def LegalizeForMGB : NN_FuncPass<"legalize-for-mgb"> {
  let summary = "Rewrite what .mgb files cannot express";
  let description = [{
    * Tensors of rank 0 become vectors of one element.
    * `nn.conv2d` with a residual (unless it comes from a file, `mgb.opr`)
      becomes the convolution with its bias and an `nn.add` that takes the
      activation: the format's CPU runtimes ignore the fourth input. With
      `gpu`, a residual next to a bias stays.
    * Activations that the format's ConvBias has not (tanh, relu6, silu,
      h_sigmoid) become ops after the convolution. relu6 becomes
      min(relu(x), 6), or `nn.relu6` with `modern-elemwise`.
    * Bias and activation of `nn.conv_transpose2d` become ops after it.
    * Grouped filters without a group dim get one; what is no constant is
      reshaped in the graph.
    * Pads that differ from side to side: the even part stays, the rest becomes
      an `nn.pad` before the convolution or pooling. A mean that does not count
      its padding counts it then and is scaled by a constant.
    * `nn.resize2d` at coordinates that the format's Resize has not becomes
      indexing by constants and, if linear, a weighted sum per axis.
    * A value that leaves the graph under several names (`nn.name` of the
      function's results) gets an `nn.identity` for each but the first.

    The last op takes the names. Quantized results are computed as before: the
    convolution keeps its i32 accumulator and the following op quantizes; for
    activations that no quantized op of the format has, casts to f32 and back
    stand around the sum and the activation.
  }];
  let options = [
    Option<"gpu", "gpu", "bool", /*default=*/"false",
           "The model is for runtimes that add the fourth input of ConvBias">,
    Option<"modernElemwise", "modern-elemwise", "bool", /*default=*/"false",
           "The runtime knows the elementwise modes from RELU6 on">
  ];
  let statistics = [
    Statistic<"numScalars", "scalars", "ops and arguments given a dim">,
    Statistic<"numResiduals", "residuals", "residuals unfused">,
    Statistic<"numActivations", "activations", "activations unfused">,
    Statistic<"numBiases", "biases", "biases unfused">,
    Statistic<"numGroupDims", "group-dims", "group dims added to filters">,
    Statistic<"numPads", "pads", "uneven pads padded apart">,
    Statistic<"numResizes", "resizes", "resizes decomposed">,
    Statistic<"numCopies", "copies", "copies made for output names">
  ];
}

#endif // MODELWRIGHT_TRANSFORMS_PASSES_TD
