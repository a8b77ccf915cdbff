//===- Errors.cpp - Diagnostics of the GE reader --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Format/GE/FileIO.h"

using namespace modelwright::ge;

char ReadError::ID = 0;

void ReadError::log(llvm::raw_ostream &os) const {
  if (opIndex >= 0) {
    os << "op #" << opIndex;
    if (!opName.empty()) {
      os << " '";
      os.write_escaped(opName);
      os << "'";
    }
    if (!opType.empty()) {
      os << " (";
      os.write_escaped(opType) << ")";
    }
    os << ": ";
  }
  os << message;
  if (offset >= 0)
    os << " (at byte " << offset << ")";
}

std::error_code ReadError::convertToErrorCode() const {
  return std::make_error_code(std::errc::illegal_byte_sequence);
}
