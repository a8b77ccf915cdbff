//===- NormToLinalg.cpp - Norms -------------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "modelwright/Dialect/NN/IR/NNNormOps.h"

#include <limits>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Results = FailureOr<SmallVector<Value>>;
using utils::IteratorType;

//===----------------------------------------------------------------------===//
// Moments
//===----------------------------------------------------------------------===//

namespace {
/// Which elements of a tensor have a mean in common.
struct MomentLoops {
  /// The loops over the tensor's elements, of which some are reductions.
  SmallVector<IteratorType> iterators;
  /// From the loops to the tensor's elements, and to those of the moments.
  AffineMap input, moments;
  /// The shape of the moments.
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  /// A tensor whose dims are the loops `extra` says; it is only there to tell
  /// their sizes where `input` does not.
  Value sizeTensor;
  AffineMap sizeMap;
  /// How many elements have one mean, an i64.
  Value count;

  /// Those of a tensor of which the dims `isReduced` are gone in the moments.
  static MomentLoops get(ImplicitLocOpBuilder &b, Value input,
                         ArrayRef<bool> isReduced);
};

/// The mean and the biased variance, tensors of f64: the numbers that exact
/// arithmetic gives, for any number of elements.
struct Moments {
  Value mean, variance;

  static Moments emit(ImplicitLocOpBuilder &b, Value input, Type element,
                      const MomentLoops &loops);
};
} // namespace

MomentLoops MomentLoops::get(ImplicitLocOpBuilder &b, Value input,
                             ArrayRef<bool> isReduced) {
  auto type = cast<RankedTensorType>(input.getType());
  MomentLoops loops;
  Value count = emitConstantIndex(b, 1);
  SmallVector<AffineExpr> kept;
  for (auto [dim, isOne] : llvm::enumerate(isReduced)) {
    loops.iterators.push_back(isOne ? IteratorType::reduction
                                    : IteratorType::parallel);
    if (isOne) {
      count = emitMul(b, count, emitDim(b, input, int64_t(dim)));
      continue;
    }
    kept.push_back(b.getAffineDimExpr(dim));
    loops.shape.push_back(type.getDimSize(dim));
    if (type.isDynamicDim(dim))
      loops.sizes.push_back(emitDim(b, input, int64_t(dim)));
  }
  loops.input = b.getMultiDimIdentityMap(type.getRank());
  loops.moments = AffineMap::get(type.getRank(), 0, kept, b.getContext());
  loops.count = arith::IndexCastOp::create(b, b.getI64Type(), count);
  return loops;
}

Moments Moments::emit(ImplicitLocOpBuilder &b, Value input, Type element,
                      const MomentLoops &loops) {
  Type f64 = b.getF64Type();
  auto type = RankedTensorType::get(loops.shape, f64);
  Value count = arith::SIToFPOp::create(b, f64, loops.count);
  Value zero = emitConstant(b, f64, 0);
  // Of the operands that `maps` has, divided by the count.
  auto emitAverage = [&](ArrayRef<Value> operands, ArrayRef<AffineMap> maps,
                         ElementBody body) {
    SmallVector<Value> all(operands);
    SmallVector<AffineMap> allMaps(maps);
    if (loops.sizeTensor) {
      all.push_back(loops.sizeTensor);
      allMaps.push_back(loops.sizeMap);
    }
    allMaps.push_back(loops.moments);
    Value sum = emitReduction(
        b, type, all, allMaps, loops.iterators, zero,
        [&](ImplicitLocOpBuilder &inner, ValueRange values) {
          return emitAdd(inner, values.back(), body(inner, values));
        },
        loops.sizes);
    return emitElementwise(
        b, type, sum, [&](ImplicitLocOpBuilder &inner, ValueRange values) {
          return arith::DivFOp::create(inner, values[0], count).getResult();
        });
  };
  Value mean = emitAverage({input}, {loops.input},
                           [&](ImplicitLocOpBuilder &inner, ValueRange values) {
                             return emitCast(inner, values[0], element, f64);
                           });
  Value variance =
      emitAverage({input, mean}, {loops.input, loops.moments},
                  [&](ImplicitLocOpBuilder &inner, ValueRange values) {
                    Value number = emitCast(inner, values[0], element, f64);
                    Value distance = emitSub(inner, number, values[1]);
                    return emitMul(inner, distance, distance);
                  });
  return {mean, variance};
}

/// `1 / sqrt(variance + epsilon)` for floats of one type.
static Value emitRstd(ImplicitLocOpBuilder &b, Value variance, double epsilon) {
  Type type = variance.getType();
  Value root = math::SqrtOp::create(
      b, emitAdd(b, variance, emitConstant(b, type, epsilon)));
  return arith::DivFOp::create(b, emitConstant(b, type, 1), root);
}

//===----------------------------------------------------------------------===//
// Norms with moments
//===----------------------------------------------------------------------===//

/// The three results of a norm with moments. `read` is the map from the input's
/// dims to those of the moments, `affine` that to weight's and bias's.
template <typename OpT>
static SmallVector<Value> emitMomentsNorm(OpT op, ImplicitLocOpBuilder &b,
                                          Value input, Value weight, Value bias,
                                          const MomentLoops &loops,
                                          AffineMap read, AffineMap affine) {
  Type element = nn::getElementType(op.getInput().getType());
  Type f32 = b.getF32Type(), f64 = b.getF64Type();
  auto type = cast<RankedTensorType>(input.getType());
  double epsilon = op.getEpsilon().convertToFloat();
  Moments moments = Moments::emit(b, input, element, loops);
  Value rstd = emitElementwise(
      b, cast<RankedTensorType>(moments.variance.getType()), moments.variance,
      [&](ImplicitLocOpBuilder &inner, ValueRange values) {
        return emitRstd(inner, values[0], epsilon);
      });

  SmallVector<Value> operands = {input, moments.mean, rstd};
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(type.getRank()), read,
                                 read};
  Type parameter;
  if (weight) {
    parameter = nn::getElementType(op.getWeight().getType());
    operands.append({weight, bias});
    maps.append(2, affine);
  }
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(emitDim(b, input, dim));
  Value result = emitMap(
      b, type, operands, maps,
      [&](ImplicitLocOpBuilder &inner, ValueRange values) {
        Value number =
            emitSub(inner, emitCast(inner, values[0], element, f64), values[1]);
        number = emitMul(inner, number, values[2]);
        if (parameter) {
          number = emitMul(inner, number,
                           emitCast(inner, values[3], parameter, f64));
          number = emitAdd(inner, number,
                           emitCast(inner, values[4], parameter, f64));
        }
        return emitCast(inner, number, f64, element);
      },
      sizes);

  SmallVector<Value> results = {result};
  for (auto [value, own] : {std::make_pair(moments.mean, op.getMean()),
                            std::make_pair(rstd, op.getRstd())}) {
    // Moments of a whole tensor are a vector of one.
    auto wanted = cast<RankedTensorType>(own.getType());
    bool isScalar = loops.shape.empty();
    AffineMap from = isScalar
                         ? AffineMap::get(wanted.getRank(), 0, b.getContext())
                         : b.getMultiDimIdentityMap(wanted.getRank());
    results.push_back(emitMap(
        b, wanted, value, from,
        [&](ImplicitLocOpBuilder &inner, ValueRange values) {
          return emitCast(inner, values[0], f64, f32);
        },
        loops.sizes));
  }
  return results;
}

/// Whether the results have the shapes that the input implies: types that know
/// more would need checks that no file asks for.
template <typename OpT> static bool hasPlainTypes(OpT op, MomentLoops &loops) {
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  SmallVector<int64_t> shape(loops.shape);
  if (shape.empty())
    shape.push_back(1);
  return op.getResult().getType() == input &&
         cast<ShapedType>(op.getMean().getType()).getShape() ==
             ArrayRef<int64_t>(shape) &&
         cast<ShapedType>(op.getRstd().getType()).getShape() ==
             ArrayRef<int64_t>(shape);
}

/// Norms over the dims [begin, end).
template <typename OpT>
static Results lowerRangeNorm(OpT op, typename OpT::Adaptor adaptor,
                              ImplicitLocOpBuilder &b, int64_t begin,
                              int64_t end) {
  auto type = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t rank = type.getRank();
  SmallVector<bool> isReduced;
  SmallVector<AffineExpr> inner;
  for (int64_t dim = 0; dim < rank; ++dim) {
    isReduced.push_back(dim >= begin && dim < end);
    if (isReduced.back())
      inner.push_back(b.getAffineDimExpr(dim));
  }
  MomentLoops loops = MomentLoops::get(b, adaptor.getInput(), isReduced);
  if (!hasPlainTypes(op, loops))
    return failure();
  Value weight = adaptor.getWeight(), bias = adaptor.getBias();
  Value input = adaptor.getInput();
  if (weight)
    for (int64_t dim = begin; dim < end; ++dim)
      for (Value *parameter : {&weight, &bias}) {
        // Once checked, the input may stay as it is.
        Value same = input;
        emitSameSize(b, same, dim, *parameter, dim - begin);
      }
  return emitMomentsNorm(op, b, input, weight, bias, loops, loops.moments,
                         AffineMap::get(rank, 0, inner, b.getContext()));
}

/// Norms over groups of channels, with their spatial dims, of N,C,H,W.
template <typename OpT>
static Results lowerGroupNorm(OpT op, typename OpT::Adaptor adaptor,
                              ImplicitLocOpBuilder &b, int64_t groups) {
  Value input = adaptor.getInput();
  auto type = cast<RankedTensorType>(input.getType());
  int64_t channels = type.getDimSize(1), size = channels / groups;
  MomentLoops loops;
  AffineExpr n, group, own, h, w, c;
  bindDims(b.getContext(), n, group, own, h, w);
  loops.iterators.assign(5, IteratorType::reduction);
  loops.iterators[0] = loops.iterators[1] = IteratorType::parallel;
  loops.input =
      AffineMap::get(5, 0, {n, group * size + own, h, w}, b.getContext());
  loops.moments = AffineMap::get(5, 0, {n, group}, b.getContext());
  loops.shape = {type.getDimSize(0), groups};
  if (type.isDynamicDim(0))
    loops.sizes.push_back(emitDim(b, input, 0));
  loops.sizeTensor =
      emitEmpty(b, RankedTensorType::get({groups, size}, b.getI8Type()));
  loops.sizeMap = AffineMap::get(5, 0, {group, own}, b.getContext());
  Value count = emitMul(b, emitDim(b, input, 2), emitDim(b, input, 3));
  count = emitMul(b, count, emitConstantIndex(b, size));
  loops.count = arith::IndexCastOp::create(b, b.getI64Type(), count);
  if (!hasPlainTypes(op, loops))
    return failure();
  Value parameters[] = {adaptor.getWeight(), adaptor.getBias()};
  for (Value &parameter : parameters) {
    if (!parameter)
      continue;
    if (!cast<RankedTensorType>(parameter.getType()).hasStaticShape())
      return failure();
    parameter = emitReshape(b, parameter, channels);
  }
  c = b.getAffineDimExpr(1);
  AffineMap read = AffineMap::get(4, 0, {n, c.floorDiv(size)}, b.getContext());
  return emitMomentsNorm(op, b, input, parameters[0], parameters[1], loops,
                         read, AffineMap::get(4, 0, c));
}

namespace {
class LayerNormLowering : public Lowering<LayerNormOp> {
public:
  using Lowering::Lowering;
  Results lower(LayerNormOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    auto type = dyn_cast<RankedTensorType>(adaptor.getInput().getType());
    if (!type || !getResultType(op.getResult()))
      return failure();
    int64_t rank = type.getRank();
    return lowerRangeNorm(op, adaptor, b,
                          rank - int64_t(op.getNormalizedDims()), rank);
  }
};

class GeneralNormLowering : public Lowering<GeneralNormOp> {
public:
  using Lowering::Lowering;
  Results lower(GeneralNormOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    if (!isa<RankedTensorType>(adaptor.getInput().getType()) ||
        !getResultType(op.getResult()))
      return failure();
    return lowerRangeNorm(op, adaptor, b, op.getAxisBegin(), op.getAxisEnd());
  }
};

class GroupNormLowering : public Lowering<GroupNormOp> {
public:
  using Lowering::Lowering;
  Results lower(GroupNormOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    auto type = dyn_cast<RankedTensorType>(adaptor.getInput().getType());
    if (!type || type.isDynamicDim(1) || !getResultType(op.getResult()))
      return failure();
    return lowerGroupNorm(op, adaptor, b, op.getGroups());
  }
};

class InstanceNormLowering : public Lowering<InstanceNormOp> {
public:
  using Lowering::Lowering;
  Results lower(InstanceNormOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    auto type = dyn_cast<RankedTensorType>(adaptor.getInput().getType());
    if (!type || type.isDynamicDim(1) || type.getDimSize(1) == 0 ||
        !getResultType(op.getResult()))
      return failure();
    return lowerGroupNorm(op, adaptor, b, type.getDimSize(1));
  }
};

//===----------------------------------------------------------------------===//
// Batch norm
//===----------------------------------------------------------------------===//

class BatchNormLowering : public Lowering<BatchNormOp> {
public:
  using Lowering::Lowering;
  Results lower(BatchNormOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override;

private:
  /// The dims that are 1 in the parameters.
  static SmallVector<bool> getReducedDims(ParamDim dim) {
    switch (dim) {
    case ParamDim::dim_11hw:
      return {true, true, false, false};
    case ParamDim::dim_1chw:
      return {true, false, false, false};
    case ParamDim::dim_1c11:
      return {true, false, true, true};
    case ParamDim::dim_111c:
      return {true, true, true, false};
    }
    llvm_unreachable("parameters of no kind");
  }
};
} // namespace

Results BatchNormLowering::lower(BatchNormOp op, Adaptor adaptor,
                                 ImplicitLocOpBuilder &b) const {
  RankedTensorType type = getResultType(op.getResult());
  auto scaleType = dyn_cast<RankedTensorType>(adaptor.getScale().getType());
  Type element = nn::getElementType(op.getType(0));
  Type parameter = nn::getElementType(op.getScale().getType());
  // Unknown sizes of a parameter leave unknown whether it is spread.
  if (!type || !scaleType || !scaleType.hasStaticShape() ||
      adaptor.getInput().getType() != type)
    return failure();
  Type number = element.isF64() ? element : Type(b.getF32Type());
  auto moments = RankedTensorType::get(scaleType.getShape(), number);
  SmallVector<bool> isReduced = getReducedDims(op.getParamDim());
  double epsilon = op.getEpsilon().convertToDouble();
  Value oldMean, oldVariance;
  if (adaptor.getMean()) {
    oldMean = emitCastTensor(b, adaptor.getMean(), parameter, number);
    oldVariance = emitCastTensor(b, adaptor.getVariance(), parameter, number);
  }
  Value mean = oldMean, variance = oldVariance, count;
  if (op.getTraining()) {
    MomentLoops loops = MomentLoops::get(b, adaptor.getInput(), isReduced);
    if (ShapedType::isDynamicShape(loops.shape))
      return failure();
    Moments batch = Moments::emit(b, adaptor.getInput(), element, loops);
    count = loops.count;
    auto spread = [&](Value value) {
      return emitMap(b, moments, value, loops.moments,
                     [&](ImplicitLocOpBuilder &inner, ValueRange values) {
                       return emitCast(inner, values[0], inner.getF64Type(),
                                       number);
                     });
    };
    mean = spread(batch.mean);
    variance = spread(batch.variance);
  }
  Value rstd =
      emitElementwise(b, moments, variance,
                      [&](ImplicitLocOpBuilder &inner, ValueRange values) {
                        return emitRstd(inner, values[0], epsilon);
                      });
  Value operands[] = {adaptor.getInput(), adaptor.getScale(), adaptor.getBias(),
                      mean, rstd};
  Value result = emitElementwise(
      b, type, operands, [&](ImplicitLocOpBuilder &inner, ValueRange values) {
        Value x = emitCast(inner, values[0], element, number);
        Value scale = emitCast(inner, values[1], parameter, number);
        Value bias = emitCast(inner, values[2], parameter, number);
        Value centered = emitMul(inner, scale, emitSub(inner, x, values[3]));
        Value normed =
            emitAdd(inner, emitMul(inner, centered, values[4]), bias);
        return emitCast(inner, normed, number, element);
      });

  SmallVector<Value> results = {result};
  if (op.getNumStats() == 0)
    return results;
  auto addStat = [&](ValueRange values, ElementBody body) {
    auto own = getResultType(op->getResult(results.size()));
    results.push_back(emitElementwise(
        b, own, values, [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
          return emitCast(inner, body(inner, elements), number, parameter);
        }));
  };
  auto same = [](ImplicitLocOpBuilder &, ValueRange elements) {
    return elements[0];
  };
  if (op.getTraining() && oldMean) {
    auto factor = static_cast<float>(op.getAvgFactor().convertToDouble());
    Value old = emitConstant(b, number, 1.0f - factor);
    Value fresh = emitConstant(b, number, factor);
    auto blend = [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
      return emitAdd(inner, emitMul(inner, old, elements[0]),
                     emitMul(inner, fresh, elements[1]));
    };
    addStat({oldMean, mean}, blend);
    // n / (n - 1) of the biased variance, which a single element has not.
    Value one = emitConstant(b, b.getI64Type(), 1);
    Value divisor = arith::MaxSIOp::create(b, emitSub(b, count, one), one);
    Value correction =
        arith::DivFOp::create(b, arith::SIToFPOp::create(b, number, count),
                              arith::SIToFPOp::create(b, number, divisor));
    addStat({oldVariance, variance},
            [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
              Value unbiased = emitMul(inner, elements[1], correction);
              return blend(inner, {elements[0], unbiased});
            });
  }
  addStat(mean, same);
  addStat(op.getTraining() ? rstd : variance, same);
  // The reserve has no elements.
  if (results.size() < op->getNumResults())
    results.push_back(
        emitEmpty(b, getResultType(op->getResult(results.size()))));
  return results;
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

namespace {
class LRNLowering : public Lowering<LRNOp> {
public:
  using Lowering::Lowering;
  Results lower(LRNOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op.getResult());
    if (!type || adaptor.getInput().getType() != type || type.isDynamicDim(1))
      return failure();
    Type element = nn::getElementType(op.getType());
    Type number = element.isF64() ? element : Type(b.getF32Type());
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < 4; ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(emitDim(b, adaptor.getInput(), dim));
    // No channel has more neighbours than there are channels.
    int64_t half = std::min<int64_t>(op.getSize() / 2, type.getDimSize(1));
    Value padded = emitPad(b, adaptor.getInput(), {0, half, 0, 0},
                           {0, half, 0, 0}, emitConstant(b, element, 0));
    Value window =
        emitEmpty(b, RankedTensorType::get({2 * half + 1}, b.getI8Type()));
    AffineExpr n, c, h, w, j;
    bindDims(b.getContext(), n, c, j, h, w);
    AffineMap maps[] = {AffineMap::get(5, 0, {n, c + j, h, w}, b.getContext()),
                        AffineMap::get(5, 0, j),
                        AffineMap::get(5, 0, {n, c, h, w}, b.getContext())};
    SmallVector<IteratorType> iterators(5, IteratorType::parallel);
    iterators[2] = IteratorType::reduction;
    Value squares = emitReduction(
        b, RankedTensorType::get(type.getShape(), number), {padded, window},
        maps, iterators, emitConstant(b, number, 0),
        [&](ImplicitLocOpBuilder &inner, ValueRange values) {
          Value x = emitCast(inner, values[0], element, number);
          return emitAdd(inner, values[2], emitMul(inner, x, x));
        },
        sizes);
    auto body = [&](ImplicitLocOpBuilder &inner, ValueRange values) {
      auto constant = [&](const APFloat &value) {
        return emitConstant(inner, number, value.convertToFloat());
      };
      Value x = emitCast(inner, values[0], element, number);
      Value sum = emitAdd(inner, constant(op.getK()),
                          emitMul(inner, constant(op.getAlpha()), values[1]));
      Value power =
          math::PowFOp::create(inner, sum, constant(neg(op.getBeta())));
      return emitCast(inner, emitMul(inner, x, power), number, element);
    };
    return SmallVector<Value>{
        emitElementwise(b, type, {adaptor.getInput(), squares}, body)};
  }
};

class SoftmaxLowering : public Lowering<SoftmaxOp> {
public:
  using Lowering::Lowering;
  Results lower(SoftmaxOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op.getResult());
    if (!type || adaptor.getInput().getType() != type)
      return failure();
    Type element = nn::getElementType(op.getType());
    Type number = element.isF64() ? element : Type(b.getF32Type());
    Type f64 = b.getF64Type();
    int64_t rank = type.getRank();
    auto axis = int64_t(op.getAxis());
    SmallVector<bool> isReduced(rank, false);
    isReduced[axis < 0 ? axis + rank : axis] = true;
    MomentLoops loops = MomentLoops::get(b, adaptor.getInput(), isReduced);
    AffineMap identity = b.getMultiDimIdentityMap(rank);
    double lowest = -std::numeric_limits<double>::infinity();
    Value highest = emitReduction(
        b, RankedTensorType::get(loops.shape, number), adaptor.getInput(),
        {identity, loops.moments}, loops.iterators,
        emitConstant(b, number, lowest),
        [&](ImplicitLocOpBuilder &inner, ValueRange values) {
          return emitMax(inner, values[1],
                         emitCast(inner, values[0], element, number), number);
        },
        loops.sizes);
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(emitDim(b, adaptor.getInput(), dim));
    Value powers = emitMap(
        b, RankedTensorType::get(type.getShape(), number),
        {adaptor.getInput(), highest}, {identity, loops.moments},
        [&](ImplicitLocOpBuilder &inner, ValueRange values) {
          Value x = emitCast(inner, values[0], element, number);
          return math::ExpOp::create(inner, emitSub(inner, x, values[1]))
              .getResult();
        },
        sizes);
    Value sum = emitReduction(
        b, RankedTensorType::get(loops.shape, f64), powers,
        {identity, loops.moments}, loops.iterators, emitConstant(b, f64, 0),
        [&](ImplicitLocOpBuilder &inner, ValueRange values) {
          return emitAdd(inner, values[1],
                         emitCast(inner, values[0], number, f64));
        },
        loops.sizes);
    return SmallVector<Value>{emitMap(
        b, type, {powers, sum}, {identity, loops.moments},
        [&](ImplicitLocOpBuilder &inner, ValueRange values) {
          Value total = emitCast(inner, values[1], f64, number);
          return emitCast(inner, arith::DivFOp::create(inner, values[0], total),
                          number, element);
        },
        sizes)};
  }
};
} // namespace

void nn::populateNormLowerings(TypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<BatchNormLowering, LRNLowering, LayerNormLowering,
               GeneralNormLowering, GroupNormLowering, InstanceNormLowering,
               SoftmaxLowering>(converter, patterns.getContext());
}
