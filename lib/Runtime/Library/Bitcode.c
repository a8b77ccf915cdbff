//===- Bitcode.c - The runtime as data ------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What model-compile links into the libraries that it makes: bitcode of this
// folder and the one above, for each architecture.
//
//===----------------------------------------------------------------------===//

#define EMBED(name, file)                                                      \
  __asm__(".pushsection .rodata." #name ",\"a\",@progbits\n"                   \
          ".globl " #name ", " #name "End\n"                                   \
          ".p2align 4\n" #name ":\n"                                           \
          ".incbin \"" file "\"\n" #name "End:\n"                              \
          ".byte 0\n"                                                          \
          ".popsection\n")

EMBED(modelwrightRuntimeX86, MODELWRIGHT_BITCODE_X86_64);
EMBED(modelwrightRuntimeAArch64, MODELWRIGHT_BITCODE_AARCH64);

// An empty translation unit is no C.
typedef int modelwright_bitcode_unit;
