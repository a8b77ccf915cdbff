//===- CPUFeatures.c - What the CPU that runs this can --------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Library.h"

#if defined(__x86_64__)
#include <cpuid.h>

// Register state that the operating system saves: the bits of XCR0.
enum { NONE = 0, YMM = 0x6, ZMM = 0xe6 };
enum { EAX, EBX, ECX, EDX };

static uint32_t get_saved_state(void) {
  unsigned regs[4], low, high;
  if (!__get_cpuid(1, &regs[EAX], &regs[EBX], &regs[ECX], &regs[EDX]) ||
      !(regs[ECX] & bit_OSXSAVE))
    return 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

uint64_t mw_cpu_features(void) {
  uint32_t saved = get_saved_state();
  // CPUID is slow, on a virtual machine above all: neighbours of the list share
  // a leaf.
  uint32_t leaf = 0, subleaf = 0;
  unsigned regs[4] = {0, 0, 0, 0};
  uint64_t features = 0, bit = 1;
#define MODELWRIGHT_CPU_FEATURE(name, own_leaf, own_subleaf, reg, index,       \
                                state)                                         \
  if (leaf != (own_leaf) || subleaf != (own_subleaf)) {                        \
    leaf = (own_leaf);                                                         \
    subleaf = (own_subleaf);                                                   \
    if (!__get_cpuid_count(leaf, subleaf, &regs[EAX], &regs[EBX], &regs[ECX],  \
                           &regs[EDX]))                                        \
      regs[EAX] = regs[EBX] = regs[ECX] = regs[EDX] = 0;                       \
  }                                                                            \
  if ((regs[reg] >> (index) & 1) && (saved & (state)) == (state))              \
    features |= bit;                                                           \
  bit <<= 1;
#include "modelwright/Runtime/CPUFeatures.def"
  return features;
}

#else

uint64_t mw_cpu_features(void) { return 0; }

#endif
