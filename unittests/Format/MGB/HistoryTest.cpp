//===- HistoryTest.cpp - Files of old releases ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGraphs.h"

#include "modelwright/Format/MGB/History.h"
#include "modelwright/Schema/mgb1_generated.h"

using namespace modelwright::mgb;
using namespace modelwright::mgb::test;

/// x and one operator of x with `params`, as an MGBS file of `version`.
static Graph makeOld(uint32_t version, llvm::StringRef opr,
                     std::vector<Param> params,
                     std::vector<uint32_t> inputs = {0}) {
  Graph graph = makeEmpty(Encoding::MGBS);
  graph.version = version;
  append(graph, makeInput("x", {2, 3}));
  append(graph, makeOpr(opr, std::move(inputs), std::move(params)));
  graph.outputs = {{1, 1}};
  return graph;
}

/// The param table of operator 1 of a file without tensor values.
static const flatbuffers::Table *getParamTable(llvm::StringRef bytes) {
  const fbs::v1::Graph *graph =
      fbs::v1::GetSizePrefixedGraph(bytes.data() + 16);
  return static_cast<const flatbuffers::Table *>(
      graph->oprs()->Get(1)->param());
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

TEST(HistoryTest, ReadsEarlyConvBias) {
  using T = param::ConvBias;
  param::ConvBiasT bias;
  bias.compute_mode = param::ConvolutionV1ComputeMode::FLOAT32;
  bias.output_block_size = 0;
  std::string bytes =
      write(makeOld(800500, "ConvBiasForwardV4", {makeParam(bias)}, {0, 0}));
  // On the wire, slot 11 is the mode.
  const flatbuffers::Table *table = getParamTable(bytes);
  EXPECT_FALSE(table->CheckField(T::VT_COMPUTE_MODE));
  EXPECT_EQ(table->GetField<uint32_t>(T::VT_OUTPUT_BLOCK_SIZE, 9), 1u);
  File file = read(bytes);
  const param::ConvBiasT &again = *file.graph.oprs[1].params[0].AsConvBias();
  EXPECT_EQ(again.compute_mode, param::ConvolutionV1ComputeMode::FLOAT32);
  EXPECT_EQ(again.output_block_size, 0u);
  EXPECT_EQ(write(file), bytes);

  // A block size in slot 10 alone.
  bias.compute_mode = param::ConvolutionV1ComputeMode::DEFAULT;
  bias.output_block_size = 6;
  bytes =
      write(makeOld(800500, "ConvBiasForwardV4", {makeParam(bias)}, {0, 0}));
  table = getParamTable(bytes);
  EXPECT_EQ(table->GetField<uint32_t>(T::VT_COMPUTE_MODE, 9), 6u);
  EXPECT_FALSE(table->CheckField(T::VT_OUTPUT_BLOCK_SIZE));
  file = read(bytes);
  EXPECT_EQ(file.graph.oprs[1].params[0].AsConvBias()->output_block_size, 6u);
  EXPECT_EQ(file.graph.oprs[1].params[0].AsConvBias()->compute_mode,
            param::ConvolutionV1ComputeMode::DEFAULT);
  EXPECT_EQ(write(file), bytes);

  // The current layout.
  bias.compute_mode = param::ConvolutionV1ComputeMode::FLOAT32;
  bias.output_block_size.reset();
  bytes =
      write(makeOld(801100, "ConvBiasForwardV4", {makeParam(bias)}, {0, 0}));
  EXPECT_TRUE(getParamTable(bytes)->CheckField(T::VT_COMPUTE_MODE));
  file = read(bytes);
  EXPECT_EQ(file.graph.oprs[1].params[0].AsConvBias()->output_block_size,
            flatbuffers::nullopt);
  EXPECT_EQ(write(file), bytes);
}

TEST(HistoryTest, ReadsEarlyWindows) {
  using T = param::Images2Neibs;
  param::Images2NeibsT neibs;
  neibs.window_h = 1; // The default of the new slot, not of the old.
  neibs.window_w = 3;
  neibs.stride_h = 2;
  Graph graph = makeOld(801000, "Images2Neibs", {makeParam(neibs)});
  graph.layouts.earlyWindow = true;
  graph.layouts.zeroStrategy = true;
  std::string bytes = write(graph);
  EXPECT_EQ(getParamTable(bytes)->GetField<uint32_t>(T::VT_DILATE_H, 9), 1u);
  EXPECT_FALSE(getParamTable(bytes)->CheckField(T::VT_DILATE_W));
  EXPECT_FALSE(getParamTable(bytes)->CheckField(T::VT_WINDOW_H));
  File file = read(bytes);
  EXPECT_TRUE(file.graph.layouts.earlyWindow);
  const auto &again = *file.graph.oprs[1].params[0].AsImages2Neibs();
  EXPECT_EQ(again.window_h, 1u);
  EXPECT_EQ(again.window_w, 3u);
  EXPECT_EQ(again.dilate_h, 1u);
  EXPECT_EQ(again.stride_h, 2u);
  EXPECT_EQ(write(file), bytes);

  graph.oprs[1].params[0].AsImages2Neibs()->dilate_w = 2;
  EXPECT_CONTAINS(writeFault(graph), "dilation");
  graph.layouts = {};
  graph.version = 801100;
  file = read(write(graph));
  EXPECT_FALSE(file.graph.layouts.earlyWindow);
  EXPECT_EQ(file.graph.oprs[1].params[0].AsImages2Neibs()->dilate_w, 2u);
}

TEST(HistoryTest, KeepsEarlyStrategies) {
  for (unsigned strategy = 0; strategy != 3; ++strategy) {
    param::ExecutionPolicyT policy;
    policy.strategy = param::ExecutionPolicyStrategy(strategy);
    Graph graph =
        makeOld(800800, "ConvolutionV2",
                {makeParam(param::ConvolutionT()), makeParam(policy)}, {0, 0});
    graph.layouts = {true, true};
    std::string bytes = write(graph);
    File file = read(bytes);
    EXPECT_TRUE(file.graph.layouts.zeroStrategy);
    EXPECT_EQ(file.graph.oprs[1].params[1].AsExecutionPolicy()->strategy,
              policy.strategy);
    EXPECT_EQ(write(file), bytes);
  }
}

TEST(HistoryTest, AcceptsMissingPolicy) {
  Graph graph = makeOld(801100, "ConvolutionV2",
                        {makeParam(param::ConvolutionT())}, {0, 0});
  EXPECT_EQ(roundTrip(graph).oprs[1].params.size(), 1u);
}

TEST(HistoryTest, RefusesAttentionOfOneRelease) {
  Graph graph = makeEmpty(Encoding::MGBC);
  graph.version = 101203;
  append(graph, makeInput("q", {2, 3}));
  append(graph,
         makeOpr("MultiHeadAttn", {0, 0, 0, 0},
                 {makeParam(param::MultiHeadAttnT())}),
         2);
  EXPECT_CONTAINS(readFault(write(graph)), "v1.12.3");
}

TEST(HistoryTest, AcceptsBlankedCheckNonFinite) {
  Graph graph =
      makeOld(101304, "CheckNonFinite", {makeParam(param::EmptyT())}, {0, 0});
  EXPECT_EQ(roundTrip(graph).numVars, 2u);
  graph.encoding = Encoding::MGBC;
  EXPECT_CONTAINS(readFault(write(graph)), "expected CheckNonFinite");
}

TEST(HistoryTest, ResolvesFormats) {
  using Format = param::ConvolutionFormat;
  auto resolve = [](unsigned number, uint32_t version) {
    Graph graph = makeEmpty(Encoding::MGBS);
    graph.version = version;
    return FormatNumbering::of(graph).getFormat(number);
  };
  for (uint32_t version : {800300u, 800301u, 801100u, 1799900u, 101304u})
    for (unsigned number = 0; number != 7; ++number)
      EXPECT_EQ(resolve(number, version), Format(number));
  EXPECT_EQ(resolve(9, 800300), Format::CHWN4);
  EXPECT_EQ(resolve(8, 800300), std::nullopt); // Winograd
  EXPECT_EQ(resolve(11, 800301), Format::CHWN4);
  EXPECT_EQ(resolve(12, 800800), Format::CHWN4);
  EXPECT_EQ(resolve(18, 800900), Format::CHWN4);
  EXPECT_EQ(resolve(15, 801100), Format::CHWN4);
  EXPECT_EQ(resolve(16, 801300), Format::CHWN4);
  EXPECT_EQ(resolve(15, 101304), Format::CHWN4);
  EXPECT_EQ(resolve(17, 101304), Format::NCHW4_NHWC);
  EXPECT_EQ(resolve(18, 101304), std::nullopt);

  // Releases that share a number may agree or not.
  EXPECT_EQ(resolve(8, 1799900), Format::NCHW44_DOT);
  EXPECT_EQ(resolve(12, 1799900), std::nullopt);
  Graph graph = makeSmall(Encoding::MGBS);
  graph.version = 1799900;
  EXPECT_EQ(FormatNumbering::of(graph).getFormat(11), Format::NCHW4_NCHW);
  EXPECT_EQ(FormatNumbering::of(graph).getFormat(12), std::nullopt);
  graph.metadata.reset();
  EXPECT_EQ(FormatNumbering::of(graph).getFormat(15), Format::CHWN4);
}

TEST(HistoryTest, NumbersOfFormatsInvert) {
  Graph graph = makeEmpty(Encoding::MGBS);
  unsigned inverted = 0;
  for (uint32_t version : {800300u, 800301u, 800500u, 800900u, 801000u, 801300u,
                           100700u, 101304u, 1099900u, 1799900u}) {
    graph.version = version;
    FormatNumbering formats = FormatNumbering::of(graph);
    for (uint32_t number = 0; number != 20; ++number)
      if (auto format = formats.getFormat(number)) {
        EXPECT_EQ(formats.getNumber(*format), number);
        ++inverted;
      }
  }
  EXPECT_EQ(inverted, 140u);

  // A layout that the release does not have, or has at two places.
  graph.version = 800300;
  FormatNumbering early = FormatNumbering::of(graph);
  EXPECT_EQ(early.getNumber(param::ConvolutionFormat::NCHW44), std::nullopt);
  graph.version = 1799900;
  FormatNumbering snapshot = FormatNumbering::of(graph);
  EXPECT_EQ(snapshot.getNumber(param::ConvolutionFormat::CHWN4), std::nullopt);
}

//===----------------------------------------------------------------------===//
// The shifted union
//===----------------------------------------------------------------------===//

TEST(HistoryTest, ReadsShiftedUnion) {
  Graph graph =
      makeOld(800401, "RemapV1", {makeParam(param::RemapT())}, {0, 0});
  append(graph, makeOpr("Elemwise", {0}, {makeParam(param::ElemwiseT())}));
  append(graph, makeOpr("Convolution3D", {0, 0},
                        {makeParam(param::Convolution3DT()),
                         makeParam(param::ExecutionPolicyT())}));
  append(graph, makeOpr("TypeCvtV2", {0}, {makeParam(fbs::DTypeT())}));
  graph.layouts = {true, true};
  std::string canonical = write(graph);
  EXPECT_FALSE(read(canonical).graph.shiftedUnion);

  graph.shiftedUnion = true;
  std::string bytes = write(graph);
  EXPECT_NE(bytes, canonical);
  const fbs::v1::Graph *wire = fbs::v1::GetSizePrefixedGraph(bytes.data() + 16);
  auto wireType = [&](unsigned k) {
    return unsigned(wire->oprs()->Get(k)->param_type());
  };
  EXPECT_EQ(wireType(0), 64u);
  EXPECT_EQ(wireType(1), 41u);
  EXPECT_EQ(wireType(2), 17u);
  EXPECT_EQ(wireType(3), 42u);
  EXPECT_EQ(wireType(4), 68u);
  EXPECT_EQ(unsigned(wire->oprs()->Get(3)->additional_params_type()->Get(0)),
            56u);

  File file = read(bytes);
  EXPECT_TRUE(file.graph.shiftedUnion);
  EXPECT_EQ(file.graph.oprs[0].params[0].type,
            fbs::OperatorParam::Host2DeviceCopy);
  EXPECT_EQ(file.graph.oprs[1].params[0].type, fbs::OperatorParam::Remap);
  EXPECT_EQ(write(file), bytes);

  append(graph, makeOpr("NMSKeepMGB", {0}, {makeParam(param::NMSKeepT())}), 2);
  EXPECT_CONTAINS(writeFault(graph), "shifted numbering");
}

TEST(HistoryTest, DoesNotTakeFaultsForAShift) {
  // One operator suits neither numbering.
  Graph graph = makeOld(800401, "Elemwise", {makeParam(param::AxisT())});
  graph.shiftedUnion = true;
  graph.layouts = {true, true};
  EXPECT_CONTAINS(readFault(write(graph)), "expected");
}

//===----------------------------------------------------------------------===//
// Numbers of vars
//===----------------------------------------------------------------------===//

static Graph makeBatchNorm(uint32_t version, uint32_t nrOutputs,
                           param::BNFwdMode mode, uint32_t nrInputs) {
  Graph graph = makeEmpty(Encoding::MGBS);
  graph.version = version;
  append(graph, makeInput("x", {1, 3, 4, 4}));
  param::BNT bn;
  bn.fwd_mode = mode;
  append(graph,
         makeOpr("BatchNormV1", std::vector<uint32_t>(nrInputs, 0),
                 {makeParam(bn)}),
         nrOutputs);
  append(graph,
         makeOpr("Elemwise", {nrOutputs}, {makeParam(param::ElemwiseT())}));
  graph.outputs = {{nrOutputs + 1, 1}};
  return graph;
}

TEST(NumberingTest, CountsBatchNorm) {
  using Mode = param::BNFwdMode;
  struct {
    uint32_t version;
    Mode mode;
    uint32_t nrInputs, nrOutputs;
  } cases[] = {
      {801100, Mode::TRAINING, 5, 5},
      {801100, Mode::INFERENCE, 5, 3},
      {801100, Mode::TRAINING, 3, 3},
      {100700, Mode::TRAINING, 5, 6},
      {100700, Mode::INFERENCE, 5, 4},
      {100700, Mode::TRAINING, 3, 4},
      {1099900, Mode::INFERENCE, 5, 4},
      // Files that contradict their version: what they use decides.
      {801100, Mode::INFERENCE, 5, 4},
      {100700, Mode::INFERENCE, 5, 3},
  };
  for (const auto &row : cases) {
    Graph again = roundTrip(
        makeBatchNorm(row.version, row.nrOutputs, row.mode, row.nrInputs));
    ASSERT_EQ(again.oprs.size(), 3u);
    EXPECT_EQ(again.oprs[1].outputs.size(), row.nrOutputs) << row.version;
    EXPECT_EQ(again.numVars, row.nrOutputs + 2) << row.version;
  }
}

TEST(NumberingTest, CountsByParams) {
  auto count = [](const Operator &opr) { return countOutputs(opr, 101304); };
  param::TopKT topk;
  topk.mode = param::TopKMode::KTH_ONLY;
  EXPECT_EQ(count(makeOpr("TopK", {0, 0}, {makeParam(topk)})), 1u);
  topk.mode = param::TopKMode::VALUE_IDX_SORTED;
  EXPECT_EQ(count(makeOpr("TopK", {0, 0}, {makeParam(topk)})), 2u);
  param::SVDT svd;
  EXPECT_EQ(count(makeOpr("SVD", {0}, {makeParam(svd)})), 3u);
  svd.compute_uv = false;
  EXPECT_EQ(count(makeOpr("SVD", {0}, {makeParam(svd)})), 1u);
  EXPECT_EQ(count(makeOpr("Split", {0, 0, 0, 0}, {makeParam(param::AxisT())})),
            3u);
  EXPECT_EQ(count(makeOpr("Split", {}, {makeParam(param::AxisT())})),
            std::nullopt);
  param::CondExecPredT pred;
  EXPECT_EQ(count(makeOpr("CondExecPred", {0, 0, 0}, {makeParam(pred)})), 2u);
  pred.mode = param::CondExecPredMode::CASE_FALLBACK;
  EXPECT_EQ(count(makeOpr("CondExecPred", {0, 0, 0}, {makeParam(pred)})), 3u);
  param::CondExecMergeT merge;
  merge.nr_output = 2;
  merge.mode = param::CondExecMergeMode::SUM_COND_OUT;
  EXPECT_EQ(
      count(makeOpr("CondExecMerge", {0, 0, 0, 0, 0}, {makeParam(merge)})), 3u);
  merge.nr_output = UINT32_MAX;
  EXPECT_EQ(count(makeOpr("CondExecMerge", {0}, {makeParam(merge)})),
            std::nullopt);
  param::LayerNormT norm;
  norm.affine = false;
  EXPECT_EQ(
      count(makeOpr("LayerNormBackward", {0, 0, 0, 0}, {makeParam(norm)})), 1u);
  EXPECT_EQ(count(makeOpr("LayerNorm", {0}, {makeParam(norm)})), 3u);
  EXPECT_EQ(count(makeOpr("LSTMForward", {0, 0, 0, 0})), 4u);
  EXPECT_EQ(countOutputs(makeOpr("MultiHeadAttn"), 101203), 2u);
  EXPECT_EQ(countOutputs(makeOpr("MultiHeadAttn"), 101204), 4u);
  EXPECT_EQ(count(makeOpr("TensorRTRuntimeOpr", {0})), std::nullopt);
  Operator named = makeUnknown(9, {0});
  EXPECT_EQ(count(named), std::nullopt);
  named.outputNames = {"a", "b"};
  EXPECT_EQ(count(named), 2u);
}

TEST(NumberingTest, CountsCheckNonFinite) {
  // The dump hides the copies, unless it was told to change nothing.
  for (uint32_t nrOutputs : {1u, 3u}) {
    Graph graph = makeEmpty(Encoding::MGBC);
    append(graph, makeInput("x", {3}));
    append(graph,
           makeOpr("CheckNonFinite", {0, 0},
                   {makeParam(param::CheckNonFiniteT())}),
           nrOutputs);
    graph.outputs = {{nrOutputs, 1}};
    EXPECT_EQ(roundTrip(graph).numVars, nrOutputs + 1);
  }
}

TEST(NumberingTest, SolvesUnknownCounts) {
  // x, vendor -> 3 vars, relu of the last.
  Graph graph = makeEmpty(Encoding::MGBC);
  append(graph, makeInput("x", {3}));
  append(graph, makeUnknown(1234, {0}), 3);
  append(graph, makeOpr("Elemwise", {2}, {makeParam(param::ElemwiseT())}));
  graph.outputs = {{4, 1}};
  Graph again = roundTrip(graph);
  EXPECT_EQ(again.numVars, 5u);
  EXPECT_EQ(again.oprs[1].outputs, (std::vector<uint32_t>{1, 2, 3}));

  // The vendor operator is the last one.
  graph = makeEmpty(Encoding::MGBC);
  append(graph, makeInput("x", {3}));
  append(graph, makeOpr("TensorRTRuntimeOpr", {0}), 2).blobs = {makeBytes(3)};
  graph.outputs = {{2, 2}, {1, 1}};
  EXPECT_EQ(roundTrip(graph).numVars, 3u);

  // Two of them, each with one var.
  graph = makeEmpty(Encoding::MGBC);
  append(graph, makeInput("x", {3}));
  append(graph, makeUnknown(1234, {0}));
  append(graph, makeUnknown(1234, {1}));
  graph.outputs = {{2, 2}};
  EXPECT_EQ(roundTrip(graph).numVars, 3u);
}

TEST(NumberingTest, RefusesToGuess) {
  // Three vars of two operators.
  Graph graph = makeEmpty(Encoding::MGBC);
  append(graph, makeInput("x", {3}));
  append(graph, makeUnknown(1234, {0}), 2);
  append(graph, makeUnknown(1234, {1}));
  graph.outputs = {{3, 3}};
  EXPECT_CONTAINS(readFault(write(graph)),
                  "operator 1 (type id 0x00000000000004d2): the number of its "
                  "outputs is not known");
  // Names tell.
  graph.oprs[1].outputNames = {"a", "b"};
  EXPECT_EQ(roundTrip(graph).numVars, 4u);
  // No outputs, nothing to tell.
  graph.oprs[1].outputNames.reset();
  graph.outputs.clear();
  EXPECT_CONTAINS(readFault(write(graph)), "not known");
}
