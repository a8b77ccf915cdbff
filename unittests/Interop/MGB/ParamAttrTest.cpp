//===- ParamAttrTest.cpp - Params as dictionaries -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "modelwright/Interop/MGB/Types.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

/// To a dictionary, back, and to a dictionary again: both must be equal.
static void expectRoundTrip(MLIRContext &context, const Param &param) {
  DictionaryAttr attr = paramToAttr(&context, param);
  ASSERT_TRUE(attr);
  std::optional<Param> back = paramFromAttr(attr);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->type, param.type);
  EXPECT_EQ(paramToAttr(&context, *back), attr);
}

template <typename T> static Param wrap(T table) {
  Param param;
  param.Set(std::move(table));
  return param;
}

TEST(ParamAttr, ScalarsOfEverySize) {
  MLIRContext context;
  param::ConvBiasT conv;
  conv.nonlineMode = param::ConvBiasV0NonlineMode::H_SWISH;
  conv.pad_h = 3;
  conv.stride_w = 0;
  expectRoundTrip(context, wrap(conv));
  param::ExecutionPolicyT policy;
  policy.workspace_limit = 1ull << 63;
  expectRoundTrip(context, wrap(policy));
  param::MGBSleepT sleep;
  sleep.seconds = 0.1;
  sleep.host = true;
  expectRoundTrip(context, wrap(sleep));
}

TEST(ParamAttr, FieldValuesSurvive) {
  MLIRContext context;
  param::UniformRNGT rng;
  rng.seed = 0x0123456789abcdefull;
  std::optional<Param> back = paramFromAttr(paramToAttr(&context, wrap(rng)));
  ASSERT_TRUE(back && back->AsUniformRNG());
  EXPECT_EQ(back->AsUniformRNG()->seed, rng.seed);
}

TEST(ParamAttr, VectorsAndStructs) {
  MLIRContext context;
  param::DimshuffleT shuffle;
  shuffle.pattern = {0, -1, 2, 1};
  shuffle.ndim = 3;
  std::optional<Param> back =
      paramFromAttr(paramToAttr(&context, wrap(shuffle)));
  ASSERT_TRUE(back && back->AsDimshuffle());
  EXPECT_EQ(back->AsDimshuffle()->pattern, shuffle.pattern);

  param::IndexDescMaskDumpT items;
  items.items.push_back(param::IndexDescMaskItem(-1, true, false, true, false));
  items.items.push_back(param::IndexDescMaskItem(2, false, true, false, false));
  back = paramFromAttr(paramToAttr(&context, wrap(items)));
  ASSERT_TRUE(back && back->AsIndexDescMaskDump());
  ASSERT_EQ(back->AsIndexDescMaskDump()->items.size(), 2u);
  EXPECT_EQ(back->AsIndexDescMaskDump()->items[0].axis(), -1);
  EXPECT_TRUE(back->AsIndexDescMaskDump()->items[0].step());
  EXPECT_TRUE(back->AsIndexDescMaskDump()->items[1].end());
}

TEST(ParamAttr, MalformedDictionariesAreRefused) {
  MLIRContext context;
  Builder b(&context);
  auto dict = [&](StringRef key, Attribute value) {
    return b.getDictionaryAttr(
        {b.getNamedAttr("table", b.getStringAttr("Axis")),
         b.getNamedAttr(key, value)});
  };
  EXPECT_TRUE(paramFromAttr(dict("axis", b.getI32IntegerAttr(1))));
  EXPECT_FALSE(paramFromAttr(dict("no_such_field", b.getI32IntegerAttr(1))));
  EXPECT_FALSE(paramFromAttr(dict("axis", b.getStringAttr("one"))));
  EXPECT_FALSE(paramFromAttr(b.getDictionaryAttr({})));
  EXPECT_FALSE(paramFromAttr(b.getDictionaryAttr(
      {b.getNamedAttr("table", b.getStringAttr("NoSuchTable"))})));
}

TEST(Types, LayoutsAreNamedAsInTheFormat) {
  for (param::ConvolutionFormat format : param::EnumValuesConvolutionFormat()) {
    std::optional<nn::Layout> layout = getLayout(format);
    ASSERT_TRUE(layout) << param::EnumNameConvolutionFormat(format);
    EXPECT_EQ(getConvolutionFormat(*layout), format);
  }
  EXPECT_EQ(getLayout(param::ConvolutionFormat(18)), std::nullopt);
  EXPECT_EQ(getConvolutionFormat(nn::Layout::NC1HWC0), std::nullopt);
}
