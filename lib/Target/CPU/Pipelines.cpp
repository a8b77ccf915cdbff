//===- Pipelines.cpp - From the nn dialect to LLVM ------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Transforms/Passes.h"
#include "modelwright/Conversion/Passes.h"
#include "modelwright/Target/CPU/IR/CPUOps.h"
#include "modelwright/Target/CPU/Passes.h"

using namespace mlir;
using namespace modelwright;

void cpu::registerPipelineInterfaces(DialectRegistry &registry) {
  arith::registerBufferDeallocationOpInterfaceExternalModels(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  cpu::registerBufferizableOpInterfaceExternalModels(registry);
  cf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  func::registerInlinerExtension(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertComplexToLLVMInterface(registry);
  arith::registerConvertArithToLLVMInterface(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
  scf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
}

void cpu::buildKernelPipeline(OpPassManager &pm,
                              const PipelineOptions &options) {
  if (options.profile)
    pm.addPass(createNumberOps());
  if (options.schedule == Schedule::Plain)
    return;
  ConvertNNToCPUOptions convert;
  convert.lanes = options.lanes;
  convert.winograd = options.winograd;
  convert.strassen = options.strassen;
  convert.bf16Dot = options.bf16Dot.value_or(false);
  convert.products = options.products.value_or(Products::lanes);
  pm.addPass(createConvertNNToCPU(convert));
  pm.addPass(createCanonicalizerPass());
}

void cpu::buildSchedulePipeline(OpPassManager &pm,
                                const PipelineOptions &options) {
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(cpu::createFuseElementwise());
  cpu::PropagateBlockingOptions propagate;
  propagate.lanes = options.lanes;
  function.addPass(cpu::createPropagateBlocking(propagate));
  function.addPass(cpu::createFuseEpilogues());
  function.addPass(cpu::createFuseMatMulEpilogues());
  function.addPass(createCanonicalizerPass());
  function.addPass(cpu::createAssignHalos());
  function.addPass(cpu::createChooseKernels());
  function.addPass(cpu::createRelaxFloatMath());
}

void cpu::buildBufferPipeline(OpPassManager &pm,
                              const PipelineOptions &options) {
  pm.addPass(createConvertNNToLinalg());
  pm.addPass(createInlinerPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (options.schedule == Schedule::Full)
    buildSchedulePipeline(pm, options);
  pm.addNestedPass<func::FuncOp>(createSplitDestinations());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  // What goes round a loop may be a new buffer each time.
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  bufferize.unknownTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  // Equal views are one: copies of a buffer to itself then go.
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createSeparateResults());
  if (options.staticResults) {
    bufferization::BufferResultsToOutParamsPassOptions outParams;
    outParams.modifyPublicFunctions = true;
    outParams.hoistStaticAllocs = true;
    pm.addPass(bufferization::createBufferResultsToOutParamsPass(outParams));
  }
  AllocateScratchOptions scratch;
  scratch.threads = options.threads;
  pm.addNestedPass<func::FuncOp>(createAllocateScratch(scratch));
  pm.addPass(createPlanMemory());
  bufferization::BufferDeallocationPipelineOptions deallocation;
  bufferization::buildBufferDeallocationPipeline(pm, deallocation);
  // What it copies: results of unknown size that are views of an argument.
  pm.addPass(createConvertBufferizationToMemRefPass());
  if (options.profile)
    pm.addPass(createInstrumentUnits());
  if (options.schedule == Schedule::Full && options.threads > 1)
    pm.addPass(createAddThreadPool());
}

void cpu::buildLLVMPipeline(OpPassManager &pm, const PipelineOptions &options) {
  // Deallocation clones what it cannot hand on: an argument that is returned.
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createOutlineLoops());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createLowerRuntimeChecks());
  pm.addPass(createConvertVectorToSCFPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  // Kernels last: they are more code than all the rest, and need nothing of
  // what comes before.
  if (options.schedule == Schedule::Full) {
    pm.addPass(createEmitKernels());
    pm.addPass(createSCFToControlFlowPass());
  }
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addNestedPass<func::FuncOp>(arith::createArithExpandOpsPass(expand));
  pm.addPass(createCallLibm());
  // What LLVM has no intrinsic for is a call of libm; the rest is converted at
  // once, by what each dialect registers.
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  ConvertToLLVMPassOptions toLLVM;
  toLLVM.allowPatternRollback = false;
  pm.addPass(createConvertToLLVMPass(toLLVM));
  pm.addPass(createReconcileUnrealizedCastsPass());
  if (options.schedule == Schedule::Full && options.threads > 1) {
    ParallelizeKernelsOptions parallelize;
    parallelize.threads = options.threads;
    parallelize.minCost = options.sharedCost;
    pm.addPass(createParallelizeKernels(parallelize));
  }
}

namespace {
/// The options of `cpu-buffers`.
struct BufferPipelineOptions
    : public PassPipelineOptions<BufferPipelineOptions> {
  Option<int64_t> lanes{*this, "lanes",
                        llvm::cl::desc("f32 numbers in a vector"),
                        llvm::cl::init(16)};
  Option<bool> winograd{*this, "winograd",
                        llvm::cl::desc("Let Winograd's algorithm be chosen"),
                        llvm::cl::init(true)};
  Option<bool> strassen{*this, "strassen",
                        llvm::cl::desc("Let Strassen's algorithm be chosen"),
                        llvm::cl::init(true)};
};
} // namespace

void cpu::registerPipelines() {
  PassPipelineRegistration<BufferPipelineOptions>(
      "cpu-buffers",
      "From the nn dialect to one arena, with kernels as ops of the cpu "
      "dialect",
      [](OpPassManager &pm, const BufferPipelineOptions &given) {
        PipelineOptions options;
        options.lanes = given.lanes;
        options.winograd = given.winograd;
        options.strassen = given.strassen;
        buildKernelPipeline(pm, options);
        pm.addPass(createPrepareEntry());
        buildBufferPipeline(pm, options);
      });
}
