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

using namespace mlir;
using namespace modelwright;

namespace {
/// Prints remarks as lines of stderr.
class LineStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit LineStreamer(StringRef filename) : filename(filename.str()) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    llvm::errs() << filename << ": remark: ";
    // The names of all sources: a fused op has several.
    SmallVector<StringRef> names;
    remark.getLocation()->walk([&](Location loc) {
      if (auto name = dyn_cast<NameLoc>(loc))
        if (!llvm::is_contained(names, name.getName().getValue()))
          names.push_back(name.getName().getValue());
      return WalkResult::advance();
    });
    if (!names.empty()) {
      llvm::errs() << "'";
      llvm::interleave(names, llvm::errs(), "' + '");
      llvm::errs() << "': ";
    }
    llvm::errs() << "[" << remark.getCategoryName() << "] " << remark.getMsg()
                 << "\n";
  }

private:
  std::string filename;
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
