//===- ThreadsTest.cpp - Threads that share loops -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Runtime/Runtime.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <thread>
#include <vector>

namespace {

struct PoolDeleter {
  void operator()(mw_pool *pool) const { mw_pool_destroy(pool); }
};
using Pool = std::unique_ptr<mw_pool, PoolDeleter>;

/// Counts how often each unit was computed, and the highest thread. The counts
/// are plain numbers: a unit computed by two threads at once is a data race.
struct Counts {
  explicit Counts(intptr_t size) : counts(size) {}
  std::vector<int> counts;
  std::atomic<intptr_t> highest = 0;
};

} // namespace

static void count(void *context, intptr_t thread, intptr_t begin,
                  intptr_t end) {
  auto *result = static_cast<Counts *>(context);
  for (intptr_t i = begin; i < end; ++i)
    ++result->counts[i];
  intptr_t highest = result->highest;
  while (highest < thread &&
         !result->highest.compare_exchange_weak(highest, thread)) {
  }
}

static void expectOnce(mw_pool *pool, intptr_t size, intptr_t threads) {
  Counts result(size);
  mw_parallel_for(pool, count, &result, size, threads);
  for (int times : result.counts)
    ASSERT_EQ(times, 1);
  EXPECT_LT(result.highest, std::max<intptr_t>(1, threads));
  EXPECT_LT(result.highest, mw_pool_threads(pool));
}

TEST(ThreadsTest, NoPool) {
  EXPECT_EQ(mw_pool_threads(nullptr), 1);
  expectOnce(nullptr, 10, 4);
  expectOnce(nullptr, 0, 4);
  mw_pool_destroy(nullptr);
}

TEST(ThreadsTest, EachUnitOnce) {
  for (intptr_t threads : {1, 2, 3, 8}) {
    Pool pool(mw_pool_create(threads));
    ASSERT_TRUE(pool);
    EXPECT_EQ(mw_pool_threads(pool.get()), threads);
    for (intptr_t size : {0, 1, 2, 3, 7, 64, 1000, 100000})
      for (intptr_t limit : {1, 2, 3, 100})
        expectOnce(pool.get(), size, limit);
  }
}

// A pool that ends before its threads have begun.
TEST(ThreadsTest, Unused) {
  for (int i = 0; i < 50; ++i)
    Pool pool(mw_pool_create(4));
}

// Many short loops after one another: a late thread must not run units of one
// loop with the task or context of another.
TEST(ThreadsTest, ManyLoops) {
  Pool pool(mw_pool_create(3));
  ASSERT_TRUE(pool);
  std::list<Counts> results;
  for (intptr_t size = 1; size <= 64; ++size)
    results.emplace_back(size);
  constexpr int kRounds = 300;
  for (int round = 0; round < kRounds; ++round)
    for (Counts &result : results)
      mw_parallel_for(pool.get(), count, &result,
                      static_cast<intptr_t>(result.counts.size()), 3);
  for (const Counts &result : results)
    for (int times : result.counts)
      ASSERT_EQ(times, kRounds);
}

// Loops so far apart that the threads sleep in between, and units so long that
// the caller does.
TEST(ThreadsTest, Sleep) {
  Pool pool(mw_pool_create(3));
  ASSERT_TRUE(pool);
  std::atomic<int> units = 0;
  auto task = [](void *context, intptr_t thread, intptr_t begin, intptr_t end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(thread == 0 ? 1 : 5));
    *static_cast<std::atomic<int> *>(context) += static_cast<int>(end - begin);
  };
  for (int i = 0; i < 20; ++i) {
    mw_parallel_for(pool.get(), task, &units, 5, 3);
    EXPECT_EQ(units.exchange(0), 5);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

// All threads take part if the units last long enough: each waits here until
// the others have come.
TEST(ThreadsTest, AllTakePart) {
  constexpr intptr_t kThreads = 3;
  Pool pool(mw_pool_create(kThreads));
  ASSERT_TRUE(pool);
  std::atomic<int> arrived = 0;
  auto task = [](void *context, intptr_t, intptr_t, intptr_t) {
    auto *all = static_cast<std::atomic<int> *>(context);
    ++*all;
    while (*all < kThreads)
      std::this_thread::yield();
  };
  mw_parallel_for(pool.get(), task, &arrived, kThreads, kThreads);
  EXPECT_EQ(arrived, kThreads);
}

// Two pools do not know of each other.
TEST(ThreadsTest, TwoPools) {
  auto work = [] {
    Pool pool(mw_pool_create(2));
    ASSERT_TRUE(pool);
    for (int i = 0; i < 200; ++i)
      expectOnce(pool.get(), 50, 2);
  };
  std::thread other(work);
  work();
  other.join();
}
