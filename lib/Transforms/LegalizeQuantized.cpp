//===- LegalizeQuantized.cpp - Quantized ops on codes held as floats ------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %q = nn.cast %x {to = q}
// -->
//   c = min(max(round(x / scale) + zero, low), high)
//
//   %r = nn.conv2d %q, %w bias %b
// -->
//   s = conv(c - zero, codes of w)
//   r = act(s*scale + b*scale'), then as after the cast
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/IRMapping.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/OpCreation.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace modelwright;

/// Integers up to this one are f32 numbers, and so are their sums.
static constexpr int64_t kLargestExact = int64_t{1} << 24;

namespace {
class CodeSpeller {
public:
  CodeSpeller(func::FuncOp func, function_ref<void(Operation *)> done)
      : func(func), done(done), builder(func.getContext()) {}

  void run();

private:
  bool spell(Operation *op);
  bool spell(nn::CastOp cast);
  bool spell(nn::Conv2DOp conv);
  bool spell(nn::MaxPool2DOp pool);
  bool spell(nn::AvgPool2DOp pool);
  bool spellMove(Operation *op);
  bool spellElementwise(Operation *op);

  /// The codes of a quantized value as f32; null if they are not known so.
  Value getCodes(Value value);
  /// Code minus zero point, and the number that the code stands for.
  Value getCentered(Value value);
  Value getReal(Value value);
  /// Sets the codes of `op`'s result to those of the number `real`.
  bool quantize(Operation *op, Value real);
  bool replaceByReal(Operation *op, Value real);

  template <typename OpT>
  Value create(ValueRange operands, OpT::Properties properties = {});
  Value createNumber(float number);
  Value castTo(Value value, Type element);

  func::FuncOp func;
  function_ref<void(Operation *)> done;
  OpBuilder builder;
  Location loc = UnknownLoc::get(builder.getContext());
  nn::ShapeValues values;
  llvm::DenseMap<Value, Value> codes;
  /// Those of constants, for ops that were given up in the end.
  SmallVector<Operation *> constants;
  /// What was made for the op at hand, and for all before it.
  SmallVector<Operation *> made, allMade;
  /// The op that computes what a spelled op did.
  llvm::DenseMap<Operation *, Operation *> lastOf;
};
} // namespace

/// The type of a value of codes that this file knows; null for others.
static quant::UniformQuantizedType getCodeType(Value value) {
  auto type = dyn_cast<quant::UniformQuantizedType>(
      nn::getElementType(value.getType()));
  RankedTensorType ranked = nn::getRanked(value.getType());
  if (!type || !ranked || !ranked.hasStaticShape())
    return {};
  unsigned bits = type.getStorageTypeIntegralWidth();
  return bits <= 8 || bits == 32 ? type : quant::UniformQuantizedType();
}

static bool isOnCodes(Operation *op) {
  auto isQuantized = [](Type type) {
    return nn::isQuantized(nn::getElementType(type));
  };
  return llvm::any_of(op->getOperandTypes(), isQuantized) ||
         llvm::any_of(op->getResultTypes(), isQuantized);
}

//===----------------------------------------------------------------------===//
// New ops
//===----------------------------------------------------------------------===//

template <typename OpT>
Value CodeSpeller::create(ValueRange operands, OpT::Properties properties) {
  if (llvm::any_of(operands, [](Value value) { return !value; }))
    return {};
  ScopedDiagnosticHandler silent(func.getContext(),
                                 [](Diagnostic &) { return success(); });
  FailureOr<OpT> op = nn::createInferred<OpT>(builder, loc, operands,
                                              std::move(properties), values);
  if (failed(op))
    return {};
  made.push_back(*op);
  return (*op)->getResult(0);
}

Value CodeSpeller::createNumber(float number) {
  auto type = RankedTensorType::get({1}, builder.getF32Type());
  auto constant = nn::ConstantOp::create(builder, loc, type,
                                         DenseElementsAttr::get(type, number));
  made.push_back(constant);
  return constant;
}

Value CodeSpeller::castTo(Value value, Type element) {
  nn::CastOp::Properties properties;
  properties.to = TypeAttr::get(element);
  return create<nn::CastOp>({value}, properties);
}

Value CodeSpeller::getCodes(Value value) {
  auto type = getCodeType(value);
  if (!type)
    return {};
  if (auto it = codes.find(value); it != codes.end())
    return it->second;
  // The bytes of a constant stay what they are; the graph widens them.
  ElementsAttr attr = getConstant(value);
  unsigned bits = type.getStorageTypeIntegralWidth();
  if (!attr || !type.isSigned() || bits < 8)
    return {};
  auto stored = RankedTensorType::get(nn::getRanked(value.getType()).getShape(),
                                      builder.getIntegerType(bits));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(value.getDefiningOp());
  auto constant = nn::ConstantOp::create(builder, value.getLoc(), stored, attr);
  Value widened = nn::CastOp::create(
      builder, value.getLoc(), stored.clone(builder.getF32Type()), constant,
      TypeAttr::get(builder.getF32Type()));
  constants.push_back(widened.getDefiningOp());
  return codes[value] = widened;
}

Value CodeSpeller::getCentered(Value value) {
  Value code = getCodes(value);
  if (!code || getCodeType(value).getZeroPoint() == 0)
    return code;
  auto zero = static_cast<float>(getCodeType(value).getZeroPoint());
  return create<nn::SubOp>({code, createNumber(zero)});
}

Value CodeSpeller::getReal(Value value) {
  if (nn::getElementType(value.getType()).isF32())
    return value;
  Value centered = getCentered(value);
  if (!centered)
    return {};
  auto scale = static_cast<float>(getCodeType(value).getScale());
  return create<nn::MulOp>({centered, createNumber(scale)});
}

/// Whether MegEngine's kernels multiply by the f32 reciprocal of the scale
/// where the definition divides by it. Results differ at ties only, which later
/// layers spread.
static bool multipliesByReciprocal(Operation *op) {
  return isa<nn::Conv2DOp, nn::AddOp, nn::SubOp, nn::ReluOp, nn::AbsOp,
             nn::MaximumOp, nn::MinimumOp>(op);
}

bool CodeSpeller::quantize(Operation *op, Value real) {
  Value result = op->getResult(0);
  auto type = getCodeType(result);
  if (!type || !real)
    return false;
  auto number = [&](double value) {
    return createNumber(static_cast<float>(value));
  };
  auto scale = static_cast<float>(type.getScale());
  Value quotient = multipliesByReciprocal(op)
                       ? create<nn::MulOp>({real, createNumber(1.0f / scale)})
                       : create<nn::DivOp>({real, createNumber(scale)});
  Value code = create<nn::RoundOp>({quotient});
  if (type.getZeroPoint() != 0)
    code = create<nn::AddOp>({code, number(type.getZeroPoint())});
  // In this order a NaN gives the lower bound. The upper one of i32 is the last
  // f32 below 2^31.
  double high = type.getStorageTypeIntegralWidth() == 32
                    ? 2147483520.0
                    : static_cast<double>(type.getStorageTypeMax());
  code = create<nn::MaximumOp>({code, number(type.getStorageTypeMin())});
  code = create<nn::MinimumOp>({code, number(high)});
  if (!code)
    return false;
  lastOf[op] = code.getDefiningOp();
  codes[result] = code;
  return true;
}

bool CodeSpeller::replaceByReal(Operation *op, Value real) {
  Value result = op->getResult(0);
  if (!real || real.getType() != result.getType())
    return false;
  if (Operation *last = real.getDefiningOp())
    lastOf[op] = last;
  result.replaceAllUsesWith(real);
  return true;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool CodeSpeller::spell(nn::CastOp cast) {
  Value input = cast.getInput();
  if (nn::isQuantized(nn::getElementType(cast.getType())))
    return quantize(cast, getReal(input));
  return nn::getElementType(cast.getType()).isF32() &&
         replaceByReal(cast, getReal(input));
}

/// The largest magnitude of a code less its zero point.
static int64_t getLargestCode(quant::UniformQuantizedType type) {
  return std::max(type.getStorageTypeMax() - type.getZeroPoint(),
                  type.getZeroPoint() - type.getStorageTypeMin());
}

/// Whether f32 holds every sum that the convolution can come to: the weights of
/// each output channel are known, an input may be as large as its type allows.
static bool isExact(nn::Conv2DOp conv) {
  auto input = getCodeType(conv.getInput());
  auto filter = getCodeType(conv.getFilter());
  ElementsAttr attr = getConstant(conv.getFilter());
  if (!input || !filter || !attr || input.getStorageTypeIntegralWidth() > 8 ||
      filter.getStorageTypeIntegralWidth() > 8 || filter.getZeroPoint() != 0)
    return false;
  nn::KnownInts weights = nn::readInts(attr, UINT64_MAX);
  ArrayRef<int64_t> shape =
      nn::getRanked(conv.getFilter().getType()).getShape();
  int64_t channels = ShapedType::getNumElements(
      shape.take_front(conv.getGroupFilter() ? 2 : 1));
  if (!weights || channels == 0)
    return false;
  size_t perChannel = weights->size() / channels;
  for (int64_t k = 0; k < channels; ++k) {
    int64_t sum = 0;
    for (int64_t weight : ArrayRef(*weights).slice(k * perChannel, perChannel))
      sum += std::abs(weight);
    if (sum > kLargestExact / getLargestCode(input))
      return false;
  }
  return true;
}

bool CodeSpeller::spell(nn::Conv2DOp conv) {
  if (!isExact(conv) || conv.getLayout() != nn::Layout::NCHW)
    return false;
  // The accumulator, in codes of the scale of the product.
  nn::Conv2DOp::Properties properties = conv.getProperties();
  properties.operandSegmentSizes = {1, 1, 0, 0};
  properties.activation = {};
  properties.out_type = {};
  Value sum = create<nn::Conv2DOp>(
      {getCentered(conv.getInput()), getCodes(conv.getFilter())}, properties);
  auto product =
      dyn_cast_or_null<quant::UniformQuantizedType>(nn::getQuantizedProductType(
          nn::getElementType(conv.getInput().getType()),
          nn::getElementType(conv.getFilter().getType())));
  if (!sum || !product)
    return false;
  Value real = create<nn::MulOp>(
      {sum, createNumber(static_cast<float>(product.getScale()))});
  for (Value addend : {conv.getBias(), conv.getResidual()})
    if (addend)
      real = create<nn::AddOp>({real, getReal(addend)});
  if (!real)
    return false;
  real = appendActivation(builder, loc, real, conv.getActivation(),
                          real.getType(), TypeAttr());
  if (Operation *last = real.getDefiningOp(); last != made.back())
    made.push_back(last);
  return nn::getElementType(conv.getType()).isF32() ? replaceByReal(conv, real)
                                                    : quantize(conv, real);
}

/// The greatest code stands for the greatest number.
bool CodeSpeller::spell(nn::MaxPool2DOp pool) {
  Value code = create<nn::MaxPool2DOp>({getCodes(pool.getInput())},
                                       pool.getProperties());
  if (!code)
    return false;
  lastOf[pool] = code.getDefiningOp();
  codes[pool] = code;
  return true;
}

/// The mean of the codes, rounded half away from zero. Padding holds the zero
/// point, which is 0 only if that is.
bool CodeSpeller::spell(nn::AvgPool2DOp pool) {
  auto type = getCodeType(pool.getInput());
  if (!type || (type.getZeroPoint() != 0 && pool.getCountIncludePad() &&
                llvm::any_of(pool.getPads(), [](int64_t pad) { return pad; })))
    return false;
  Value code = create<nn::RoundOp>({create<nn::AvgPool2DOp>(
      {getCodes(pool.getInput())}, pool.getProperties())});
  if (!code)
    return false;
  lastOf[pool] = code.getDefiningOp();
  codes[pool] = code;
  return true;
}

/// Ops that move elements of one type.
bool CodeSpeller::spellMove(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  Type element = nn::getElementType(op->getResult(0).getType());
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    if (!nn::isQuantized(nn::getElementType(operand.getType())))
      continue;
    Value code = getCodes(operand);
    if (!code || nn::getElementType(operand.getType()) != element)
      return false;
    mapping.map(operand, code);
  }
  Operation *moved = builder.clone(*op, mapping);
  moved->getResult(0).setType(
      nn::getTypeLike(op->getResult(0).getType(), builder.getF32Type()));
  codes[op->getResult(0)] = moved->getResult(0);
  made.push_back(moved);
  return true;
}

/// Each operand as a number, the op in f32, the result as codes: what quantized
/// elementwise ops are defined to do.
bool CodeSpeller::spellElementwise(Operation *op) {
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    if (mapping.contains(operand))
      continue;
    Value real = getReal(operand);
    if (!real)
      return false;
    mapping.map(operand, real);
  }
  Operation *inFloat = builder.clone(*op, mapping);
  inFloat->removeAttr("out_type");
  for (NamedAttribute attr : llvm::to_vector(inFloat->getDiscardableAttrs()))
    inFloat->removeDiscardableAttr(attr.getName());
  Value real = inFloat->getResult(0);
  real.setType(
      nn::getTypeLike(op->getResult(0).getType(), builder.getF32Type()));
  made.push_back(inFloat);
  if (nn::isQuantized(nn::getElementType(op->getResult(0).getType())))
    return quantize(op, real);
  return replaceByReal(op, real);
}

bool CodeSpeller::spell(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<nn::CastOp, nn::Conv2DOp, nn::MaxPool2DOp, nn::AvgPool2DOp>(
          [&](auto typed) { return spell(typed); })
      .Case<nn::ReshapeOp, nn::TransposeOp, nn::ConcatOp, nn::SliceOp,
            nn::BroadcastToOp, nn::IdentityOp, nn::CopyOp, nn::ExpandSqueezeOp>(
          [&](auto) { return spellMove(op); })
      .Default([&](Operation *) {
        return isa<nn::ElementwiseOpInterface>(op) && spellElementwise(op);
      });
}

void CodeSpeller::run() {
  SmallVector<Operation *> spelled;
  for (Operation &op : llvm::make_early_inc_range(func.front())) {
    if (failed(values.visit(&op)) || isa<nn::ConstantOp>(op) ||
        op.getNumResults() == 0 || !isOnCodes(&op))
      continue;
    builder.setInsertionPoint(&op);
    loc = op.getLoc();
    made.clear();
    if (spell(&op)) {
      spelled.push_back(&op);
      llvm::append_range(allMade, made);
      continue;
    }
    for (Operation *one : llvm::reverse(made)) {
      values.forget(one);
      one->erase();
    }
  }
  // What still reads codes keeps the ops that compute them.
  for (Operation *op : llvm::reverse(spelled)) {
    if (!op->use_empty())
      continue;
    done(op);
    if (Operation *last = lastOf.lookup(op))
      moveNames(op, last);
    llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
    values.forget(op);
    op->erase();
    for (Value operand : operands)
      eraseIfUnused(operand);
  }
  // And nobody needs them twice.
  for (Operation *one : llvm::reverse(allMade))
    if (one->use_empty())
      one->erase();
  for (Operation *widened : constants) {
    if (!widened->use_empty())
      continue;
    Operation *constant = widened->getOperand(0).getDefiningOp();
    widened->erase();
    constant->erase();
  }
}

void modelwright::spellCodesAsFloats(func::FuncOp func,
                                     function_ref<void(Operation *)> done) {
  if (func.getBody().hasOneBlock())
    CodeSpeller(func, done).run();
}
