//===- ControlOps.cpp - Ops that call graphs ------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Interop/GE/ControlOps.h"
#include "modelwright/Dialect/NN/IR/NNCallOps.h"
#include "modelwright/Interop/GE/Types.h"
#include "llvm/ADT/StringSwitch.h"

using namespace modelwright;
using namespace modelwright::ge;
using llvm::StringRef;

static constexpr llvm::StringLiteral kIf[] = {"then_branch", "else_branch"};
static constexpr llvm::StringLiteral kWhile[] = {"cond", "body"};
static constexpr llvm::StringLiteral kCall[] = {"f"};

/// The attributes that name the graphs, one each; none for Case, whose
/// `branches` is a list of them.
static llvm::ArrayRef<llvm::StringLiteral> getSlots(StringRef type) {
  return llvm::StringSwitch<llvm::ArrayRef<llvm::StringLiteral>>(type)
      .Cases({"If", "StatelessIf"}, kIf)
      .Cases({"While", "StatelessWhile"}, kWhile)
      .Cases({"PartitionedCall", "StatefulPartitionedCall"}, kCall)
      .Default({});
}

static bool isCase(StringRef type) {
  return type == "Case" || type == "StatelessCase";
}

bool modelwright::ge::isControlType(StringRef type) {
  return isCase(type) || !getSlots(type).empty();
}

/// A name as a string, or as that of a functor.
static StringRef getName(const proto::AttrDef *value) {
  if (value && value->has_s())
    return value->s();
  return value && value->has_func() ? StringRef(value->func().name()) : "";
}

llvm::SmallVector<std::string>
modelwright::ge::getGraphNames(const proto::OpDef &op) {
  llvm::SmallVector<std::string> names;
  if (isCase(op.type())) {
    const proto::AttrDef *branches = findAttr(op.attr(), "branches");
    if (branches && branches->has_list())
      names.assign(branches->list().s().begin(), branches->list().s().end());
  } else {
    for (StringRef slot : getSlots(op.type()))
      names.push_back(getName(findAttr(op.attr(), slot)).str());
  }
  // CANN's instances have names of their own; the attributes' are those of
  // what they were made from.
  size_t count = op.subgraph_name_size();
  if (count != 0 && (isCase(op.type()) || count == names.size()))
    names.assign(op.subgraph_name().begin(), op.subgraph_name().end());
  if (llvm::is_contained(names, ""))
    names.clear();
  return names;
}

proto::AttrDef *modelwright::ge::findGraphAttr(proto::OpDef &op, size_t slot,
                                               StringRef graphName) {
  llvm::ArrayRef<llvm::StringLiteral> slots = getSlots(op.type());
  std::string ofSlot =
      slot < slots.size() ? slots[slot].str() + "_graph" : std::string();
  // The last one counts, as in findAttr.
  for (proto::AttrEntry &entry : llvm::reverse(*op.mutable_attr()))
    if (entry.value().has_g() &&
        (entry.key() == ofSlot ||
         (isCase(op.type()) && (entry.key() == graphName ||
                                entry.key() == graphName.str() + "_graph"))))
      return entry.mutable_value();
  return nullptr;
}

llvm::SmallVector<proto::AttrDef *>
modelwright::ge::makeGraphAttrs(proto::OpDef &op,
                                llvm::ArrayRef<std::string> graphNames) {
  if (isCase(op.type())) {
    proto::AttrDef::ListValue *list =
        getAttr(*op.mutable_attr(), "branches").mutable_list();
    list->set_val_type(proto::AttrDef::ListValue::VT_LIST_STRING);
    for (const std::string &name : graphNames)
      list->add_s(name);
  }
  llvm::SmallVector<proto::AttrDef *> places;
  for (auto [k, name] : llvm::enumerate(graphNames)) {
    std::string slot = name;
    if (!isCase(op.type())) {
      slot = getSlots(op.type())[k].str();
      getAttr(*op.mutable_attr(), slot).set_s(name);
      slot += "_graph";
    }
    places.push_back(&getAttr(*op.mutable_attr(), slot));
  }
  return places;
}

void modelwright::ge::registerControlOps(OpRegistry &registry) {
  // The walks make them.
  registry.addImport<nn::IfOp>({"If", "StatelessIf"}, nullptr);
  registry.addImport<nn::CaseOp>({"Case", "StatelessCase"}, nullptr);
  registry.addImport<nn::WhileOp>({"While", "StatelessWhile"}, nullptr);
  registry.addImport<nn::CallOp>({"PartitionedCall", "StatefulPartitionedCall"},
                                 nullptr);
}
