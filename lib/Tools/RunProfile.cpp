//===- RunProfile.cpp - Where the time of a model goes --------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunProfile.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "modelwright/Dialect/NN/IR/NodeNames.h"
#include "modelwright/Interop/MGB/Attributes.h"
#include "modelwright/Transforms/Macs.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace modelwright;

namespace {
struct Row {
  std::string ops, node, kernel;
  double seconds = 0, share = 0;
  /// 0 if not known.
  double flops = 0, bytes = 0;

  double getGFlops() const { return seconds > 0 ? flops / seconds / 1e9 : 0; }
  double getGBytes() const { return seconds > 0 ? bytes / seconds / 1e9 : 0; }
};
} // namespace

/// Floating point operations (or those on integers): two for each product that
/// is summed, else one for each element of the results.
static double countOperations(Operation *op) {
  if (uint64_t macs = getMacs(op))
    return 2.0 * double(macs);
  double count = 0;
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return 0;
    count += double(tensor.getNumElements());
  }
  return count;
}

/// What the file calls an op; failing that, its line or its place in the file.
static std::string getName(Operation *op) {
  StringRef name = nn::getNodeName(op->getLoc());
  auto vars = op->getAttrOfType<ArrayAttr>(mgb::attr::kVars);
  if (name.empty() && vars && !vars.empty())
    if (auto var = dyn_cast<StringAttr>(vars[0]))
      name = var.getValue();
  if (!name.empty())
    return name.str();
  std::string place;
  op->getLoc()->walk([&](Location inner) {
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    place = ("#" + llvm::Twine(file.getLine())).str();
    return WalkResult::interrupt();
  });
  return place;
}

static std::vector<Row> makeRows(const cpu::Executable &executable,
                                 ModuleOp module, unsigned runs,
                                 double seconds) {
  SmallVector<Operation *> numbered;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa_and_nonnull<nn::NNDialect>(op->getDialect()))
      numbered.push_back(op);
  });
  std::vector<cpu::ProfiledUnit> units = executable.getProfile();
  // An op's operations count where most of its time goes.
  std::vector<const cpu::ProfiledUnit *> main(numbered.size());
  for (const cpu::ProfiledUnit &unit : units)
    for (int64_t number : unit.ops)
      if (!unit.isMove &&
          (!main[number] || unit.nanoseconds > main[number]->nanoseconds))
        main[number] = &unit;
  std::vector<Row> rows;
  double rest = seconds;
  for (const cpu::ProfiledUnit &unit : units) {
    Row row;
    row.kernel = unit.kernel;
    row.seconds = double(unit.nanoseconds) * 1e-9 / runs;
    row.share = row.seconds / seconds;
    row.bytes = double(unit.bytes);
    rest -= row.seconds;
    for (int64_t number : unit.ops) {
      Operation *op = numbered[number];
      row.ops +=
          (row.ops.empty() ? "" : "+") + op->getName().stripDialect().str();
      std::string name = getName(op);
      if (!name.empty())
        row.node += (row.node.empty() ? "" : " ") + name;
      if (main[number] == &unit)
        row.flops += countOperations(op);
    }
    rows.push_back(std::move(row));
  }
  Row overhead;
  overhead.kernel = "overhead";
  overhead.seconds = rest;
  overhead.share = rest / seconds;
  rows.push_back(std::move(overhead));
  return rows;
}

static void printTable(ArrayRef<Row> rows, unsigned runs, double seconds,
                       llvm::raw_ostream &os) {
  std::vector<const Row *> order;
  size_t ops = 2, kernels = 6;
  for (const Row &row : rows) {
    order.push_back(&row);
    ops = std::max(ops, row.ops.size());
    kernels = std::max(kernels, row.kernel.size());
  }
  llvm::sort(order, [](const Row *a, const Row *b) {
    return std::tie(b->seconds, a) < std::tie(a->seconds, b);
  });
  auto print = [&](StringRef ms, StringRef share, StringRef gflops,
                   StringRef gbytes, StringRef op, StringRef kernel,
                   StringRef node) {
    std::string line;
    llvm::raw_string_ostream stream(line);
    stream << llvm::right_justify(ms, 10) << llvm::right_justify(share, 8)
           << llvm::right_justify(gflops, 9) << llvm::right_justify(gbytes, 8)
           << "  " << llvm::left_justify(op, ops) << "  "
           << llvm::left_justify(kernel, kernels) << "  " << node;
    os << StringRef(line).rtrim() << "\n";
  };
  auto format = [](const char *spec, double number) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format(spec, number);
    return text;
  };
  auto rate = [&](double number) {
    return number > 0 ? format("%.1f", number) : std::string("-");
  };
  print("ms", "share", "GFLOP/s", "GB/s", "op", "kernel", "node");
  for (const Row *row : order)
    print(format("%.4f", row->seconds * 1e3),
          format("%.1f %%", row->share * 100), rate(row->getGFlops()),
          rate(row->getGBytes()), row->ops, row->kernel, row->node);
  print(format("%.4f", seconds * 1e3), "100.0 %", "", "",
        ("total, mean of " + llvm::Twine(runs) + " runs").str(), "", "");
}

static void printJSON(ArrayRef<Row> rows, unsigned runs, double seconds,
                      llvm::raw_ostream &os) {
  llvm::json::Array units;
  for (const Row &row : rows.drop_back())
    units.push_back(llvm::json::Object{{"op", llvm::json::fixUTF8(row.ops)},
                                       {"node", llvm::json::fixUTF8(row.node)},
                                       {"kernel", row.kernel},
                                       {"ms", row.seconds * 1e3},
                                       {"share", row.share},
                                       {"gflops", row.getGFlops()},
                                       {"gbytes", row.getGBytes()}});
  os << llvm::formatv(
      "{0:2}\n",
      llvm::json::Value(llvm::json::Object{
          {"runs", int64_t(runs)},
          {"ms", seconds * 1e3},
          {"units", std::move(units)},
          {"overhead", llvm::json::Object{{"ms", rows.back().seconds * 1e3},
                                          {"share", rows.back().share}}}}));
}

void modelwright::printProfile(const cpu::Executable &executable,
                               ModuleOp module, unsigned runs, double seconds,
                               ProfileKind kind, llvm::raw_ostream &os) {
  std::vector<Row> rows = makeRows(executable, module, runs, seconds);
  if (kind == ProfileKind::JSON)
    printJSON(rows, runs, seconds, os);
  else
    printTable(rows, runs, seconds, os);
}
