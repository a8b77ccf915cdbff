//===- ContainerTest.cpp - The IMOD container -----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"

using namespace modelwright::ge;
using namespace modelwright::ge::test;
using llvm::support::endian::write32le;
using llvm::support::endian::write64le;

static std::string getModel() { return makeModel("x").SerializeAsString(); }

TEST(ContainerTest, KeepsUnknownAndRepeatedPartitions) {
  for (bool wide : {false, true}) {
    std::string bytes = makeContainer(
        {{31, "one"}, {0, getModel()}, {2, ""}, {31, "two"}}, wide);
    llvm::Expected<File> file = read(bytes);
    ASSERT_TRUE(!!file) << llvm::toString(file.takeError());
    EXPECT_EQ(file->container->isServer, wide);
    EXPECT_EQ(file->container->partitions.size(), 4u);
    EXPECT_EQ(write(*file), bytes);
  }
}

TEST(ContainerTest, KeepsGapsAndTail) {
  std::string model = getModel();
  std::string bytes =
      makeContainer({{0, model + "gap"}, {1, "weights tail"}}, true);
  // The first entry ends before the gap, the second before the tail.
  char *table = bytes.data() + 256;
  write64le(table + 8 + 16, model.size());
  write64le(table + 8 + 24 + 16, 7);
  llvm::Expected<File> file = read(bytes);
  ASSERT_TRUE(!!file) << llvm::toString(file.takeError());
  EXPECT_EQ(file->container->partitions[1].gap, "gap");
  EXPECT_EQ(file->container->tail, " tail");
  EXPECT_EQ(write(*file), bytes);
}

TEST(ContainerTest, RecomputesOffsetsAndLength) {
  llvm::Expected<File> file =
      read(makeContainer({{0, getModel()}, {1, "weights"}}));
  ASSERT_TRUE(!!file);
  file->blobs[0] = "longer";
  std::string bytes = write(*file);
  proto::ModelDef model = makeModel("x");
  model.mutable_graph(0)
      ->mutable_op(0)
      ->mutable_attr(0)
      ->mutable_value()
      ->mutable_t()
      ->set_data("longer");
  EXPECT_EQ(bytes,
            makeContainer({{0, model.SerializeAsString()}, {1, "weights"}}));
}

TEST(ContainerTest, MakesMobileHeader) {
  Container container = makeMobileContainer(std::string(40, 'n'));
  EXPECT_EQ(container.getName(), std::string(31, 'n'));
  EXPECT_EQ(container.getVersion(), 0x10000000u);
  EXPECT_EQ(container.getIRVersion(), 2u);
  EXPECT_EQ(describeModelType(container), "standard IR graph");
}

TEST(ContainerTest, RefusesBadTables) {
  std::string good = makeContainer({{0, getModel()}, {1, "weights"}});
  auto faultWith = [&](size_t at, uint32_t value) {
    std::string bytes = good;
    write32le(bytes.data() + at, value);
    return readFault(bytes);
  };
  EXPECT_EQ(readFault(llvm::StringRef(good).take_front(255)),
            "IMOD container: the file ends within the header of 256 bytes "
            "(at byte 255)");
  EXPECT_EQ(faultWith(4, 255), "IMOD container: header size 255 is not "
                               "possible (at byte 4)");
  EXPECT_EQ(faultWith(4, UINT32_MAX),
            "IMOD container: header size 4294967295 is not possible (at byte "
            "4)");
  EXPECT_EQ(faultWith(76, 0),
            "IMOD container: the header promises 0 bytes behind it, the file "
            "has " +
                std::to_string(good.size() - 256) + " (at byte 76)");
  EXPECT_EQ(faultWith(256, UINT32_MAX),
            "IMOD container: 4294967295 partitions, at most 35 are possible "
            "(at byte 256)");
  EXPECT_NE(faultWith(256, 35).find("35 entries do not fit"),
            std::string::npos);
  EXPECT_NE(faultWith(260 + 12 + 4, UINT32_MAX)
                .find("partition 1 (type 1) of "
                      "7 bytes at 4294967295 "
                      "ends behind"),
            std::string::npos);
  EXPECT_NE(faultWith(260 + 12 + 8, UINT32_MAX).find("ends behind"),
            std::string::npos);
  EXPECT_NE(faultWith(260 + 12 + 4, 0).find("overlaps the one before it"),
            std::string::npos);
  EXPECT_EQ(faultWith(260, 9),
            "IMOD container: there is no MODEL_DEF partition (at byte 256)");
  EXPECT_EQ(faultWith(80, 1), "IMOD container: the model is encrypted, which "
                              "is not supported (at byte 80)");
}

TEST(ContainerTest, RefusesWideOffsets) {
  std::string bytes = makeContainer({{0, getModel()}, {1, "weights"}}, true);
  char *entry = bytes.data() + 256 + 8 + 24;
  for (uint64_t value : {UINT64_MAX, UINT64_MAX - 7, uint64_t(1) << 63}) {
    write64le(entry + 8, value);
    EXPECT_NE(readFault(bytes).find("ends behind"), std::string::npos);
  }
  write64le(entry + 8, getModel().size());
  write64le(entry + 16, UINT64_MAX);
  EXPECT_NE(readFault(bytes).find("ends behind"), std::string::npos);
}
