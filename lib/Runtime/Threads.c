//===- Threads.c - Threads that share loops -------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A net is a hundred loops of 10 to 500 us each, so that handing a loop to a
// sleeping thread (10 us or more) would cost what it saves. Threads spin a
// while for the next loop before they sleep.
//
// Each thread gets an equal, contiguous part of the units, always the same one
// for the same count: what it wrote in one loop is in its cache when the next
// one reads it. It takes shares from the front; who has nothing left takes from
// the back of others, so that a slow or late thread holds up nobody. A part is
// one word, and a share is taken by compare-and-swap. Whoever has taken one
// keeps the loop open until it says that it is done: what describes the loop is
// read only then, and is written only while all parts are empty.
//

// NOLINTNEXTLINE(bugprone-reserved-identifier): POSIX wants it.
#define _POSIX_C_SOURCE 200809L

#include "modelwright/Runtime/Runtime.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum {
  kCacheLine = 64,
  /// How long a thread spins before it sleeps.
  kSpinNanoseconds = 100000,
  /// Looks at the shared word between two looks at the clock.
  kLooksPerClock = 64,
  /// A share is this part of what a thread has left.
  kSharesPerRest = 4,
  /// A part of a loop: its next unit, the one behind its last, and how many
  /// threads take part.
  kUnitBits = 26,
  kLimitBits = 64 - 2 * kUnitBits,
};

/// More do not fit a part: such a loop is left to its caller.
#define MOST_UNITS (((intptr_t)1 << kUnitBits) - 1)
#define MOST_THREADS (((intptr_t)1 << kLimitBits) - 1)

/// What belongs to one thread, on a cache line of its own.
struct mw_worker {
  _Alignas(kCacheLine) _Atomic uint64_t part;
  struct mw_pool *pool;
  intptr_t number;
  pthread_t thread;
};

struct mw_pool {
  /// How many loops were opened, and the last one.
  _Alignas(kCacheLine) _Atomic uint64_t opened;
  _Atomic(mw_task *) task;
  _Atomic(void *) context;
  /// Units that are computed.
  _Alignas(kCacheLine) _Atomic intptr_t done;
  /// Who sleeps, or is about to.
  _Alignas(kCacheLine) atomic_int sleepers;
  atomic_bool caller_sleeps, stops;
  pthread_mutex_t lock;
  pthread_cond_t wake, finished;
  /// Threads, the caller's included, which is the first worker.
  intptr_t size;
  struct mw_worker workers[];
};

static uint64_t make_part(intptr_t next, intptr_t end, intptr_t limit) {
  return (uint64_t)next << (kUnitBits + kLimitBits) |
         (uint64_t)end << kLimitBits | (uint64_t)limit;
}

static void pause_thread(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static int64_t read_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// Takes a share of the victim's part for the thread `number`: from the front
/// of its own, from the back of another's. Returns how many units.
static intptr_t take_share(struct mw_worker *victim, intptr_t number,
                           intptr_t *first) {
  uint64_t part = atomic_load(&victim->part);
  for (;;) {
    intptr_t next = (intptr_t)(part >> (kUnitBits + kLimitBits));
    intptr_t end = (intptr_t)(part >> kLimitBits & (uint64_t)MOST_UNITS);
    intptr_t limit = (intptr_t)(part & (uint64_t)MOST_THREADS);
    if (next >= end || number >= limit)
      return 0;
    intptr_t share = (end - next + kSharesPerRest - 1) / kSharesPerRest;
    bool is_own = victim->number == number;
    uint64_t rest = is_own ? make_part(next + share, end, limit)
                           : make_part(next, end - share, limit);
    if (!atomic_compare_exchange_weak(&victim->part, &part, rest))
      continue;
    *first = is_own ? next : end - share;
    return share;
  }
}

/// Runs units of the open loop until none is left; returns how many.
static intptr_t take_part(struct mw_pool *pool, intptr_t number) {
  intptr_t count = 0;
  for (intptr_t i = 0; i < pool->size;) {
    struct mw_worker *victim = &pool->workers[(number + i) % pool->size];
    intptr_t first = 0, share = take_share(victim, number, &first);
    if (share == 0) {
      ++i;
      continue;
    }
    mw_task *task = atomic_load(&pool->task);
    task(atomic_load(&pool->context), number, first, first + share);
    count += share;
  }
  return count;
}

/// Returns when another loop was opened or the pool stops.
static void wait_for_loop(struct mw_pool *pool, uint64_t seen) {
  int64_t end = read_clock() + kSpinNanoseconds;
  do {
    for (int i = 0; i < kLooksPerClock; ++i) {
      if (atomic_load_explicit(&pool->opened, memory_order_relaxed) != seen ||
          atomic_load_explicit(&pool->stops, memory_order_relaxed))
        return;
      pause_thread();
    }
  } while (read_clock() < end);
  pthread_mutex_lock(&pool->lock);
  // Who opens a loop first counts it, then looks for sleepers.
  atomic_fetch_add(&pool->sleepers, 1);
  while (atomic_load(&pool->opened) == seen && !atomic_load(&pool->stops))
    pthread_cond_wait(&pool->wake, &pool->lock);
  atomic_fetch_sub(&pool->sleepers, 1);
  pthread_mutex_unlock(&pool->lock);
}

static void *run_worker(void *argument) {
  struct mw_worker *worker = argument;
  struct mw_pool *pool = worker->pool;
  while (!atomic_load(&pool->stops)) {
    uint64_t seen = atomic_load(&pool->opened);
    intptr_t count = take_part(pool, worker->number);
    if (count != 0) {
      atomic_fetch_add(&pool->done, count);
      if (atomic_load(&pool->caller_sleeps)) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_signal(&pool->finished);
        pthread_mutex_unlock(&pool->lock);
      }
    }
    wait_for_loop(pool, seen);
  }
  return NULL;
}

/// Returns when the workers have computed as many units.
static void wait_for_end(struct mw_pool *pool, intptr_t count) {
  if (atomic_load(&pool->done) == count)
    return;
  int64_t end = read_clock() + kSpinNanoseconds;
  do {
    for (int i = 0; i < kLooksPerClock; ++i) {
      if (atomic_load(&pool->done) == count)
        return;
      pause_thread();
    }
  } while (read_clock() < end);
  pthread_mutex_lock(&pool->lock);
  atomic_store(&pool->caller_sleeps, true);
  while (atomic_load(&pool->done) != count)
    pthread_cond_wait(&pool->finished, &pool->lock);
  atomic_store(&pool->caller_sleeps, false);
  pthread_mutex_unlock(&pool->lock);
}

void mw_parallel_for(struct mw_pool *pool, mw_task *task, void *context,
                     intptr_t count, intptr_t threads) {
  intptr_t limit = mw_pool_threads(pool);
  limit = threads < limit ? threads : limit;
  if (limit <= 1 || count <= 1 || count > MOST_UNITS) {
    if (count > 0)
      task(context, 0, 0, count);
    return;
  }
  atomic_store(&pool->task, task);
  atomic_store(&pool->context, context);
  atomic_store(&pool->done, 0);
  for (intptr_t i = 0; i < limit; ++i)
    atomic_store(&pool->workers[i].part,
                 make_part(count * i / limit, count * (i + 1) / limit, limit));
  atomic_fetch_add(&pool->opened, 1);
  if (atomic_load(&pool->sleepers) != 0) {
    pthread_mutex_lock(&pool->lock);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
  }
  wait_for_end(pool, count - take_part(pool, 0));
}

intptr_t mw_pool_threads(const struct mw_pool *pool) {
  return pool ? pool->size : 1;
}

/// Ends `count` threads and frees the pool.
static void end_pool(struct mw_pool *pool, intptr_t count) {
  pthread_mutex_lock(&pool->lock);
  atomic_store(&pool->stops, true);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
  for (intptr_t i = 1; i < count; ++i)
    pthread_join(pool->workers[i].thread, NULL);
  pthread_cond_destroy(&pool->finished);
  pthread_cond_destroy(&pool->wake);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

struct mw_pool *mw_pool_create(intptr_t threads) {
  intptr_t size = threads > 1 ? threads : 1;
  if (size > MOST_THREADS)
    return NULL;
  size_t bytes =
      sizeof(struct mw_pool) + (size_t)size * sizeof(struct mw_worker);
  // Whole cache lines, as aligned_alloc wants.
  bytes = (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
  struct mw_pool *pool = aligned_alloc(kCacheLine, bytes);
  if (!pool)
    return NULL;
  atomic_init(&pool->opened, 0);
  atomic_init(&pool->done, 0);
  atomic_init(&pool->task, NULL);
  atomic_init(&pool->context, NULL);
  atomic_init(&pool->sleepers, 0);
  atomic_init(&pool->caller_sleeps, false);
  atomic_init(&pool->stops, false);
  pool->size = size;
  for (intptr_t i = 0; i < size; ++i) {
    atomic_init(&pool->workers[i].part, 0);
    pool->workers[i].pool = pool;
    pool->workers[i].number = i;
  }
  if (pthread_mutex_init(&pool->lock, NULL) != 0) {
    free(pool);
    return NULL;
  }
  if (pthread_cond_init(&pool->wake, NULL) != 0) {
    pthread_mutex_destroy(&pool->lock);
    free(pool);
    return NULL;
  }
  if (pthread_cond_init(&pool->finished, NULL) != 0) {
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
    return NULL;
  }
  // Signals are for the threads of the program.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  intptr_t started = 1;
  while (started < size &&
         pthread_create(&pool->workers[started].thread, NULL, run_worker,
                        &pool->workers[started]) == 0)
    ++started;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (started == size)
    return pool;
  end_pool(pool, started);
  return NULL;
}

void mw_pool_destroy(struct mw_pool *pool) {
  if (pool)
    end_pool(pool, pool->size);
}
