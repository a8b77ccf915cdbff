//===- MutationTest.cpp - Damaged files are refused, not crashed on -------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGraphs.h"

#include "llvm/Support/Endian.h"

using namespace modelwright::mgb;
using namespace modelwright::mgb::test;

/// Reads `bytes`; when they are a file, everything else must work with it.
static void check(const std::string &bytes) {
  llvm::Expected<File> file = tryRead(bytes);
  if (!file) {
    std::string text = llvm::toString(file.takeError());
    EXPECT_FALSE(text.empty());
    return;
  }
  std::string text = dumpText(*file);
  EXPECT_EQ(dumpText(read(write(*file))), text);
}

static std::vector<std::string> makeSeeds() {
  std::vector<std::string> seeds;
  for (Encoding encoding : kAllEncodings)
    seeds.push_back(write(makeSmall(encoding)));
  File tests = makeFile(makeSmall(Encoding::MGBC));
  tests.isTestcase = true;
  tests.testcases = {makeSmall(Encoding::V2)};
  seeds.push_back(write(tests));
  File packed = makeFile(makeSmall(Encoding::V2));
  packed.packed.emplace().name = "net";
  seeds.push_back(write(packed));
  return seeds;
}

TEST(MutationTest, Truncation) {
  for (const std::string &seed : makeSeeds())
    for (size_t size = 0; size != seed.size(); ++size)
      EXPECT_FALSE(readFault(seed.substr(0, size)).empty());
}

TEST(MutationTest, FlippedBits) {
  for (const std::string &seed : makeSeeds())
    for (size_t k = 0; k != seed.size(); ++k)
      for (unsigned bit = 0; bit != 8; ++bit) {
        std::string bytes = seed;
        bytes[k] ^= 1 << bit;
        check(bytes);
      }
}

TEST(MutationTest, PatchedWords) {
  for (const std::string &seed : makeSeeds())
    for (size_t k = 0; k + 4 <= seed.size(); k += 2)
      for (uint32_t value : {0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
        std::string bytes = seed;
        llvm::support::endian::write32le(&bytes[k], value);
        check(bytes);
      }
}

TEST(MutationTest, PatchedHalves) {
  for (const std::string &seed : makeSeeds())
    for (size_t k = 0; k + 2 <= seed.size(); k += 2)
      for (uint16_t value : {0, 2, 4, 6, 8, 40, 0x7fff, 0xffff}) {
        std::string bytes = seed;
        llvm::support::endian::write16le(&bytes[k], value);
        check(bytes);
      }
}
