//===- Passes.td - Native code for CPUs --------------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TARGET_CPU_PASSES_TD
#define MODELWRIGHT_TARGET_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertNNToCPU : Pass<"convert-nn-to-cpu", "::mlir::ModuleOp"> {
  let summary = "Choose ops of the nn dialect for the CPU target's own kernels";
  let description = [{
    In the entry function, `nn.conv2d` with constant weights becomes
    `cpu.conv2d` or `cpu.depthwise_conv2d` on blocked tensors between a
    `cpu.pack` and a `cpu.unpack`, its weights packed at once; so do pooling,
    concatenation, slices and shuffles of channels. Floats of 32 and 16 bits and
    quantized bytes, in NCHW with static shapes only: the rest is left to
    `convert-nn-to-linalg`. Matrix products of f32 and, if their right operand is
    constant, of bytes become `cpu.matmul`.

    Sums of codes are exact whatever the CPU has. `products` says what that is:
    weights that do not fit a signed byte without their zero point are computed
    as `madd_i16` where it is `dot_i8`.
  }];
  let options = [
    Option<"lanes", "lanes", "int64_t", /*default=*/"16",
           "f32 numbers in a vector: the block of blocked tensors">,
    Option<"winograd", "winograd", "bool", /*default=*/"true",
           "Let 3x3 convolutions be computed by Winograd's algorithm, whose "
           "rounding errors are somewhat larger">,
    Option<"strassen", "strassen", "bool", /*default=*/"true",
           "Let 1x1 convolutions be computed by Strassen's algorithm, whose "
           "rounding errors are somewhat larger">,
    Option<"products", "products", "::modelwright::cpu::Products",
           /*default=*/"::modelwright::cpu::Products::lanes",
           "How the CPU multiplies bytes",
           [{::llvm::cl::values(
               clEnumValN(::modelwright::cpu::Products::lanes, "lanes",
                          "one product per lane"),
               clEnumValN(::modelwright::cpu::Products::madd_i16, "madd_i16",
                          "two of 16 bits: vpmaddwd of AVX2, AVX-512BW"),
               clEnumValN(::modelwright::cpu::Products::dot_i8, "dot_i8",
                          "four of bytes: vpdpbusd of VNNI"))}]>,
    Option<"bf16Dot", "bf16-dot", "bool", /*default=*/"false",
           "Whether the CPU adds pairs of products of bf16: vdpbf16ps of "
           "AVX512-BF16, which takes denormals for 0">
  ];
  let dependentDialects = ["::modelwright::cpu::CPUDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuseElementwise : Pass<"fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Fuse elementwise linalg ops into one loop nest";
  let description = [{
    MLIR's own fusion of elementwise ops, where the producer has one reader of
    the same loops: nothing is computed more often than before, as it would be
    within a reduction or a broadcast.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def PropagateBlocking : Pass<"propagate-blocking", "::mlir::func::FuncOp"> {
  let summary = "Compute elementwise functions on blocked tensors";
  let description = [{
    An elementwise `linalg.generic` over f32 tensors, of which one at least was
    unpacked, works on the blocked tensor instead, as `cpu.eltwise`; the result
    is unpacked. What was unpacked only to be packed again stays packed, so that
    blocked tensors reach from kernel to kernel.
  }];
  let options = [
    Option<"lanes", "lanes", "int64_t", /*default=*/"16",
           "f32 numbers in a vector: the block of blocked tensors">
  ];
  let dependentDialects = ["::modelwright::cpu::CPUDialect"];
}

def FuseEpilogues : Pass<"fuse-epilogues", "::mlir::func::FuncOp"> {
  let summary = "Move elementwise functions into the kernels before them";
  let description = [{
    A `cpu.eltwise` that is the only reader of a convolution, matrix product or
    other `cpu.eltwise` becomes part of that one's epilogue.
  }];
}

def FuseMatMulEpilogues : Pass<"fuse-matmul-epilogues", "::mlir::func::FuncOp"> {
  let summary = "Move elementwise functions into the matrix products before them";
  let description = [{
    An elementwise `linalg.generic` that is the only reader of a `cpu.matmul`
    becomes part of its epilogue. Its other operands have the result's shape, or
    one number per column, or are one number.
  }];
  let dependentDialects = ["::modelwright::cpu::CPUDialect",
                           "::mlir::tensor::TensorDialect"];
}

def RelaxFloatMath : Pass<"relax-float-math", "::mlir::func::FuncOp"> {
  let summary = "Let vectors compute transcendental functions and sums";
  let description = [{
    exp, expm1, log, log1p, tanh and erf of f32 become polynomials, and the
    additions of a reduction may be done in any order. Its maxima and minima
    become LLVM's intrinsics, which mean the same, and which LLVM vectorizes.

    The polynomials are MLIR's. Largest errors, in units in the last place of
    the exact result, over the ranges of test/Target/CPU/ulp.py, which holds them
    to it: exp 1, log 1, log1p 2, expm1 3, tanh 5, erf 5. log of a denormal is
    taken for that of the smallest normal number.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def AssignHalos : Pass<"assign-halos", "::mlir::func::FuncOp"> {
  let summary = "Give blocked tensors the padding that their readers want";
  let description = [{
    Each blocked tensor gets a halo as wide as the widest that a convolution
    reads around it, filled with what that takes for 0.
  }];
}

def ChooseKernels : Pass<"choose-kernels", "::mlir::func::FuncOp"> {
  let summary = "Choose algorithm and register tile of each kernel";
  let description = [{
    Writes `algorithm` and `tile` on the ops that have none, by the table in
    ChooseKernels.cpp.
  }];
}

def SplitDestinations : Pass<"split-destinations", "::mlir::func::FuncOp"> {
  let summary = "Give each op a destination of its own";
  let description = [{
    CSE makes one of all `tensor.empty` of a type. Ops that write into the same
    one are all aliases of each other to one-shot bufferization: its time grows
    with the third power of their number (400 elementwise ops take 1.8 s, then
    0.01 s), and it allocates and copies for those that are alive at once. Each
    use of a `tensor.empty` gets one of its own, as does each op that writes into
    a `linalg.fill`: to fill once more costs less than to copy.
  }];
  let statistics = [
    Statistic<"numSplit", "split", "tensors made">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NumberOps : Pass<"number-ops", "::mlir::ModuleOp"> {
  let summary = "Number the ops of a model in their locations";
  let description = [{
    Each op of the nn dialect gets its number, counted from 0 in the order of
    the text, as an integer of its location, so that what becomes of it can be
    told: see `instrument-units`.
  }];
}

def InstrumentUnits : Pass<"instrument-units", "::mlir::ModuleOp"> {
  let summary = "Measure the time of each part of a run";
  let description = [{
    On buffers: behind each kernel, loop, copy and call of the entry function
    comes a call of `mw_profile_end`, which adds the time since the last such
    call to a slot of the argument marked `cpu.profile`, the last one, of
    `memref<(1+n)xi64>`. Steps of the same kind for the same ops share one of
    the n slots. The attribute `cpu.profile` of the function lists for each
    slot what computes (`kernel`), the numbers of the ops that it is for (`ops`,
    by number-ops), whether it only moves data (`move`) and how many bytes its
    buffers have (`bytes`).
  }];
  let statistics = [
    Statistic<"numUnits", "units", "Number of places that are measured">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect"];
}

def AllocateScratch : Pass<"allocate-scratch", "::mlir::func::FuncOp"> {
  let summary = "Give kernels the memory that they work in";
  let description = [{
    On buffers: a kernel whose algorithm needs memory of its own gets a
    `memref.alloc` for it, which plan-memory places like any other: enough for
    as many threads as may work at once.
  }];
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"1",
           "The most threads that run a kernel">
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def SeparateResults : Pass<"separate-results", "::mlir::func::FuncOp"> {
  let summary = "Return no buffer twice";
  let description = [{
    On buffers: a buffer that several results of a function are, or are views
    of, is copied for all but the first, since each result has an owner. Of a
    result that is another shape of a buffer, the result becomes the buffer and
    the buffer a view of it, so that the caller's memory can take its place.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def PlanMemory : Pass<"plan-memory", "::mlir::ModuleOp"> {
  let summary = "Place all buffers of a run in one arena";
  let description = [{
    The static `memref.alloc`s of the entry function get places in one buffer,
    which becomes the last argument, marked `cpu.arena`: two that live at the
    same time never overlap. One in a branch or a loop lives as long as that
    whole op; one that a turn of a loop hands to the next, or that several turns
    at the same time have, stays as it is. Best fit in the order of size. The
    attribute `cpu.arena` of the function says how many bytes are used, and how
    many the fullest point in time needs at least.
  }];
  let options = [
    Option<"alignment", "alignment", "int64_t", /*default=*/"64",
           "Alignment of each buffer, in bytes">
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Number of buffers placed">,
    Statistic<"arenaBytes", "arena-bytes", "Size of the arena">,
    Statistic<"lowerBound", "lower-bound", "Bytes alive at the fullest point">
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def OutlineLoops : Pass<"outline-loops", "::mlir::ModuleOp"> {
  let summary = "Make functions of loops";
  let description = [{
    On buffers: each linalg op of static shapes becomes a call of a function,
    which equal ones share. LLVM's passes take more than linear time for a
    function of many loops, and a function says of its arguments which do not
    overlap. Not those with a check (lower-runtime-checks), which ends the run
    of the function that it is in.
  }];
  let statistics = [
    Statistic<"numFunctions", "functions", "functions made">,
    Statistic<"numCalls", "calls", "ops that became calls">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def EmitKernels : Pass<"emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Write kernels as loops over vectors";
  let description = [{
    Each op of the cpu dialect becomes a call of a function of its own, which
    equal ops share; some, calls of several functions after one another. The
    function computes a range of the units that the kernel's work is cut into:
    behind the op's operands it takes the number of the thread that calls it,
    the first unit and the one behind the last. Its attribute `cpu.units` says
    how many there are, and about how many operations they take together. Units
    write different outputs and may run at the same time.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def AddThreadPool : Pass<"add-thread-pool", "::mlir::ModuleOp"> {
  let summary = "Give the entry function a thread pool";
  let description = [{
    On buffers: the entry function gets one more argument, a pointer marked
    `cpu.pool`, to a pool of `lib/Runtime`, or null.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ParallelizeKernels : Pass<"parallelize-kernels", "::mlir::ModuleOp"> {
  let summary = "Share kernels among the threads of a pool";
  let description = [{
    In the LLVM dialect, where a function has an argument marked `cpu.pool`: its
    calls of functions with the attribute `cpu.units` become calls of
    `mw_parallel_for` with a function that computes a range of units. What is of
    one unit, or takes fewer operations than it is worth to wait for another
    thread, stays a call.
  }];
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"1",
           "The most threads that run a kernel: as allocate-scratch has it">,
    Option<"minCost", "min-cost", "int64_t", /*default=*/"8192",
           "The operations that are worth it">
  ];
  let statistics = [
    Statistic<"numCalls", "calls", "Number of calls shared among threads">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CallLibm : Pass<"call-libm", "::mlir::ModuleOp"> {
  let summary = "Call libm where the conversion to LLVM would be inaccurate";
  let description = [{
    expm1 and log1p, which `convert-math-to-llvm` makes of exp and log: those
    have no correct digit for arguments near 0.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerRuntimeChecks : Pass<"lower-runtime-checks", "::mlir::ModuleOp"> {
  let summary = "Make failed assertions end the run, not the process";
  let description = [{
    Each `cf.assert` of the entry function becomes a branch: if it does not
    hold, its number (from 1) is stored into the argument marked `nn.status`
    and the function returns. The function's attribute `nn.checks` lists message
    and location of each. Expects control flow as blocks, and no `cf.assert`
    in other functions.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::ub::UBDialect"];
}

#endif // MODELWRIGHT_TARGET_CPU_PASSES_TD
