//===- Peak.cpp - What the CPU can do at most -----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peak.h"

// 12 sums in flight hide the latency; 24 instructions a turn hide the loop.
#define REPEAT(INSTRUCTION, R)                                                 \
  INSTRUCTION(R, 0)                                                            \
  INSTRUCTION(R, 1)                                                            \
  INSTRUCTION(R, 2)                                                            \
  INSTRUCTION(R, 3)                                                            \
  INSTRUCTION(R, 4)                                                            \
  INSTRUCTION(R, 5)                                                            \
  INSTRUCTION(R, 6) INSTRUCTION(R, 7) INSTRUCTION(R, 8) INSTRUCTION(R, 9)      \
      INSTRUCTION(R, 10) INSTRUCTION(R, 11)
#define FMA(R, I) "vfmadd231ps %%" R "14,%%" R "15,%%" R #I "\n"
#define BYTES(R, I) "vpdpbusd %%" R "14,%%" R "15,%%" R #I "\n"
#define BF16(R, I) "vdpbf16ps %%" R "14,%%" R "15,%%" R #I "\n"
#define CLOBBERS                                                               \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",      \
      "xmm9", "xmm10", "xmm11", "xmm14", "xmm15", "cc"
#define LOOP(INSTRUCTION, R)                                                   \
  __asm__ volatile("vxorps %%xmm14,%%xmm14,%%xmm14\n"                          \
                   "vxorps %%xmm15,%%xmm15,%%xmm15\n"                          \
                   "1:\n" REPEAT(INSTRUCTION, R)                               \
                       REPEAT(INSTRUCTION, R) "dec %0\n jnz 1b\n"              \
                   : "+r"(turns)                                               \
                   :                                                           \
                   : CLOBBERS)

static constexpr long kTurns = 3000;
static constexpr double kInstructions = 24.0 * kTurns;

double modelwright::bench::runFMAs() {
  long turns = kTurns;
  if (__builtin_cpu_supports("avx512f")) {
    LOOP(FMA, "zmm");
    return kInstructions * 16 * 2;
  }
  if (!__builtin_cpu_supports("fma"))
    return 0;
  LOOP(FMA, "ymm");
  return kInstructions * 8 * 2;
}

double modelwright::bench::runByteDots() {
  long turns = kTurns;
  if (!__builtin_cpu_supports("avx512vnni"))
    return 0;
  LOOP(BYTES, "zmm");
  return kInstructions * 64 * 2;
}

double modelwright::bench::runBF16Dots() {
  long turns = kTurns;
  if (!__builtin_cpu_supports("avx512bf16"))
    return 0;
  LOOP(BF16, "zmm");
  return kInstructions * 32 * 2;
}
