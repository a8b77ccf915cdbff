//===- IndexToLinalg.cpp - Gathers, scatters and choices ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexArithmetic.h"
#include "modelwright/Dialect/NN/IR/NNIndexOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Values = FailureOr<SmallVector<Value>>;

/// The element of `tensor`, an operand of i32 indices, at `at`, as an index
/// into `size` elements.
static Value emitIndexAt(ImplicitLocOpBuilder &b, Value tensor, ValueRange at,
                         Value size, bool wraps) {
  return emitCheckedIndex(b, emitRead(b, tensor, at), b.getI32Type(), size,
                          wraps, "an index");
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

namespace {
/// Which elements of a tensor the result of an indexing op consists of.
class Selection {
public:
  virtual ~Selection() = default;
  /// The sizes of the result.
  virtual SmallVector<Value> getSizes() const = 0;
  /// The element of the tensor that stands at `indices` of the result.
  virtual SmallVector<Value> emitSource(ImplicitLocOpBuilder &b,
                                        ValueRange indices) const = 0;
};

/// Index tensors broadcast together to one shape.
class JointSelection : public Selection {
public:
  /// Emits what does not depend on the element. False if it cannot be.
  bool emit(ImplicitLocOpBuilder &b, const IndexSpec &original,
            const IndexSpec &lowered, Value tensor) {
    FailureOr<ItemRanges> items = emitItemRanges(b, original, lowered, tensor);
    if (failed(items))
      return false;
    ranges = *items;
    int64_t first = -1, last = -1, count = 0;
    for (int64_t axis = 0; axis < int64_t(ranges.axes.size()); ++axis) {
      if (!ranges.isIndexed(axis))
        continue;
      if (!isa<RankedTensorType>(ranges.lowered[axis].index.getType()))
        return false;
      first = count == 0 ? axis : first;
      last = axis;
      ++count;
      SmallVector<Value> own = emitSizes(b, ranges.lowered[axis].index);
      size_t more = std::max(own.size(), jointSizes.size()) - jointSizes.size();
      jointSizes.insert(jointSizes.begin(), more, IndexMath(b).constant(1));
      for (auto [all, size] : llvm::zip_equal(
               MutableArrayRef<Value>(jointSizes).take_back(own.size()), own))
        all = IndexMath(b).select(
            IndexMath(b).isEqual(all, IndexMath(b).constant(1)), size, all);
    }
    for (int64_t axis = 0; axis < int64_t(ranges.axes.size()); ++axis)
      if (ranges.isIndexed(axis))
        emitCheckBroadcast(b, ranges.lowered[axis].index, jointSizes);
    position = count != 0 && last - first + 1 == count ? first : 0;
    return true;
  }

  SmallVector<Value> getSizes() const override {
    SmallVector<Value> sizes;
    for (auto [axis, range] : llvm::enumerate(ranges.axes))
      if (!ranges.isIndexed(int64_t(axis)))
        sizes.push_back(range.count);
    sizes.insert(sizes.begin() + position, jointSizes.begin(),
                 jointSizes.end());
    return sizes;
  }

  SmallVector<Value> emitSource(ImplicitLocOpBuilder &b,
                                ValueRange indices) const override {
    IndexMath math(b);
    SmallVector<Value> others(indices), at;
    SmallVector<Value> joint(others.begin() + position,
                             others.begin() + position + jointSizes.size());
    others.erase(others.begin() + position,
                 others.begin() + position + jointSizes.size());
    size_t next = 0;
    for (auto [axis, range] : llvm::enumerate(ranges.axes)) {
      if (!ranges.isIndexed(int64_t(axis))) {
        at.push_back(
            math.add(range.start, math.mul(others[next++], range.step)));
        continue;
      }
      Value index = emitBroadcastRead(b, ranges.lowered[axis].index, joint);
      at.push_back(emitCheckedIndex(b, index, b.getI32Type(), range.count,
                                    /*wraps=*/true, "an index"));
    }
    return at;
  }

private:
  ItemRanges ranges;
  SmallVector<Value> jointSizes;
  int64_t position = 0;
};

/// Each axis is indexed on its own.
class MeshSelection : public Selection {
public:
  bool emit(ImplicitLocOpBuilder &b, const IndexSpec &original,
            const IndexSpec &lowered, bool isBatched, Value tensor) {
    batched = isBatched;
    FailureOr<ItemRanges> items = emitItemRanges(b, original, lowered, tensor);
    if (failed(items))
      return false;
    ranges = *items;
    for (auto [axis, range] : llvm::enumerate(ranges.axes)) {
      sizes.push_back(range.count);
      if (!ranges.isIndexed(int64_t(axis)))
        continue;
      Value index = ranges.lowered[axis].index;
      auto type = dyn_cast<RankedTensorType>(index.getType());
      if (!type)
        return false;
      sizes.back() = emitDim(b, index, type.getRank() - 1);
      if (!batched)
        continue;
      Value isGood = IndexMath(b).isEqual(emitDim(b, index, 0), sizes[0]);
      if (!matchPattern(isGood, m_One()))
        emitCheck(b, isGood,
                  "the index of axis " + Twine(axis) +
                      " has not one row for each element of axis 0");
    }
    return true;
  }

  SmallVector<Value> getSizes() const override { return sizes; }

  SmallVector<Value> emitSource(ImplicitLocOpBuilder &b,
                                ValueRange indices) const override {
    IndexMath math(b);
    SmallVector<Value> at;
    for (auto [axis, range] : llvm::enumerate(ranges.axes)) {
      if (!ranges.isIndexed(int64_t(axis))) {
        at.push_back(
            math.add(range.start, math.mul(indices[axis], range.step)));
        continue;
      }
      SmallVector<Value> from;
      if (batched)
        from.push_back(indices[0]);
      from.push_back(indices[axis]);
      at.push_back(emitIndexAt(b, ranges.lowered[axis].index, from, range.count,
                               /*wraps=*/true));
    }
    return at;
  }

private:
  ItemRanges ranges;
  SmallVector<Value> sizes;
  bool batched = false;
};
} // namespace

/// The selected elements as a tensor. No axis at all is one of one element.
static Value emitSelected(ImplicitLocOpBuilder &b, RankedTensorType type,
                          Value input, const Selection &selection) {
  SmallVector<Value> sizes = selection.getSizes();
  bool isScalar = sizes.empty();
  if (isScalar && type.getRank() == 1)
    sizes.push_back(emitConstantIndex(b, 1));
  return emitGenerate(
      b, type,
      [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
        return emitRead(
            inner, input,
            selection.emitSource(inner, isScalar ? ValueRange() : indices));
      },
      emitDynamicSizes(b, type, sizes));
}

/// `input` with the selected elements replaced by `value`.
static Value emitReplaced(ImplicitLocOpBuilder &b, Value input, Value value,
                          const Selection &selection) {
  SmallVector<Value> sizes = selection.getSizes();
  bool isScalar = sizes.empty();
  if (isScalar)
    sizes.push_back(emitConstantIndex(b, 1));
  emitCheckBroadcast(b, value, sizes);
  return emitScatter(b, input, sizes,
                     [&](ImplicitLocOpBuilder &inner, ValueRange indices,
                         SmallVectorImpl<Value> &at) {
                       at = selection.emitSource(inner, isScalar ? ValueRange()
                                                                 : indices);
                       return emitBroadcastRead(inner, value, indices);
                     });
}

static bool isRanked(Value value) {
  return isa<RankedTensorType>(value.getType());
}

static bool isBatchedMesh(MeshIndexOp op) { return op.getBatched(); }
static bool isBatchedMesh(MeshIndexPutOp op) { return op.getBatched(); }

/// Emits the selection of either kind of op.
template <typename OpT>
static bool emitSelection(ImplicitLocOpBuilder &b, OpT op,
                          typename OpT::Adaptor adaptor,
                          JointSelection &selection) {
  return isRanked(adaptor.getInput()) &&
         selection.emit(b, IndexSpec::get(op), IndexSpec::get(adaptor),
                        adaptor.getInput());
}
template <typename OpT>
static bool emitSelection(ImplicitLocOpBuilder &b, OpT op,
                          typename OpT::Adaptor adaptor,
                          MeshSelection &selection) {
  return isRanked(adaptor.getInput()) &&
         selection.emit(b, IndexSpec::get(op), IndexSpec::get(adaptor),
                        isBatchedMesh(op), adaptor.getInput());
}

namespace {
template <typename OpT, typename SelectionT>
class SelectedLowering : public Lowering<OpT> {
public:
  using Lowering<OpT>::Lowering;
  Values lower(OpT op, OpT::Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = this->getResultType(op.getResult());
    SelectionT selection;
    if (!type || !emitSelection(b, op, adaptor, selection))
      return failure();
    return SmallVector<Value>{
        emitSelected(b, type, adaptor.getInput(), selection)};
  }
};

template <typename OpT, typename SelectionT>
class ReplacedLowering : public Lowering<OpT> {
public:
  using Lowering<OpT>::Lowering;
  Values lower(OpT op, OpT::Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    SelectionT selection;
    if (!isRanked(adaptor.getValue()) ||
        !emitSelection(b, op, adaptor, selection))
      return failure();
    return SmallVector<Value>{
        emitReplaced(b, adaptor.getInput(), adaptor.getValue(), selection)};
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

/// Without the dim at `axis`, or one if nothing is left: where the operand
/// `index` of the one-hot ops has its element.
static SmallVector<Value> dropAxis(ValueRange indices, int64_t axis) {
  SmallVector<Value> rest(indices);
  if (rest.size() > 1)
    rest.erase(rest.begin() + axis);
  return rest;
}

/// The axis of a one-hot op, counted from the front; -1 if its operands cannot
/// be done.
template <typename OpT>
static int64_t getOneHotAxis(OpT op, typename OpT::Adaptor adaptor) {
  auto type = dyn_cast<RankedTensorType>(adaptor.getInput().getType());
  if (!type || type.getRank() == 0 || !isRanked(adaptor.getIndex()))
    return -1;
  int64_t axis = op.getAxis();
  return axis < 0 ? axis + type.getRank() : axis;
}

/// Sizes of the input with one element along `axis`, with the checks that the
/// operand `other` has them too. `drops` says that it lacks the axis.
static SmallVector<Value> emitOneHotSizes(ImplicitLocOpBuilder &b, Value input,
                                          Value other, int64_t axis,
                                          bool drops) {
  IndexMath math(b);
  SmallVector<Value> sizes = emitSizes(b, input);
  sizes[axis] = math.constant(1);
  SmallVector<Value> expected = drops ? dropAxis(sizes, axis) : sizes;
  for (auto [own, size] : llvm::zip_equal(emitSizes(b, other), expected)) {
    Value isGood = math.isEqual(own, size);
    if (!matchPattern(isGood, m_One()))
      emitCheck(b, isGood, "the operands have not the same sizes");
  }
  return sizes;
}

namespace {
class GatherNDLowering : public Lowering<GatherNDOp> {
public:
  using Lowering::Lowering;
  Values lower(GatherNDOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput(), map = adaptor.getMap();
    if (!type || !isRanked(input) || !isRanked(map))
      return failure();
    SmallVector<Value> sizes = emitSizes(b, map),
                       inputSizes = emitSizes(b, input);
    Value coordinates = sizes.pop_back_val();
    Value isGood = IndexMath(b).isEqual(
        coordinates, emitConstantIndex(b, int64_t(inputSizes.size())));
    if (!matchPattern(isGood, m_One()))
      emitCheck(b, isGood, "the coordinates have not the rank of the input");
    return SmallVector<Value>{emitGenerate(
        b, type,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
          SmallVector<Value> at, from(indices);
          from.push_back({});
          for (auto [axis, size] : llvm::enumerate(inputSizes)) {
            from.back() = emitConstantIndex(inner, int64_t(axis));
            at.push_back(emitIndexAt(inner, map, from, size, /*wraps=*/false));
          }
          return emitRead(inner, input, at);
        },
        emitDynamicSizes(b, type, sizes))};
  }
};

class IndexOneHotLowering : public Lowering<IndexOneHotOp> {
public:
  using Lowering::Lowering;
  Values lower(IndexOneHotOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    int64_t axis = getOneHotAxis(op, adaptor);
    Value input = adaptor.getInput(), index = adaptor.getIndex();
    if (!type || axis < 0)
      return failure();
    SmallVector<Value> sizes =
        emitOneHotSizes(b, input, index, axis, /*drops=*/true);
    Value size = emitDim(b, input, axis);
    return SmallVector<Value>{emitGenerate(
        b, type,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
          SmallVector<Value> at(indices);
          at[axis] = emitIndexAt(inner, index, dropAxis(indices, axis), size,
                                 /*wraps=*/false);
          return emitRead(inner, input, at);
        },
        emitDynamicSizes(b, type, sizes))};
  }
};

class IndexPutOneHotLowering : public Lowering<IndexPutOneHotOp> {
public:
  using Lowering::Lowering;
  Values lower(IndexPutOneHotOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    int64_t axis = getOneHotAxis(op, adaptor);
    Value input = adaptor.getInput(), index = adaptor.getIndex();
    Value value = adaptor.getValue();
    if (axis < 0 || !isRanked(value))
      return failure();
    SmallVector<Value> sizes =
        emitOneHotSizes(b, input, index, axis, /*drops=*/true);
    emitOneHotSizes(b, input, value, axis, /*drops=*/false);
    Value size = emitDim(b, input, axis);
    return SmallVector<Value>{emitScatter(
        b, input, sizes,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices,
            SmallVectorImpl<Value> &at) {
          at.assign(indices.begin(), indices.end());
          at[axis] = emitIndexAt(inner, index, dropAxis(indices, axis), size,
                                 /*wraps=*/false);
          return emitRead(inner, value, indices);
        })};
  }
};

class DiagLowering : public Lowering<DiagOp> {
public:
  using Lowering::Lowering;
  Values lower(DiagOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    IndexMath math(b);
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput();
    if (!type || !isRanked(input) || isa<ComplexType>(type.getElementType()))
      return failure();
    int64_t diagonal = op.getDiagonal();
    Value row = math.constant(std::max<int64_t>(-diagonal, 0));
    Value column = math.constant(std::max<int64_t>(diagonal, 0));
    SmallVector<Value> inputSizes = emitSizes(b, input);
    if (inputSizes.size() == 2) {
      Value size = math.min(math.sub(inputSizes[0], row),
                            math.sub(inputSizes[1], column));
      Value isGood = math.isLess(math.constant(0), size);
      if (!matchPattern(isGood, m_One()))
        emitCheck(b, isGood, "the diagonal is outside of the matrix");
      return SmallVector<Value>{emitGenerate(
          b, type,
          [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
            IndexMath math(inner);
            return emitRead(
                inner, input,
                {math.add(indices[0], row), math.add(indices[0], column)});
          },
          emitDynamicSizes(b, type, size))};
    }
    Value length = inputSizes[0];
    Value size = math.add(length, math.add(row, column));
    // Codes of zero where the diagonal is not.
    Value zeros = emitSplat(b, type, emitConstant(b, type.getElementType(), 0),
                            emitDynamicSizes(b, type, {size, size}));
    return SmallVector<Value>{emitScatter(
        b, zeros, length,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices,
            SmallVectorImpl<Value> &at) {
          IndexMath math(inner);
          at.assign({math.add(indices[0], row), math.add(indices[0], column)});
          return emitRead(inner, input, indices);
        })};
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

namespace {
class SelectLowering : public Lowering<nn::SelectOp> {
public:
  using Lowering::Lowering;
  Values lower(nn::SelectOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    if (!type || !llvm::all_of(adaptor.getOperands(), isRanked))
      return failure();
    return SmallVector<Value>{
        emitElementwise(b, type, adaptor.getOperands(),
                        [](ImplicitLocOpBuilder &inner, ValueRange elements) {
                          return Value(arith::SelectOp::create(
                              inner, elements[0], elements[1], elements[2]));
                        })};
  }
};

class MaskedFillLowering : public Lowering<MaskedFillOp> {
public:
  using Lowering::Lowering;
  Values lower(MaskedFillOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput(), mask = adaptor.getMask();
    if (!type || !isRanked(input) || !isRanked(mask) ||
        isa<ComplexType>(type.getElementType()))
      return failure();
    Type element = nn::getElementType(op.getInput().getType());
    SmallVector<Value> sizes = emitSizes(b, input),
                       maskSizes = emitSizes(b, mask);
    for (auto [own, size] : llvm::zip_first(maskSizes, sizes)) {
      Value isGood = IndexMath(b).isEqual(own, size);
      if (!matchPattern(isGood, m_One()))
        emitCheck(b, isGood, "the mask has not the leading dims of the input");
    }
    Value number =
        emitConstant(b, b.getF32Type(), op.getValue().convertToDouble());
    Value value = emitFromF32(b, number, element);
    int64_t rank = type.getRank();
    auto maskMap = AffineMap::getMultiDimIdentityMap(rank, b.getContext())
                       .getMajorSubMap(unsigned(maskSizes.size()));
    return SmallVector<Value>{emitMap(
        b, type, {input, mask}, {b.getMultiDimIdentityMap(rank), maskMap},
        [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
          return Value(
              arith::SelectOp::create(inner, elements[1], value, elements[0]));
        },
        emitDynamicSizes(b, type, sizes))};
  }
};
} // namespace

void nn::populateIndexLowerings(TypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<SelectedLowering<IndexOp, JointSelection>,
               SelectedLowering<MeshIndexOp, MeshSelection>,
               ReplacedLowering<IndexPutOp, JointSelection>,
               ReplacedLowering<MeshIndexPutOp, MeshSelection>,
               GatherNDLowering, IndexOneHotLowering, IndexPutOneHotLowering,
               DiagLowering, SelectLowering, MaskedFillLowering>(
      converter, patterns.getContext());
}
