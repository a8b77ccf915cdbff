//===- MessageAttrTest.cpp - GE messages as attributes --------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Interop/GE/MessageAttr.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "modelwright/Schema/ge/model.pb.h"
#include "gtest/gtest.h"

#include <google/protobuf/text_format.h>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

namespace {
class MessageAttrTest : public testing::Test {
protected:
  InFlightDiagnostic emitError() {
    return mlir::emitError(UnknownLoc::get(&context));
  }

  /// Parses a message from protobuf text.
  template <typename T> T parse(const std::string &text) {
    T message;
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message));
    return message;
  }

  /// The message, by way of an attribute and of that one's text.
  template <typename T> std::string goRound(const T &message) {
    DictionaryAttr attr = toAttr(&context, message, file);
    std::string text;
    llvm::raw_string_ostream(text) << Attribute(attr);
    auto parsed =
        dyn_cast_if_present<DictionaryAttr>(parseAttribute(text, &context));
    EXPECT_EQ(parsed, attr) << text;
    T back;
    File made;
    EXPECT_TRUE(
        succeeded(fromAttr(attr, back, made, [this] { return emitError(); })));
    return back.SerializeAsString();
  }

  template <typename T> void expectSame(const T &message) {
    EXPECT_EQ(goRound(message), message.SerializeAsString());
  }

  /// The message of the failure to make an OpDef of attributes.
  std::string getError(const std::string &text) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
      message = diag.str();
      return success();
    });
    auto attr =
        dyn_cast_if_present<DictionaryAttr>(parseAttribute(text, &context));
    if (!attr)
      return "no dictionary: " + message;
    proto::OpDef op;
    File made;
    bool failed =
        mlir::failed(fromAttr(attr, op, made, [this] { return emitError(); }));
    EXPECT_EQ(failed, !message.empty());
    return message;
  }

  MLIRContext context;
  File file;
};
} // namespace

TEST_F(MessageAttrTest, EveryKindOfValue) {
  for (const char *value :
       {"",
        "s: ''",
        "s: 'a\\000\\377'",
        "i: -9223372036854775808",
        "f: -0",
        "f: nan",
        "f: 1e-45",
        "b: false",
        "bt: '\\001'",
        "expression: 'x'",
        "func { name: 'f' attr { key: 'a' value { i: 1 } } }",
        "func {}",
        "td { dtype: DT_BF16 shape { dim: -1 } }",
        "td {}",
        "t {}",
        "t { desc { layout: 'ND' } data: '' }",
        "g { op { name: 'o' } }",
        "g {}",
        "list_list_int { list_list_i { list_i: 7 } list_list_i {} }",
        "list_list_float { list_list_f { list_f: 1 } }",
        "list_list_float_cann {}"})
    expectSame(parse<proto::AttrEntry>("key: 'k' value { " +
                                       std::string(value) + " }"));
}

TEST_F(MessageAttrTest, EveryKindOfList) {
  for (const char *list :
       {"", "val_type: VT_LIST_INT", "val_type: VT_LIST_NONE", "i: 1 i: 2",
        "i: 1 val_type: VT_LIST_INT", "i: 1 val_type: VT_LIST_FLOAT",
        "f: 1 val_type: VT_LIST_FLOAT", "b: true val_type: VT_LIST_BOOL",
        "s: '' s: 'x' val_type: VT_LIST_STRING",
        "bt: 'x' val_type: VT_LIST_BYTES",
        "tf { layout: 'ND' } val_type: VT_LIST_TENSOR_DESC",
        "t { desc {} } val_type: VT_LIST_TENSOR",
        "g { name: 'g' } val_type: VT_LIST_GRAPH",
        "na { name: 'n' } val_type: VT_LIST_NAMED_ATTRS",
        "dt: 27 val_type: VT_LIST_DATA_TYPE", "i: 1 f: 2 s: 'x'"})
    expectSame(parse<proto::AttrDef>("list { " + std::string(list) + " }"));
}

TEST_F(MessageAttrTest, FieldsThatAreThereAndDefault) {
  expectSame(proto::OpDef());
  expectSame(parse<proto::OpDef>("name: '' id: 0 has_out_attr: false"));
  // Order and repetition of the entries of a map; entries that lack a part.
  expectSame(parse<proto::OpDef>(
      "attr { key: 'b' value {} } attr { key: 'a' } attr { key: 'b' value { i: "
      "1 } } attr { value { i: 2 } } attr {}"));
}

TEST_F(MessageAttrTest, UnknownFields) {
  proto::OpDef op = parse<proto::OpDef>("attr { key: 'a' value { i: 1 } }");
  op.GetReflection()->MutableUnknownFields(&op)->AddVarint(99, 7);
  // What CANN stores under the number of another kind.
  proto::AttrDef *value = op.mutable_attr(0)->mutable_value();
  value->clear_value();
  value->GetReflection()->MutableUnknownFields(value)->AddVarint(15, 5);
  expectSame(op);
}

TEST_F(MessageAttrTest, TensorData) {
  for (size_t size : {1, 1023, 1024, 5000}) {
    std::string bytes(size, '\x7f');
    proto::TensorDef tensor;
    tensor.set_blob(0);
    file.blobs = {bytes};
    DictionaryAttr attr = toAttr(&context, tensor, file);
    proto::TensorDef back;
    File made;
    made.blobs = {"before"};
    ASSERT_TRUE(
        succeeded(fromAttr(attr, back, made, [this] { return emitError(); })));
    ASSERT_EQ(back.blob(), 1u);
    EXPECT_EQ(made.blobs[1], bytes);
    // From a size on nothing is copied.
    if (size >= 1024)
      EXPECT_EQ(made.blobs[1].data(), bytes.data());
  }
}

TEST_F(MessageAttrTest, WhatIsNotOurs) {
  EXPECT_EQ(getError("{kind = 1}"), "field 'kind' of OpDef does not exist");
  EXPECT_EQ(getError("{type = 3 : i64}"),
            "field 'type' of OpDef must be a string, not 3 : i64");
  EXPECT_EQ(getError("{id = 3.0 : f32}"),
            "field 'id' of OpDef must be a 64-bit "
            "integer, not 3.000000e+00 : f32");
  EXPECT_EQ(getError("{input = \"x\"}"),
            "field 'input' of OpDef must be an array of strings, not \"x\"");
  EXPECT_NE(getError("{attr = [[\"a\"]]}"), "");
  EXPECT_NE(getError("{attr = [[\"a\", {i = 1 : i64, f = 1.0 : f32}]]}"), "");
  EXPECT_NE(getError("{unknown = 3 : i64}"), "");
  EXPECT_NE(getError("{unknown = \"\\0A\\FF\"}"), "");
}
