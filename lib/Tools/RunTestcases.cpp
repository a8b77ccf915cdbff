//===- RunTestcases.cpp - Testcases within a model file -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunTestcases.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNOps.h"
#include "modelwright/Interop/MGB/Attributes.h"

#include <numeric>

using namespace mlir;
using namespace modelwright;
using modelwright::cpu::HostTensor;

/// The names of the main graph's inputs.
static SmallVector<std::string> getInputNames(func::FuncOp main) {
  SmallVector<std::string> names;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto name = main.getArgAttrOfType<StringAttr>(i, nn::NNDialect::kNameAttr);
    names.push_back(name ? name.str() : ("input" + llvm::Twine(i)).str());
  }
  return names;
}

/// The values that a testcase's graph returns, in the order of the main graph's
/// inputs.
static llvm::Expected<SmallVector<HostTensor>>
readTestcase(func::FuncOp testcase, func::FuncOp main) {
  SmallVector<std::string> names = getInputNames(main);
  auto fail = [&](const llvm::Twine &message) {
    return llvm::createStringError("'" + testcase.getName() + "' " + message);
  };
  Operation *terminator = testcase.getBody().front().getTerminator();
  if (!isa<func::ReturnOp>(terminator) ||
      terminator->getNumOperands() != names.size())
    return fail("has " + llvm::Twine(terminator->getNumOperands()) +
                " values, the model " + llvm::Twine(names.size()) + " inputs");
  std::vector<size_t> order(names.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::tie(names[a], a) < std::tie(names[b], b);
  });
  SmallVector<HostTensor> inputs(names.size());
  for (auto [input, value] :
       llvm::zip_equal(order, terminator->getOperands())) {
    auto constant = value.getDefiningOp<nn::ConstantOp>();
    if (!constant)
      return fail("has no constant for input '" + names[input] + "'");
    SmallVector<char> storage;
    std::optional<ArrayRef<char>> bytes =
        nn::getRawBytes(constant.getValue(), storage);
    if (!bytes)
      return fail("lacks the bytes for input '" + names[input] + "'");
    inputs[input].name = names[input];
    inputs[input].type = cast<RankedTensorType>(constant.getType());
    inputs[input].data.assign(bytes->begin(), bytes->end());
  }
  return inputs;
}

/// Returns what checks compare with an input, rather than their results; for
/// each output the number of that input, or -1.
static SmallVector<int64_t> openChecks(func::FuncOp main) {
  Operation *terminator = main.getBody().front().getTerminator();
  SmallVector<int64_t> expected(main.getNumResults(), -1);
  if (!isa<func::ReturnOp>(terminator))
    return expected;
  for (OpOperand &operand : terminator->getOpOperands()) {
    auto check = operand.get().getDefiningOp<nn::AssertEqualOp>();
    if (!check)
      continue;
    auto input = dyn_cast<BlockArgument>(check.getExpected());
    if (!input || !isa<RankedTensorType>(check.getActual().getType()))
      continue;
    expected[operand.getOperandNumber()] = input.getArgNumber();
    operand.set(check.getActual());
    if (check->use_empty())
      check->erase();
  }
  main.setType(FunctionType::get(main.getContext(), main.getArgumentTypes(),
                                 terminator->getOperandTypes()));
  return expected;
}

llvm::Expected<Testcases> modelwright::takeTestcases(ModuleOp module) {
  Testcases testcases;
  func::FuncOp main = getEntryFunction(module);
  SmallVector<func::FuncOp> graphs;
  for (auto func : module.getOps<func::FuncOp>())
    if (func->hasAttr(mgb::attr::kTestcase) && !func.isExternal() &&
        func != main)
      graphs.push_back(func);
  if (graphs.empty())
    return testcases;
  for (func::FuncOp graph : graphs) {
    auto inputs = readTestcase(graph, main);
    if (!inputs)
      return inputs.takeError();
    testcases.inputs.push_back(std::move(*inputs));
    graph.erase();
  }
  testcases.expected = openChecks(main);
  return testcases;
}
