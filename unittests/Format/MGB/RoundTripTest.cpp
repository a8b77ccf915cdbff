//===- RoundTripTest.cpp - What is written is what is read ----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGraphs.h"

#include "modelwright/Schema/mgb1_generated.h"

#include <cmath>
#include <sys/mman.h>
#include <sys/resource.h>

using namespace modelwright::mgb;
using namespace modelwright::mgb::test;

/// Every member of every struct has a value.
static Graph makeFull(Encoding encoding) {
  Graph graph = makeSmall(encoding);
  bool isV2 = encoding == Encoding::V2;
  DType quant{DTypeEnum::Quantized8Asymm, true, 0.25f, 128};

  Operator &input = graph.oprs[0];
  input.compNodes = {CompNode{"xpu0"}, CompNode{}};
  input.priority = -3;

  Operator &weight = append(graph, makeConstant({3, 5}, quant));
  weight.tensors[0].name = "weight";
  weight.tensors[0].compNode = CompNode{"gpu0"};
  if (isV2)
    weight.tensors[0].format = {TensorFormat::Kind::Image2DPacked, 2};

  param::DimshuffleT shuffle;
  shuffle.pattern = {1, 0, -1};
  shuffle.ndim = 2;
  append(graph, makeOpr("Dimshuffle", {3}, {makeParam(shuffle)}));

  param::AxisAddRemoveT axes;
  axes.desc = {{param::AxisDescMethod::REMOVE, 2},
               {param::AxisDescMethod::ADD_1, 0}};
  append(graph, makeOpr("AxisAddRemove", {4}, {makeParam(axes)}));

  param::IndexDescMaskDumpT mask;
  mask.items = {{-1, true, true, false, false}, {0, false, false, false, true}};
  append(graph,
         makeOpr("IndexingMultiAxisVec", {5, 0, 0, 0}, {makeParam(mask)}));

  fbs::DTypeT type;
  type.type = DTypeEnum::QuantizedS8;
  fbs::LinearQuantizationParamT scale;
  scale.scale = 0.5f;
  type.param.Set(scale);
  append(graph, makeOpr("TypeCvtV2", {6}, {makeParam(type)})).outputDType =
      quant;

  param::MGBAddUpdateT update;
  uint8_t storage[4] = {1, 2, 3, 4};
  update.alpha =
      std::make_unique<param::PersistentDTypeScalar>(DTypeEnum::Int32, storage);
  append(graph, makeOpr("AddUpdate", {0, 2}, {makeParam(update)}));

  param::ConvBiasT bias;
  bias.nonlineMode = param::ConvBiasV0NonlineMode::H_SWISH;
  bias.format = param::ConvolutionFormat::NCHW4_NHWC;
  param::ExecutionPolicyT policy;
  policy.strategy = param::ExecutionPolicyStrategy::PROFILE |
                    param::ExecutionPolicyStrategy::REPRODUCIBLE;
  policy.workspace_limit = 1 << 20;
  append(graph, makeOpr("ConvBiasForwardV4", {0, 3},
                        {makeParam(bias), makeParam(policy)}));

  append(graph, makeOpr("TopK", {0, 1}, {makeParam(param::TopKT())}));
  append(graph, makeOpr("VirtualDep", {9, 8}));

  // Of nobody known: what it holds is kept.
  Operator &custom = append(graph, makeUnknown(kDynamicTypeId, {11}));
  custom.params = {makeParam(param::AxisT()), makeParam(policy)};
  custom.blobs = {makeBytes(5), makeBytes(0)};
  custom.oprVersion = isV2 ? 7 : 0;
  if (!isV2)
    custom.outputNames = {"custom"};

  if (isV2) {
    graph.middleTensors->resize(graph.numVars);
    MiddleTensor &middle = graph.middleTensors->back();
    middle.compNode = CompNode{"xpux"};
    middle.dtype = quant;
    middle.format = {TensorFormat::Kind::LowbitsAligned, 0, 4, 8};
    graph.outputAliases = {{20, "alias"}, {21, std::nullopt}};
  }
  graph.outputs.push_back({12, 120});
  return graph;
}

TEST(RoundTripTest, KeepsEveryField) {
  for (Encoding encoding : kAllEncodings) {
    std::string bytes = write(makeFull(encoding));
    File file = read(bytes);
    EXPECT_EQ(write(file), bytes) << stringifyEncoding(encoding).str();
    const Graph &graph = file.graph;
    ASSERT_EQ(graph.oprs.size(), 13u);
    EXPECT_EQ(graph.encoding, encoding);
    EXPECT_EQ(graph.numVars, 13u);
    EXPECT_EQ(graph.oprs[0].compNodes->at(0).locator, "xpu0");
    EXPECT_EQ(graph.oprs[0].compNodes->at(1).locator, std::nullopt);
    EXPECT_EQ(graph.oprs[0].priority, -3);
    EXPECT_EQ(graph.oprs[3].tensors[0].dtype->zeroPoint, 128);
    EXPECT_EQ(graph.oprs[3].tensors[0].payload(), makeBytes(15));
    EXPECT_EQ(graph.oprs[4].params[0].AsDimshuffle()->pattern,
              (std::vector<int32_t>{1, 0, -1}));
    EXPECT_EQ(graph.oprs[5].params[0].AsAxisAddRemove()->desc[0].axis(), 2);
    EXPECT_TRUE(graph.oprs[6].params[0].AsIndexDescMaskDump()->items[1].idx());
    EXPECT_EQ(graph.oprs[7]
                  .params[0]
                  .AsDType()
                  ->param.AsLinearQuantizationParam()
                  ->scale,
              0.5f);
    const auto *update = graph.oprs[8].params[0].AsMGBAddUpdate();
    EXPECT_EQ(update->alpha->storage()->Get(3), 4);
    EXPECT_EQ(update->beta, nullptr);
    EXPECT_EQ(graph.oprs[9].params[1].AsExecutionPolicy()->workspace_limit,
              1u << 20);
    EXPECT_EQ(graph.oprs[12].info, nullptr);
    EXPECT_EQ(graph.oprs[12].params.size(), 2u);
    EXPECT_EQ(graph.oprs[12].blobs[0], makeBytes(5));
    EXPECT_EQ(graph.metadata->userInfo, std::string("user\0info", 9));
    EXPECT_EQ(graph.metadata->optimizeOptions, 5u);
    EXPECT_EQ(graph.outputs.back(), (OutputVar{12, 120}));
    if (encoding != Encoding::V2)
      continue;
    EXPECT_EQ(graph.oprs[3].tensors[0].format.alignAxis, 2);
    EXPECT_EQ(graph.oprs[9].type, "ConvBiasForward");
    EXPECT_EQ(graph.oprs[9].oprVersion, 2u);
    EXPECT_EQ(graph.oprs[2].type, "Elemwise");
    EXPECT_EQ(graph.oprs[2].oprVersion, 1u);
    EXPECT_EQ(graph.oprs[12].oprVersion, 7u);
    EXPECT_EQ(graph.outputAliases->at(1).name, std::nullopt);
    EXPECT_EQ(graph.middleTensors->back().format.alignSizeInBits, 8);
  }
}

TEST(RoundTripTest, DumpsEveryField) {
  std::string text = dumpText(read(write(makeFull(Encoding::V2))));
  for (const char *part :
       {"mgv2 version=101304", "user_info=\"user\\x00info\"",
        "comp_nodes=[\"xpu0\", (default)]", "priority=-3",
        "Quantized8Asymm(scale=0.25", "strategy=6", "pattern=[1,0,-1]",
        "format=image2d(2)", "format=lowbits(4,8)", "dynamic", "name=\"alias\"",
        "output 12 original=120"})
    EXPECT_CONTAINS(text, part);
}

TEST(RoundTripTest, KeepsEmptyValues) {
  for (Encoding encoding : kAllEncodings) {
    Graph graph = makeSmall(encoding);
    Operator &empty = append(graph, makeConstant({3, 0}));
    empty.tensors[0].hasData = encoding == Encoding::V2;
    if (encoding == Encoding::V2)
      graph.middleTensors->emplace_back();
    Graph again = roundTrip(graph);
    EXPECT_EQ(again.oprs[3].tensors[0].hasData, encoding == Encoding::V2);
    EXPECT_EQ(again.oprs[3].tensors[0].shape, (std::vector<uint32_t>{3, 0}));
  }
}

TEST(RoundTripTest, KeepsDefaultValuesOfInputs) {
  for (Encoding encoding : kAllEncodings) {
    Graph graph = makeSmall(encoding);
    graph.oprs[0].tensors[0].hasData = true;
    graph.oprs[0].tensors[0].area = makeBytes(24);
    Graph again = roundTrip(graph);
    EXPECT_EQ(again.oprs[0].tensors[0].payload(), makeBytes(24));
  }
}

TEST(RoundTripTest, KeepsSkippedBytes) {
  Graph graph = makeSmall(Encoding::MGBC);
  graph.oprs[1].tensors[0].area = makeBytes(30);
  graph.oprs[1].tensors[0].offset = 6;
  Graph again = roundTrip(graph);
  EXPECT_EQ(again.oprs[1].tensors[0].area, makeBytes(30));
  EXPECT_EQ(again.oprs[1].tensors[0].payload()[0], 7);
}

TEST(RoundTripTest, KeepsNegativeZeros) {
  Graph graph = makeSmall(Encoding::MGBC);
  param::PowCT pow;
  pow.exp = -0.0f;
  append(graph, makeOpr("PowC", {0}, {makeParam(pow)}));
  append(graph,
         makeConstant({2}, DType{DTypeEnum::QuantizedS8, true, -0.0f, 0}));
  Graph again = roundTrip(graph);
  EXPECT_TRUE(std::signbit(again.oprs[3].params[0].AsPowC()->exp));
  EXPECT_TRUE(std::signbit(again.oprs[4].tensors[0].dtype->scale));
}

TEST(RoundTripTest, ComputesHash) {
  Graph graph = makeSmall(Encoding::MGBS);
  graph.hash = 0;
  uint64_t hash = roundTrip(graph).hash;
  EXPECT_NE(hash, 0u);
  // It depends on content and not on the version, which is in the graph table.
  graph.version = 801300;
  EXPECT_EQ(roundTrip(graph).hash, hash);
  graph.oprs[2].name = "other";
  EXPECT_NE(roundTrip(graph).hash, hash);
}

//===----------------------------------------------------------------------===//
// What cannot be written
//===----------------------------------------------------------------------===//

TEST(WriteFaultTest, ChecksVars) {
  for (Encoding encoding : kAllEncodings) {
    Graph graph = makeSmall(encoding);
    graph.oprs[2].inputs[0] = 2;
    EXPECT_CONTAINS(writeFault(graph), "operator 2 (Elemwise) 'add': input");
    graph = makeSmall(encoding);
    graph.oprs[2].outputs = {0};
    EXPECT_CONTAINS(writeFault(graph), "output var 0");
    graph = makeSmall(encoding);
    graph.outputs[0].compactId = 3;
    EXPECT_CONTAINS(writeFault(graph), "output var 3");
  }
}

TEST(WriteFaultTest, ChecksForms) {
  Graph graph = makeSmall(Encoding::V2);
  graph.oprs[2] =
      makeOpr("MultinomialRNG", {0}, {makeParam(param::MultinomialRNGT())});
  graph.oprs[2].outputs = {2};
  EXPECT_CONTAINS(writeFault(graph), "cannot hold the param MultinomialRNG");
  graph.oprs[2].params.clear();
  EXPECT_CONTAINS(writeFault(graph), "no form");

  graph = makeSmall(Encoding::V2);
  graph.oprs[2].oprVersion = 2;
  EXPECT_CONTAINS(writeFault(graph), "no form of it of version 2");

  graph = makeSmall(Encoding::MGBC);
  graph.oprs[2] = makeOpr("opr::Loop", {0});
  graph.oprs[2].outputs = {2};
  EXPECT_CONTAINS(writeFault(graph), "cannot hold it");

  graph = makeSmall(Encoding::MGBC);
  append(graph, makeOpr("Argsort", {0}, {makeParam(param::ArgsortT())}), 1);
  EXPECT_CONTAINS(writeFault(graph), "has 1 outputs, loaders expect 2");

  graph = makeSmall(Encoding::MGBC);
  graph.oprs[2].params[0] = Param();
  EXPECT_CONTAINS(writeFault(graph), "has no value");
}

namespace {
/// Counts what is written and forgets it.
struct NullStream : llvm::raw_ostream {
  NullStream() { SetUnbuffered(); }
  void write_impl(const char *, size_t size) override { count += size; }
  uint64_t current_pos() const override { return count; }
  uint64_t count = 0;
};

/// Address space that holds zeros and takes no memory.
struct Zeros {
  explicit Zeros(size_t size)
      : size(size),
        base(mmap(nullptr, size, PROT_READ,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Zeros() {
    if (base != MAP_FAILED)
      munmap(base, size);
  }
  llvm::ArrayRef<uint8_t> bytes() const {
    return {static_cast<const uint8_t *>(base), size};
  }
  size_t size;
  void *base;
};
} // namespace

static Graph makeLarge(Encoding encoding, llvm::ArrayRef<uint8_t> bytes) {
  Graph graph = makeSmall(encoding);
  Tensor &tensor = graph.oprs[1].tensors[0];
  tensor.shape = {static_cast<uint32_t>(bytes.size())};
  tensor.dtype = DType{DTypeEnum::Uint8};
  tensor.area = bytes;
  return graph;
}

TEST(LargeTest, StreamsPayloads) {
  Zeros zeros(size_t(1) << 30);
  ASSERT_NE(zeros.base, MAP_FAILED);
  for (Encoding encoding : kAllEncodings)
    for (bool packed : {false, true}) {
      File file = makeFile(makeLarge(encoding, zeros.bytes()));
      if (packed)
        file.packed.emplace();
      rusage before, after;
      getrusage(RUSAGE_SELF, &before);
      NullStream os;
      ASSERT_FALSE(bool(writeFile(file, os)));
      getrusage(RUSAGE_SELF, &after);
      EXPECT_GT(os.count, zeros.size);
      // In KiB. Nothing near the gigabyte of the payload.
      EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 << 10);
    }
}

TEST(LargeTest, RefusesTwoGiB) {
  Zeros zeros((size_t(1) << 31) + 4096);
  ASSERT_NE(zeros.base, MAP_FAILED);
  EXPECT_CONTAINS(writeFault(makeLarge(Encoding::V2, zeros.bytes())), "2 GiB");
  // The V1 schema keeps values outside.
  NullStream os;
  EXPECT_FALSE(
      bool(writeFile(makeFile(makeLarge(Encoding::MGBC, zeros.bytes())), os)));
}

TEST(LargeTest, RefusesFourGiBTensors) {
  Zeros zeros((size_t(1) << 32) + 4096);
  ASSERT_NE(zeros.base, MAP_FAILED);
  EXPECT_CONTAINS(writeFault(makeLarge(Encoding::MGBC, zeros.bytes())),
                  "cannot hold a tensor of");
}

TEST(LargeTest, HoldsManyOperators) {
  for (Encoding encoding : kAllEncodings) {
    Graph graph = makeSmall(encoding);
    for (unsigned k = 0; k != 100000; ++k) {
      Operator &opr = append(
          graph, makeOpr("Elemwise", {graph.numVars - 1, 0},
                         {makeParam(makeElemwise(param::ElemwiseMode::MAX))}));
      opr.name = "opr" + std::to_string(k);
      if (graph.middleTensors)
        graph.middleTensors->emplace_back().name = opr.name;
    }
    std::string bytes = write(graph);
    File file = read(bytes);
    EXPECT_EQ(file.graph.oprs.size(), 100003u);
    EXPECT_EQ(write(file), bytes);
  }
}
