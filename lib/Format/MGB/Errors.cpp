//===- Errors.cpp - Diagnostics of the reader -----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphReader.h"

#include "llvm/ADT/StringExtras.h"

using namespace modelwright::mgb;

char ReadError::ID = 0;

void ReadError::log(llvm::raw_ostream &os) const {
  if (graphIndex > 0)
    os << "testcase graph " << graphIndex << ": ";
  if (oprIndex >= 0) {
    os << "operator " << oprIndex;
    if (!oprType.empty()) {
      os << " (";
      os.write_escaped(oprType) << ")";
    }
    if (!oprName.empty()) {
      os << " '";
      os.write_escaped(oprName);
      os << "'";
    }
    os << ": ";
  }
  os << message;
}

std::error_code ReadError::convertToErrorCode() const {
  return std::make_error_code(std::errc::illegal_byte_sequence);
}

void Faults::add(const llvm::Twine &message, int64_t oprIndex,
                 const Operator *opr) {
  if (full()) {
    ++nrMore;
    return;
  }
  list.emplace_back(message.str(), graphIndex, oprIndex,
                    opr && opr->name ? *opr->name : std::string(),
                    opr ? describeType(*opr) : std::string());
}

llvm::Error Faults::take() {
  llvm::Error error = llvm::Error::success();
  for (ReadError &fault : list)
    error = llvm::joinErrors(std::move(error),
                             llvm::make_error<ReadError>(std::move(fault)));
  if (nrMore)
    error = llvm::joinErrors(
        std::move(error),
        llvm::make_error<ReadError>(llvm::Twine(nrMore).str() +
                                        " further faults are not listed",
                                    graphIndex));
  list.clear();
  nrMore = 0;
  return error;
}

std::string modelwright::mgb::describeType(const Operator &opr) {
  if (opr.info)
    return opr.info->name.str();
  if (opr.typeId == kDynamicTypeId)
    return "dynamic";
  std::string id = "type id 0x" + llvm::utohexstr(opr.typeId, true, 16);
  return opr.type ? *opr.type + ", " + id : id;
}
