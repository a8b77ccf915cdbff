//===- CannText.h - Models as CANN spells them --------------------*- C++
//-*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The wire format of CANN's generation of the IR (ge.proto) is that of the
// mobile ones, which model.proto has, but for AttrDef: number 15 is `dt` there,
// and 16 is `list_list_float`. In text names count: these, and `td` for the
// tensor descriptors of a list.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_FORMAT_GE_CANNTEXT_H
#define MODELWRIGHT_LIB_FORMAT_GE_CANNTEXT_H

#include "llvm/ADT/StringRef.h"

#include <google/protobuf/io/tokenizer.h>
#include <string>

namespace modelwright::ge {

namespace proto {
class ModelDef;
} // namespace proto

/// Whether a model says what only CANN's generation has.
bool hasCannSigns(const proto::ModelDef &model);

/// Whether a model says what only CANN's generation has, and nothing that this
/// one cannot say.
bool isCannModel(const proto::ModelDef &model);

/// Parses text with CANN's names; false after a complaint to `errors`.
bool parseCannText(llvm::StringRef text, proto::ModelDef &model,
                   google::protobuf::io::ErrorCollector *errors);

/// The text of a model (with its tensor data) with CANN's names.
std::string printCannText(const proto::ModelDef &model);

} // namespace modelwright::ge

#endif // MODELWRIGHT_LIB_FORMAT_GE_CANNTEXT_H
