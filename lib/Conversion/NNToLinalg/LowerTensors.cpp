//===- LowerTensors.cpp - Loop nests over tensors -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "modelwright/Conversion/NNToLinalg/Lowering.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

Value nn::emitDim(ImplicitLocOpBuilder &b, Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return emitConstantIndex(b, type.getDimSize(dim));
  return tensor::DimOp::create(b, tensor, dim);
}

Value nn::emitEmpty(ImplicitLocOpBuilder &b, RankedTensorType type,
                    ValueRange dynamicSizes) {
  assert(dynamicSizes.size() == size_t(type.getNumDynamicDims()) &&
         "one size for each dynamic dim");
  return tensor::EmptyOp::create(b, type.getShape(), type.getElementType(),
                                 dynamicSizes);
}

Value nn::emitSplat(ImplicitLocOpBuilder &b, RankedTensorType type,
                    Value scalar, ValueRange dynamicSizes) {
  Value empty = emitEmpty(b, type, dynamicSizes);
  return linalg::FillOp::create(b, scalar, empty).getResult(0);
}

/// A linalg.generic into `init` with one result.
static Value
emitGeneric(ImplicitLocOpBuilder &b, RankedTensorType type, ValueRange inputs,
            Value init, ArrayRef<AffineMap> maps,
            ArrayRef<utils::IteratorType> iterators,
            function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  auto generic = linalg::GenericOp::create(
      b, TypeRange(type), inputs, ValueRange(init), maps, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange elements) {
        ImplicitLocOpBuilder inner(loc, builder);
        Value value = body(inner, elements);
        linalg::YieldOp::create(inner, value);
      });
  return generic.getResult(0);
}

Value nn::emitMap(ImplicitLocOpBuilder &b, RankedTensorType type,
                  ValueRange inputs, ArrayRef<AffineMap> maps, ElementBody body,
                  ValueRange dynamicSizes) {
  SmallVector<AffineMap> all(maps);
  all.push_back(b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  Value init = emitEmpty(b, type, dynamicSizes);
  return emitGeneric(b, type, inputs, init, all, iterators,
                     [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
                       return body(inner, elements.drop_back());
                     });
}

/// Ends the run unless the inputs' sizes in dim `dim` of the result, whose size
/// there is `size`, are that or 1. Whether one is known at run time only.
static bool emitBroadcastCheck(ImplicitLocOpBuilder &b, ValueRange inputs,
                               int64_t rank, int64_t dim, int64_t size) {
  bool isAny = false;
  for (Value input : inputs) {
    auto type = cast<RankedTensorType>(input.getType());
    int64_t own = dim - (rank - type.getRank());
    if (own < 0 || !type.isDynamicDim(own))
      continue;
    isAny = true;
    Value actual = emitDim(b, input, own);
    Value isGood = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, actual,
                                         emitConstantIndex(b, size));
    Value isOne = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, actual,
                                        emitConstantIndex(b, 1));
    emitCheck(b, arith::OrIOp::create(b, isGood, isOne),
              "dim " + llvm::Twine(own) + " of an operand must have the size " +
                  llvm::Twine(size) + " or 1");
  }
  return isAny;
}

Value nn::emitElementwise(ImplicitLocOpBuilder &b, RankedTensorType type,
                          ValueRange inputs, ElementBody body) {
  int64_t rank = type.getRank();
  // The size of each dynamic dim: of the one operand that says it. Where
  // several are dynamic, one whose size is not 1 does, at run time.
  SmallVector<Value> sizes;
  SmallVector<AffineMap> maps;
  SmallVector<Value> operands(inputs);
  auto getDim = [&](Value input, int64_t dim) -> int64_t {
    auto shape = cast<RankedTensorType>(input.getType()).getShape();
    int64_t own = dim - (rank - int64_t(shape.size()));
    return own < 0 ? 1 : shape[own];
  };
  Value one = type.hasStaticShape() ? Value() : emitConstantIndex(b, 1);
  SmallVector<bool> isAmbiguous(rank, false);
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (!type.isDynamicDim(dim)) {
      isAmbiguous[dim] =
          emitBroadcastCheck(b, inputs, rank, dim, type.getDimSize(dim));
      continue;
    }
    Value size;
    for (Value input : inputs) {
      if (getDim(input, dim) == 1)
        continue;
      int64_t own =
          dim - (rank - cast<RankedTensorType>(input.getType()).getRank());
      Value next = emitDim(b, input, own);
      if (!size) {
        size = next;
        continue;
      }
      isAmbiguous[dim] = true;
      Value isOne =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, size, one);
      Value isNextOne =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next, one);
      Value isEqual =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next, size);
      Value isGood = arith::OrIOp::create(
          b, isEqual, arith::OrIOp::create(b, isOne, isNextOne));
      emitCheck(b, isGood,
                "sizes of the operands differ in dim " + llvm::Twine(dim));
      size = arith::SelectOp::create(b, isOne, next, size);
    }
    sizes.push_back(size ? size : one);
  }
  // An operand whose dim may turn out to be 1 is spread first.
  for (Value &input : operands) {
    auto inputType = cast<RankedTensorType>(input.getType());
    int64_t offset = rank - inputType.getRank();
    bool isSpread = false;
    for (int64_t own = 0; own < inputType.getRank(); ++own)
      isSpread |= isAmbiguous[own + offset] && inputType.isDynamicDim(own);
    if (!isSpread)
      continue;
    auto spread =
        RankedTensorType::get(type.getShape(), inputType.getElementType());
    Value source = input;
    input = emitGenerate(
        b, spread,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
          SmallVector<Value> at;
          Value zero = emitConstantIndex(inner, 0);
          Value unit = emitConstantIndex(inner, 1);
          for (int64_t own = 0; own < inputType.getRank(); ++own) {
            Value isOne =
                arith::CmpIOp::create(inner, arith::CmpIPredicate::eq,
                                      emitDim(inner, source, own), unit);
            at.push_back(arith::SelectOp::create(inner, isOne, zero,
                                                 indices[own + offset]));
          }
          return emitRead(inner, source, at);
        },
        sizes);
  }
  for (Value input : operands) {
    auto inputType = cast<RankedTensorType>(input.getType());
    int64_t offset = rank - inputType.getRank();
    SmallVector<AffineExpr> exprs;
    for (int64_t own = 0; own < inputType.getRank(); ++own)
      exprs.push_back(inputType.getDimSize(own) == 1 &&
                              type.getDimSize(own + offset) != 1
                          ? b.getAffineConstantExpr(0)
                          : b.getAffineDimExpr(own + offset));
    maps.push_back(AffineMap::get(rank, 0, exprs, b.getContext()));
  }
  return emitMap(b, type, operands, maps, body, sizes);
}

Value nn::emitCastTensor(ImplicitLocOpBuilder &b, Value tensor, Type from,
                         Type to) {
  if (from == to)
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  return emitElementwise(b, type.clone(getLoweredElementType(to)), tensor,
                         [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
                           return emitCast(inner, elements[0], from, to);
                         });
}

Value nn::emitGenerate(ImplicitLocOpBuilder &b, RankedTensorType type,
                       ElementBody body, ValueRange dynamicSizes) {
  return emitMap(
      b, type, {}, {},
      [&](ImplicitLocOpBuilder &inner, ValueRange) {
        SmallVector<Value> indices;
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          indices.push_back(linalg::IndexOp::create(inner, dim));
        return body(inner, indices);
      },
      dynamicSizes);
}

Value nn::emitReduction(ImplicitLocOpBuilder &b, RankedTensorType type,
                        ValueRange inputs, ArrayRef<AffineMap> maps,
                        ArrayRef<utils::IteratorType> iterators, Value init,
                        ElementBody body, ValueRange dynamicSizes) {
  Value start = emitSplat(b, type, init, dynamicSizes);
  return emitGeneric(b, type, inputs, start, maps, iterators, body);
}

Value nn::emitRead(ImplicitLocOpBuilder &b, Value tensor, ValueRange indices) {
  return tensor::ExtractOp::create(b, tensor, indices);
}

Value nn::emitPad(ImplicitLocOpBuilder &b, Value tensor, ArrayRef<int64_t> low,
                  ArrayRef<int64_t> high, Value value) {
  auto isZero = [](int64_t size) { return size == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> before, after;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    shape.push_back(ShapedType::isDynamic(size) ? size
                                                : size + low[dim] + high[dim]);
    before.push_back(b.getIndexAttr(low[dim]));
    after.push_back(b.getIndexAttr(high[dim]));
  }
  return tensor::PadOp::create(
      b, RankedTensorType::get(shape, type.getElementType()), tensor, before,
      after, value);
}

Value nn::emitReshape(ImplicitLocOpBuilder &b, Value tensor,
                      ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape)
    return tensor;
  auto result = RankedTensorType::get(shape, type.getElementType());
  // Collapsing and expanding are views, which tensor.reshape by a shape that
  // is computed is not.
  if (auto groups = getReassociationIndicesForReshape(type, result)) {
    if (result.getRank() < type.getRank())
      return tensor::CollapseShapeOp::create(b, result, tensor, *groups);
    return tensor::ExpandShapeOp::create(b, result, tensor, *groups);
  }
  auto flat =
      RankedTensorType::get({type.getNumElements()}, type.getElementType());
  auto all = [](int64_t rank) {
    SmallVector<ReassociationIndices> groups(1);
    for (int64_t dim = 0; dim < rank; ++dim)
      groups[0].push_back(dim);
    return groups;
  };
  if (type.getRank() == 0)
    tensor = tensor::ExpandShapeOp::create(b, flat, tensor,
                                           ArrayRef<ReassociationIndices>());
  else if (type.getRank() != 1)
    tensor =
        tensor::CollapseShapeOp::create(b, flat, tensor, all(type.getRank()));
  if (result.getRank() == 1)
    return tensor;
  if (result.getRank() == 0)
    return tensor::CollapseShapeOp::create(b, result, tensor,
                                           ArrayRef<ReassociationIndices>());
  return tensor::ExpandShapeOp::create(b, result, tensor,
                                       all(result.getRank()));
}

Value nn::emitTranspose(ImplicitLocOpBuilder &b, Value tensor,
                        ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  for (int64_t dim : permutation) {
    shape.push_back(type.getDimSize(dim));
    if (type.isDynamicDim(dim))
      sizes.push_back(emitDim(b, tensor, dim));
  }
  Value empty =
      emitEmpty(b, RankedTensorType::get(shape, type.getElementType()), sizes);
  return linalg::TransposeOp::create(b, tensor, empty, permutation)
      ->getResult(0);
}

//===----------------------------------------------------------------------===//
// Run time
//===----------------------------------------------------------------------===//

void nn::emitCheck(ImplicitLocOpBuilder &b, Value condition,
                   const llvm::Twine &message) {
  cf::AssertOp::create(b, condition, b.getStringAttr(message));
}

Value nn::emitCheckedIndex(ImplicitLocOpBuilder &b, Value index, Type element,
                           Value size, bool wraps, StringRef what) {
  Value at =
      isUnsignedElement(element)
          ? Value(arith::IndexCastUIOp::create(b, b.getIndexType(), index))
          : Value(arith::IndexCastOp::create(b, b.getIndexType(), index));
  if (wraps) {
    Value isNegative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, at,
                                             emitConstantIndex(b, 0));
    at = arith::SelectOp::create(b, isNegative, emitAdd(b, at, size), at);
  }
  // One unsigned comparison tests both bounds.
  Value isGood = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, at, size);
  emitCheck(b, isGood, what + " is out of range");
  return at;
}

Value nn::emitRefine(ImplicitLocOpBuilder &b, Value tensor,
                     ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> refined(type.getShape());
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (!type.isDynamicDim(dim) || ShapedType::isDynamic(size))
      continue;
    refined[dim] = size;
    Value isGood = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                         emitDim(b, tensor, int64_t(dim)),
                                         emitConstantIndex(b, size));
    emitCheck(b, isGood,
              "dim " + llvm::Twine(dim) + " of an operand must have the size " +
                  llvm::Twine(size));
  }
  if (refined == type.getShape())
    return tensor;
  return tensor::CastOp::create(
      b, RankedTensorType::get(refined, type.getElementType()), tensor);
}

void nn::emitSameSize(ImplicitLocOpBuilder &b, Value &lhs, int64_t lhsDim,
                      Value &rhs, int64_t rhsDim) {
  auto lhsType = cast<RankedTensorType>(lhs.getType());
  auto rhsType = cast<RankedTensorType>(rhs.getType());
  auto refine = [&](Value &operand, int64_t dim, int64_t size) {
    auto type = cast<RankedTensorType>(operand.getType());
    SmallVector<int64_t> shape(type.getRank(), ShapedType::kDynamic);
    shape[dim] = size;
    operand = emitRefine(b, operand, shape);
  };
  if (!lhsType.isDynamicDim(lhsDim))
    return refine(rhs, rhsDim, lhsType.getDimSize(lhsDim));
  if (!rhsType.isDynamicDim(rhsDim))
    return refine(lhs, lhsDim, rhsType.getDimSize(rhsDim));
  Value isGood =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                            emitDim(b, lhs, lhsDim), emitDim(b, rhs, rhsDim));
  emitCheck(b, isGood,
            "dim " + llvm::Twine(lhsDim) + " of an operand and dim " +
                llvm::Twine(rhsDim) + " of another must have the same size");
}

SmallVector<Value> nn::emitRuntimeCall(ImplicitLocOpBuilder &b, StringRef name,
                                       ValueRange inputs,
                                       ArrayRef<RankedTensorType> results,
                                       ValueRange scalars,
                                       ValueRange dynamicSizes) {
  SmallVector<Value> operands, buffers;
  auto addPointer = [&](Value buffer) {
    operands.push_back(
        memref::ExtractAlignedPointerAsIndexOp::create(b, buffer));
  };
  for (Value input : inputs) {
    auto type = cast<RankedTensorType>(input.getType());
    auto memory = MemRefType::get(type.getShape(), type.getElementType());
    addPointer(bufferization::ToBufferOp::create(b, memory, input,
                                                 /*read_only=*/true));
  }
  for (RankedTensorType type : results) {
    auto memory = MemRefType::get(type.getShape(), type.getElementType());
    size_t count = type.getNumDynamicDims();
    buffers.push_back(
        memref::AllocOp::create(b, memory, dynamicSizes.take_front(count)));
    dynamicSizes = dynamicSizes.drop_front(count);
    addPointer(buffers.back());
  }
  operands.append(scalars.begin(), scalars.end());
  auto module =
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto type = b.getFunctionType(ValueRange(operands).getTypes(), {});
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    func::FuncOp::create(b, name, type).setPrivate();
  }
  func::CallOp::create(b, name, TypeRange(), operands);
  SmallVector<Value> values;
  for (auto [type, buffer] : llvm::zip_equal(results, buffers))
    values.push_back(bufferization::ToTensorOp::create(
        b, type, buffer, /*restrict=*/true, /*writable=*/true));
  return values;
}
