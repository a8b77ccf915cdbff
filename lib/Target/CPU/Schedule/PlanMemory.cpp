//===- PlanMemory.cpp - One arena for all buffers -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Target/CPU/Passes.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace modelwright::cpu {
#define GEN_PASS_DEF_PLANMEMORY
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

/// The size of a buffer that cannot be counted.
static constexpr int64_t kTooLarge = INT64_MAX;

/// Bytes of an element in memory; nullopt for types that code never has there.
static std::optional<uint64_t> getElementBytes(Type type) {
  if (type.isIndex())
    return 8;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    std::optional<uint64_t> part = getElementBytes(complex.getElementType());
    return part ? std::optional(2 * *part) : std::nullopt;
  }
  if (!type.isIntOrFloat())
    return std::nullopt;
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

/// Bytes of a static shape's elements, aligned; kTooLarge if they wrap.
static int64_t getAlignedBytes(uint64_t elementBytes, ArrayRef<int64_t> shape,
                               uint64_t alignment) {
  // No bytes at all, whatever the other dims are.
  if (llvm::is_contained(shape, 0))
    return 0;
  uint64_t bytes = elementBytes;
  for (int64_t dim : shape)
    if (__builtin_mul_overflow(bytes, uint64_t(dim), &bytes))
      return kTooLarge;
  if (bytes > uint64_t(INT64_MAX) - alignment)
    return kTooLarge;
  return int64_t(llvm::alignTo(bytes, alignment));
}

namespace {

/// A buffer and when it is alive: from its first use to its last, both
/// included, as numbers of the block's ops.
struct Buffer {
  memref::AllocOp alloc;
  int64_t size = 0;
  int64_t first = 0, last = 0;
  int64_t offset = 0;

  bool overlaps(const Buffer &other) const {
    return first <= other.last && other.first <= last;
  }
};

/// Above this many buffers, a quadratic search is left for a linear one.
constexpr size_t kManyBuffers = 4096;

class PlanMemory : public cpu::impl::PlanMemoryBase<PlanMemory> {
public:
  using PlanMemoryBase::PlanMemoryBase;

  void runOnOperation() override {
    func::FuncOp entry = getEntryFunction(getOperation());
    if (!entry || !entry.getBody().hasOneBlock())
      return;
    SmallVector<Buffer> buffers = collect(entry);
    if (failed(checkSizes(buffers)))
      return signalPassFailure();
    if (buffers.empty())
      return;
    int64_t size = buffers.size() > kManyBuffers ? placeInTime(buffers)
                                                 : placeBySize(buffers);
    int64_t bound = getLowerBound(buffers);
    numBuffers += buffers.size();
    arenaBytes += size;
    lowerBound += bound;
    replace(entry, buffers, size, bound);
  }

private:
  SmallVector<Buffer> collect(func::FuncOp entry) {
    BufferViewFlowAnalysis aliases(entry);
    Block &block = entry.getBody().front();
    llvm::DenseMap<Operation *, int64_t> numbers;
    for (Operation &op : block)
      numbers[&op] = int64_t(numbers.size());
    SmallVector<Buffer> buffers;
    entry.walk([&](memref::AllocOp alloc) {
      MemRefType type = alloc.getType();
      std::optional<uint64_t> bytes = getElementBytes(type.getElementType());
      if (!type.hasStaticShape() || !type.getLayout().isIdentity() || !bytes)
        return;
      Buffer buffer;
      buffer.alloc = alloc;
      buffer.size =
          getAlignedBytes(*bytes, type.getShape(), uint64_t(alignment));
      buffer.first = INT64_MAX;
      bool escapes = !isPlannable(alloc, aliases);
      auto use = [&](Operation *user) {
        escapes |= isa<func::ReturnOp>(user);
        int64_t number = numbers.lookup(block.findAncestorOpInBlock(*user));
        buffer.first = std::min(buffer.first, number);
        buffer.last = std::max(buffer.last, number);
      };
      for (Value alias : aliases.resolve(alloc.getResult())) {
        for (Operation *user : alias.getUsers()) {
          use(user);
          // A pointer is used where a function takes it; one that goes another
          // way could be used anywhere.
          if (auto pointer =
                  dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(user)) {
            for (Operation *reader : pointer->getUsers()) {
              use(reader);
              escapes |= !isa<func::CallOp>(reader);
            }
          }
        }
      }
      if (!escapes && buffer.first != INT64_MAX)
        buffers.push_back(buffer);
    });
    return buffers;
  }

  /// No arena is larger than all of its buffers together, which must therefore
  /// have a size.
  static LogicalResult checkSizes(ArrayRef<Buffer> buffers) {
    int64_t sum = 0;
    for (const Buffer &buffer : buffers) {
      memref::AllocOp alloc = buffer.alloc;
      if (buffer.size == kTooLarge)
        return alloc.emitError("a buffer of type ")
               << alloc.getType()
               << " is too large: its bytes are 2^63 or more";
      if (__builtin_add_overflow(sum, buffer.size, &sum))
        return alloc.emitError("the model's buffers are too large: with one of "
                               "type ")
               << alloc.getType() << " they have 2^63 bytes or more";
    }
    return success();
  }

  /// Whether each execution of an allocation may get the same place: one at the
  /// entry's top level, or in regions of branches and of loops that run one
  /// turn behind the other, of which it does not outlive its own turn.
  static bool isPlannable(memref::AllocOp alloc,
                          const BufferViewFlowAnalysis &aliases) {
    // The region that is a turn of the innermost loop.
    Region *turn = nullptr;
    for (Region *region = alloc->getParentRegion();
         !isa<func::FuncOp>(region->getParentOp());
         region = region->getParentRegion()) {
      if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp>(
              region->getParentOp()))
        return false;
      if (!turn && isa<LoopLikeOpInterface>(region->getParentOp()))
        turn = region;
    }
    if (!turn)
      return true;
    return llvm::all_of(aliases.resolve(alloc.getResult()), [&](Value alias) {
      if (auto argument = dyn_cast<BlockArgument>(alias))
        return argument.getParentRegion() != turn &&
               turn->isAncestor(argument.getParentRegion());
      return turn->isAncestor(alias.getParentRegion());
    });
  }

  /// Largest first, each into the smallest gap that it fits between those that
  /// are alive at the same time.
  static int64_t placeBySize(MutableArrayRef<Buffer> buffers) {
    SmallVector<Buffer *> order;
    for (Buffer &buffer : buffers)
      order.push_back(&buffer);
    llvm::sort(order, [](const Buffer *a, const Buffer *b) {
      return std::tie(b->size, a->first, a) < std::tie(a->size, b->first, b);
    });
    int64_t total = 0;
    // In the order of their offsets.
    SmallVector<Buffer *> placed;
    for (Buffer *buffer : order) {
      int64_t end = 0, best = -1, bestGap = INT64_MAX;
      for (Buffer *other : placed) {
        if (!buffer->overlaps(*other))
          continue;
        int64_t gap = other->offset - end;
        if (gap >= buffer->size && gap < bestGap) {
          best = end;
          bestGap = gap;
        }
        end = std::max(end, other->offset + other->size);
      }
      buffer->offset = best < 0 ? end : best;
      total = std::max(total, buffer->offset + buffer->size);
      placed.insert(llvm::upper_bound(placed, buffer,
                                      [](const Buffer *a, const Buffer *b) {
                                        return a->offset < b->offset;
                                      }),
                    buffer);
    }
    return total;
  }

  /// In the order of time, each into the smallest free piece that it fits.
  static int64_t placeInTime(MutableArrayRef<Buffer> buffers) {
    SmallVector<Buffer *> order;
    for (Buffer &buffer : buffers)
      order.push_back(&buffer);
    llvm::sort(order, [](const Buffer *a, const Buffer *b) {
      return std::tie(a->first, a) < std::tie(b->first, b);
    });
    std::multimap<int64_t, Buffer *> alive;
    std::map<int64_t, int64_t> pieces;      // offset -> size
    std::multimap<int64_t, int64_t> bySize; // size -> offset
    int64_t total = 0;
    auto eraseSize = [&](int64_t size, int64_t offset) {
      auto [begin, end] = bySize.equal_range(size);
      for (auto it = begin; it != end; ++it) {
        if (it->second == offset) {
          bySize.erase(it);
          return;
        }
      }
    };
    auto release = [&](int64_t offset, int64_t size) {
      auto next = pieces.lower_bound(offset);
      if (next != pieces.end() && next->first == offset + size) {
        size += next->second;
        eraseSize(next->second, next->first);
        next = pieces.erase(next);
      }
      if (next != pieces.begin()) {
        auto before = std::prev(next);
        if (before->first + before->second == offset) {
          offset = before->first;
          size += before->second;
          eraseSize(before->second, before->first);
          pieces.erase(before);
        }
      }
      pieces[offset] = size;
      bySize.emplace(size, offset);
    };
    for (Buffer *buffer : order) {
      while (!alive.empty() && alive.begin()->first < buffer->first) {
        Buffer *dead = alive.begin()->second;
        alive.erase(alive.begin());
        release(dead->offset, dead->size);
      }
      auto piece = bySize.lower_bound(buffer->size);
      if (piece == bySize.end()) {
        buffer->offset = total;
        total += buffer->size;
      } else {
        auto [size, offset] = *piece;
        bySize.erase(piece);
        pieces.erase(offset);
        buffer->offset = offset;
        if (size != buffer->size)
          release(offset + buffer->size, size - buffer->size);
      }
      alive.emplace(buffer->last, buffer);
    }
    return total;
  }

  /// The most bytes that are alive at one time.
  static int64_t getLowerBound(ArrayRef<Buffer> buffers) {
    std::map<int64_t, int64_t> changes;
    for (const Buffer &buffer : buffers) {
      changes[buffer.first] += buffer.size;
      changes[buffer.last + 1] -= buffer.size;
    }
    int64_t alive = 0, most = 0;
    for (auto [time, change] : changes) {
      alive += change;
      most = std::max(most, alive);
    }
    return most;
  }

  static void replace(func::FuncOp entry, MutableArrayRef<Buffer> buffers,
                      int64_t size, int64_t bound) {
    OpBuilder builder(entry.getContext());
    auto type = MemRefType::get({size}, builder.getI8Type());
    unsigned index = entry.getNumArguments();
    [[maybe_unused]] LogicalResult inserted =
        entry.insertArgument(index, type,
                             builder.getDictionaryAttr(builder.getNamedAttr(
                                 kArenaAttr, builder.getUnitAttr())),
                             entry.getLoc());
    assert(succeeded(inserted) && "func.func takes arguments of any type");
    entry->setAttr(kArenaAttr, builder.getDenseI64ArrayAttr({size, bound}));
    Value arena = entry.getArgument(index);
    for (Buffer &buffer : buffers) {
      builder.setInsertionPoint(buffer.alloc);
      Location loc = buffer.alloc.getLoc();
      Value offset =
          arith::ConstantIndexOp::create(builder, loc, buffer.offset);
      auto view = memref::ViewOp::create(builder, loc, buffer.alloc.getType(),
                                         arena, offset, ValueRange());
      buffer.alloc.getResult().replaceAllUsesWith(view.getResult());
      buffer.alloc.erase();
    }
  }
};
} // namespace
