//===- ConvertMatMul.cpp - Matrix products that the target has kernels for ===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockedBuilder.h"
#include "KernelPatterns.h"
#include "PackWeights.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "modelwright/Dialect/NN/IR/NNLinearOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

namespace {
/// nn.matmul and nn.batch_matmul of f32 matrices.
template <typename OpT> class MatMulPattern : public OpRewritePattern<OpT> {
public:
  MatMulPattern(MLIRContext *context, int64_t lanes)
      : OpRewritePattern<OpT>(context), lanes(lanes) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!isMatrix(op.getLhs()) || !isMatrix(op.getRhs()) ||
        !isMatrix(op.getResult()) || op.getTransposeA() ||
        op.getFormat() != nn::MatMulFormat::Default)
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto result = cast<RankedTensorType>(op.getResult().getType());
    Value init = tensor::EmptyOp::create(b, result.getShape(), b.getF32Type());
    auto matmul = MatMulOp::create(b, result, op.getLhs(), emitPacked(b, op),
                                   ValueRange(), init, DenseI64ArrayAttr(),
                                   ProductsAttr(), /*unsigned_input=*/false);
    emitEpilogue(
        b, matmul.getEpilogue(), b.getF32Type(),
        [](ImplicitLocOpBuilder &, ValueRange values) { return values[0]; });
    rewriter.replaceOp(op, matmul.getResult());
    return success();
  }

private:
  static constexpr int64_t kRank = std::is_same_v<OpT, nn::MatMulOp> ? 2 : 3;

  static bool isMatrix(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getRank() == kRank && type.hasStaticShape() &&
           type.getElementType().isF32() && type.getNumElements() > 0;
  }

  /// The right operand in the order of reading: at once if it is constant.
  Value emitPacked(ImplicitLocOpBuilder &b, OpT op) const {
    auto type = cast<RankedTensorType>(op.getRhs().getType());
    bool transposed = op.getTransposeB();
    int64_t columns = type.getDimSize(transposed ? kRank - 2 : kRank - 1);
    int64_t depth = type.getDimSize(transposed ? kRank - 1 : kRank - 2);
    SmallVector<int64_t> shape(type.getShape().drop_back(2));
    shape.append({int64_t(llvm::divideCeil(columns, lanes)), depth, lanes});
    std::optional<SmallVector<float>> matrix;
    if (kRank == 2)
      matrix = getConstantFloats(op.getRhs());
    if (matrix)
      return emitConstant(
          b, packMatrix(*matrix, depth, columns, transposed, lanes), shape);
    Value init = tensor::EmptyOp::create(b, shape, b.getF32Type());
    return PackMatrixOp::create(b, init.getType(), op.getRhs(), init,
                                transposed)
        .getResult();
  }

  int64_t lanes;
};
} // namespace

void cpu::populateMatMulPatterns(RewritePatternSet &patterns, int64_t lanes) {
  patterns.add<MatMulPattern<nn::MatMulOp>, MatMulPattern<nn::BatchMatMulOp>>(
      patterns.getContext(), lanes);
}
