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
// A loop is open while `ticket` holds its number in the upper half; the lower
// half counts the units that have been taken. A thread takes some by a
// compare-and-swap of the whole word: it fails if another loop was opened since
// the thread looked, so that nobody can mix up two loops, and nobody has to
// wait for a thread that took nothing, be it asleep. What describes the loop is
// only written while no loop is open.
//

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
  /// Each thread gets about as many shares of a loop as this, of falling size.
  kSharesPerThread = 2,
};

/// More units than fit the lower half of a ticket, with room for a last share.
#define MOST_UNITS ((intptr_t)1 << 31)

struct mw_worker {
  struct mw_pool *pool;
  intptr_t number;
  pthread_t thread;
};

struct mw_pool {
  _Alignas(kCacheLine) _Atomic uint64_t ticket;
  _Alignas(kCacheLine) _Atomic intptr_t done;
  /// The loop that is open.
  _Alignas(kCacheLine) _Atomic(mw_task *) task;
  _Atomic(void *) context;
  _Atomic intptr_t count, threads;
  /// Who sleeps, or is about to.
  _Alignas(kCacheLine) atomic_int sleepers;
  atomic_bool caller_sleeps, stops;
  pthread_mutex_t lock;
  pthread_cond_t opened, finished;
  intptr_t size;
  struct mw_worker workers[];
};

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

/// Takes units of the open loop and runs them until none is left. Returns the
/// ticket that shows so.
static uint64_t take_part(struct mw_pool *pool, intptr_t number) {
  for (;;) {
    uint64_t ticket = atomic_load(&pool->ticket);
    intptr_t next = (intptr_t)(ticket & UINT32_MAX);
    // These are the loop's if the ticket is still the same below.
    mw_task *task = atomic_load(&pool->task);
    void *context = atomic_load(&pool->context);
    intptr_t count = atomic_load(&pool->count);
    intptr_t threads = atomic_load(&pool->threads);
    if (number >= threads || next >= count)
      return ticket;
    // Large shares first: neighbours share caches. Small ones last: whoever is
    // faster takes more of them.
    intptr_t share = (count - next) / (kSharesPerThread * threads);
    share = share < 1 ? 1 : share;
    if (!atomic_compare_exchange_weak(&pool->ticket, &ticket,
                                      ticket + (uint64_t)share))
      continue;
    task(context, number, next, next + share);
    if (atomic_fetch_add(&pool->done, share) + share < count ||
        !atomic_load(&pool->caller_sleeps))
      continue;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->finished);
    pthread_mutex_unlock(&pool->lock);
  }
}

/// Returns when the ticket is another one or the pool stops.
static void wait_for_ticket(struct mw_pool *pool, uint64_t seen) {
  int64_t end = read_clock() + kSpinNanoseconds;
  do {
    for (int i = 0; i < kLooksPerClock; ++i) {
      if (atomic_load_explicit(&pool->ticket, memory_order_relaxed) != seen ||
          atomic_load_explicit(&pool->stops, memory_order_relaxed))
        return;
      pause_thread();
    }
  } while (read_clock() < end);
  pthread_mutex_lock(&pool->lock);
  // Who opens a loop first changes the ticket, then looks for sleepers.
  atomic_fetch_add(&pool->sleepers, 1);
  while (atomic_load(&pool->ticket) == seen && !atomic_load(&pool->stops))
    pthread_cond_wait(&pool->opened, &pool->lock);
  atomic_fetch_sub(&pool->sleepers, 1);
  pthread_mutex_unlock(&pool->lock);
}

static void *run_worker(void *argument) {
  struct mw_worker *worker = argument;
  struct mw_pool *pool = worker->pool;
  while (!atomic_load(&pool->stops))
    wait_for_ticket(pool, take_part(pool, worker->number));
  return NULL;
}

/// Returns when all units are computed.
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
  if (!pool || pool->size == 0 || threads <= 1 || count <= 1 ||
      count >= MOST_UNITS) {
    if (count > 0)
      task(context, 0, 0, count);
    return;
  }
  // Close the last loop, whose units are all computed, for those that look at
  // it late: no unit is left below the largest number.
  uint64_t number = atomic_load(&pool->ticket) >> 32;
  atomic_store(&pool->ticket, number << 32 | UINT32_MAX);
  atomic_store(&pool->task, task);
  atomic_store(&pool->context, context);
  atomic_store(&pool->count, count);
  atomic_store(&pool->threads,
               threads < pool->size + 1 ? threads : pool->size + 1);
  atomic_store(&pool->done, 0);
  atomic_store(&pool->ticket, (number + 1) << 32);
  if (atomic_load(&pool->sleepers) != 0) {
    pthread_mutex_lock(&pool->lock);
    pthread_cond_broadcast(&pool->opened);
    pthread_mutex_unlock(&pool->lock);
  }
  take_part(pool, 0);
  wait_for_end(pool, count);
}

intptr_t mw_pool_threads(const struct mw_pool *pool) {
  return pool ? pool->size + 1 : 1;
}

struct mw_pool *mw_pool_create(intptr_t threads) {
  intptr_t size = threads > 1 ? threads - 1 : 0;
  size_t bytes =
      sizeof(struct mw_pool) + (size_t)size * sizeof(struct mw_worker);
  // Whole cache lines, as aligned_alloc wants.
  bytes = (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
  struct mw_pool *pool = aligned_alloc(kCacheLine, bytes);
  if (!pool)
    return NULL;
  atomic_init(&pool->ticket, 0);
  atomic_init(&pool->done, 0);
  atomic_init(&pool->task, NULL);
  atomic_init(&pool->context, NULL);
  atomic_init(&pool->count, 0);
  atomic_init(&pool->threads, 0);
  atomic_init(&pool->sleepers, 0);
  atomic_init(&pool->caller_sleeps, false);
  atomic_init(&pool->stops, false);
  pool->size = 0;
  if (pthread_mutex_init(&pool->lock, NULL) != 0) {
    free(pool);
    return NULL;
  }
  if (pthread_cond_init(&pool->opened, NULL) != 0) {
    pthread_mutex_destroy(&pool->lock);
    free(pool);
    return NULL;
  }
  if (pthread_cond_init(&pool->finished, NULL) != 0) {
    pthread_cond_destroy(&pool->opened);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
    return NULL;
  }
  // Signals are for the threads of the program.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool failed = false;
  while (!failed && pool->size < size) {
    struct mw_worker *worker = &pool->workers[pool->size];
    worker->pool = pool;
    worker->number = pool->size + 1;
    failed = pthread_create(&worker->thread, NULL, run_worker, worker) != 0;
    pool->size += !failed;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failed) {
    mw_pool_destroy(pool);
    return NULL;
  }
  return pool;
}

void mw_pool_destroy(struct mw_pool *pool) {
  if (!pool)
    return;
  pthread_mutex_lock(&pool->lock);
  atomic_store(&pool->stops, true);
  pthread_cond_broadcast(&pool->opened);
  pthread_mutex_unlock(&pool->lock);
  for (intptr_t i = 0; i < pool->size; ++i)
    pthread_join(pool->workers[i].thread, NULL);
  pthread_cond_destroy(&pool->finished);
  pthread_cond_destroy(&pool->opened);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}
