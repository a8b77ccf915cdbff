//===- ConvertNNToLinalg.cpp - The conversion as a pass -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Conversion/Passes.h"
#include "modelwright/Dialect/NN/IR/NNForeignOps.h"

namespace modelwright {
#define GEN_PASS_DEF_CONVERTNNTOLINALG
#include "modelwright/Conversion/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;

namespace {
class ConvertNNToLinalg
    : public modelwright::impl::ConvertNNToLinalgBase<ConvertNNToLinalg> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    nn::structureConditions(module);
    nn::LoweringTypeConverter converter;
    RewritePatternSet patterns(&getContext());
    nn::populateCompactionLowerings(converter, patterns);
    nn::populateControlLowerings(converter, patterns);
    nn::populateConvLowerings(converter, patterns);
    nn::populateDataLowerings(converter, patterns);
    nn::populateElementwiseLowerings(converter, patterns);
    nn::populateLinearLowerings(converter, patterns);
    nn::populateNormLowerings(converter, patterns);
    nn::populateQuantLowerings(converter, patterns);
    nn::populateRecurrentLowerings(converter, patterns);
    nn::populateAttentionLowerings(converter, patterns);
    nn::populateReduceLowerings(converter, patterns);
    nn::populateLayoutLowerings(converter, patterns);
    nn::populatePoolLowerings(converter, patterns);
    nn::populateSequenceLowerings(converter, patterns);
    nn::populateShapeLowerings(converter, patterns);
    nn::populateSliceLowerings(converter, patterns);
    nn::populateIndexLowerings(converter, patterns);
    nn::populateOrderLowerings(converter, patterns);
    nn::populateResizeLowerings(converter, patterns);
    nn::populateWarpLowerings(converter, patterns);
    nn::populateImageLowerings(converter, patterns);
    nn::populateColorLowerings(converter, patterns);
    nn::populateDetectionLowerings(converter, patterns);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    ConversionTarget target(getContext());
    // The nn dialect is neither legal nor illegal: what a pattern refuses
    // stays, and is listed below, all at once.
    target.addLegalDialect<
        affine::AffineDialect, arith::ArithDialect,
        bufferization::BufferizationDialect, cf::ControlFlowDialect,
        complex::ComplexDialect, linalg::LinalgDialect, math::MathDialect,
        memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect>();
    target.addLegalOp<ModuleOp, UnrealizedConversionCastOp, func::CallOp>();
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp func) {
      return converter.isSignatureLegal(func.getFunctionType());
    });
    target.addDynamicallyLegalOp<func::ReturnOp>([&](func::ReturnOp op) {
      return converter.isLegal(op.getOperandTypes());
    });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    if (listRemaining(module))
      signalPassFailure();
  }

private:
  /// Reports each op that is still of the nn dialect; whether there are any.
  static bool listRemaining(ModuleOp module) {
    bool isAny = false;
    module.walk([&](Operation *op) {
      if (!isa_and_nonnull<nn::NNDialect>(op->getDialect()))
        return;
      isAny = true;
      if (auto foreign = dyn_cast<nn::ForeignOp>(op)) {
        op->emitError() << "'" << foreign.getType()
                        << "' cannot be run: it has no typed op";
        return;
      }
      std::string types;
      llvm::raw_string_ostream os(types);
      os << "(";
      llvm::interleaveComma(op->getOperandTypes(), os);
      os << ") -> (";
      llvm::interleaveComma(op->getResultTypes(), os);
      op->emitError() << "'" << op->getName()
                      << "' cannot be run for these types: " << types << ")";
    });
    return isAny;
  }
};
} // namespace
