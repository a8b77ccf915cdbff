//===- Sharing.cpp - Names and tensors of a whole graph -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loader hands out inputs and vars by name, so that a second one of a name
// could not be reached. Names of operators are for people and may repeat.
//
//===----------------------------------------------------------------------===//

#include "GraphReader.h"

#include "llvm/ADT/DenseMap.h"

using namespace modelwright::mgb;

namespace {

/// Names seen so far, and the operators that bear them.
class NameTable {
public:
  NameTable(const Graph &graph, llvm::StringRef kind, Faults &faults)
      : graph(graph), kind(kind), faults(faults) {}

  void add(llvm::StringRef name, size_t index) {
    if (name.empty() || faults.full())
      return;
    auto [entry, isNew] = owners.try_emplace(name, index);
    // The outputs of one operator may share a name: MultiHeadAttn's do.
    if (isNew || entry->second == index)
      return;
    std::string message;
    llvm::raw_string_ostream os(message);
    os << "has a second " << kind << " named '";
    os.write_escaped(name);
    os << "'; operator " << entry->second << " has the first";
    faults.add(message, index, &graph.oprs[index]);
  }

private:
  const Graph &graph;
  llvm::StringRef kind;
  Faults &faults;
  llvm::DenseMap<llvm::StringRef, size_t> owners;
};

} // namespace

static void checkNames(const Graph &graph, Faults &faults) {
  NameTable inputs(graph, "input", faults), vars(graph, "var", faults);
  for (size_t k = 0; k != graph.oprs.size(); ++k) {
    const Operator &opr = graph.oprs[k];
    if (opr.info && opr.info->name == "Host2DeviceCopy")
      for (const Tensor &tensor : opr.tensors)
        if (tensor.name)
          inputs.add(*tensor.name, k);
    if (opr.outputNames)
      for (const std::string &name : *opr.outputNames)
        vars.add(name, k);
    if (graph.middleTensors)
      for (uint32_t id : opr.outputs)
        if (const auto &name = (*graph.middleTensors)[id].name)
          vars.add(*name, k);
  }
}

static void checkSharedTensors(const Graph &graph, Faults &faults) {
  uint64_t count = 0;
  for (const Operator &opr : graph.oprs)
    // These two keep their values to themselves.
    if (opr.info && isTensorHolder(*opr.info) &&
        opr.info->name != "ImmutableTensor" &&
        opr.info->name != "SharedDeviceTensorWithFormat")
      count += opr.tensors.size();
  // A loader makes room for as many as the graph says.
  if (count != graph.nrSharedTensor)
    faults.add("the graph counts " + llvm::Twine(graph.nrSharedTensor) +
               " shared tensors, its operators have " + llvm::Twine(count));
}

void modelwright::mgb::checkSharing(const Graph &graph, Faults &faults) {
  checkNames(graph, faults);
  checkSharedTensors(graph, faults);
}
