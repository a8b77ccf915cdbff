//===- Emitter.h - Loops over vectors ---------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_KERNELS_EMITTER_H
#define MODELWRIGHT_LIB_TARGET_CPU_KERNELS_EMITTER_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "modelwright/Target/CPU/IR/CPUOps.h"
#include "llvm/ADT/MapVector.h"

namespace modelwright::cpu {

/// What one call of a kernel computes: the units from `begin` up to `end`, on
/// behalf of a thread, counted from 0.
struct UnitRange {
  mlir::Value thread, begin, end;
};

/// Emits the body of a kernel. Values are indices, vectors of `lanes`
/// elements, and buffers.
///
/// Kernels take pointers. A buffer is a pointer that is cast to its memref type
/// for its shape; every access is a pointer at a distance known at compile time
/// from a base. Bases are made where the loop that they hang on begins, so that
/// no pass has to find out what is invariant, and an access is two operations
/// rather than the ten or more of an index in five dimensions.
///
/// The work of a kernel is cut into units, which write different outputs: any
/// thread may compute any of them, in any order, with the same result.
class Emitter {
public:
  /// Constants go to the front of `body`, each once.
  Emitter(mlir::ImplicitLocOpBuilder &b, mlir::Block *body, int64_t lanes,
          UnitRange range)
      : b(b), lanes(lanes), range(range), body(body) {}

  mlir::ImplicitLocOpBuilder &b;
  int64_t lanes;
  UnitRange range;

  /// A vector of `lanes` elements.
  mlir::VectorType getVector(mlir::Type element) const {
    return mlir::VectorType::get({lanes}, element);
  }

  /// The loop over the units of this call, one for each element of an array of
  /// `sizes`: `body(indices)`. Once in each kernel.
  void units(llvm::ArrayRef<int64_t> sizes,
             llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body);
  /// The same for rows of images of `blocks` blocks: `body({n, block, row})`.
  /// Rows of a large image come in bands of all blocks, so that a thread, which
  /// begins with a contiguous part of the units, reads rows that it wrote
  /// itself in the kernel before. If `weights`, the bytes that all rows read,
  /// are many, or rows few, blocks come one after the other.
  void imageUnits(int64_t batch, int64_t blocks, int64_t rows,
                  llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body,
                  int64_t weights = 0);
  /// How many units the kernel has.
  int64_t getUnitCount() const { return unitCount; }

  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value add(mlir::Value lhs, int64_t rhs);
  mlir::Value mul(mlir::Value lhs, int64_t rhs);
  /// A number in all lanes: of f32, or of `element`.
  mlir::Value splat(double value);
  mlir::Value splat(mlir::Type element, int64_t value);
  mlir::Value broadcast(mlir::Value scalar);
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  /// `a * b + c` of f32 or i32.
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value c);
  /// An element, or a vector of them, as what sums are of: f32, or i32.
  mlir::Value widen(mlir::Value value, bool isUnsigned);

  /// The buffer of `type` that `pointer` points to.
  mlir::Value buffer(mlir::Value pointer, mlir::MemRefType type);

  /// A vector of the buffer's elements, `lanes` or another number of them.
  mlir::Value load(mlir::Value buffer, mlir::ValueRange indices);
  mlir::Value load(mlir::Value buffer, mlir::ValueRange indices,
                   int64_t elements);
  mlir::Value loadScalar(mlir::Value buffer, mlir::ValueRange indices);
  /// Has a line of the buffer, or behind its end, on the way to the first
  /// cache.
  void prefetch(mlir::Value buffer, mlir::ValueRange indices);
  /// Stores a vector or a scalar.
  void store(mlir::Value value, mlir::Value buffer, mlir::ValueRange indices);
  /// The same for the elements of a vector that `mask` has; others read as 0.
  mlir::Value loadMasked(mlir::Value buffer, mlir::ValueRange indices,
                         mlir::Value mask);
  void storeMasked(mlir::Value value, mlir::Value buffer,
                   mlir::ValueRange indices, mlir::Value mask);

  /// `for (i = low; i < high; i += step) body(i)`; a loop of one turn is its
  /// body.
  void loop(int64_t low, int64_t high, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);
  void loop(mlir::Value low, mlir::Value high,
            llvm::function_ref<void(mlir::Value)> body);

  using Values = llvm::SmallVector<mlir::Value>;
  /// A loop that carries values from turn to turn.
  Values reduce(int64_t low, int64_t high, mlir::ValueRange inits,
                llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);
  Values reduce(mlir::Value low, mlir::Value high, mlir::ValueRange inits,
                llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);

  /// Walks a row of `size` in tiles of `tile`, then what remains in one:
  /// `body(first, length)`.
  void tiles(int64_t size, int64_t tile,
             llvm::function_ref<void(mlir::Value, int64_t)> body);
  /// One of these tiles: `number` is less than countTiles(size, tile).
  void tile(mlir::Value number, int64_t size, int64_t tile,
            llvm::function_ref<void(mlir::Value, int64_t)> body);
  static int64_t countTiles(int64_t size, int64_t tile) {
    return (size + tile - 1) / tile;
  }

  /// `if (condition) body()`; the other way round in `otherwise`, if given.
  void branch(mlir::Value condition, llvm::function_ref<void()> body,
              llvm::function_ref<void()> otherwise = nullptr);
  /// Whether an index is in [low, high); null for one that always is, in a
  /// dimension of `size`.
  mlir::Value isWithin(mlir::Value index, int64_t low, int64_t high,
                       int64_t size);

  /// The epilogue's code on vectors.
  mlir::Value epilogue(mlir::Region &region, mlir::ValueRange arguments);

  /// Whether an epilogue is so long that to repeat it for every sum of a tile
  /// would make more code than the tile's products: a loop over stored sums is
  /// shorter then, and no slower.
  static bool isLongEpilogue(mlir::Region &region);

  /// Writes `fill` to the halo of a blocked buffer, in this call to a share of
  /// it in proportion to the units. Behind the loop over them.
  void fillHalo(mlir::Value buffer, const Halo &halo, int64_t fill);

  /// Memory on the stack for `count` vectors.
  mlir::Value allocate(int64_t count, mlir::Type element);

  /// Ends the function: drops what was only there to be looked at.
  void finish();

private:
  /// Where an element lies, as a sum: values times bytes, and bytes.
  struct Distance {
    llvm::SmallMapVector<mlir::Value, int64_t, 4> terms;
    int64_t bytes = 0;
  };

  mlir::Value constant(mlir::TypedAttr value);
  static void addTerm(Distance &distance, mlir::Value index, int64_t bytes);
  mlir::Value getPointer(mlir::Value buffer, mlir::ValueRange indices);
  mlir::Value getBase(mlir::Value pointer, mlir::Value index, int64_t bytes);

  mlir::Block *body;
  int64_t unitCount = 0;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  llvm::DenseMap<std::tuple<mlir::Value, mlir::Value, int64_t>, mlir::Value>
      bases;
};

/// Reads extras of an epilogue at a place of the result.
class ExtraReader {
public:
  ExtraReader(Emitter &e, mlir::ValueRange buffers, mlir::ArrayAttr halos);

  /// For batch entry n, block c, row y, column x.
  Emitter::Values read(mlir::Value n, mlir::Value c, mlir::Value y,
                       mlir::Value x);

private:
  Emitter &e;
  mlir::ValueRange buffers;
  llvm::SmallVector<Halo> halos;
};

/// One per kind of kernel: the body of a function with the op's operands as
/// arguments. `op` is on buffers.
void emitConv2D(Emitter &e, Conv2DOp op, mlir::ValueRange arguments,
                unsigned part);
void emitWinograd(Emitter &e, Conv2DOp op, mlir::ValueRange arguments,
                  unsigned part);
void emitStrassen(Emitter &e, Conv2DOp op, mlir::ValueRange arguments,
                  unsigned part);
void emitDepthwiseConv2D(Emitter &e, DepthwiseConv2DOp op,
                         mlir::ValueRange arguments);
void emitEltwise(Emitter &e, EltwiseOp op, mlir::ValueRange arguments);
void emitPool2D(Emitter &e, Pool2DOp op, mlir::ValueRange arguments);
void emitPack(Emitter &e, PackOp op, mlir::ValueRange arguments);
void emitUnpack(Emitter &e, UnpackOp op, mlir::ValueRange arguments);
void emitGatherChannels(Emitter &e, GatherChannelsOp op,
                        mlir::ValueRange arguments);
void emitPackMatrix(Emitter &e, PackMatrixOp op, mlir::ValueRange arguments);
void emitMatMul(Emitter &e, MatMulOp op, mlir::ValueRange arguments);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_KERNELS_EMITTER_H
