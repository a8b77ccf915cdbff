//===- Schema.h - The generated FlatBuffers code ----------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one door to the code that flatc makes of schemas/mgb. Everything shared
// by both schema versions lives in modelwright::mgb::fbs (dtypes, the param
// union) and modelwright::mgb::fbs::param (param tables and their enums); the
// graph tables live in fbs::v1 and fbs::v2.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_FORMAT_MGB_SCHEMA_H
#define MODELWRIGHT_FORMAT_MGB_SCHEMA_H

// flatc gives every switch over a union a default label.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wcovered-switch-default"
#endif
#include "modelwright/Schema/opr_param_generated.h"
#ifdef __clang__
#pragma clang diagnostic pop
#endif

namespace modelwright::mgb {
/// Shorthand for the param tables: `param::ConvolutionT` and friends.
namespace param = fbs::param;
} // namespace modelwright::mgb

#endif // MODELWRIGHT_FORMAT_MGB_SCHEMA_H
