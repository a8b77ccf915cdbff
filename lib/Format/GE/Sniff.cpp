//===- Sniff.cpp - Which GE file is it ------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wire.h"
#include "modelwright/Format/GE/FileIO.h"
#include "modelwright/Schema/ge/model.pb.h"

using namespace modelwright::ge;
using llvm::StringRef;

/// Whether the bytes begin like a ModelDef: a field of its own, with the wire
/// type it has there. Nothing behind the field's head is looked at, so that a
/// damaged model is still told to be one.
static bool beginsLikeModel(StringRef bytes) {
  using proto::ModelDef;
  if (bytes.size() < 2)
    return false;
  auto tag = static_cast<uint8_t>(bytes[0]);
  auto type = static_cast<WireType>(tag & 7);
  switch (tag >> 3) {
  case ModelDef::kNameFieldNumber:
  case ModelDef::kCustomVersionFieldNumber: {
    // Names are text. This tells a model from most other binaries.
    if (type != WireType::Length)
      return false;
    StringRef name = bytes.substr(2).take_front(
        std::min<size_t>(static_cast<uint8_t>(bytes[1]) & 0x7f, 16));
    return llvm::all_of(name, [](char c) {
      return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
    });
  }
  case ModelDef::kVersionFieldNumber:
    return type == WireType::Varint;
  case ModelDef::kGraphFieldNumber:
  case ModelDef::kAttrFieldNumber:
    return type == WireType::Length;
  default:
    return false;
  }
}

/// The text behind blank lines and comments.
static StringRef skipComments(StringRef text) {
  text = text.ltrim();
  while (text.consume_front("#"))
    text = text.drop_until([](char c) { return c == '\n'; }).ltrim();
  return text;
}

/// Whether the text begins with a field of that name.
static bool beginsWithField(StringRef text, StringRef name) {
  if (!text.consume_front(name))
    return false;
  text = text.ltrim(" \t");
  return text.starts_with(":") || text.starts_with("{");
}

FileKind modelwright::ge::sniff(StringRef bytes) {
  if (bytes.starts_with("IMOD"))
    return FileKind::IMOD;
  if (bytes.starts_with("PICO"))
    return FileKind::PICO;
  if (bytes.starts_with("\x1A\xFD\x4A\x31") ||
      bytes.starts_with(StringRef("\xE0\xF3\x02\x00", 4)) ||
      bytes.starts_with("cambricon_offline") || bytes.starts_with("MEF"))
    return FileKind::Special;
  StringRef text = skipComments(bytes.take_front(4096));
  if (beginsWithField(text, "ir_version"))
    return FileKind::ONNXText;
  for (StringRef field : {"name", "version", "custom_version", "graph", "attr"})
    if (beginsWithField(text, field))
      return FileKind::Text;
  return beginsLikeModel(bytes) ? FileKind::Model : FileKind::Unknown;
}
