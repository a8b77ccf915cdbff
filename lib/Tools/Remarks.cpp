//===- Remarks.cpp - What passes did and refused --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace mlir;
using namespace modelwright;

namespace {
/// Prints remarks as lines of stderr.
class LineStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit LineStreamer(StringRef filename) : filename(filename.str()) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string line;
    llvm::raw_string_ostream os(line);
    os << filename << ": remark: ";
    // The names of all sources: a fused op has several.
    SmallVector<StringRef> names;
    remark.getLocation()->walk([&](Location loc) {
      if (auto name = dyn_cast<NameLoc>(loc))
        if (!llvm::is_contained(names, name.getName().getValue()))
          names.push_back(name.getName().getValue());
      return WalkResult::advance();
    });
    if (!names.empty()) {
      os << "'";
      llvm::interleave(names, os, "' + '");
      os << "': ";
    }
    os << "[" << remark.getCategoryName() << "] " << remark.getMsg() << "\n";
    // Functions are optimized in parallel: their lines must not mix.
    std::lock_guard<std::mutex> lock(mutex);
    llvm::errs() << line;
  }

private:
  std::string filename;
  std::mutex mutex;
};
} // namespace

LogicalResult modelwright::enableRemarks(MLIRContext &context,
                                         RemarkSelection selection,
                                         StringRef filename) {
  if (selection == RemarkSelection::None)
    return success();
  remark::RemarkCategories categories;
  if (selection != RemarkSelection::Missed)
    categories.passed = ".*";
  if (selection != RemarkSelection::Passed)
    categories.missed = ".*";
  return remark::enableOptimizationRemarks(
      context, std::make_unique<LineStreamer>(filename),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
}
