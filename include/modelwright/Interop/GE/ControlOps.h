//===- ControlOps.h - Ops that call graphs ----------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If, Case, While and PartitionedCall name graphs: in attributes whose values
// are names, beside which HiAI's files hold the graphs themselves (attribute
// `then_branch` and graph attribute `then_branch_graph`), and CANN's in
// ModelDef.graph, by OpDef.subgraph_name (format.md 3.5). Importer and exporter
// of graphs walk into them; what both need to know is here.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INTEROP_GE_CONTROLOPS_H
#define MODELWRIGHT_INTEROP_GE_CONTROLOPS_H

#include "modelwright/Interop/GE/OpRegistry.h"

namespace modelwright::ge {

/// Graphs deeper within each other are refused: they are walked by recursion.
inline constexpr unsigned kMaxGraphDepth = 32;

/// Whether an op type calls graphs.
bool isControlType(llvm::StringRef type);

/// The names of the graphs of an op, in the order of `nn::getCallees`; empty if
/// the op does not tell all of them.
llvm::SmallVector<std::string> getGraphNames(const proto::OpDef &op);

/// The attribute that holds the graph of a slot itself, or null.
proto::AttrDef *findGraphAttr(proto::OpDef &op, size_t slot,
                              llvm::StringRef graphName);

/// Makes the attributes of an op that holds its graphs itself. Returns those
/// that the graphs go to.
llvm::SmallVector<proto::AttrDef *>
makeGraphAttrs(proto::OpDef &op, llvm::ArrayRef<std::string> graphNames);

} // namespace modelwright::ge

#endif // MODELWRIGHT_INTEROP_GE_CONTROLOPS_H
