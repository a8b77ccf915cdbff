//===- Runtime.h - What generated code calls --------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Functions of plain C that generated code calls where an op is a search or a
// sort rather than a loop nest. Pointers arrive as integers of pointer size, as
// MLIR's `index` does. None allocates, none keeps state. What shares loops
// among threads is at the end: its pool is the only thing that has to be
// created.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_RUNTIME_RUNTIME_H
#define MODELWRIGHT_RUNTIME_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Sorts each of `rows` rows of `length` elements, by value, equal ones by
/// index; NaNs come last. Writes the sorted values and where each was.
void mw_argsort_f32(intptr_t input, intptr_t values, intptr_t indices,
                    intptr_t rows, intptr_t length, intptr_t descending);
void mw_argsort_f64(intptr_t input, intptr_t values, intptr_t indices,
                    intptr_t rows, intptr_t length, intptr_t descending);
void mw_argsort_i32(intptr_t input, intptr_t values, intptr_t indices,
                    intptr_t rows, intptr_t length, intptr_t descending);
void mw_argsort_i64(intptr_t input, intptr_t values, intptr_t indices,
                    intptr_t rows, intptr_t length, intptr_t descending);

/// Non-maximum suppression as nn.nms says: of `batch` x `size` boxes, best
/// first, at most `limit` each are kept. Writes their indices, the last one
/// repeated up to the limit (0 if there is none), and how many they are.
void mw_nms_f32(intptr_t boxes, intptr_t indices, intptr_t counts,
                intptr_t batch, intptr_t size, intptr_t limit, float threshold);

/// A memref of a rank that is known at run time: `descriptor` is one of MLIR's.
struct mw_unranked_memref {
  int64_t rank;
  void *descriptor;
};

/// Copies elements of `size` bytes between arrays of the same shape that do not
/// overlap. MLIR's lowering of `memref.copy` to LLVM calls it by this name
/// where one of them is not dense.
void memrefCopy(int64_t size, struct mw_unranked_memref *source,
                struct mw_unranked_memref *target);

/// Inverts `count` matrices of `n` by `n` doubles. A singular one gives
/// infinities and NaNs. `scratch` has room for one matrix.
void mw_matrix_inverse_f64(intptr_t input, intptr_t output, intptr_t scratch,
                           intptr_t count, intptr_t n);

/// Singular value decomposition of `count` matrices of `m` by `n` doubles, as
/// nn.svd says; `full` is its `full_matrices`. With p = min(m, n), q = max(m,
/// n) and r = q if `full`, else p, `scratch` has room for r * q + p * p
/// doubles.
void mw_svd_f64(intptr_t input, intptr_t u, intptr_t s, intptr_t vt,
                intptr_t scratch, intptr_t count, intptr_t m, intptr_t n,
                intptr_t full);

/// Threads that take part in loops, beside the one that calls. They spin for
/// the next loop for 100 us, then sleep.
struct mw_pool;

/// Computes the units `begin` to `end` of a loop. No two calls that run at the
/// same time have the same `thread`, which counts from 0.
// NOLINTNEXTLINE(modernize-use-using): C has no other way.
typedef void mw_task(void *context, intptr_t thread, intptr_t begin,
                     intptr_t end);

/// A pool for `threads` threads, at most 4095, one of which is the caller's.
/// Null if memory or threads are refused.
struct mw_pool *mw_pool_create(intptr_t threads);

/// Ends the pool's threads. No loop may be running.
void mw_pool_destroy(struct mw_pool *pool);

/// How many threads there are, the caller's included. A null pool has that one.
intptr_t mw_pool_threads(const struct mw_pool *pool);

/// Runs `task` for all units from 0 to `count`, each once, shared out among at
/// most `threads` threads, the caller's included: each begins with an equal
/// part in the order of the units, and helps others when it is done. Returns
/// when all are computed. With a null pool, all is one call. Does not allocate.
/// A pool runs one loop at a time: its tasks must not call this with the same
/// pool, nor may two threads.
void mw_parallel_for(struct mw_pool *pool, mw_task *task, void *context,
                     intptr_t count, intptr_t threads);

/// The first of `slots` is the time of the last mark, in nanoseconds;
/// `mw_profile_end` adds what went by since then to the slot of `unit`.
void mw_profile_begin(intptr_t slots);
void mw_profile_end(intptr_t slots, intptr_t unit);

#ifdef __cplusplus
}
#endif

#endif // MODELWRIGHT_RUNTIME_RUNTIME_H
