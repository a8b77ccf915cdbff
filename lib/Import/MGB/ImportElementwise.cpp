//===- ImportElementwise.cpp - Elementwise operators to nn ----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elemwise becomes an op without `out_type`. ElemwiseMultiType becomes the
// same op with `out_type` (quantized and boolean results), or one whose
// operand element types tell (integer factors). So the op says which it was.
//
//===----------------------------------------------------------------------===//

#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

using Mode = param::ElemwiseMode;
using MultiMode = param::ElemwiseMultiTypeMode;

//===----------------------------------------------------------------------===//
// One op by mode
//===----------------------------------------------------------------------===//

namespace {
/// Makes the op of a mode; `outType` may be null.
using CreateFn = LogicalResult (*)(OprImporter &imp, TypeAttr outType);

template <typename ModeT> struct ModeEntry {
  ModeT mode;
  CreateFn create;
};
} // namespace

template <typename OpT> static constexpr unsigned getArity() {
  if (OpT::template hasTrait<OpTrait::OneOperand>())
    return 1;
  if (OpT::template hasTrait<OpTrait::NOperands<2>::Impl>())
    return 2;
  return OpT::template hasTrait<OpTrait::NOperands<3>::Impl>() ? 3 : 4;
}

template <typename OpT>
static LogicalResult createOp(OprImporter &imp, TypeAttr outType) {
  constexpr unsigned arity = getArity<OpT>();
  if (failed(imp.expectInputs(arity, arity)))
    return failure();
  typename OpT::Properties properties;
  properties.out_type = outType;
  return imp.create<OpT>(imp.operands, properties);
}

template <nn::Activation activation>
static LogicalResult createAdd(OprImporter &imp, TypeAttr outType) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  nn::AddOp::Properties properties;
  properties.activation = nn::ActivationAttr::get(imp.getContext(), activation);
  properties.out_type = outType;
  return imp.create<nn::AddOp>(imp.operands, properties);
}

static constexpr ModeEntry<Mode> kElemwiseModes[] = {
#define MGB_ELEMWISE(MODE, OP) {Mode::MODE, createOp<nn::OP>},
#define MGB_ELEMWISE_ADD(MODE, ACTIVATION)                                     \
  {Mode::MODE, createAdd<nn::Activation::ACTIVATION>},
#include "modelwright/Interop/MGB/ElemwiseModes.def"
};
static_assert(std::size(kElemwiseModes) == static_cast<size_t>(Mode::MAX) + 1,
              "every mode needs an op");

static constexpr ModeEntry<MultiMode> kQuantizedModes[] = {
#define MGB_QUANTIZED(MODE, OP) {MultiMode::MODE, createOp<nn::OP>},
#define MGB_QUANTIZED_ADD(MODE, ACTIVATION)                                    \
  {MultiMode::MODE, createAdd<nn::Activation::ACTIVATION>},
#include "modelwright/Interop/MGB/ElemwiseModes.def"
};

static constexpr ModeEntry<MultiMode> kBooleanModes[] = {
#define MGB_BOOLEAN(MODE, OP) {MultiMode::MODE, createOp<nn::OP>},
#include "modelwright/Interop/MGB/ElemwiseModes.def"
};

template <typename ModeT>
static CreateFn lookup(ArrayRef<ModeEntry<ModeT>> entries, ModeT mode) {
  for (const ModeEntry<ModeT> &entry : entries)
    if (entry.mode == mode)
      return entry.create;
  return nullptr;
}

static LogicalResult importElemwise(OprImporter &imp) {
  Mode mode = imp.param<param::ElemwiseT>().mode;
  if (CreateFn create = lookup<Mode>(kElemwiseModes, mode))
    return create(imp, TypeAttr());
  return imp.emitError() << "unknown mode " << static_cast<uint32_t>(mode);
}

//===----------------------------------------------------------------------===//
// ElemwiseMultiType
//===----------------------------------------------------------------------===//

namespace {
enum class ElementKind { U8, I16, I32, F32 };

struct MixedMode {
  MultiMode mode;
  CreateFn create;
  ArrayRef<ElementKind> kinds;
};
} // namespace

template <ElementKind... kinds>
static constexpr ElementKind kKindList[] = {kinds...};

static Type getElement(Builder &builder, ElementKind kind) {
  switch (kind) {
  case ElementKind::U8:
    return builder.getIntegerType(8, /*isSigned=*/false);
  case ElementKind::I16:
    return builder.getI16Type();
  case ElementKind::I32:
    return builder.getI32Type();
  case ElementKind::F32:
    return builder.getF32Type();
  }
  llvm_unreachable("all kinds are handled");
}

/// The operands must be what the mode's name says: export tells the mode by
/// their types.
static LogicalResult importMixed(OprImporter &imp, const MixedMode &mode) {
  size_t count = mode.kinds.size();
  if (failed(imp.expectInputs(count, count)))
    return failure();
  for (auto [index, kind] : llvm::enumerate(mode.kinds)) {
    Type expected = getElement(imp.builder, kind);
    Type got = nn::getElementType(imp.operands[index].getType());
    if (got != expected)
      return imp.emitError() << "input #" << index << " must hold " << expected
                             << " in this mode, got " << got;
  }
  return mode.create(imp, TypeAttr());
}

static LogicalResult importShiftRight(OprImporter &imp, Type outType) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  nn::ShiftRightSaturateOp::Properties properties;
  properties.out_type = TypeAttr::get(outType);
  return imp.create<nn::ShiftRightSaturateOp>(imp.operands, properties);
}

static LogicalResult importAddRequantize(OprImporter &imp, Type wide) {
  if (failed(imp.expectInputs(6, 6)))
    return failure();
  Type got = nn::getElementType(imp.operands[0].getType());
  if (got != wide)
    return imp.emitError() << "input #0 must hold " << wide
                           << " in this mode, got " << got;
  return imp.create<nn::AddRequantizeOp>(imp.operands);
}

static LogicalResult importMultiType(OprImporter &imp) {
  using enum ElementKind;
  static const MixedMode kMixedModes[] = {
#define MGB_MIXED(MODE, OP, ...)                                               \
  {MultiMode::MODE, createOp<nn::OP>, kKindList<__VA_ARGS__>},
#include "modelwright/Interop/MGB/ElemwiseModes.def"
  };
  MultiMode mode = imp.param<param::ElemwiseMultiTypeT>().mode;
  Builder &b = imp.builder;
  if (CreateFn create = lookup<MultiMode>(kQuantizedModes, mode)) {
    FailureOr<TypeAttr> outType = imp.takeOutputType();
    if (failed(outType))
      return failure();
    if (!*outType)
      return imp.emitError() << "a quantized mode needs an output dtype";
    return create(imp, *outType);
  }
  if (CreateFn create = lookup<MultiMode>(kBooleanModes, mode))
    return create(imp, TypeAttr::get(b.getI1Type()));
  for (const MixedMode &mixed : kMixedModes)
    if (mixed.mode == mode)
      return importMixed(imp, mixed);
  switch (mode) {
  case MultiMode::FUSE_MUL_ADD3_IXxF32xF32xI8:
    if (failed(imp.expectInputs(3, 3)))
      return failure();
    return imp.create<nn::FmaSaturateOp>(imp.operands);
  case MultiMode::ROUND_SHR_SATURATE_IXxI8xI8:
    return importShiftRight(imp, b.getI8Type());
  case MultiMode::ROUND_SHR_SATURATE_IXxI8xI16:
    return importShiftRight(imp, b.getI16Type());
  case MultiMode::FUSE_ADD_RMULH_ROUND_SHR_SATURATE_INT16x16x16x8:
    return importAddRequantize(imp, b.getI16Type());
  case MultiMode::FUSE_ADD_RMULH_ROUND_SHR_SATURATE_INT32x32x32x8:
    return importAddRequantize(imp, b.getI32Type());
  default:
    return imp.emitError() << "unknown mode " << static_cast<uint32_t>(mode);
  }
}

//===----------------------------------------------------------------------===//
// PowC, TypeCvt
//===----------------------------------------------------------------------===//

static LogicalResult importPowC(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  nn::PowConstOp::Properties properties;
  properties.exponent = imp.f32(imp.param<param::PowCT>().exp);
  return imp.create<nn::PowConstOp>(imp.operands, properties);
}

static LogicalResult importTypeCvt(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  const auto &param = imp.param<fbs::DTypeT>();
  DType dtype{param.type};
  if (const auto *quant = param.param.AsLinearQuantizationParam()) {
    dtype.hasQuantization = true;
    dtype.scale = quant->scale;
    dtype.zeroPoint = quant->zero_point;
  }
  Type to =
      getElementType(imp.getContext(), dtype, [&] { return imp.emitError(); });
  if (!to)
    return failure();
  nn::CastOp::Properties properties;
  properties.to = TypeAttr::get(to);
  FailureOr<nn::CastOp> op = imp.create<nn::CastOp>(imp.operands, properties);
  if (failed(op))
    return failure();
  if (dtype.hasQuantization && !nn::isQuantized(to)) {
    Builder b(imp.getContext());
    (*op)->setAttr(attr::kDTypeParam,
                   b.getDictionaryAttr(
                       {b.getNamedAttr("scale", b.getF32FloatAttr(dtype.scale)),
                        b.getNamedAttr("zero_point",
                                       b.getI64IntegerAttr(dtype.zeroPoint))}));
  }
  return success();
}

void mgb::registerElementwiseImports(ImportRegistry &registry) {
  registry.add<
#define MGB_ELEMWISE(MODE, OP) nn::OP,
#include "modelwright/Interop/MGB/ElemwiseModes.def"
      nn::AddOp>("Elemwise", importElemwise);
  registry.add<
#define MGB_QUANTIZED(MODE, OP) nn::OP,
#include "modelwright/Interop/MGB/ElemwiseModes.def"
      nn::NotEqualOp, nn::IsNanOp, nn::IsInfOp, nn::AddOp, nn::FmaSaturateOp,
      nn::ShiftRightSaturateOp, nn::AddRequantizeOp>("ElemwiseMultiType",
                                                     importMultiType);
  registry.add<nn::PowConstOp>("PowC", importPowC);
  registry.add<nn::CastOp>("TypeCvtV2", importTypeCvt);
}
