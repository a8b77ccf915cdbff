//===- ReadTest.cpp - Containers and faults -------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGraphs.h"

#include "modelwright/Schema/mgb1_generated.h"
#include "modelwright/Schema/mgv2_generated.h"
#include "modelwright/Schema/pack_model_generated.h"

#include "llvm/Support/Endian.h"

using namespace modelwright::mgb;
using namespace modelwright::mgb::test;

//===----------------------------------------------------------------------===//
// Containers
//===----------------------------------------------------------------------===//

TEST(SniffTest, TellsKinds) {
  using llvm::StringRef;
  EXPECT_EQ(sniff(write(makeSmall(Encoding::MGBS))), FileKind::MGBS);
  EXPECT_EQ(sniff(write(makeSmall(Encoding::MGBC))), FileKind::MGBC);
  EXPECT_EQ(sniff(write(makeSmall(Encoding::V2))), FileKind::V2);
  EXPECT_EQ(sniff(StringRef("mgbtest0\0\0\0\0", 12)), FileKind::Testcase);
  EXPECT_EQ(sniff("packed_model"), FileKind::PackedModel);
  EXPECT_EQ(sniff("mgb0001\x8a"), FileKind::RawPOD);
  EXPECT_EQ(sniff("mgb0000a"), FileKind::RawPOD);
  EXPECT_EQ(sniff("\x80\x04\x95..."), FileKind::Pickle);
  EXPECT_EQ(sniff("{\"specs\":["), FileKind::JSON);
  EXPECT_EQ(sniff("\n { \"a\": 1}"), FileKind::JSON);
  EXPECT_EQ(sniff(""), FileKind::Unknown);
  EXPECT_EQ(sniff("\x12\x34\x56"), FileKind::Unknown);
}

TEST(ReadTest, NamesForeignFiles) {
  EXPECT_CONTAINS(readFault("mgb0001\x8a"), "RawPOD");
  EXPECT_CONTAINS(readFault("\x80\x04\x95..."), "pickle");
  EXPECT_CONTAINS(readFault("{\"specs\":["), "JSON");
  EXPECT_CONTAINS(readFault("\x12\x34\x56"), "encrypted");
  EXPECT_CONTAINS(readFault(""), "empty");
}

TEST(ReadTest, RefusesFeatureBits) {
  std::string bytes = write(makeSmall(Encoding::MGBC));
  bytes[6] = 1;
  EXPECT_CONTAINS(readFault(bytes), "features 0x10000");
}

TEST(ReadTest, RefusesTrailingBytes) {
  EXPECT_CONTAINS(readFault(write(makeSmall(Encoding::V2)) + "abc"),
                  "3 bytes follow");
}

TEST(ReadTest, ReadsTestcases) {
  File file = makeFile(makeSmall(Encoding::MGBC));
  file.isTestcase = true;
  // Each graph has an encoding of its own.
  file.testcases = {makeSmall(Encoding::V2), makeSmall(Encoding::MGBS)};
  // Moves the second one to an odd address.
  Operator odd = makeConstant({3}, DType{DTypeEnum::Uint8});
  odd.inputs = {};
  append(file.graph, std::move(odd));
  std::string bytes = write(file);
  File again = read(bytes);
  EXPECT_TRUE(again.isTestcase);
  ASSERT_EQ(again.testcases.size(), 2u);
  EXPECT_EQ(again.testcases[0].encoding, Encoding::V2);
  EXPECT_EQ(again.testcases[0].oprs[1].tensors[0].payload(), makeBytes(24));
  EXPECT_EQ(write(again), bytes);

  bytes[8] = 7;
  EXPECT_CONTAINS(readFault(bytes), "after 2 of 7 testcase graphs");
  bytes[8] = 1;
  EXPECT_CONTAINS(readFault(bytes), "bytes follow");
  EXPECT_CONTAINS(readFault("mgbtest0\1"), "testcase header");
  EXPECT_CONTAINS(readFault(llvm::StringRef("mgbtest0\0\0\0\0mgbtest0", 20)),
                  "testcase header where a graph");
}

TEST(ReadTest, ReadsPackedModels) {
  for (Encoding encoding : kAllEncodings) {
    File file = makeFile(makeSmall(encoding));
    PackedModel &packed = file.packed.emplace();
    packed.name = "net";
    packed.infoDecryption = packed.modelDecryption = "NONE";
    packed.infoParse = "LITE_default";
    packed.fastRunCache = true;
    packed.hasInfo = true;
    packed.infoData = "{\"a\":1}";
    packed.binaryCache = std::string("\0\1\2", 3);
    std::string bytes = write(file);
    File again = read(bytes);
    ASSERT_TRUE(again.packed.has_value());
    EXPECT_EQ(again.packed->binaryCache, packed.binaryCache);
    EXPECT_EQ(again.packed->algoPolicy, std::nullopt);
    EXPECT_EQ(write(again), bytes);
    EXPECT_EQ(dumpText(again), dumpText(read(write(again))));
  }
}

TEST(ReadTest, NamesEncryption) {
  namespace pack = fbs::pack;
  pack::PackModelT wrapper;
  auto model = std::make_unique<pack::ModelT>();
  model->header = std::make_unique<pack::ModelHeaderT>();
  model->header->model_decryption_method = "AES_default";
  model->data = std::make_unique<pack::ModelDataT>();
  model->data->data = {1, 2, 3};
  wrapper.models.push_back(std::move(model));
  flatbuffers::FlatBufferBuilder fbb;
  fbb.Finish(pack::PackModel::Pack(fbb, &wrapper));
  std::string bytes = "packed_model";
  bytes.append(reinterpret_cast<const char *>(fbb.GetBufferPointer()),
               fbb.GetSize());
  EXPECT_CONTAINS(readFault(bytes), "encrypted with 'AES_default'");
}

TEST(ReadTest, ToleratesAnyAlignment) {
  for (Encoding encoding : kAllEncodings) {
    std::string bytes = write(makeSmall(encoding));
    std::string expected = dumpText(read(bytes));
    for (size_t shift = 1; shift != 4; ++shift) {
      std::string moved = std::string(shift, ' ') + bytes;
      llvm::Expected<File> file = readFile(llvm::MemoryBuffer::getMemBuffer(
          llvm::StringRef(moved).drop_front(shift), "", false));
      ASSERT_TRUE(bool(file));
      EXPECT_EQ(dumpText(*file), expected);
      // Payloads are views of the caller's bytes.
      const uint8_t *payload = file->graph.oprs[1].tensors[0].payload().data();
      const auto *begin = reinterpret_cast<const uint8_t *>(moved.data());
      EXPECT_TRUE(payload > begin && payload < begin + moved.size());
    }
  }
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

/// Reads the graph that `edit` makes of the small one, in flatc's objects.
static std::string faultOfV2(llvm::function_ref<void(fbs::v2::ModelT &)> edit) {
  std::string bytes = write(makeSmall(Encoding::V2));
  fbs::v2::ModelT model;
  fbs::v2::GetSizePrefixedModel(bytes.data())->UnPackTo(&model);
  edit(model);
  flatbuffers::FlatBufferBuilder fbb;
  fbs::v2::FinishSizePrefixedModelBuffer(fbb,
                                         fbs::v2::Model::Pack(fbb, &model));
  return readFault(
      {reinterpret_cast<const char *>(fbb.GetBufferPointer()), fbb.GetSize()});
}

static std::string faultOfV1(llvm::function_ref<void(fbs::v1::GraphT &)> edit,
                             Encoding encoding = Encoding::MGBC) {
  Graph small = makeSmall(encoding);
  std::string bytes = write(small);
  size_t area = (encoding == Encoding::MGBS ? 16 : 24) + 24;
  fbs::v1::GraphT graph;
  fbs::v1::GetSizePrefixedGraph(bytes.data() + area)->UnPackTo(&graph);
  edit(graph);
  flatbuffers::FlatBufferBuilder fbb;
  fbs::v1::FinishSizePrefixedGraphBuffer(fbb,
                                         fbs::v1::Graph::Pack(fbb, &graph));
  bytes.resize(area);
  bytes.append(reinterpret_cast<const char *>(fbb.GetBufferPointer()),
               fbb.GetSize());
  return readFault(bytes);
}

TEST(FaultTest, LocatesInputs) {
  EXPECT_CONTAINS(
      faultOfV1([](auto &graph) { graph.oprs[2]->inputs[1] = 2; }),
      "operator 2 (Elemwise) 'add': input var 2 is not among the 2 vars");
  EXPECT_CONTAINS(
      faultOfV2([](auto &graph) { graph.oprs[2]->inputs[1] = UINT32_MAX; }),
      "operator 2 (Elemwise) 'add': input var 4294967295 is not defined");
}

TEST(FaultTest, LocatesOutputs) {
  EXPECT_CONTAINS(faultOfV1([](auto &graph) {
                    graph.output_vars_idx[0] = {UINT32_MAX, 0};
                  }),
                  "output var 4294967295 is not among the 3 vars");
  EXPECT_CONTAINS(
      faultOfV2([](auto &graph) { graph.output_vars_idx[0]->compact_id = 3; }),
      "output var 3 is not among the 3 vars");
  EXPECT_CONTAINS(faultOfV2([](auto &graph) { graph.oprs[2]->outputs = {1}; }),
                  "operator 2 (Elemwise) 'add': output var 1 is defined twice");
  EXPECT_CONTAINS(
      faultOfV2([](auto &graph) { graph.oprs[2]->outputs = {1u << 31}; }),
      "operator 2 (Elemwise) 'add': output var 2147483648 is not among");
  EXPECT_CONTAINS(
      faultOfV2([](auto &graph) { graph.middle_tensors.pop_back(); }),
      "only 2 middle tensors");
}

TEST(FaultTest, LocatesTensors) {
  EXPECT_CONTAINS(
      faultOfV1([](auto &graph) { graph.oprs[1]->tensors[0]->shape[0] = 3; }),
      "operator 1 (SharedDeviceTensor): value has 24 bytes, shape [3,3] needs "
      "36");
  EXPECT_CONTAINS(
      faultOfV1([](auto &graph) { graph.oprs[1]->tensors[0]->shape[0] = 1; }),
      "custom tensor dumper");
  EXPECT_CONTAINS(faultOfV1([](auto &graph) {
                    graph.oprs[1]->tensors[0]->data_size = UINT32_MAX;
                  }),
                  "beyond the tensor area of 24");
  EXPECT_CONTAINS(
      faultOfV1([](auto &graph) { graph.oprs[1]->tensors[0]->data_size = 20; }),
      "tensors take 20 bytes of a tensor area of 24");
  EXPECT_CONTAINS(
      faultOfV1([](auto &graph) { graph.oprs[1]->tensors[0]->offset = 25; }),
      "skips 25 of its 24 bytes");
  EXPECT_CONTAINS(faultOfV1([](auto &graph) {
                    graph.oprs[1]->tensors[0]->shape = {1u << 31, 1u << 31, 4};
                  }),
                  "overflows");
  EXPECT_CONTAINS(
      faultOfV2([](auto &graph) { graph.oprs[1]->tensors[0]->data.clear(); }),
      "tensor 0 has no value");
  EXPECT_CONTAINS(
      faultOfV2([](auto &graph) { graph.oprs[1]->tensors.clear(); }),
      "has 0 tensors, expected one");
  EXPECT_CONTAINS(faultOfV2([](auto &graph) {
                    graph.oprs[1]->tensors[0]->dtype->type = DTypeEnum(50);
                  }),
                  "dtype 50 is unknown");
}

TEST(FaultTest, LocatesParams) {
  EXPECT_CONTAINS(faultOfV1([](auto &graph) {
                    graph.oprs[2]->param.Set(param::ReduceT());
                  }),
                  "operator 2 (Elemwise) 'add': param 0 is Reduce, expected "
                  "Elemwise");
  EXPECT_CONTAINS(faultOfV1([](auto &graph) { graph.oprs[2]->param.Reset(); }),
                  "lacks its param Elemwise");
  EXPECT_CONTAINS(faultOfV2([](auto &graph) {
                    graph.oprs[2]->param.Set(param::MultinomialRNGT());
                  }),
                  "param union member 99 is unknown");
  EXPECT_CONTAINS(faultOfV2([](auto &graph) {
                    graph.oprs[2]->additional_params.resize(2);
                    for (auto &param : graph.oprs[2]->additional_params)
                      param.Set(param::AxisT());
                  }),
                  "has 3 params, expected 1");
}

TEST(FaultTest, NoticesWhatIsMissing) {
  EXPECT_CONTAINS(faultOfV1([](auto &graph) { graph.oprs.clear(); }),
                  "no operators");
  EXPECT_CONTAINS(faultOfV2([](auto &graph) { graph.oprs.clear(); }),
                  "no operators");
  EXPECT_CONTAINS(faultOfV1([](auto &graph) { graph.hash = 0; }), "hash");
  EXPECT_CONTAINS(faultOfV1([](auto &graph) { graph.oprs[2]->type_id = 0; }),
                  "operator 2 (type id 0x0000000000000000) 'add': has no type");
}

TEST(FaultTest, ReportsAllFaults) {
  std::string text = faultOfV2([](auto &graph) {
    graph.oprs[1]->tensors[0]->shape[0] = 9;
    graph.oprs[2]->inputs[0] = 9;
    graph.output_vars_idx[0]->compact_id = 9;
  });
  EXPECT_CONTAINS(text, "operator 1");
  EXPECT_CONTAINS(text, "operator 2");
  EXPECT_CONTAINS(text, "output var 9");

  // Up to a limit.
  text = faultOfV2([](auto &graph) { graph.oprs[2]->inputs.assign(100, 9); });
  EXPECT_EQ(llvm::StringRef(text).count("input var 9"), 20u) << text;
}

TEST(FaultTest, CarriesLocation) {
  // The last byte of the area moves into the header's offset.
  Graph graph = makeSmall(Encoding::MGBC);
  graph.oprs[2].inputs = {0};
  llvm::Expected<File> file = tryRead(write(graph).substr(0, 30));
  ASSERT_FALSE(bool(file));
  bool seen = false;
  llvm::handleAllErrors(file.takeError(), [&](const ReadError &error) {
    seen = true;
    EXPECT_EQ(error.graphIndex, 0);
    EXPECT_EQ(error.oprIndex, -1);
    EXPECT_CONTAINS(error.message, "beyond the end of the file");
  });
  EXPECT_TRUE(seen);
}

/// A buffer whose operators all share one long vector must not unfold.
TEST(FaultTest, RefusesOverlap) {
  flatbuffers::FlatBufferBuilder fbb;
  std::vector<uint32_t> ids(20000);
  auto inputs = fbb.CreateVector(ids);
  std::vector<flatbuffers::Offset<fbs::v2::Operator>> oprs;
  for (unsigned k = 0; k != 20000; ++k) {
    fbs::v2::OperatorBuilder builder(fbb);
    builder.add_type_id(5);
    builder.add_inputs(inputs);
    oprs.push_back(builder.Finish());
  }
  auto list = fbb.CreateVector(oprs);
  fbs::v2::ModelBuilder builder(fbb);
  builder.add_oprs(list);
  fbs::v2::FinishSizePrefixedModelBuffer(fbb, builder.Finish());
  EXPECT_CONTAINS(
      readFault({reinterpret_cast<const char *>(fbb.GetBufferPointer()),
                 fbb.GetSize()}),
      "overlap");
}

TEST(FaultTest, KeepsOddNames) {
  Graph graph = makeSmall(Encoding::MGBC);
  std::string odd("\0\xff\xfe name\n", 9);
  graph.oprs[0].name = odd;
  graph.oprs[0].tensors[0].name = odd;
  Graph again = roundTrip(graph);
  EXPECT_EQ(again.oprs[0].name, odd);
  EXPECT_EQ(again.oprs[0].tensors[0].name, odd);
}
