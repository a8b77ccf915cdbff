//===- Sniff.cpp - Tell MegEngine files by content ------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Format/MGB/FileIO.h"

#include "Container.h"

using namespace modelwright::mgb;

llvm::StringRef modelwright::mgb::stringifyEncoding(Encoding encoding) {
  switch (encoding) {
  case Encoding::MGBS:
    return "MGBS";
  case Encoding::MGBC:
    return "MGBC";
  case Encoding::V2:
    return "mgv2";
  }
  llvm_unreachable("all encodings covered");
}

FileKind modelwright::mgb::sniff(llvm::StringRef bytes) {
  using llvm::StringRef;
  bytes = bytes.take_front(kSniffBytes);
  if (bytes.starts_with("MGBS"))
    return FileKind::MGBS;
  if (bytes.starts_with("MGBC"))
    return FileKind::MGBC;
  if (bytes.starts_with(kTestcaseTag))
    return FileKind::Testcase;
  if (bytes.starts_with(kPackedTag))
    return FileKind::PackedModel;
  if (bytes.starts_with("mgb0001") || bytes.starts_with("mgb0000a"))
    return FileKind::RawPOD;
  if (bytes.size() >= 12 && bytes.substr(8, 4) == "mgv2")
    return FileKind::V2;
  // Protocols 2 to 5: the opcode PROTO and its argument.
  if (bytes.size() >= 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5)
    return FileKind::Pickle;
  StringRef text = bytes.ltrim(" \t\r\n");
  if (text.starts_with("{\"") || text.starts_with("[{") ||
      (text.starts_with("{") &&
       text.drop_front().ltrim(" \t\r\n").starts_with("\"")))
    return FileKind::JSON;
  return FileKind::Unknown;
}
