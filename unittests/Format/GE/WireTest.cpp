//===- WireTest.cpp - Tensor data stays out of protobuf -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"

using namespace modelwright::ge;
using namespace modelwright::ge::test;

TEST(WireTest, PointsIntoTheFile) {
  std::string bytes = makeModel("weights").SerializeAsString();
  std::shared_ptr<llvm::MemoryBuffer> buffer =
      llvm::MemoryBuffer::getMemBufferCopy(bytes);
  llvm::Expected<File> file = readFile(buffer);
  ASSERT_TRUE(!!file);
  ASSERT_EQ(file->blobs.size(), 1u);
  EXPECT_EQ(file->blobs[0], "weights");
  EXPECT_GE(file->blobs[0].data(), buffer->getBufferStart());
  EXPECT_LT(file->blobs[0].data(), buffer->getBufferEnd());
  const auto &tensor = file->model->graph(0).op(0).attr(0).value().t();
  EXPECT_FALSE(tensor.has_data());
  EXPECT_EQ(write(*file), bytes);
}

TEST(WireTest, GrowsEnclosingLengths) {
  llvm::Expected<File> file = read(makeModel("x").SerializeAsString());
  ASSERT_TRUE(!!file);
  // Every length around the data takes two bytes instead of one now.
  std::string big(1000, 'y');
  file->blobs[0] = big;
  proto::ModelDef expected = makeModel("x");
  expected.mutable_graph(0)
      ->mutable_op(0)
      ->mutable_attr(0)
      ->mutable_value()
      ->mutable_t()
      ->set_data(big);
  EXPECT_EQ(write(*file), expected.SerializeAsString());
}

TEST(WireTest, KeepsPresenceOrderAndUnknownFields) {
  proto::ModelDef model = makeModel("x");
  model.set_version(0); // A stored default.
  proto::OpDef *op = model.mutable_graph(0)->mutable_op(0);
  for (const char *key : {"z", "a", "z"}) { // Neither sorted nor unique.
    proto::AttrEntry *entry = op->add_attr();
    entry->set_key(key);
    entry->mutable_value()->set_i(0);
  }
  op->add_attr()->set_key("\xff\xfe"); // No UTF-8, no value.
  op->GetReflection()->MutableUnknownFields(op)->AddVarint(900, 7);
  std::string bytes = model.SerializeAsString();
  llvm::Expected<File> file = read(bytes);
  ASSERT_TRUE(!!file);
  EXPECT_FALSE(file->wire);
  EXPECT_EQ(write(*file), bytes);
}

TEST(WireTest, TellsUnusualSpellings) {
  // The name field twice: protobuf keeps the second.
  std::string bytes = "\x0a\x01m" + makeModel("x").SerializeAsString();
  llvm::Expected<File> file = read(bytes);
  ASSERT_TRUE(!!file);
  ASSERT_TRUE(file->wire);
  EXPECT_EQ(*file->wire, bytes);
}

TEST(WireTest, LocatesFaults) {
  std::string bytes = makeModel("weights").SerializeAsString();
  // Every truncation is a fault, but for those between fields of the model.
  for (size_t size = 0; size < bytes.size(); ++size) {
    std::string fault = readFault(llvm::StringRef(bytes).take_front(size));
    if (size == 0)
      EXPECT_EQ(fault, "this is no GE model");
    else if (size == 3) // Behind the name.
      EXPECT_EQ(fault, "(no fault)");
    else if (size == 1)
      EXPECT_EQ(fault, "this is no GE model");
    else
      EXPECT_NE(fault.find("(at byte "), std::string::npos) << size;
  }
  // A length within the op.
  size_t at = bytes.find("weights") - 1;
  bytes[at] = 100;
  EXPECT_EQ(readFault(bytes),
            "op #0 'c' (Const): field 2: length 100 exceeds the 7 bytes left "
            "(at byte " +
                std::to_string(at - 1) + ")");
}

TEST(WireTest, LimitsNesting) {
  for (int depth : {10, 1000}) {
    proto::ModelDef model = makeModel("x");
    proto::AttrDef *value =
        model.mutable_graph(0)->mutable_op(0)->add_attr()->mutable_value();
    for (int k = 0; k < depth; ++k)
      value = value->mutable_func()->add_attr()->mutable_value();
    std::string fault = readFault(model.SerializeAsString());
    if (depth == 10)
      EXPECT_EQ(fault, "(no fault)");
    else
      EXPECT_NE(fault.find("op #0 'c' (Const): messages are nested deeper "
                           "than 100 levels"),
                std::string::npos)
          << fault;
  }
}

TEST(WireTest, ReadsAndWritesText) {
  std::string text = R"(name: "m"
graph {
  name: "g"
  op {
    name: "c"
    type: "Const"
    attr {
      key: "value"
      value {
        t {
          desc {
            dtype: DT_INT8
            shape {
              dim: 2
            }
          }
          data: "\001\377"
        }
      }
    }
  }
}
)";
  llvm::Expected<File> file = read(text);
  ASSERT_TRUE(!!file) << llvm::toString(file.takeError());
  EXPECT_EQ(file->encoding, Encoding::Text);
  EXPECT_FALSE(file->wire);
  EXPECT_EQ(write(*file), text);
  llvm::Expected<File> commented = read("# made by hand\n" + text);
  ASSERT_TRUE(!!commented);
  EXPECT_TRUE(commented->wire);
  EXPECT_EQ(readFault("name: \"m\"\ngraph {\n  nme: 1\n}\n"),
            "line 3, column 6: Message type "
            "\"modelwright.ge.proto.GraphDef\" has no field named \"nme\".");
}

TEST(WireTest, NamesWhatItDoesNotRead) {
  EXPECT_EQ(readFault("PICO...."),
            "a PICO container (the SVP format) is not supported");
  EXPECT_EQ(readFault("\x1A\xFD\x4A\x31"),
            "a third-party accelerator's model is not supported");
  EXPECT_EQ(readFault("ir_version: 3\ngraph {"),
            "an ONNX-style dump, made for viewers only, is not supported");
}
