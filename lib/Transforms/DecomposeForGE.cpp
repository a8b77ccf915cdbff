//===- DecomposeForGE.cpp - nn ops by ops that GE models know -------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function per op or family. Each is exact but for the order of sums: where
// the spelling would differ for infinities or NaN it is not used.
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/OpCreation.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace modelwright;

namespace {
/// Makes the new ops in front of `op`. Every function returns null after the
/// first op that could not be made.
class Decomposer {
public:
  Decomposer(Operation *op, nn::ShapeValues &values)
      : op(op), builder(op), values(values) {}

  Value run();
  /// Takes away what was made.
  void undo();

private:
  template <typename OpT>
  Value create(ValueRange operands, OpT::Properties properties = {});
  Value createInts(ArrayRef<int64_t> numbers);
  Value createNumber(float number, Type element);
  Value createReshape(Value value, ArrayRef<int64_t> shape);
  template <typename OpT> Value createReduce(Value value, int64_t axis);
  template <typename OpT> Value createReduceTo(Value value, Type type);
  Value createCast(Value value, Type element);
  template <typename OpT>
  Value createChoice(Value lhs, Value rhs, Value onTrue);

  Value visit(nn::FmaOp fma);
  Value visit(nn::Fma2Op fma);
  Value visit(nn::FastTanhOp tanh);
  Value visit(nn::HSigmoidOp sigmoid);
  Value visit(nn::LogSigmoidOp op);
  Value visit(nn::RoundOp round);
  Value visit(nn::SliceOp slice);
  Value visit(nn::DotOp dot);
  Value visit(nn::ReduceSumSqrOp reduce);
  Value visit(nn::ArgMinOp argmin);
  Value visit(nn::FlipOp flip);
  Value visit(nn::TransposeOp transpose);
  Value visit(nn::ExpandSqueezeOp expand);
  Value visit(nn::ShapeOfOp shapeOf);
  Value visit(nn::GroupNormOp norm);
  Value visit(nn::GeneralNormOp norm);
  Value visitCopy(Value input);
  template <typename OpT> Value visitReduce(OpT reduce);
  template <typename OpT> Value visitComparison(OpT compare);
  template <typename PoolT, typename OpT> Value visitAdaptivePool(OpT pool);
  Value normalizeMiddle(Value input, ArrayRef<int64_t> shape, float epsilon);
  template <typename OpT>
  Value normalize(OpT norm, ArrayRef<int64_t> middle,
                  ArrayRef<int64_t> paramShape);

  Operation *op;
  OpBuilder builder;
  nn::ShapeValues &values;
  SmallVector<Operation *> made;
};
} // namespace

void Decomposer::undo() {
  for (Operation *one : llvm::reverse(made)) {
    values.forget(one);
    one->erase();
  }
}

template <typename OpT>
Value Decomposer::create(ValueRange operands, OpT::Properties properties) {
  if (llvm::any_of(operands, [](Value value) { return !value; }))
    return {};
  ScopedDiagnosticHandler silent(op->getContext(),
                                 [](Diagnostic &) { return success(); });
  FailureOr<OpT> result = nn::createInferred<OpT>(
      builder, op->getLoc(), operands, std::move(properties), values);
  if (failed(result))
    return {};
  made.push_back(*result);
  return (*result)->getResult(0);
}

Value Decomposer::createInts(ArrayRef<int64_t> numbers) {
  SmallVector<int32_t> narrow(numbers.begin(), numbers.end());
  auto type = RankedTensorType::get(static_cast<int64_t>(numbers.size()),
                                    builder.getI32Type());
  auto constant = nn::ConstantOp::create(
      builder, op->getLoc(), type,
      DenseElementsAttr::get(type, ArrayRef<int32_t>(narrow)));
  made.push_back(constant);
  return constant;
}

Value Decomposer::createNumber(float number, Type element) {
  auto type = RankedTensorType::get({1}, element);
  auto constant = nn::ConstantOp::create(
      builder, op->getLoc(), type, nn::makeFloatElements(type, "", {number}));
  made.push_back(constant);
  return constant;
}

Value Decomposer::createReshape(Value value, ArrayRef<int64_t> shape) {
  if (!value)
    return {};
  if (cast<ShapedType>(value.getType()).getShape() == shape)
    return value;
  return create<nn::ReshapeOp>({value, createInts(shape)});
}

template <typename OpT>
Value Decomposer::createReduce(Value value, int64_t axis) {
  typename OpT::Properties properties;
  properties.axis = builder.getI64IntegerAttr(axis);
  return create<OpT>({value}, properties);
}

/// Whether a value is a tensor of floats of known shape.
static bool isStaticFloat(Value value) {
  RankedTensorType type = nn::getRanked(value.getType());
  return type && type.hasStaticShape() && nn::isFloat(type.getElementType());
}

static bool isStatic(Value value) {
  RankedTensorType type = nn::getRanked(value.getType());
  return type && type.hasStaticShape();
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

Value Decomposer::visit(nn::FmaOp fma) {
  if (!nn::isFloat(nn::getElementType(fma.getType())))
    return {};
  return create<nn::AddOp>(
      {create<nn::MulOp>({fma.getA(), fma.getB()}), fma.getC()});
}

Value Decomposer::visit(nn::Fma2Op fma) {
  if (!nn::isFloat(nn::getElementType(fma.getType())))
    return {};
  return create<nn::AddOp>({create<nn::MulOp>({fma.getA(), fma.getB()}),
                            create<nn::MulOp>({fma.getC(), fma.getD()})});
}

Value Decomposer::visit(nn::FastTanhOp tanh) {
  Type element = nn::getElementType(tanh.getType());
  if (!nn::isFloat(element))
    return {};
  Value x = tanh.getInput(), square = create<nn::SquareOp>({x});
  Value number = createNumber(27.0f, element);
  Value above = create<nn::MulOp>({x, create<nn::AddOp>({square, number})});
  Value below = create<nn::AddOp>(
      {create<nn::MulOp>({square, createNumber(9.0f, element)}), number});
  return create<nn::DivOp>({above, below});
}

/// -softplus(-x), term by term.
Value Decomposer::visit(nn::LogSigmoidOp op) {
  if (!nn::isFloat(nn::getElementType(op.getType())))
    return {};
  Value softplus = create<nn::SoftplusOp>({create<nn::NegOp>({op.getInput()})});
  return create<nn::NegOp>({softplus});
}

/// With a = |x|: sign(x)*(floor(a) + (a - floor(a) >= 0.5)). The difference is
/// exact; that of infinities, a NaN, is not.
Value Decomposer::visit(nn::RoundOp round) {
  Type element = nn::getElementType(round.getType());
  if (!nn::isFloat(nn::getElementType(round.getInput().getType())) ||
      element.isF64())
    return {};
  Value x = round.getInput(), magnitude = create<nn::AbsOp>({x});
  Value whole = create<nn::FloorOp>({magnitude});
  Value rest = create<nn::SubOp>({magnitude, whole});
  nn::LessEqualOp::Properties properties;
  properties.out_type = TypeAttr::get(builder.getI1Type());
  Value up =
      create<nn::LessEqualOp>({createNumber(0.5f, element), rest}, properties);
  Value nearest =
      create<nn::AddOp>({whole, up ? createCast(up, element) : Value()});
  return create<nn::MulOp>({nearest, create<nn::SignOp>({x})});
}

/// `lhs < rhs ? onTrue : 0` by the comparison of the op.
template <typename OpT>
Value Decomposer::createChoice(Value lhs, Value rhs, Value onTrue) {
  auto type = nn::getRanked(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || !nn::isFloat(type.getElementType()) ||
      type.getElementType().isF64())
    return {};
  typename OpT::Properties properties;
  properties.out_type = TypeAttr::get(builder.getI1Type());
  SmallVector<Value> operands{create<OpT>({lhs, rhs}, properties), onTrue,
                              createNumber(0.0f, type.getElementType())};
  for (Value &operand : operands)
    if (operand && nn::getRanked(operand.getType()) &&
        nn::getRanked(operand.getType()).getShape() != type.getShape())
      operand =
          create<nn::BroadcastToOp>({operand, createInts(type.getShape())});
  return create<nn::SelectOp>(operands);
}

/// The format's hard sigmoid has another slope.
Value Decomposer::visit(nn::HSigmoidOp sigmoid) {
  Type element = nn::getElementType(sigmoid.getType());
  if (!nn::isFloat(element))
    return {};
  Value sum =
      create<nn::AddOp>({sigmoid.getInput(), createNumber(3.0f, element)});
  Value sixth = create<nn::DivOp>({sum, createNumber(6.0f, element)});
  return create<nn::ClipOp>(
      {sixth, createNumber(0.0f, element), createNumber(1.0f, element)});
}

/// Comparisons give booleans in GE.
template <typename OpT> Value Decomposer::visitComparison(OpT compare) {
  Type element = nn::getElementType(compare.getType());
  if (element.isInteger(1) || nn::isQuantized(element))
    return {};
  typename OpT::Properties properties;
  properties.out_type = TypeAttr::get(builder.getI1Type());
  Value flags = create<OpT>({compare.getLhs(), compare.getRhs()}, properties);
  return createCast(flags, element);
}

/// What a GE file says stays, were it the identity.
Value Decomposer::visitCopy(Value input) { return input; }

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// One element at a computed place is a gather of one.
Value Decomposer::visit(nn::SliceOp slice) {
  auto type = nn::getRanked(slice.getType());
  if (slice.getAxes().size() != 1 || !slice.getHasIndex()[0] || !type ||
      !type.hasStaticShape() || values.lookup(slice.getIndices()[0]))
    return {};
  Value index = slice.getIndices()[0];
  if (!isStatic(index) || !nn::getElementType(index.getType()).isInteger(32))
    return {};
  nn::MeshIndexOp::Properties properties;
  properties.axes = slice.getAxesAttr();
  properties.has_begin = slice.getHasBeginAttr();
  properties.has_end = slice.getHasEndAttr();
  properties.has_step = slice.getHasStepAttr();
  properties.has_index = slice.getHasIndexAttr();
  Value element = create<nn::MeshIndexOp>(
      {slice.getInput(), createReshape(index, {1})}, properties);
  return createReshape(element, type.getShape());
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Value Decomposer::visit(nn::DotOp dot) {
  if (!isStaticFloat(dot.getLhs()) || !isStaticFloat(dot.getRhs()))
    return {};
  return createReduce<nn::ReduceSumOp>(
      create<nn::MulOp>({dot.getLhs(), dot.getRhs()}), 0);
}

Value Decomposer::visit(nn::ReduceSumSqrOp reduce) {
  if (!nn::isFloat(nn::getElementType(reduce.getInput().getType())) ||
      reduce.getDataType() != nn::ReduceType::same)
    return {};
  Value square = create<nn::SquareOp>({reduce.getInput()});
  return reduce.getTargetShape()
             ? createReduceTo<nn::ReduceSumOp>(square, reduce.getType())
             : createReduce<nn::ReduceSumOp>(square, *reduce.getAxis());
}

Value Decomposer::createCast(Value value, Type element) {
  if (!value || nn::getElementType(value.getType()) == element)
    return value;
  nn::CastOp::Properties properties;
  properties.to = TypeAttr::get(element);
  return create<nn::CastOp>({value}, properties);
}

/// Reduces to the shape of `type`, axis by axis.
template <typename OpT>
Value Decomposer::createReduceTo(Value value, Type type) {
  RankedTensorType out = nn::getRanked(type);
  if (!value || !isStatic(value) || !out || !out.hasStaticShape())
    return {};
  ArrayRef<int64_t> from = nn::getRanked(value.getType()).getShape();
  if (out.getRank() > static_cast<int64_t>(from.size()))
    return {};
  size_t extra = from.size() - out.getRank();
  for (size_t axis = 0; axis < from.size() && value; ++axis)
    if (axis < extra || out.getDimSize(axis - extra) != from[axis])
      value = createReduce<OpT>(value, axis);
  return createReshape(value, out.getShape());
}

/// GE reduces along axes only, in the type of its operand.
template <typename OpT> Value Decomposer::visitReduce(OpT reduce) {
  Value value = reduce.getInput();
  const bool accumulatesF32 = reduce.getDataType() != nn::ReduceType::same;
  if (!nn::isFloat(nn::getElementType(value.getType())) ||
      (!accumulatesF32 && !reduce.getTargetShape()))
    return {};
  if (accumulatesF32)
    value = createCast(value, builder.getF32Type());
  value = reduce.getTargetShape() ? createReduceTo<OpT>(value, reduce.getType())
                                  : createReduce<OpT>(value, *reduce.getAxis());
  return createCast(value, nn::getElementType(reduce.getType()));
}

Value Decomposer::visit(nn::ArgMinOp argmin) {
  if (!nn::isFloat(nn::getElementType(argmin.getInput().getType())))
    return {};
  nn::ArgMaxOp::Properties properties;
  properties.axis = argmin.getAxisAttr();
  return create<nn::ArgMaxOp>({create<nn::NegOp>({argmin.getInput()})},
                              properties);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value Decomposer::visit(nn::FlipOp flip) {
  nn::SliceOp::Properties properties;
  SmallVector<int64_t> axes;
  if (flip.getVertical())
    axes.push_back(1);
  if (flip.getHorizontal())
    axes.push_back(2);
  if (axes.empty())
    return flip.getInput();
  SmallVector<bool> no(axes.size(), false), yes(axes.size(), true);
  properties.axes = builder.getDenseI64ArrayAttr(axes);
  properties.has_begin = properties.has_end = properties.has_index =
      builder.getDenseBoolArrayAttr(no);
  properties.has_step = builder.getDenseBoolArrayAttr(yes);
  SmallVector<Value> operands{flip.getInput()};
  operands.append(axes.size(), createInts({-1}));
  return create<nn::SliceOp>(operands, properties);
}

/// New and dropped axes are the matter of a reshape.
Value Decomposer::visit(nn::TransposeOp transpose) {
  if (!isStatic(transpose.getInput()) || !isStatic(transpose))
    return {};
  auto type = nn::getRanked(transpose.getInput().getType());
  SmallVector<int64_t> kept, permutation;
  for (int64_t axis : transpose.getPermutation())
    if (axis >= 0)
      kept.push_back(axis);
  if (static_cast<int64_t>(kept.size()) == type.getRank() &&
      kept.size() == transpose.getPermutation().size())
    return {};
  // Drop axes, permute the others, add axes.
  SmallVector<int64_t> sorted(kept), shape;
  llvm::sort(sorted);
  for (int64_t axis : sorted)
    shape.push_back(type.getDimSize(axis));
  for (int64_t axis : kept)
    permutation.push_back(llvm::find(sorted, axis) - sorted.begin());
  Value value = createReshape(transpose.getInput(), shape);
  if (!llvm::is_sorted(permutation)) {
    nn::TransposeOp::Properties properties;
    properties.permutation = builder.getDenseI64ArrayAttr(permutation);
    value = create<nn::TransposeOp>({value}, properties);
  }
  return createReshape(value, nn::getRanked(transpose.getType()).getShape());
}

Value Decomposer::visit(nn::ExpandSqueezeOp expand) {
  if (!isStatic(expand))
    return {};
  return createReshape(expand.getInput(),
                       nn::getRanked(expand.getType()).getShape());
}

/// A known shape is a constant; of one that is not, GE gives all dims.
Value Decomposer::visit(nn::ShapeOfOp shapeOf) {
  if (!shapeOf.getAxis() && shapeOf.getInputs().size() == 1)
    return {};
  if (nn::KnownInts known = values.lookup(shapeOf))
    return createInts(*known);
  if (shapeOf.getInputs().size() != 1)
    return {};
  Value whole = create<nn::ShapeOfOp>({shapeOf.getInputs()[0]});
  int64_t axis = *shapeOf.getAxis();
  nn::SliceOp::Properties properties;
  properties.axes = builder.getDenseI64ArrayAttr({0});
  properties.has_begin = builder.getDenseBoolArrayAttr({true});
  properties.has_end = builder.getDenseBoolArrayAttr({axis != -1});
  properties.has_step = properties.has_index =
      builder.getDenseBoolArrayAttr({false});
  SmallVector<Value> operands{whole, createInts({axis})};
  if (axis != -1)
    operands.push_back(createInts({axis + 1}));
  return create<nn::SliceOp>(operands, properties);
}

/// The window that nn.adaptive_*_pool2d stand for.
template <typename PoolT, typename OpT>
Value Decomposer::visitAdaptivePool(OpT pool) {
  if (!isStatic(pool.getInput()) || !isStatic(pool) ||
      (pool.getLayout() != nn::Layout::NCHW &&
       pool.getLayout() != nn::Layout::NHWC))
    return {};
  unsigned axis = pool.getLayout() == nn::Layout::NHWC ? 1 : 2;
  auto in = nn::getRanked(pool.getInput().getType());
  auto out = nn::getRanked(pool.getType());
  SmallVector<int64_t> kernel, strides;
  for (unsigned k = 0; k < 2; ++k) {
    int64_t from = in.getDimSize(axis + k), to = out.getDimSize(axis + k);
    if (to == 0)
      return {};
    strides.push_back(from / to);
    kernel.push_back(from - (to - 1) * strides.back());
  }
  typename PoolT::Properties properties;
  properties.kernel = builder.getDenseI64ArrayAttr(kernel);
  properties.strides = builder.getDenseI64ArrayAttr(strides);
  properties.pads = builder.getDenseI64ArrayAttr({0, 0});
  properties.layout = pool.getLayoutAttr();
  return create<PoolT>({pool.getInput()}, properties);
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// (x - mean) / sqrt(variance + epsilon) over axis 1 of a tensor that is viewed
/// as `shape`, [outer, middle, inner].
Value Decomposer::normalizeMiddle(Value input, ArrayRef<int64_t> shape,
                                  float epsilon) {
  Value x = createReshape(input, shape);
  Value mean = createReduce<nn::ReduceMeanOp>(x, 1);
  Value centered = create<nn::SubOp>({x, mean});
  Value variance =
      createReduce<nn::ReduceMeanOp>(create<nn::SquareOp>({centered}), 1);
  nn::PowConstOp::Properties properties;
  properties.exponent = builder.getF32FloatAttr(-0.5f);
  Value rstd = create<nn::PowConstOp>(
      {create<nn::AddOp>(
          {variance, createNumber(epsilon, builder.getF32Type())})},
      properties);
  return create<nn::MulOp>({centered, rstd});
}

template <typename OpT>
Value Decomposer::normalize(OpT norm, ArrayRef<int64_t> middle,
                            ArrayRef<int64_t> paramShape) {
  auto type = nn::getRanked(norm.getInput().getType());
  Value value = normalizeMiddle(norm.getInput(), middle,
                                norm.getEpsilon().convertToFloat());
  value = createReshape(value, type.getShape());
  if (!norm.getWeight())
    return value;
  Value weight = createReshape(norm.getWeight(), paramShape);
  Value bias = createReshape(norm.getBias(), paramShape);
  return create<nn::AddOp>({create<nn::MulOp>({value, weight}), bias});
}

/// Norms whose moments nobody reads, in f32.
template <typename OpT> static bool isPlainNorm(OpT norm) {
  return isStaticFloat(norm.getInput()) &&
         nn::getElementType(norm.getInput().getType()).isF32() &&
         norm.getMean().use_empty() && norm.getRstd().use_empty();
}

Value Decomposer::visit(nn::GroupNormOp norm) {
  if (!isPlainNorm(norm))
    return {};
  ArrayRef<int64_t> shape = nn::getRanked(norm.getInput().getType()).getShape();
  int64_t outer = shape[0] * static_cast<int64_t>(norm.getGroups());
  if (outer == 0)
    return {};
  int64_t count = ShapedType::getNumElements(shape) / outer;
  return normalize(norm, {outer, count, 1}, {1, shape[1], 1, 1});
}

Value Decomposer::visit(nn::GeneralNormOp norm) {
  if (!isPlainNorm(norm))
    return {};
  ArrayRef<int64_t> shape = nn::getRanked(norm.getInput().getType()).getShape();
  auto rank = static_cast<int64_t>(shape.size());
  int64_t begin = norm.getAxisBegin(), end = norm.getAxisEnd();
  begin += begin < 0 ? rank : 0;
  end += end < 0 ? rank : 0;
  SmallVector<int64_t> params(rank, 1);
  llvm::copy(shape.slice(begin, end - begin), params.begin() + begin);
  return normalize(norm,
                   {ShapedType::getNumElements(shape.take_front(begin)),
                    ShapedType::getNumElements(shape.slice(begin, end - begin)),
                    ShapedType::getNumElements(shape.drop_front(end))},
                   params);
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

Value Decomposer::run() {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<nn::FmaOp, nn::Fma2Op, nn::FastTanhOp, nn::HSigmoidOp,
            nn::LogSigmoidOp, nn::RoundOp, nn::SliceOp, nn::DotOp,
            nn::ReduceSumSqrOp, nn::ArgMinOp, nn::FlipOp, nn::TransposeOp,
            nn::ExpandSqueezeOp, nn::ShapeOfOp, nn::GroupNormOp,
            nn::GeneralNormOp>([&](auto typed) { return visit(typed); })
      .Case([&](nn::CondLessMoveOp move) {
        // x above a number, else 0, is an activation.
        if (move.getRhs() == move.getValue())
          return Value();
        return createChoice<nn::LessOp>(move.getLhs(), move.getRhs(),
                                        move.getValue());
      })
      .Case([&](nn::CondLessEqualMoveOp move) {
        return createChoice<nn::LessEqualOp>(move.getLhs(), move.getRhs(),
                                             move.getValue());
      })
      .Case([&](nn::SwitchGt0Op choice) {
        Type element = nn::getElementType(choice.getType());
        if (!nn::isFloat(element) || element.isF64())
          return Value();
        return createChoice<nn::LessOp>(createNumber(0.0f, element),
                                        choice.getLhs(), choice.getRhs());
      })
      .Case<nn::CopyOp, nn::IdentityOp>(
          [&](auto copy) { return visitCopy(copy.getInput()); })
      .Case<nn::ReduceSumOp, nn::ReduceMeanOp, nn::ReduceMaxOp, nn::ReduceMinOp,
            nn::ReduceProdOp>([&](auto reduce) { return visitReduce(reduce); })
      .Case<nn::LessOp, nn::LessEqualOp, nn::EqualOp, nn::NotEqualOp>(
          [&](auto compare) { return visitComparison(compare); })
      .Case([&](nn::AdaptiveAvgPool2DOp pool) {
        return visitAdaptivePool<nn::AvgPool2DOp>(pool);
      })
      .Case([&](nn::AdaptiveMaxPool2DOp pool) {
        return visitAdaptivePool<nn::MaxPool2DOp>(pool);
      })
      .Default([](Operation *) { return Value(); });
}

Value modelwright::decomposeForGE(Operation *op, nn::ShapeValues &values) {
  // What a GE file says is said there, unless a pass made it.
  if (!isa<nn::FmaOp, nn::Fma2Op>(op) &&
      (op->hasAttr(ge::attr::kOp) || op->hasAttr(ge::attr::kImplicit)))
    return {};
  Decomposer decomposer(op, values);
  Value value = decomposer.run();
  if (value && value.getType() == op->getResult(0).getType())
    return value;
  decomposer.undo();
  return {};
}
