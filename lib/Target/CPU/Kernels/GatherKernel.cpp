//===- GatherKernel.cpp - Channels of blocked tensors ---------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of the result is put together from the lanes of some blocks of the
// inputs, for each pixel alike. Most are one block as it is, or a few in a row
// are: such a run is one loop.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

namespace {
/// A block of an input.
struct Source {
  int64_t input, block;
  bool operator==(const Source &other) const = default;
};

/// Where the lanes of a block of the result come from.
struct BlockPlan {
  SmallVector<Source> sources;
  /// For each lane its number in `sources` (-1: 0) and its lane there.
  SmallVector<std::pair<int64_t, int64_t>> lanes;

  /// Whether it is one block as it is.
  bool isCopy() const {
    if (sources.size() != 1)
      return false;
    for (auto [lane, from] : llvm::enumerate(lanes))
      if (from != std::pair<int64_t, int64_t>(0, int64_t(lane)))
        return false;
    return true;
  }
};

class GatherChannels {
public:
  GatherChannels(Emitter &e, GatherChannelsOp op, ValueRange arguments)
      : e(e), op(op), inputs(arguments.drop_back()), result(arguments.back()),
        halo(Halo::get(op.getHalo())),
        shape(BlockedShape::get(cast<ShapedType>(result.getType()), halo)) {
    for (Attribute attr : op.getInputHalos())
      inputHalos.push_back(
          Halo::get(cast<DenseI64ArrayAttr>(attr).asArrayRef()));
  }

  void emit() {
    std::vector<BlockPlan> plans;
    plans.reserve(shape.blocks);
    for (int64_t block = 0; block < shape.blocks; ++block)
      plans.push_back(getPlan(block));
    e.imageUnits(
        shape.batch, shape.blocks, shape.height, [&](ArrayRef<Value> unit) {
          for (int64_t first = 0; first < shape.blocks;) {
            int64_t last = first + 1;
            while (last < shape.blocks && isNext(plans[last - 1], plans[last]))
              ++last;
            e.branch(e.isWithin(unit[1], first, last, shape.blocks),
                     [&] { emitRow(unit, plans[first], first); });
            first = last;
          }
        });
    e.fillHalo(result, halo, op.getFill().value_or(0));
  }

private:
  Source getSource(int64_t channel, int64_t &lane) {
    for (auto [k, input] : llvm::enumerate(inputs)) {
      int64_t count =
          cast<ShapedType>(input.getType()).getDimSize(1) * shape.block;
      if (channel < count) {
        lane = channel % shape.block;
        return {int64_t(k), channel / shape.block};
      }
      channel -= count;
    }
    llvm_unreachable("verified");
  }

  BlockPlan getPlan(int64_t block) {
    BlockPlan plan;
    ArrayRef<int64_t> channels = op.getChannels();
    for (int64_t lane = 0; lane < shape.block; ++lane) {
      int64_t channel = block * shape.block + lane;
      if (channel >= int64_t(channels.size())) {
        plan.lanes.push_back({-1, 0});
        continue;
      }
      int64_t from;
      Source source = getSource(channels[channel], from);
      const auto *known = llvm::find(plan.sources, source);
      plan.lanes.push_back({known - plan.sources.begin(), from});
      if (known == plan.sources.end())
        plan.sources.push_back(source);
    }
    return plan;
  }

  /// Whether two blocks are copies of two that follow each other.
  static bool isNext(const BlockPlan &a, const BlockPlan &b) {
    return a.isCopy() && b.isCopy() &&
           b.sources[0] == Source{a.sources[0].input, a.sources[0].block + 1};
  }

  void emitRow(ArrayRef<Value> unit, const BlockPlan &plan, int64_t first) {
    e.loop(0, shape.width, 1, [&](Value x) {
      auto loadFrom = [&](const Source &source) {
        const Halo &inputHalo = inputHalos[source.input];
        // In a run of copies the block follows that of the result.
        Value block = plan.isCopy() ? e.add(unit[1], source.block - first)
                                    : e.index(source.block);
        return e.load(inputs[source.input],
                      {unit[0], block, e.add(unit[2], inputHalo.top),
                       e.add(x, inputHalo.left), e.index(0)});
      };
      Value value;
      if (plan.isCopy()) {
        value = loadFrom(plan.sources[0]);
      } else {
        // Surplus lanes stay what they are here.
        auto type = cast<MemRefType>(result.getType());
        value = e.splat(type.getElementType(), 0);
        for (auto [k, source] : llvm::enumerate(plan.sources)) {
          SmallVector<int64_t> mask;
          for (auto [lane, from] : llvm::enumerate(plan.lanes))
            mask.push_back(from.first == int64_t(k) ? shape.block + from.second
                                                    : int64_t(lane));
          value = vector::ShuffleOp::create(e.b, value, loadFrom(source), mask);
        }
      }
      e.store(value, result,
              {unit[0], unit[1], e.add(unit[2], halo.top), e.add(x, halo.left),
               e.index(0)});
    });
  }

  Emitter &e;
  GatherChannelsOp op;
  ValueRange inputs;
  Value result;
  Halo halo;
  SmallVector<Halo> inputHalos;
  BlockedShape shape;
};
} // namespace

void cpu::emitGatherChannels(Emitter &e, GatherChannelsOp op,
                             ValueRange arguments) {
  GatherChannels(e, op, arguments).emit();
}
