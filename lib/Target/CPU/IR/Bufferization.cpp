//===- Bufferization.cpp - From tensors to buffers ------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "modelwright/Target/CPU/IR/CPUOps.h"

using namespace mlir;
using namespace modelwright::cpu;

namespace {
/// The op on the buffers of its operands.
template <typename OpT>
struct KernelModel
    : bufferization::DstBufferizableOpInterfaceExternalModel<KernelModel<OpT>,
                                                             OpT> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const bufferization::AnalysisState &) const {
    // Kernels overwrite all of their destination.
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &options,
                          bufferization::BufferizationState &state) const {
    auto kernel = cast<DestinationStyleOpInterface>(op);
    if (!kernel.hasPureTensorSemantics())
      return success();
    SmallVector<Value> operands;
    Value destination;
    for (OpOperand &operand : op->getOpOperands()) {
      FailureOr<Value> buffer =
          bufferization::getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      operands.push_back(*buffer);
      if (kernel.isDpsInit(&operand))
        destination = *buffer;
    }
    OperationState created(op->getLoc(), op->getName());
    created.addOperands(operands);
    created.addAttributes(op->getDiscardableAttrDictionary().getValue());
    created.propertiesAttr = op->getPropertiesAsAttribute();
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      created.addRegion()->takeBody(op->getRegion(i));
    rewriter.setInsertionPoint(op);
    rewriter.create(created);
    bufferization::replaceOpWithBufferizedValues(rewriter, op, destination);
    return success();
  }
};
} // namespace

void modelwright::cpu::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, CPUDialect *) {
    Conv2DOp::attachInterface<KernelModel<Conv2DOp>>(*context);
    DepthwiseConv2DOp::attachInterface<KernelModel<DepthwiseConv2DOp>>(
        *context);
    EltwiseOp::attachInterface<KernelModel<EltwiseOp>>(*context);
    GatherChannelsOp::attachInterface<KernelModel<GatherChannelsOp>>(*context);
    MatMulOp::attachInterface<KernelModel<MatMulOp>>(*context);
    PackMatrixOp::attachInterface<KernelModel<PackMatrixOp>>(*context);
    PackOp::attachInterface<KernelModel<PackOp>>(*context);
    Pool2DOp::attachInterface<KernelModel<Pool2DOp>>(*context);
    UnpackOp::attachInterface<KernelModel<UnpackOp>>(*context);
  });
}
