//===- Params.cpp - Generic code over all param tables --------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Params.h"

#include "flatbuffers/minireflect.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace modelwright::mgb;

namespace {

/// Prints a table that flatc's reflection walks.
class ParamPrinter : public flatbuffers::IterationVisitor {
public:
  explicit ParamPrinter(llvm::raw_ostream &os) : os(os) {}

  void StartSequence() override {
    os << '{';
    needsSpace = false;
  }
  void EndSequence() override {
    os << '}';
    needsSpace = true;
  }
  void Field(size_t, size_t, flatbuffers::ElementaryType, bool,
             const flatbuffers::TypeTable *, const char *name,
             const uint8_t *value) override {
    if (!value)
      return;
    if (needsSpace)
      os << ' ';
    os << name << '=';
    needsSpace = true;
  }
  void StartVector() override { os << '['; }
  void EndVector() override { os << ']'; }
  void Element(size_t k, flatbuffers::ElementaryType,
               const flatbuffers::TypeTable *, const uint8_t *) override {
    if (k)
      os << ',';
  }

  void UType(uint8_t x, const char *name) override { print(x, name); }
  void Bool(bool x) override { os << (x ? "true" : "false"); }
  void Char(int8_t x, const char *name) override { print(x, name); }
  void UChar(uint8_t x, const char *name) override { print(x, name); }
  void Short(int16_t x, const char *name) override { print(x, name); }
  void UShort(uint16_t x, const char *name) override { print(x, name); }
  void Int(int32_t x, const char *name) override { print(x, name); }
  void UInt(uint32_t x, const char *name) override { print(x, name); }
  void Long(int64_t x) override { os << x; }
  void ULong(uint64_t x) override { os << x; }
  void Float(float x) override { printFloat(x, 9); }
  void Double(double x) override { printFloat(x, 17); }
  void String(const flatbuffers::String *) override { os << "(string)"; }

private:
  void print(int64_t x, const char *name) {
    if (name)
      os << name;
    else
      os << x;
  }

  void printFloat(double x, int digits) {
    os << llvm::format("%.*g", digits, x);
    // Payloads of NaNs are values, too.
    if (std::isnan(x))
      os << ':' << llvm::format_hex(llvm::bit_cast<uint64_t>(x), 18);
  }

  llvm::raw_ostream &os;
  bool needsSpace = false;
};

/// Looks for negative zeros.
class ZeroFinder : public flatbuffers::IterationVisitor {
public:
  void Float(float x) override { found |= x == 0 && std::signbit(x); }
  void Double(double x) override { found |= x == 0 && std::signbit(x); }

  bool found = false;
};

} // namespace

/// The reflection of the table that union member `type` holds.
static const flatbuffers::TypeTable *typeTableOf(fbs::OperatorParam type) {
  const flatbuffers::TypeTable *members = fbs::OperatorParamTypeTable();
  int64_t member = flatbuffers::LookupEnum(static_cast<int64_t>(type),
                                           members->values, members->num_elems);
  return members->type_refs[members->type_codes[member].sequence_ref]();
}

static void visit(const Param &param, flatbuffers::IterationVisitor &visitor) {
  // Packed with all defaults, so that reflection meets every field.
  flatbuffers::FlatBufferBuilder fbb(256);
  fbb.ForceDefaults(true);
  fbb.Finish(flatbuffers::Offset<flatbuffers::Table>(param.Pack(fbb).o));
  flatbuffers::IterateFlatBuffer(fbb.GetBufferPointer(),
                                 typeTableOf(param.type), &visitor);
}

void modelwright::mgb::printParam(const Param &param, llvm::raw_ostream &os) {
  ParamPrinter printer(os);
  visit(param, printer);
}

bool modelwright::mgb::hasNegativeZero(const Param &param) {
  const flatbuffers::TypeTable *type = typeTableOf(param.type);
  bool hasFloats = false;
  for (size_t k = 0; k != type->num_elems; ++k)
    hasFloats |= type->type_codes[k].base_type == flatbuffers::ET_FLOAT ||
                 type->type_codes[k].base_type == flatbuffers::ET_DOUBLE;
  if (!hasFloats)
    return false;
  ZeroFinder finder;
  visit(param, finder);
  return finder.found;
}
