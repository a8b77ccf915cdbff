//===- ModelDiff.cpp - Structural comparison of models --------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Tools/ModelDiff.h"
#include "OpMatcher.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNOps.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/MGB/Attributes.h"
#include "modelwright/Tools/ModelStats.h"

using namespace mlir;
using namespace modelwright;

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// As MLIR prints it, cut where it gets long.
template <typename T> static std::string print(T thing) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (thing)
    thing.print(os);
  else
    os << "nothing";
  constexpr size_t kLongest = 100;
  if (text.size() > kLongest)
    text.replace(kLongest, std::string::npos, "...");
  return text;
}

static std::string quote(StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "'";
  os.write_escaped(name) << "'";
  return text;
}

namespace {
/// Compares one graph with its counterpart.
class GraphDiff {
public:
  GraphDiff(func::FuncOp a, func::FuncOp b, const ModelDiffOptions &options,
            StringRef graph, ModelDiff &diff)
      : inputs(a, b), a(a, inputs.getIdsOfA()), b(b, inputs.getIdsOfB()),
        matcher(this->a, this->b, inputs), options(options), graph(graph),
        diff(diff) {}

  void run();

private:
  using Differences = std::vector<Difference>;

  std::string describe(const GraphIndex &index, Operation *op) const;
  std::string describe(const GraphIndex &index, Value value) const;
  void compareInputs();
  void compareOutputs();
  Differences compareOps(Operation *opA, Operation *opB) const;
  void compareAttributes(DictionaryAttr dictA, DictionaryAttr dictB,
                         StringRef prefix, Differences &found) const;
  void compareOperands(Operation *opA, Operation *opB,
                       Differences &found) const;
  void compareFormats(Operation *opA, Operation *opB, Differences &found) const;

  InputPairs inputs;
  GraphIndex a, b;
  OpMatcher matcher;
  const ModelDiffOptions &options;
  /// What goes before the name of an op; empty for the main graph.
  std::string graph;
  ModelDiff &diff;
};
} // namespace

std::string GraphDiff::describe(const GraphIndex &index, Operation *op) const {
  std::string text = graph + op->getName().getStringRef().str();
  if (auto foreign = dyn_cast<nn::ForeignOp>(op))
    text += " " + foreign.getType().str();
  if (StringRef name = getOpName(op); !name.empty())
    return text + " " + quote(name);
  return text + " #" + std::to_string(index.getPosition(op));
}

std::string GraphDiff::describe(const GraphIndex &index, Value value) const {
  if (auto input = dyn_cast<BlockArgument>(value))
    return "input " + std::to_string(input.getArgNumber());
  auto result = cast<OpResult>(value);
  std::string text = describe(index, result.getOwner());
  if (result.getResultNumber())
    text += " result " + std::to_string(result.getResultNumber());
  return text;
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

template <typename GetAttr>
static std::string describePort(GetAttr getAttr, unsigned k) {
  auto name = dyn_cast_if_present<StringAttr>(getAttr(k));
  return std::to_string(k) + (name ? " " + quote(name) : std::string());
}

void GraphDiff::compareInputs() {
  func::FuncOp funcA = a.func, funcB = b.func;
  auto nameOf = [](func::FuncOp func) {
    return [func](unsigned k) mutable {
      return func.getArgAttr(k, nn::NNDialect::kNameAttr);
    };
  };
  for (unsigned k = 0; k < funcA.getNumArguments(); ++k) {
    ChangedEntry entry{graph + "input " + describePort(nameOf(funcA), k), {}};
    int m = inputs.partnerOfA[k];
    if (m < 0) {
      entry.differences.push_back({"only in A", "", ""});
      diff.inputs.push_back(std::move(entry));
      continue;
    }
    auto differ = [&](StringRef what, auto valueA, auto valueB) {
      entry.differences.push_back({what.str(), print(valueA), print(valueB)});
    };
    if (static_cast<unsigned>(m) != k)
      entry.differences.push_back(
          {"position", std::to_string(k), std::to_string(m)});
    if (nameOf(funcA)(k) != nameOf(funcB)(m))
      differ("name", nameOf(funcA)(k), nameOf(funcB)(m));
    if (funcA.getArgument(k).getType() != funcB.getArgument(m).getType())
      differ("type", funcA.getArgument(k).getType(),
             funcB.getArgument(m).getType());
    Attribute defaultA = funcA.getArgAttr(k, nn::NNDialect::kDefaultAttr);
    Attribute defaultB = funcB.getArgAttr(m, nn::NNDialect::kDefaultAttr);
    if (!haveSameContent(defaultA, defaultB))
      differ("default", defaultA, defaultB);
    if (!entry.differences.empty())
      diff.inputs.push_back(std::move(entry));
  }
  for (unsigned m = 0; m < funcB.getNumArguments(); ++m)
    if (inputs.partnerOfB[m] < 0)
      diff.inputs.push_back({graph + "input " + describePort(nameOf(funcB), m),
                             {{"only in B", "", ""}}});
}

void GraphDiff::compareOutputs() {
  func::FuncOp funcA = a.func, funcB = b.func;
  OperandRange outA = funcA.front().getTerminator()->getOperands();
  OperandRange outB = funcB.front().getTerminator()->getOperands();
  auto nameOf = [](func::FuncOp func) {
    return [func](unsigned k) mutable {
      return func.getResultAttr(k, nn::NNDialect::kNameAttr);
    };
  };
  for (unsigned k = 0; k < std::max(outA.size(), outB.size()); ++k) {
    bool inA = k < outA.size(), inB = k < outB.size();
    ChangedEntry entry{
        graph + "output " + describePort(nameOf(inA ? funcA : funcB), k), {}};
    if (!inA || !inB) {
      entry.differences.push_back({inA ? "only in A" : "only in B", "", ""});
      diff.outputs.push_back(std::move(entry));
      continue;
    }
    if (nameOf(funcA)(k) != nameOf(funcB)(k))
      entry.differences.push_back(
          {"name", print(nameOf(funcA)(k)), print(nameOf(funcB)(k))});
    if (outA[k].getType() != outB[k].getType())
      entry.differences.push_back(
          {"type", print(outA[k].getType()), print(outB[k].getType())});
    if (!matcher.isSame(outA[k], outB[k]))
      entry.differences.push_back(
          {"value", describe(a, outA[k]), describe(b, outB[k])});
    if (!entry.differences.empty())
      diff.outputs.push_back(std::move(entry));
  }
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Where the bytes of two constants of one type differ.
static Difference compareWeights(ElementsAttr a, ElementsAttr b) {
  SmallVector<char> storageA, storageB;
  std::optional<ArrayRef<char>> bytesA = nn::getRawBytes(a, storageA);
  std::optional<ArrayRef<char>> bytesB = nn::getRawBytes(b, storageB);
  if (!bytesA || !bytesB || bytesA->size() != bytesB->size())
    return {"weights", bytesA ? "there" : "missing",
            bytesB ? "there" : "missing"};
  uint64_t count = 0, first = 0;
  for (uint64_t k = 0; k < bytesA->size(); ++k)
    if ((*bytesA)[k] != (*bytesB)[k] && count++ == 0)
      first = k;
  return {"weights",
          std::to_string(count) + " of " + std::to_string(bytesA->size()) +
              " bytes differ, the first at " + std::to_string(first),
          ""};
}

void GraphDiff::compareAttributes(DictionaryAttr dictA, DictionaryAttr dictB,
                                  StringRef prefix, Differences &found) const {
  auto add = [&](StringAttr name, Attribute valueA, Attribute valueB) {
    if (haveSameContent(valueA, valueB))
      return;
    auto elementsA = dyn_cast_if_present<ElementsAttr>(valueA);
    auto elementsB = dyn_cast_if_present<ElementsAttr>(valueB);
    if (elementsA && elementsB &&
        elementsA.getShapedType() == elementsB.getShapedType())
      return found.push_back(compareWeights(elementsA, elementsB));
    // Constants of two types: the types of the results tell it all.
    if (elementsA && elementsB && !found.empty())
      return;
    found.push_back({"attribute '" + (prefix + name.getValue()).str() + "'",
                     print(valueA), print(valueB)});
  };
  for (NamedAttribute attr : dictA)
    add(attr.getName(), attr.getValue(), dictB.get(attr.getName()));
  for (NamedAttribute attr : dictB)
    if (!dictA.contains(attr.getName()))
      add(attr.getName(), Attribute(), attr.getValue());
}

void GraphDiff::compareOperands(Operation *opA, Operation *opB,
                                Differences &found) const {
  unsigned nrA = opA->getNumOperands(), nrB = opB->getNumOperands();
  if (nrA != nrB)
    found.push_back(
        {"number of operands", std::to_string(nrA), std::to_string(nrB)});
  for (unsigned k = 0; k < std::min(nrA, nrB); ++k)
    if (Value x = opA->getOperand(k), y = opB->getOperand(k);
        !matcher.isSame(x, y))
      found.push_back(
          {"operand " + std::to_string(k), describe(a, x), describe(b, y)});
}

/// Whether an attribute tells where or under what name a thing stands in its
/// file.
static bool isPlace(StringRef name) {
  return name == ge::attr::kName || name == ge::attr::kIndex ||
         name == ge::attr::kOffset || name == ge::attr::kDeclined ||
         name == mgb::attr::kName || name == mgb::attr::kVars ||
         name == mgb::attr::kPosition || name == mgb::attr::kHash ||
         name == nn::NNDialect::kNameAttr;
}

static DictionaryAttr dropPlaces(MLIRContext *context,
                                 ArrayRef<NamedAttribute> attrs) {
  return DictionaryAttr::get(
      context, llvm::filter_to_vector(attrs, [](NamedAttribute attr) {
        return !isPlace(attr.getName()) &&
               (attr.getName().strref().starts_with("ge.") ||
                attr.getName().strref().starts_with("mgb."));
      }));
}

void GraphDiff::compareFormats(Operation *opA, Operation *opB,
                               Differences &found) const {
  MLIRContext *context = opA->getContext();
  NamedAttrList attrsA(
      dropPlaces(context, llvm::to_vector(opA->getDiscardableAttrs())));
  NamedAttrList attrsB(
      dropPlaces(context, llvm::to_vector(opB->getDiscardableAttrs())));
  // Of an OpDef the fields, and of these the attributes, are compared one by
  // one: the whole would be unreadable.
  auto opDefA =
      dyn_cast_if_present<DictionaryAttr>(attrsA.erase(ge::attr::kOp));
  auto opDefB =
      dyn_cast_if_present<DictionaryAttr>(attrsB.erase(ge::attr::kOp));
  auto takeAttrs = [&](DictionaryAttr &dict) {
    NamedAttrList fields(dict), attrs;
    fields.erase("input");
    auto list = dyn_cast_if_present<ArrayAttr>(fields.erase("attr"));
    for (Attribute entry : list ? list.getValue() : ArrayRef<Attribute>())
      if (auto pair = dyn_cast<ArrayAttr>(entry); pair && pair.size() == 2)
        if (auto key = dyn_cast<StringAttr>(pair[0]); key && !key.empty())
          attrs.set(key, pair[1]);
    dict = fields.getDictionary(context);
    return attrs.getDictionary(context);
  };
  if (opDefA && opDefB) {
    DictionaryAttr ofA = takeAttrs(opDefA), ofB = takeAttrs(opDefB);
    compareAttributes(ofA, ofB, "ge.op/", found);
    compareAttributes(opDefA, opDefB, "ge.op:", found);
  }
  compareAttributes(attrsA.getDictionary(context),
                    attrsB.getDictionary(context), "", found);
}

std::vector<Difference> GraphDiff::compareOps(Operation *opA,
                                              Operation *opB) const {
  Differences found;
  if (opA->getName() != opB->getName()) {
    // Nothing else of two kinds of ops can be compared.
    found.push_back({"op", opA->getName().getStringRef().str(),
                     opB->getName().getStringRef().str()});
    return found;
  }
  if (opA->getNumResults() != opB->getNumResults())
    found.push_back({"number of results", std::to_string(opA->getNumResults()),
                     std::to_string(opB->getNumResults())});
  for (auto [x, y] : llvm::zip(opA->getResults(), opB->getResults()))
    if (x.getType() != y.getType())
      found.push_back({"type of result " + std::to_string(x.getResultNumber()),
                       print(x.getType()), print(y.getType())});
  bool sameHash = a.getLocalHash(opA) == b.getLocalHash(opB);
  if (!sameHash) {
    size_t before = found.size();
    compareAttributes(getInherentAttributes(opA), getInherentAttributes(opB),
                      "", found);
    // The hash covers results, attributes and regions.
    if (found.size() == before &&
        opA->getResultTypes() == opB->getResultTypes())
      found.push_back({"graph inside of it", "", ""});
  }
  compareOperands(opA, opB, found);
  if (options.formatAttributes)
    compareFormats(opA, opB, found);
  return found;
}

void GraphDiff::run() {
  compareInputs();
  compareOutputs();
  for (Operation *op : a.ops) {
    Operation *partner = matcher.getPartner(op);
    if (!partner) {
      diff.onlyInA.push_back(describe(a, op));
      continue;
    }
    ++diff.numMatched;
    Differences found = compareOps(op, partner);
    if (found.empty())
      continue;
    std::string entry = describe(a, op);
    if (getOpName(op) != getOpName(partner) ||
        op->getName() != partner->getName())
      entry += " = " + describe(b, partner);
    diff.changed.push_back({std::move(entry), std::move(found)});
  }
  for (Operation *op : b.ops)
    if (!matcher.hasPartner(op))
      diff.onlyInB.push_back(describe(b, op));
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

/// The graphs of a model: the main one, then the testcases.
static SmallVector<func::FuncOp> getGraphs(ModuleOp module) {
  SmallVector<func::FuncOp> graphs;
  func::FuncOp main = getMainGraph(module);
  if (main)
    graphs.push_back(main);
  for (auto func : module.getOps<func::FuncOp>())
    if (func != main && !func.isExternal())
      graphs.push_back(func);
  return graphs;
}

ModelDiff modelwright::diffModels(ModuleOp a, ModuleOp b,
                                  const ModelDiffOptions &options) {
  ModelDiff diff;
  SmallVector<func::FuncOp> graphsA = getGraphs(a), graphsB = getGraphs(b);
  if (graphsA.size() != graphsB.size())
    diff.model.push_back({"number of graphs", std::to_string(graphsA.size()),
                          std::to_string(graphsB.size())});
  for (auto [k, funcs] : llvm::enumerate(llvm::zip(graphsA, graphsB))) {
    auto [funcA, funcB] = funcs;
    GraphDiff(funcA, funcB, options,
              k ? "graph " + std::to_string(k) + ": " : std::string(), diff)
        .run();
  }
  return diff;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static void printDifference(const Difference &difference,
                            llvm::raw_ostream &os) {
  os << difference.what;
  if (!difference.a.empty())
    os << ": " << difference.a;
  if (!difference.b.empty())
    os << " -> " << difference.b;
}

void modelwright::printDiff(const ModelDiff &diff, StringRef a, StringRef b,
                            llvm::raw_ostream &os) {
  os << "A           " << a << "\nB           " << b << "\n";
  for (const Difference &difference : diff.model) {
    os << "model       ";
    printDifference(difference, os);
    os << "\n";
  }
  auto printEntries = [&](StringRef kind,
                          const std::vector<ChangedEntry> &entries) {
    for (const ChangedEntry &entry : entries) {
      os << kind << entry.entry << "\n";
      for (const Difference &difference : entry.differences) {
        os << "              ";
        printDifference(difference, os);
        os << "\n";
      }
    }
  };
  printEntries("interface   ", diff.inputs);
  printEntries("interface   ", diff.outputs);
  printEntries("changed     ", diff.changed);
  for (const std::string &op : diff.onlyInA)
    os << "only in A   " << op << "\n";
  for (const std::string &op : diff.onlyInB)
    os << "only in B   " << op << "\n";
  os << (diff.isSame() ? "same        " : "different   ")
     << diff.numMatched - diff.changed.size() << " ops equal, "
     << diff.changed.size() << " changed, " << diff.onlyInA.size()
     << " only in A, " << diff.onlyInB.size() << " only in B; "
     << diff.inputs.size() << " inputs and " << diff.outputs.size()
     << " outputs differ\n";
}

llvm::json::Value modelwright::getDiffJSON(const ModelDiff &diff, StringRef a,
                                           StringRef b) {
  auto text = [](StringRef bytes) { return llvm::json::fixUTF8(bytes); };
  auto toArray = [&](const std::vector<Difference> &list) {
    llvm::json::Array array;
    for (const Difference &difference : list)
      array.push_back(llvm::json::Object{{"what", text(difference.what)},
                                         {"a", text(difference.a)},
                                         {"b", text(difference.b)}});
    return array;
  };
  auto toEntries = [&](const std::vector<ChangedEntry> &list) {
    llvm::json::Array array;
    for (const ChangedEntry &entry : list)
      array.push_back(
          llvm::json::Object{{"entry", text(entry.entry)},
                             {"differences", toArray(entry.differences)}});
    return array;
  };
  auto toNames = [&](const std::vector<std::string> &list) {
    llvm::json::Array array;
    for (const std::string &name : list)
      array.push_back(text(name));
    return array;
  };
  return llvm::json::Object{
      {"a", text(a)},
      {"b", text(b)},
      {"same", diff.isSame()},
      {"equal", static_cast<int64_t>(diff.numMatched - diff.changed.size())},
      {"model", toArray(diff.model)},
      {"inputs", toEntries(diff.inputs)},
      {"outputs", toEntries(diff.outputs)},
      {"changed", toEntries(diff.changed)},
      {"only_in_a", toNames(diff.onlyInA)},
      {"only_in_b", toNames(diff.onlyInB)}};
}
