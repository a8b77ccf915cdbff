//===- RegistryTest.cpp - The table of operators --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGraphs.h"

#include <map>
#include <set>

using namespace modelwright::mgb;
using namespace modelwright::mgb::test;

TEST(RegistryTest, CountsKinds) {
  std::map<OprKind, unsigned> kinds;
  for (const OprInfo &info : getAllOprs())
    ++kinds[info.kind];
  EXPECT_EQ(getAllOprs().size(), 186u);
  EXPECT_EQ(kinds[OprKind::Inference], 101u);
  EXPECT_EQ(kinds[OprKind::NotInFiles], 3u);
}

TEST(RegistryTest, ComputesTypeIds) {
  struct {
    const char *name;
    uint64_t unversioned, persistent;
  } known[] = {
      {"ImmutableTensor", 0x71fef6bc913ac154, 0x60d52856bbd5a2b1},
      {"Host2DeviceCopy", 0x9f9db55d661d5f11, 0x21d09889fd709229},
      {"MatrixMulV2", 0x3107308c558de242, 0xb9a5373325c10ae1},
      {"Elemwise", 0xd6c488c11172ec08, 0xebb39bdd9278b6da},
      {"ReduceV2", 0xe95bd6e94fd81bd8, 0xe92040b5c01c1a61},
      {"GetVarShapeV1", 0x108a555a9ec4f635, 0x05d572d5a603a65a},
      {"ConvBiasForwardV4", 0xf34e306699f98081, 0x327bf927970e4459},
      // The last digit has no V in front.
      {"CorrelationBackwardData2", 0x04fb0f5762393300, 0},
  };
  for (const auto &row : known) {
    const OprInfo *info = lookupOprByName(row.name);
    ASSERT_NE(info, nullptr) << row.name;
    EXPECT_EQ(info->unversionedId, row.unversioned) << row.name;
    if (row.persistent) {
      EXPECT_EQ(info->persistentId, row.persistent) << row.name;
    }
  }
  EXPECT_EQ(lookupOprByName("ConvBiasForwardV4")->v2Id, 0xc2910e49be9f970a);
  EXPECT_EQ(computeTypeId("dynamic", true), kDynamicTypeId);
}

TEST(RegistryTest, FindsEveryOperatorByEveryId) {
  std::set<uint64_t> unversioned, persistent, v2;
  for (const OprInfo &info : getAllOprs()) {
    EXPECT_EQ(lookupOprByName(info.name), &info);
    EXPECT_EQ(lookupOpr(Encoding::MGBS, info.unversionedId), &info);
    EXPECT_EQ(lookupOpr(Encoding::MGBC, info.persistentId), &info);
    EXPECT_TRUE(unversioned.insert(info.unversionedId).second);
    EXPECT_TRUE(persistent.insert(info.persistentId).second);
    if (info.hasOprVersion1) {
      EXPECT_EQ(lookupOpr(Encoding::V2, info.unversionedId, 1), &info);
    }
    if (info.maxOprVersion == 2) {
      EXPECT_EQ(lookupOpr(Encoding::V2, info.v2Id, 2), &info);
      EXPECT_TRUE(v2.insert(info.v2Id).second);
    }
  }
  EXPECT_EQ(v2.size(), 25u);
}

TEST(RegistryTest, RefusesOtherIds) {
  const OprInfo *conv = lookupOprByName("ConvolutionV2");
  EXPECT_EQ(lookupOpr(Encoding::MGBS, conv->persistentId), nullptr);
  EXPECT_EQ(lookupOpr(Encoding::MGBC, conv->unversionedId), nullptr);
  EXPECT_EQ(lookupOpr(Encoding::V2, conv->v2Id, 1), nullptr);
  EXPECT_EQ(lookupOpr(Encoding::V2, conv->unversionedId, 2), nullptr);
  EXPECT_EQ(lookupOpr(Encoding::V2, conv->v2Id, 3), nullptr);
  for (uint64_t id : {uint64_t(0), uint64_t(1), ~uint64_t(0), ~uint64_t(1)})
    EXPECT_EQ(lookupOpr(Encoding::MGBC, id), nullptr);
  EXPECT_EQ(lookupOprByName("Convolution"), nullptr);
}

TEST(RegistryTest, KnowsRetiredNames) {
  EXPECT_EQ(lookupOpr(Encoding::MGBC, computeTypeId("ConvolutionV1", true)),
            lookupOprByName("ConvolutionV2"));
  EXPECT_EQ(lookupOpr(Encoding::MGBC, 0xeb0f748da3ccf259),
            lookupOprByName("ConvBiasForwardV4"));
  // Unversioned ids never changed.
  EXPECT_EQ(computeTypeId("ConvolutionV1", false),
            computeTypeId("ConvolutionV2", false));
}

TEST(RegistryTest, KnowsParams) {
  using fbs::OperatorParam;
  const OprInfo *conv = lookupOprByName("ConvolutionV2");
  ASSERT_EQ(conv->params.size(), 2u);
  EXPECT_EQ(conv->params[0], OperatorParam::Convolution);
  EXPECT_EQ(conv->params[1], OperatorParam::ExecutionPolicy);
  EXPECT_TRUE(lookupOprByName("VirtualDep")->params.empty());
  EXPECT_EQ(lookupOprByName("TypeCvtV2")->params[0], OperatorParam::DType);
  EXPECT_EQ(lookupOprByName("Alloc")->params[0], OperatorParam::ParamDType);
  // V2's union ends before its param.
  EXPECT_EQ(lookupOprByName("MultinomialRNG")->maxOprVersion, 0);
}

TEST(RegistryTest, TellsEras) {
  for (uint32_t version : {800300u, 801300u, 1799900u})
    EXPECT_TRUE(isOldEra(version)) << version;
  for (uint32_t version : {100700u, 101304u, 1099900u, 0u})
    EXPECT_FALSE(isOldEra(version)) << version;
}

TEST(PayloadSizeTest, PadsRows) {
  auto size = [](const std::vector<uint32_t> &shape, DTypeEnum type) {
    return payloadSize(shape, DType{type});
  };
  EXPECT_EQ(size({2, 3}, DTypeEnum::Float32), 24u);
  EXPECT_EQ(size({3, 5}, DTypeEnum::Quantized4Asymm), 9u);
  EXPECT_EQ(size({3, 9}, DTypeEnum::IntB1), 6u);
  EXPECT_EQ(size({3, 9}, DTypeEnum::QuantizedS1), 27u);
  EXPECT_EQ(size({2}, DTypeEnum::Complex64), 16u);
  EXPECT_EQ(size({}, DTypeEnum::Float32), 0u);
  EXPECT_EQ(size({5, 0, 7}, DTypeEnum::Float32), 0u);
}

TEST(PayloadSizeTest, NoticesOverflow) {
  EXPECT_EQ(payloadSize({UINT32_MAX, UINT32_MAX, UINT32_MAX}, DType()),
            std::nullopt);
  EXPECT_EQ(payloadSize({UINT32_MAX, UINT32_MAX, UINT32_MAX, 0}, DType()), 0u);
  EXPECT_EQ(payloadSize({1}, DType{DTypeEnum(77)}), std::nullopt);
}
