//===- ExportOp.cpp - Export of nn ops to GE ops --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphExporter.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/GE/Edges.h"
#include "modelwright/Interop/GE/OpVersions.h"
#include "modelwright/Interop/GE/Types.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Unchanged ops
//===----------------------------------------------------------------------===//

/// Whether two ops say the same, their discardable attributes and operands
/// aside.
static bool isSameOp(Operation *a, Operation *b) {
  if (a->getName() != b->getName() ||
      a->getNumOperands() != b->getNumOperands() ||
      a->getResultTypes() != b->getResultTypes())
    return false;
  if (auto constant = dyn_cast<nn::ConstantOp>(a)) {
    // Equal values may be stored in resources of different names.
    auto other = cast<nn::ConstantOp>(b);
    if (constant.getValue() == other.getValue())
      return true;
    SmallVector<char> storageA, storageB;
    auto bytesA = nn::getRawBytes(constant.getValue(), storageA);
    auto bytesB = nn::getRawBytes(other.getValue(), storageB);
    return bytesA && bytesB && *bytesA == *bytesB;
  }
  return a->getPropertiesAsAttribute() == b->getPropertiesAsAttribute();
}

/// Whether `made`, fresh from the import, is what stands in the graph as
/// `actual`: ops of the import must match implicit ops (or `op` itself), other
/// values must be the same.
static bool matches(Value made, Value actual, Operation *op,
                    const llvm::DenseSet<Operation *> &fresh,
                    llvm::DenseMap<Operation *, Operation *> &matched) {
  SmallVector<std::pair<Value, Value>> work{{made, actual}};
  while (!work.empty()) {
    auto [a, b] = work.pop_back_val();
    Operation *producer = a.getDefiningOp();
    if (!producer || !fresh.contains(producer)) {
      if (a != b)
        return false;
      continue;
    }
    Operation *counterpart = b.getDefiningOp();
    if (!counterpart || cast<OpResult>(a).getResultNumber() !=
                            cast<OpResult>(b).getResultNumber())
      return false;
    auto [it, added] = matched.try_emplace(producer, counterpart);
    if (!added) {
      if (it->second != counterpart)
        return false;
      continue;
    }
    // A constant may be shared with another op since.
    if (counterpart != op && !counterpart->hasAttr(attr::kImplicit) &&
        !isa<nn::ConstantOp>(counterpart))
      return false;
    if (!isSameOp(producer, counterpart))
      return false;
    for (auto pair :
         llvm::zip_equal(producer->getOperands(), counterpart->getOperands()))
      work.push_back({std::get<0>(pair), std::get<1>(pair)});
  }
  return true;
}

/// Finds in the graph what `made` of the import is, an op that the main one is
/// not computed from: it reads something that is found already.
static void findBeside(Operation *made, Operation *op,
                       const llvm::DenseSet<Operation *> &fresh,
                       llvm::DenseMap<Operation *, Operation *> &matched) {
  for (Value operand : made->getOperands()) {
    Value actual = operand;
    if (Operation *producer = operand.getDefiningOp();
        fresh.contains(producer)) {
      auto it = matched.find(producer);
      if (it == matched.end())
        continue;
      actual = it->second->getResult(cast<OpResult>(operand).getResultNumber());
    }
    for (Operation *user : actual.getUsers()) {
      if (fresh.contains(user) || !user->hasAttr(attr::kImplicit) ||
          user->getNumResults() == 0)
        continue;
      llvm::DenseMap<Operation *, Operation *> attempt = matched;
      if (matches(made->getResult(0), user->getResult(0), op, fresh, attempt)) {
        matched = std::move(attempt);
        return;
      }
    }
  }
}

bool GraphExporter::isUnchanged(Operation *op, const proto::OpDef &source) {
  const OpImport *import = OpRegistry::get().lookupImport(source.type());
  if (!import)
    return false;
  SmallVector<Value> operands;
  for (const std::string &text : source.input()) {
    std::optional<Edge> edge = parseEdge(text);
    if (!edge)
      return false;
    if (edge->isControl())
      continue;
    operands.push_back({});
    if (edge->isHole())
      continue;
    auto it = outputs.find(edge->producer);
    if (it == outputs.end())
      it = outputs.find(aliases.lookup(edge->producer));
    if (it == outputs.end() ||
        static_cast<size_t>(edge->output) >= it->second.size() ||
        !it->second[edge->output])
      return false;
    operands.back() = it->second[edge->output];
  }
  // Import it again beside the graph and compare.
  Block scratch;
  OpBuilder builder(func.getContext());
  builder.setInsertionPointToEnd(&scratch);
  bool same;
  {
    ScopedDiagnosticHandler silent(func.getContext(),
                                   [](Diagnostic &) { return success(); });
    OpImporter importer(builder, op->getLoc(), source, facts, operands,
                        shapeValues);
    same = succeeded(import->function(importer));
    SmallVector<Value> made =
        same ? importer.getResults() : SmallVector<Value>();
    llvm::DenseSet<Operation *> fresh(importer.getCreated().begin(),
                                      importer.getCreated().end());
    Operation *main = same ? importer.getMain() : nullptr;
    llvm::DenseMap<Operation *, Operation *> matched;
    SmallVector<Value> actual;
    if (!main)
      same = false;
    // The main op stands for itself; other results are found from it.
    if (same && main->getNumResults() == 0)
      same = isSameOp(main, op) &&
             llvm::equal(main->getOperands(), op->getOperands());
    for (unsigned k = 0; same && k < main->getNumResults(); ++k)
      same = k < op->getNumResults() &&
             matches(main->getResult(k), op->getResult(k), op, fresh, matched);
    if (same && made.size() > main->getNumResults())
      for (Operation *beside : importer.getCreated())
        if (beside->getNumResults() != 0 && !matched.contains(beside))
          findBeside(beside, op, fresh, matched);
    for (Value value : made) {
      if (!same)
        break;
      auto result = dyn_cast_or_null<OpResult>(value);
      if (!result || !fresh.contains(result.getOwner())) {
        actual.push_back(value);
        continue;
      }
      // An output that nobody reads may be gone.
      auto it = matched.find(result.getOwner());
      actual.push_back(it == matched.end()
                           ? Value()
                           : it->second->getResult(result.getResultNumber()));
    }
    if (same)
      bind(actual, source.name());
  }
  // Users before producers.
  while (!scratch.empty()) {
    shapeValues.forget(&scratch.back());
    scratch.back().erase();
  }
  return same;
}

//===----------------------------------------------------------------------===//
// Made ops
//===----------------------------------------------------------------------===//

/// Whether an op computes on codes, whose scales the format's descriptors do
/// not hold.
static bool isOnCodes(Operation *op) {
  auto isQuantized = [](Type type) {
    return nn::isQuantized(nn::getElementType(type));
  };
  return llvm::any_of(op->getOperandTypes(), isQuantized) ||
         llvm::any_of(op->getResultTypes(), isQuantized);
}

LogicalResult GraphExporter::exportOp(Operation *op) {
  std::unique_ptr<proto::OpDef> source = getSource(op);
  if (op->hasAttr(attr::kOp) && !source)
    return failure();
  if (source && isUnchanged(op, *source)) {
    if (op->hasAttr(attr::kName) &&
        op->getAttrOfType<StringAttr>(attr::kName) != source->name())
      changed = true;
    addControlEdges(op, *source);
    addEntry(op, std::move(source));
    return success();
  }
  changed = true;
  if (isOnCodes(op))
    return emitError(op) << "has no GE spelling: a descriptor holds no scale "
                            "of quantized values";
  ExportFn function =
      OpRegistry::get().lookupExport(op->getName().getStringRef());
  if (!function)
    return emitError(op) << "has no GE spelling";
  if (!names.contains(op))
    names[op] = getUniqueName(op->getName().stripDialect());

  // What the source says beyond its function is kept if it is still of that
  // type.
  auto def = std::make_unique<proto::OpDef>();
  auto plain = std::make_unique<proto::OpDef>();
  OpExporter probe(op, *plain, facts, shapeValues);
  if (failed(function(probe)))
    return emitError(op) << "has no GE spelling: " << probe.getReason();
  if (source) {
    convertFromVersion(*source);
    if (source->type() == plain->type())
      *def = *source;
  }
  OpExporter exporter(op, *def, facts, shapeValues);
  if (failed(function(exporter)))
    return failure();
  def->set_name(names[op]);
  if (failed(connect(exporter, op, *def, source.get())))
    return failure();
  const proto::AttrDef *own = findAttr(def->attr(), "version");
  int64_t target = own && own->has_i() ? own->i() : getVersion();
  if (target != 0)
    getAttr(*def->mutable_attr(), "version").set_i(target);
  convertToVersion(*def, target);
  bind(op->getResults(), names[op]);
  addEntry(op, std::move(def));
  return success();
}

LogicalResult GraphExporter::connect(OpExporter &exporter, Operation *op,
                                     proto::OpDef &def,
                                     const proto::OpDef *source) {
  SmallVector<std::string> controls;
  if (source)
    for (const std::string &text : source->input())
      if (std::optional<Edge> edge = parseEdge(text); edge && edge->isControl())
        controls.push_back(text);
  def.clear_input();
  def.clear_input_desc();
  def.clear_is_input_const();
  SmallVector<bool> isConst;
  for (auto [k, input] : llvm::enumerate(exporter.getInputs())) {
    if (auto *constant = std::get_if<DenseElementsAttr>(&input)) {
      FailureOr<std::string> edge = addConstant(*constant, def.name(), k);
      if (failed(edge))
        return failure();
      def.add_input(*edge);
      setDescriptor(constant->getType(), "ND", *def.add_input_desc());
      isConst.push_back(true);
      continue;
    }
    Value value = std::get<Value>(input);
    if (!value) {
      def.add_input("");
      continue;
    }
    FailureOr<std::string> edge = getEdge(value);
    if (failed(edge))
      return failure();
    def.add_input(*edge);
    setDescriptor(value.getType(), "NCHW", *def.add_input_desc());
    isConst.push_back(isa_and_nonnull<nn::ConstantOp>(value.getDefiningOp()));
  }
  for (std::string &text : controls)
    def.add_input(std::move(text));
  addControlEdges(op, def);
  for (bool flag : isConst)
    def.add_is_input_const(flag);
  proto::AttrDef &list = getAttr(*def.mutable_attr(), "is_input_const");
  list.Clear();
  list.mutable_list()->set_val_type(proto::AttrDef::ListValue::VT_LIST_BOOL);
  for (bool flag : isConst)
    list.mutable_list()->add_b(flag);
  def.set_has_out_attr(true);
  if (def.output_desc_size() != static_cast<int>(op->getNumResults()))
    def.clear_output_desc();
  for (auto [k, type] : llvm::enumerate(op->getResultTypes()))
    setDescriptor(type, "NCHW",
                  static_cast<int>(k) < def.output_desc_size()
                      ? *def.mutable_output_desc(k)
                      : *def.add_output_desc());
  return success();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// A Const op of a type, with the descriptors that the public API writes.
static std::unique_ptr<proto::OpDef> makeConst(StringRef name, Type type,
                                               int64_t version) {
  auto def = std::make_unique<proto::OpDef>();
  def->set_name(name.str());
  def->set_type("Const");
  proto::TensorDef *tensor = getAttr(*def->mutable_attr(), "value").mutable_t();
  setDescriptor(type, "NCHW", *tensor->mutable_desc());
  if (version != 0)
    getAttr(*def->mutable_attr(), "version").set_i(version);
  def->set_has_out_attr(true);
  setDescriptor(type, "NCHW", *def->add_output_desc());
  return def;
}

FailureOr<std::string> GraphExporter::addConstant(DenseElementsAttr value,
                                                  StringRef reader, size_t k) {
  SmallVector<char> bytes;
  std::optional<ArrayRef<char>> raw = nn::getRawBytes(value, bytes);
  if (!raw)
    return func.emitError() << "a constant of " << reader << " has no bytes";
  std::string name = getUniqueName((reader + "_const_" + Twine(k)).str());
  std::unique_ptr<proto::OpDef> def =
      makeConst(name, value.getType(), getVersion());
  proto::TensorDef *tensor = getAttr(*def->mutable_attr(), "value").mutable_t();
  tensor->set_data(std::string(raw->begin(), raw->end()));
  addEntry(nullptr, std::move(def));
  return formatEdge(name, 0);
}

LogicalResult GraphExporter::exportConstant(nn::ConstantOp op) {
  std::unique_ptr<proto::OpDef> def = getSource(op);
  if (op->hasAttr(attr::kOp) && !def)
    return failure();
  auto type = cast<RankedTensorType>(op.getType());
  if (!names.contains(op))
    names[op] = getUniqueName("const");
  bool known = false;
  if (def)
    if (const proto::AttrDef *value = findAttr(def->attr(), "value");
        value && value->has_t()) {
      // The descriptor of a filter that is stored in fewer bits than it says
      // is not that of the constant.
      FailureOr<TensorType> stored = getTensorType(
          op.getContext(), value->t().desc(), [&] { return emitError(op); });
      if (failed(stored))
        return failure();
      known = stored->hasRank() && stored->getShape() == type.getShape() &&
              (*stored == type || (nn::isFloat(stored->getElementType()) &&
                                   type.getElementType().isInteger(8)));
    }
  if (!known) {
    changed = true;
    if (!getDescriptorDType(type.getElementType()))
      return emitError(op) << "the format has no element type "
                           << type.getElementType();
    def = makeConst(names[op], type, getVersion());
  }
  SmallVector<char> bytes;
  std::optional<ArrayRef<char>> raw = nn::getRawBytes(op.getValue(), bytes);
  if (!raw)
    return emitError(op) << "the bytes of the constant are missing (elided?)";
  if (!bytes.empty()) {
    storage.emplace_back(raw->begin(), raw->end());
    raw = ArrayRef<char>(storage.back().data(), storage.back().size());
  }
  proto::TensorDef *tensor = getAttr(*def->mutable_attr(), "value").mutable_t();
  auto offset = op->getAttrOfType<IntegerAttr>(attr::kOffset);
  if (offset && known && offset.getValue().isNonNegative()) {
    weights.push_back({{offset.getValue().getZExtValue(),
                        StringRef(raw->data(), raw->size())},
                       tensor});
  } else if (!raw->empty()) {
    tensor->set_blob(file.blobs.size());
    file.blobs.push_back(StringRef(raw->data(), raw->size()));
  }
  bind(op->getResults(), names[op]);
  addEntry(op, std::move(def));
  return success();
}
