//===- RunLabels.cpp - What a classifier says -----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunLabels.h"
#include "TensorFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace modelwright;
using modelwright::cpu::HostTensor;

llvm::Expected<std::vector<std::string>>
modelwright::readLabels(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError("cannot open '" + path +
                                   "': " + buffer.getError().message());
  std::vector<std::string> labels;
  StringRef rest = (*buffer)->getBuffer();
  while (!rest.empty()) {
    auto [line, tail] = rest.split('\n');
    labels.push_back(line.rtrim('\r').str());
    rest = tail;
  }
  // Editors leave empty lines at the end.
  while (!labels.empty() && labels.back().empty())
    labels.pop_back();
  if (labels.empty())
    return llvm::createStringError("'" + path + "' has no labels");
  return labels;
}

/// Elements of one batch item.
static int64_t countClasses(const HostTensor &output) {
  int64_t count = output.type.getNumElements();
  int64_t batch = output.type.getRank() > 1 ? output.type.getDimSize(0) : 1;
  return batch == 0 ? 0 : count / batch;
}

llvm::Error modelwright::printTop(ArrayRef<HostTensor> outputs,
                                  ArrayRef<std::string> labels, unsigned count,
                                  llvm::raw_ostream &os) {
  const HostTensor *output = nullptr;
  std::string found;
  for (const HostTensor &candidate : outputs) {
    int64_t classes = countClasses(candidate);
    found += (found.empty() ? "'" : ", '") + candidate.name + "' has " +
             std::to_string(classes);
    if (!output && (labels.empty() || classes == int64_t(labels.size())))
      output = &candidate;
  }
  if (!output)
    return llvm::createStringError(
        "no output has as many classes as there are labels, " +
        llvm::Twine(labels.size()) + (found.empty() ? "" : ": ") + found);
  if (isa<ComplexType>(output->type.getElementType()))
    return llvm::createStringError("output '" + output->name +
                                   "' is complex: its numbers have no order");
  std::vector<double> numbers = getNumbers(*output);
  int64_t classes = countClasses(*output);
  int64_t batch = classes == 0 ? 0 : int64_t(numbers.size()) / classes;
  for (int64_t item = 0; item < batch; ++item) {
    const double *values = numbers.data() + item * classes;
    std::vector<int64_t> order(classes);
    std::iota(order.begin(), order.end(), 0);
    size_t shown = std::min<size_t>(count, order.size());
    std::partial_sort(order.begin(), order.begin() + long(shown), order.end(),
                      [&](int64_t a, int64_t b) {
                        if (std::isnan(values[a]) || std::isnan(values[b]))
                          return std::pair(std::isnan(values[a]), a) <
                                 std::pair(std::isnan(values[b]), b);
                        return values[a] != values[b] ? values[a] > values[b]
                                                      : a < b;
                      });
    os << output->name;
    if (batch > 1)
      os << "[" << item << "]";
    os << ":\n";
    for (int64_t index : ArrayRef(order).take_front(shown)) {
      os << llvm::format("%14.6g", values[index]) << "  " << index;
      if (!labels.empty())
        os << " " << labels[index];
      os << "\n";
    }
  }
  return llvm::Error::success();
}
