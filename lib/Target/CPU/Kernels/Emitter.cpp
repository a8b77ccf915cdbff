//===- Emitter.cpp - Loops over vectors -----------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

Value Emitter::constant(TypedAttr value) {
  Value &known = constants[value];
  if (!known) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(body);
    known = arith::ConstantOp::create(b, value);
  }
  return known;
}

Value Emitter::index(int64_t value) { return constant(b.getIndexAttr(value)); }

Value Emitter::add(Value lhs, Value rhs) {
  return arith::AddIOp::create(b, lhs, rhs);
}

Value Emitter::add(Value lhs, int64_t rhs) {
  if (std::optional<int64_t> known = getConstantIntValue(lhs))
    return index(*known + rhs);
  return rhs == 0 ? lhs : add(lhs, index(rhs));
}

Value Emitter::mul(Value lhs, int64_t rhs) {
  if (std::optional<int64_t> known = getConstantIntValue(lhs))
    return index(*known * rhs);
  return rhs == 1 ? lhs : Value(arith::MulIOp::create(b, lhs, index(rhs)));
}

Value Emitter::splat(double value) {
  return constant(DenseElementsAttr::get(getVector(b.getF32Type()),
                                         static_cast<float>(value)));
}

/// A whole number as an element.
static TypedAttr getNumber(Type element, int64_t value) {
  if (isa<FloatType>(element))
    return FloatAttr::get(element, double(value));
  return IntegerAttr::get(element,
                          APInt(element.getIntOrFloatBitWidth(), value,
                                /*isSigned=*/true, /*implicitTrunc=*/true));
}

Value Emitter::splat(Type element, int64_t value) {
  return constant(DenseElementsAttr::get(getVector(element),
                                         Attribute(getNumber(element, value))));
}

Value Emitter::broadcast(Value scalar) {
  return vector::BroadcastOp::create(b, getVector(scalar.getType()), scalar);
}

Value Emitter::fma(Value x, Value y, Value z) {
  return vector::FMAOp::create(b, x, y, z);
}

Value Emitter::multiplyAdd(Value x, Value y, Value z) {
  if (isa<FloatType>(getElementTypeOrSelf(x)))
    return fma(x, y, z);
  return add(Value(arith::MulIOp::create(b, x, y)), z);
}

Value Emitter::widen(Value value, bool isUnsigned) {
  Type element = getElementTypeOrSelf(value);
  Type wide = isa<FloatType>(element) ? Type(b.getF32Type()) : b.getI32Type();
  if (element == wide)
    return value;
  Type type = wide;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(wide);
  if (isa<FloatType>(element))
    return arith::ExtFOp::create(b, type, value);
  if (isUnsigned)
    return arith::ExtUIOp::create(b, type, value);
  return arith::ExtSIOp::create(b, type, value);
}

Value Emitter::buffer(Value pointer, MemRefType type) {
  return UnrealizedConversionCastOp::create(b, type, pointer).getResult(0);
}

void Emitter::addTerm(Distance &distance, Value index, int64_t bytes) {
  SmallVector<std::pair<Value, int64_t>> work{{index, bytes}};
  while (!work.empty()) {
    auto [value, factor] = work.pop_back_val();
    if (std::optional<int64_t> known = getConstantIntValue(value)) {
      distance.bytes += *known * factor;
      continue;
    }
    if (auto sum = value.getDefiningOp<arith::AddIOp>()) {
      work.emplace_back(sum.getRhs(), factor);
      work.emplace_back(sum.getLhs(), factor);
      continue;
    }
    auto product = value.getDefiningOp<arith::MulIOp>();
    if (std::optional<int64_t> known =
            product ? getConstantIntValue(product.getRhs()) : std::nullopt)
      work.emplace_back(product.getLhs(), factor * *known);
    else
      distance.terms[value] += factor;
  }
}

/// How deep in loops a value is defined.
static unsigned getDepth(Value value, Block *body) {
  unsigned depth = 0;
  for (Block *block = value.getParentBlock(); block != body;
       block = block->getParentOp()->getBlock())
    ++depth;
  return depth;
}

/// Whether `value` is there before `other`, which is in the same block.
static bool isBefore(Value value, Value other) {
  Operation *op = value.getDefiningOp(), *otherOp = other.getDefiningOp();
  if (!op || !otherOp)
    return !op && (otherOp || cast<BlockArgument>(value).getArgNumber() <
                                  cast<BlockArgument>(other).getArgNumber());
  return op->isBeforeInBlock(otherOp);
}

Value Emitter::getBase(Value pointer, Value index, int64_t bytes) {
  Value &base = bases[{pointer, index, bytes}];
  if (base)
    return base;
  OpBuilder::InsertionGuard guard(b);
  // Behind both of what it is made of.
  Value last = index;
  if (pointer.getParentBlock() == index.getParentBlock() &&
      isBefore(index, pointer))
    last = pointer;
  b.setInsertionPointAfterValue(last);
  Value number = arith::IndexCastOp::create(b, b.getI64Type(), index);
  base = LLVM::GEPOp::create(b, pointer.getType(),
                             LLVM::LLVMArrayType::get(b.getI8Type(), bytes),
                             pointer, ArrayRef<LLVM::GEPArg>{number});
  return base;
}

Value Emitter::getPointer(Value buffer, ValueRange indices) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t size = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  auto [strides, offset] = type.getStridesAndOffset();
  Distance distance;
  distance.bytes = offset * size;
  for (auto [index, stride] : llvm::zip_equal(indices, strides))
    addTerm(distance, index, stride * size);
  // From the outermost loop to the innermost.
  auto terms = distance.terms.takeVector();
  llvm::sort(terms, [&](const auto &a, const auto &b) {
    unsigned depthA = getDepth(a.first, body), depthB = getDepth(b.first, body);
    if (depthA != depthB)
      return depthA < depthB;
    return a.first != b.first && isBefore(a.first, b.first);
  });
  Value pointer =
      buffer.getDefiningOp<UnrealizedConversionCastOp>().getInputs().front();
  for (auto [index, bytes] : terms)
    if (bytes != 0)
      pointer = getBase(pointer, index, bytes);
  if (distance.bytes == 0)
    return pointer;
  // The op holds no more than 29 bits.
  constexpr unsigned kBits = LLVM::kGEPConstantBitWidth;
  LLVM::GEPArg bytes =
      llvm::isInt<kBits>(distance.bytes)
          ? LLVM::GEPArg(static_cast<int32_t>(distance.bytes))
          : LLVM::GEPArg(constant(b.getI64IntegerAttr(distance.bytes)));
  return LLVM::GEPOp::create(b, pointer.getType(), b.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

/// What an access may rely on: buffers are aligned to their elements.
static unsigned getAlignment(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// The type with vectors in place of scalars.
static VectorType getVectorType(Type type, int64_t lanes) {
  return VectorType::get({lanes}, type);
}

static Type getElementType(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementType();
}

Value Emitter::load(Value buffer, ValueRange indices) {
  return load(buffer, indices, lanes);
}

Value Emitter::load(Value buffer, ValueRange indices, int64_t elements) {
  return LLVM::LoadOp::create(
      b, getVectorType(getElementType(buffer), elements),
      getPointer(buffer, indices), getAlignment(buffer));
}

Value Emitter::loadScalar(Value buffer, ValueRange indices) {
  return LLVM::LoadOp::create(b, getElementType(buffer),
                              getPointer(buffer, indices),
                              getAlignment(buffer));
}

void Emitter::prefetch(Value buffer, ValueRange indices) {
  constexpr uint32_t kRead = 0, kKeep = 3, kData = 1;
  LLVM::Prefetch::create(b, getPointer(buffer, indices), kRead, kKeep, kData);
}

void Emitter::store(Value value, Value buffer, ValueRange indices) {
  LLVM::StoreOp::create(b, value, getPointer(buffer, indices),
                        getAlignment(buffer));
}

Value Emitter::loadMasked(Value buffer, ValueRange indices, Value mask) {
  VectorType type = getVectorType(getElementType(buffer), lanes);
  Value zero = constant(cast<TypedAttr>(b.getZeroAttr(type)));
  return LLVM::MaskedLoadOp::create(b, type, getPointer(buffer, indices), mask,
                                    zero, getAlignment(buffer));
}

void Emitter::storeMasked(Value value, Value buffer, ValueRange indices,
                          Value mask) {
  LLVM::MaskedStoreOp::create(b, value, getPointer(buffer, indices), mask,
                              getAlignment(buffer));
}

void Emitter::finish() {
  // Indices that went into distances: users before what they use.
  SmallVector<Operation *> ops;
  body->getParentOp()->walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

void Emitter::loop(int64_t low, int64_t high, int64_t step,
                   function_ref<void(Value)> body) {
  if (low >= high)
    return;
  if (low + step >= high)
    return body(index(low));
  auto loop = scf::ForOp::create(b, index(low), index(high), index(step));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void Emitter::loop(Value low, Value high, function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(b, low, high, index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void Emitter::units(ArrayRef<int64_t> sizes,
                    function_ref<void(ArrayRef<Value>)> body) {
  assert(unitCount == 0 && "the units of a kernel are walked once");
  unitCount = 1;
  for (int64_t size : sizes)
    unitCount *= size;
  if (unitCount == 1) {
    body(Values(sizes.size(), index(0)));
    return;
  }
  loop(range.begin, range.end, [&](Value unit) {
    Values indices(sizes.size(), index(0));
    Value rest = unit;
    int64_t count = unitCount;
    for (size_t i = sizes.size(); i-- > 0 && count > 1;) {
      // What is left is less than `count`.
      if (sizes[i] == count) {
        indices[i] = rest;
        break;
      }
      count /= sizes[i];
      if (sizes[i] == 1)
        continue;
      Value size = index(sizes[i]);
      indices[i] = arith::RemUIOp::create(b, rest, size);
      rest = arith::DivUIOp::create(b, rest, size);
    }
    body(indices);
  });
}

/// How many bands the rows of an image are cut into: enough for a few threads,
/// few enough that weights are read again from a cache only.
static int64_t countBands(int64_t rows, int64_t weights) {
  constexpr int64_t kLeastRows = 14, kMostBands = 8, kMostWeights = 512 << 10;
  if (rows < kLeastRows || weights > kMostWeights)
    return 1;
  int64_t bands = kMostBands;
  while (rows % bands != 0)
    --bands;
  return bands;
}

void Emitter::imageUnits(int64_t batch, int64_t blocks, int64_t rows,
                         function_ref<void(ArrayRef<Value>)> body,
                         int64_t weights) {
  int64_t bands = countBands(rows, weights);
  int64_t height = rows / bands;
  units({batch, bands, blocks, height}, [&](ArrayRef<Value> unit) {
    Value row = bands == 1 ? unit[3] : add(mul(unit[1], height), unit[3]);
    body({unit[0], unit[2], row});
  });
}

Emitter::Values Emitter::reduce(Value low, Value high, ValueRange inits,
                                function_ref<Values(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(
      b, low, high, index(1), inits,
      [&](OpBuilder &, Location, Value i, ValueRange carried) {
        // The body is filled below, with our builder.
      });
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(loop.getBody());
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(b, next);
  return Values(loop.getResults());
}

Emitter::Values Emitter::reduce(int64_t low, int64_t high, ValueRange inits,
                                function_ref<Values(Value, ValueRange)> body) {
  if (high - low == 1)
    return body(index(low), inits);
  return reduce(index(low), index(high), inits, body);
}

void Emitter::tiles(int64_t size, int64_t tile,
                    function_ref<void(Value, int64_t)> body) {
  int64_t whole = size / tile * tile;
  loop(0, whole, tile, [&](Value first) { body(first, tile); });
  if (whole != size)
    body(index(whole), size - whole);
}

void Emitter::tile(Value number, int64_t size, int64_t tile,
                   function_ref<void(Value, int64_t)> body) {
  int64_t whole = size / tile, rest = size % tile;
  if (rest == 0)
    return body(mul(number, tile), tile);
  if (whole == 0)
    return body(index(0), rest);
  branch(
      isWithin(number, 0, whole, whole + 1),
      [&] { body(mul(number, tile), tile); },
      [&] { body(index(whole * tile), rest); });
}

void Emitter::branch(Value condition, function_ref<void()> body,
                     function_ref<void()> otherwise) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(b, condition, bool(otherwise));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&branch.getThenRegion().front());
  body();
  if (!otherwise)
    return;
  b.setInsertionPointToStart(&branch.getElseRegion().front());
  otherwise();
}

Value Emitter::isWithin(Value index, int64_t low, int64_t high, int64_t size) {
  Value above, below;
  if (low > 0)
    above = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, index,
                                  this->index(low));
  if (high < size)
    below = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, index,
                                  this->index(high));
  if (above && below)
    return arith::AndIOp::create(b, above, below);
  return above ? above : below;
}

Value Emitter::epilogue(Region &region, ValueRange arguments) {
  IRMapping mapping;
  Block &block = region.front();
  for (auto [from, to] : llvm::zip_equal(block.getArguments(), arguments))
    mapping.map(from, to);
  for (Operation &op : block.without_terminator()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      VectorType type = getVectorType(constant.getType(), lanes);
      mapping.map(
          constant.getResult(),
          arith::ConstantOp::create(
              b, DenseElementsAttr::get(type, Attribute(constant.getValue()))));
      continue;
    }
    Operation *clone = b.clone(op, mapping);
    for (auto [old, result] :
         llvm::zip_equal(op.getResults(), clone->getResults())) {
      result.setType(getVectorType(old.getType(), lanes));
      mapping.map(old, result);
    }
  }
  return mapping.lookup(cast<YieldOp>(block.getTerminator()).getValue());
}

bool Emitter::isLongEpilogue(Region &region) {
  constexpr unsigned kMost = 8;
  unsigned count = 0;
  for (Operation &op : region.front())
    count += !isa<arith::ConstantOp, YieldOp>(op);
  return count > kMost;
}

Value Emitter::allocate(int64_t count, Type element) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(body);
  auto type = MemRefType::get({count, lanes}, element);
  int64_t bytes = count * lanes *
                  int64_t(llvm::divideCeil(element.getIntOrFloatBitWidth(), 8));
  Value one = LLVM::ConstantOp::create(b, b.getI64IntegerAttr(1));
  Value pointer = LLVM::AllocaOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext()),
      LLVM::LLVMArrayType::get(b.getI8Type(), bytes), one, /*alignment=*/64);
  return buffer(pointer, type);
}

void Emitter::fillHalo(Value buffer, const Halo &halo, int64_t fill) {
  if (halo.isEmpty())
    return;
  auto type = cast<MemRefType>(buffer.getType());
  ArrayRef<int64_t> shape = type.getShape();
  int64_t rows = shape[2], columns = shape[3];
  Type element = type.getElementType();
  Value value =
      constant(DenseElementsAttr::get(VectorType::get({shape[4]}, element),
                                      Attribute(getNumber(element, fill))));
  assert(unitCount != 0 && "to be called behind the loop over the units");
  // Images of one block: as many of them as units, in proportion.
  int64_t images = shape[0] * shape[1];
  auto getShare = [&](Value unit) -> Value {
    return arith::DivUIOp::create(b, mul(unit, images), index(unitCount));
  };
  Value first = unitCount == 1 ? index(0) : getShare(range.begin);
  Value last = unitCount == 1 ? index(images) : getShare(range.end);
  loop(first, last, [&](Value image) {
    Value blocks = index(shape[1]);
    Value n = arith::DivUIOp::create(b, image, blocks);
    Value c = arith::RemUIOp::create(b, image, blocks);
    auto clear = [&](int64_t y0, int64_t y1, int64_t x0, int64_t x1) {
      if (x0 == x1)
        return;
      loop(y0, y1, 1, [&](Value y) {
        loop(x0, x1, 1,
             [&](Value x) { store(value, buffer, {n, c, y, x, index(0)}); });
      });
    };
    clear(0, halo.top, 0, columns);
    clear(rows - halo.bottom, rows, 0, columns);
    clear(halo.top, rows - halo.bottom, 0, halo.left);
    clear(halo.top, rows - halo.bottom, columns - halo.right, columns);
  });
}

ExtraReader::ExtraReader(Emitter &e, ValueRange buffers, ArrayAttr halos)
    : e(e), buffers(buffers) {
  for (Attribute halo : halos)
    this->halos.push_back(
        Halo::get(cast<DenseI64ArrayAttr>(halo).asArrayRef()));
}

Emitter::Values ExtraReader::read(Value n, Value c, Value y, Value x) {
  Emitter::Values values;
  for (auto [buffer, halo] : llvm::zip_equal(buffers, halos)) {
    if (cast<MemRefType>(buffer.getType()).getRank() == 2)
      values.push_back(e.load(buffer, {c, e.index(0)}));
    else
      values.push_back(e.load(
          buffer, {n, c, e.add(y, halo.top), e.add(x, halo.left), e.index(0)}));
  }
  return values;
}
