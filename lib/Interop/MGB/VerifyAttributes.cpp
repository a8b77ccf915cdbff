//===- VerifyAttributes.cpp - Kinds of the mgb.* attributes ---------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Interop/MGB/VerifyAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "modelwright/Interop/MGB/Attributes.h"

using namespace mlir;
using namespace modelwright::mgb;

namespace {

using Check = bool (*)(Attribute);

/// What an attribute, or an entry of a dictionary, must be.
struct Rule {
  StringLiteral name;
  StringLiteral expected;
  Check check;
};

} // namespace

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

static bool isUnit(Attribute attr) { return isa<UnitAttr>(attr); }
static bool isBool(Attribute attr) { return isa<BoolAttr>(attr); }
static bool isString(Attribute attr) { return isa<StringAttr>(attr); }
static bool isType(Attribute attr) { return isa<TypeAttr>(attr); }
static bool isBytes(Attribute attr) { return isa<DenseI8ArrayAttr>(attr); }
static bool isStringOrUnit(Attribute attr) {
  return isa<StringAttr, UnitAttr>(attr);
}

/// An integer of 64 bits or less that fits `low` to `high`.
static bool isInteger(Attribute attr, int64_t low, int64_t high) {
  auto integer = dyn_cast<IntegerAttr>(attr);
  if (!integer || isa<BoolAttr>(attr) || !integer.getType().isSignlessInteger())
    return false;
  if (integer.getValue().getBitWidth() > 64)
    return false;
  int64_t value = integer.getInt();
  return value >= low && value <= high;
}

static bool isI64(Attribute attr) {
  return isInteger(attr, INT64_MIN, INT64_MAX);
}
static bool isI32(Attribute attr) {
  return isInteger(attr, INT32_MIN, INT32_MAX);
}
static bool isU32(Attribute attr) { return isInteger(attr, 0, UINT32_MAX); }
static bool isU8(Attribute attr) { return isInteger(attr, 0, UINT8_MAX); }
static bool isIndex(Attribute attr) { return isInteger(attr, 0, INT64_MAX); }

static bool isU64(Attribute attr) {
  auto integer = dyn_cast<IntegerAttr>(attr);
  return integer && integer.getType().isUnsignedInteger(64);
}

/// An array of i64 that fit 0 to `high`, `count` of them if that is not -1.
static bool isI64s(Attribute attr, int64_t high, int64_t count) {
  auto array = dyn_cast<DenseI64ArrayAttr>(attr);
  return array && (count < 0 || array.size() == count) &&
         llvm::all_of(array.asArrayRef(), [&](int64_t value) {
           return value >= 0 && value <= high;
         });
}

static bool isShape(Attribute attr) { return isI64s(attr, UINT32_MAX, -1); }
static bool isU8Pair(Attribute attr) { return isI64s(attr, UINT8_MAX, 2); }

static bool isMiddleFormat(Attribute attr) {
  // The first is the kind: None, Default, Image2DPacked, LowbitsAligned.
  return isI64s(attr, UINT8_MAX, 4) &&
         cast<DenseI64ArrayAttr>(attr).asArrayRef().front() <= 3;
}

static bool isPolicy(Attribute attr) {
  // The workspace limit is unsigned: any of 64 bits.
  auto array = dyn_cast<DenseI64ArrayAttr>(attr);
  return array && array.size() == 2 && array[0] >= 0 &&
         array[0] <= int64_t(UINT32_MAX);
}

static bool isBoolPair(Attribute attr) {
  auto array = dyn_cast<DenseBoolArrayAttr>(attr);
  return array && array.size() == 2;
}

static bool isEncoding(Attribute attr) {
  auto name = dyn_cast<StringAttr>(attr);
  return name && (name == "MGBS" || name == "MGBC" || name == "mgv2");
}

template <Check element> static bool isArrayOf(Attribute attr) {
  auto array = dyn_cast<ArrayAttr>(attr);
  return array && llvm::all_of(array, element);
}

/// A dictionary whose entries are all among the rules, and in order.
static bool follows(Attribute attr, ArrayRef<Rule> rules) {
  auto dict = dyn_cast<DictionaryAttr>(attr);
  return dict && llvm::all_of(dict, [&](NamedAttribute entry) {
           return llvm::any_of(rules, [&](const Rule &rule) {
             return entry.getName() == rule.name &&
                    rule.check(entry.getValue());
           });
         });
}

//===----------------------------------------------------------------------===//
// Dictionaries
//===----------------------------------------------------------------------===//

static bool isTensorRecord(Attribute attr) {
  static constexpr Rule rules[] = {
      {"name", "", isString},       {"comp_node", "", isStringOrUnit},
      {"no_comp_node", "", isUnit}, {"no_dtype", "", isUnit},
      {"no_shape", "", isUnit},     {"no_format", "", isUnit},
      {"skipped", "", isBytes},     {"image2d_axis", "", isU8},
      {"lowbits", "", isU8Pair},
  };
  return follows(attr, rules);
}

static bool isMiddle(Attribute attr) {
  static constexpr Rule rules[] = {
      {"shape", "", isShape},
      {"no_shape", "", isUnit},
      {"comp_node", "", isStringOrUnit},
      {"dtype", "", isType},
      {"format", "", isMiddleFormat},
  };
  return isa<UnitAttr>(attr) || follows(attr, rules);
}

static bool isMetadata(Attribute attr) {
  static constexpr Rule rules[] = {
      {"is_valid", "", isBool},
      {"graph_modified", "", isBool},
      {"optimize_options", "", isI64},
      {"user_info", "", isString},
  };
  return follows(attr, rules);
}

static bool isAlias(Attribute attr) {
  static constexpr Rule rules[] = {{"id", "", isU32}, {"name", "", isString}};
  return follows(attr, rules);
}

static bool isPacked(Attribute attr) {
  static constexpr Rule rules[] = {
      {"name", "", isString},
      {"info_decryption", "", isString},
      {"info_parse", "", isString},
      {"model_decryption", "", isString},
      {"info_cache_parse", "", isString},
      {"fast_run_cache", "", isBool},
      {"has_info", "", isUnit},
      {"info_data", "", isString},
      {"algo_policy", "", isString},
      {"binary_cache", "", isString},
  };
  return follows(attr, rules);
}

static bool isDictionary(Attribute attr) { return isa<DictionaryAttr>(attr); }

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// On ops and arguments.
constexpr Rule kOpRules[] = {
    {attr::kName, "a string", isString},
    {attr::kVars, "an array of strings or units", isArrayOf<isStringOrUnit>},
    {attr::kCompNode, "an array of strings or units",
     isArrayOf<isStringOrUnit>},
    {attr::kOutputDType, "a type", isType},
    {attr::kDTypeParam, "a dictionary", isDictionary},
    {attr::kPriority, "an integer of 32 bits", isI32},
    {attr::kOpr, "a string", isString},
    {attr::kPolicy, "an array of strategy and workspace limit", isPolicy},
    {attr::kOprVersion, "an unsigned integer of 32 bits", isU32},
    {attr::kType, "a string or unit", isStringOrUnit},
    {attr::kMiddle, "an array of middle tensor records", isArrayOf<isMiddle>},
    {attr::kTensor, "a tensor record", isTensorRecord},
    {attr::kHolder, "an integer of 64 bits", isI64},
    {attr::kBlobs, "an array of i8 arrays", isArrayOf<isBytes>},
    {attr::kParam, "a dictionary", isDictionary},
    {attr::kNoReserve, "unit", isUnit},
    {attr::kPosition, "an integer that is not negative", isIndex},
};

/// On functions, their results, and the module.
constexpr Rule kGraphRules[] = {
    {attr::kEncoding, "\"MGBS\", \"MGBC\" or \"mgv2\"", isEncoding},
    {attr::kVersion, "an unsigned integer of 32 bits", isU32},
    {attr::kModelVersion, "an unsigned integer of 32 bits", isU32},
    {attr::kHash, "an integer of type ui64", isU64},
    {attr::kNrSharedTensor, "an unsigned integer of 32 bits", isU32},
    {attr::kMetadata, "a dictionary of metadata", isMetadata},
    {attr::kOutputAlias, "an array of aliases", isArrayOf<isAlias>},
    {attr::kShiftedUnion, "unit", isUnit},
    {attr::kLayouts, "an array of two booleans", isBoolPair},
    {attr::kKeepsVars, "unit", isUnit},
    {attr::kCompNode, "a string or unit", isStringOrUnit},
    {attr::kTestcase, "an integer that is not negative", isIndex},
    {attr::kOriginalId, "an unsigned integer of 32 bits", isU32},
    {attr::kTestcaseFile, "unit", isUnit},
    {attr::kPacked, "a dictionary of a packed model's members", isPacked},
};

static LogicalResult verify(DictionaryAttr attrs, ArrayRef<Rule> rules,
                            Location loc) {
  for (NamedAttribute named : attrs) {
    if (!named.getName().strref().starts_with("mgb."))
      continue;
    const Rule *rule = llvm::find_if(
        rules, [&](const Rule &r) { return named.getName() == r.name; });
    if (rule == rules.end())
      return emitError(loc) << "attribute '" << named.getName().strref()
                            << "' is not known here";
    if (!rule->check(named.getValue()))
      return emitError(loc) << "attribute '" << rule->name << "' must be "
                            << rule->expected << ", found " << named.getValue();
  }
  return success();
}

static LogicalResult verifyFunc(func::FuncOp func) {
  LogicalResult result =
      verify(func->getDiscardableAttrDictionary(), kGraphRules, func.getLoc());
  for (unsigned k = 0; k != func.getNumArguments(); ++k)
    if (DictionaryAttr attrs = func.getArgAttrDict(k))
      if (failed(verify(attrs, kOpRules, func.getLoc())))
        result = failure();
  for (unsigned k = 0; k != func.getNumResults(); ++k)
    if (DictionaryAttr attrs = func.getResultAttrDict(k))
      if (failed(verify(attrs, kGraphRules, func.getLoc())))
        result = failure();
  func.getBody().walk([&](Operation *op) {
    if (failed(
            verify(op->getDiscardableAttrDictionary(), kOpRules, op->getLoc())))
      result = failure();
  });
  return result;
}

LogicalResult modelwright::mgb::verifyAttributes(ModuleOp module) {
  LogicalResult result = verify(module->getDiscardableAttrDictionary(),
                                kGraphRules, module.getLoc());
  for (func::FuncOp func : module.getOps<func::FuncOp>())
    if (failed(verifyFunc(func)))
      result = failure();
  return result;
}
