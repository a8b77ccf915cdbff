//===- OpVersions.h - The three op dialects ---------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Op versions 0, 3 and 5 name some ops, attributes and values in different ways
// (semantics.md 1). Import accepts each name whatever the version says, since
// tools mixed them; export converts from version 5 to that of the file.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INTEROP_GE_OPVERSIONS_H
#define MODELWRIGHT_INTEROP_GE_OPVERSIONS_H

#include "modelwright/Schema/ge/model.pb.h"
#include "llvm/ADT/StringRef.h"

namespace modelwright::ge {

/// The version-0 name of an attribute of an op type (of either version), or
/// empty if it is the same.
llvm::StringRef getOldAttrName(llvm::StringRef type, llvm::StringRef name);

/// Gives an op of any version the type and attribute names of version 5.
void convertFromVersion(proto::OpDef &op);

/// Rewrites an op of version 5 in the terms of an older version.
void convertToVersion(proto::OpDef &op, int64_t version);

} // namespace modelwright::ge

#endif // MODELWRIGHT_INTEROP_GE_OPVERSIONS_H
