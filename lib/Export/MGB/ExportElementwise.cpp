//===- ExportElementwise.cpp - Elementwise operators from nn --------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op with `out_type` (quantized or boolean results) or with operands of
// several element types is an ElemwiseMultiType, any other an Elemwise.
//
//===----------------------------------------------------------------------===//

#include "OprExporter.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

using Mode = param::ElemwiseMode;
using MultiMode = param::ElemwiseMultiTypeMode;

static void setElemwise(OprExporter &exp, Mode mode) {
  exp.setOpr("Elemwise");
  exp.addParam<param::ElemwiseT>().mode = mode;
}

static void setMultiType(OprExporter &exp, MultiMode mode) {
  exp.setOpr("ElemwiseMultiType");
  exp.addParam<param::ElemwiseMultiTypeT>().mode = mode;
}

/// The mode of an op other than nn.add in one section of the table.
template <typename ModeT> using ModeMap = DenseMap<TypeID, ModeT>;

template <typename ModeT>
static std::optional<ModeT> lookup(const ModeMap<ModeT> &map, Operation *op) {
  auto it = map.find(op->getName().getTypeID());
  return it == map.end() ? std::nullopt : std::optional<ModeT>(it->second);
}

static std::optional<Mode> getElemwiseMode(Operation *op) {
  static const ModeMap<Mode> map = {
#define MGB_ELEMWISE(MODE, OP) {TypeID::get<nn::OP>(), Mode::MODE},
#include "modelwright/Interop/MGB/ElemwiseModes.def"
  };
  return lookup(map, op);
}

static std::optional<MultiMode> getQuantizedMode(Operation *op) {
  static const ModeMap<MultiMode> map = {
#define MGB_QUANTIZED(MODE, OP) {TypeID::get<nn::OP>(), MultiMode::MODE},
#include "modelwright/Interop/MGB/ElemwiseModes.def"
  };
  return lookup(map, op);
}

static std::optional<MultiMode> getBooleanMode(Operation *op) {
  static const ModeMap<MultiMode> map = {
#define MGB_BOOLEAN(MODE, OP) {TypeID::get<nn::OP>(), MultiMode::MODE},
#include "modelwright/Interop/MGB/ElemwiseModes.def"
  };
  return lookup(map, op);
}

static LogicalResult
exportQuantized(OprExporter &exp, std::optional<MultiMode> mode, Type outType) {
  if (!mode)
    return exp.emitError() << "the format has no quantized form of this op";
  setMultiType(exp, *mode);
  return exp.setOutputType(outType);
}

/// An op whose operands have one element type.
static LogicalResult exportUniform(Operation *op, OprExporter &exp,
                                   std::optional<Type> outType) {
  if (!outType) {
    setElemwise(exp, *getElemwiseMode(op));
    return success();
  }
  if (nn::isQuantized(*outType))
    return exportQuantized(exp, getQuantizedMode(op), *outType);
  // The walk writes an explicit output dtype if the file had one.
  std::optional<MultiMode> mode = getBooleanMode(op);
  if (!mode || !outType->isSignlessInteger(1))
    return exp.emitError() << "the format has no form of this op with results "
                           << *outType;
  setMultiType(exp, *mode);
  return success();
}

template <typename OpT>
static LogicalResult exportElementwise(OpT op, OprExporter &exp) {
  return exportUniform(op, exp, op.getOutType());
}

static LogicalResult exportAdd(nn::AddOp op, OprExporter &exp) {
  std::optional<Mode> mode;
  std::optional<MultiMode> quantizedMode;
  switch (op.getActivation()) {
#define MGB_ELEMWISE_ADD(MODE, ACTIVATION)                                     \
  case nn::Activation::ACTIVATION:                                             \
    mode = Mode::MODE;                                                         \
    break;
#include "modelwright/Interop/MGB/ElemwiseModes.def"
  default:
    return exp.emitError() << "the format has no addition with "
                           << nn::stringifyActivation(op.getActivation());
  }
  switch (op.getActivation()) {
#define MGB_QUANTIZED_ADD(MODE, ACTIVATION)                                    \
  case nn::Activation::ACTIVATION:                                             \
    quantizedMode = MultiMode::MODE;                                           \
    break;
#include "modelwright/Interop/MGB/ElemwiseModes.def"
  default:
    break;
  }
  if (std::optional<Type> outType = op.getOutType())
    return exportQuantized(exp, quantizedMode, *outType);
  setElemwise(exp, *mode);
  return success();
}

//===----------------------------------------------------------------------===//
// Operands of several element types
//===----------------------------------------------------------------------===//

namespace {
enum class ElementKind { U8, I16, I32, F32, Other };
} // namespace

static ElementKind getElementKind(Value value) {
  Type element = nn::getElementType(value.getType());
  if (element.isUnsignedInteger(8))
    return ElementKind::U8;
  if (element.isSignlessInteger(16))
    return ElementKind::I16;
  if (element.isSignlessInteger(32))
    return ElementKind::I32;
  return element.isF32() ? ElementKind::F32 : ElementKind::Other;
}

static std::optional<MultiMode> getMixedMode(Operation *op,
                                             ValueRange operands) {
  using enum ElementKind;
  auto kinds = llvm::map_to_vector(operands, getElementKind);
#define MGB_MIXED(MODE, OP, ...)                                               \
  if (isa<nn::OP>(op) &&                                                       \
      llvm::equal(kinds, std::initializer_list<ElementKind>{__VA_ARGS__}))     \
    return MultiMode::MODE;
#include "modelwright/Interop/MGB/ElemwiseModes.def"
  return std::nullopt;
}

/// An op that takes a narrow integer factor.
template <typename OpT>
static LogicalResult exportProduct(OpT op, OprExporter &exp) {
  SmallVector<Value> operands = op->getOperands();
  // The format wants the narrow factor first.
  if (operands.size() == 2 && getElementKind(operands[1]) == ElementKind::I16 &&
      getElementKind(operands[0]) == ElementKind::F32)
    std::swap(operands[0], operands[1]);
  if (std::optional<MultiMode> mode = getMixedMode(op, operands)) {
    setMultiType(exp, *mode);
    exp.setInputs(operands);
    return success();
  }
  return exportUniform(op, exp, op.getOutType());
}

static LogicalResult exportFmaSaturate(nn::FmaSaturateOp, OprExporter &exp) {
  setMultiType(exp, MultiMode::FUSE_MUL_ADD3_IXxF32xF32xI8);
  return success();
}

static LogicalResult exportShiftRightSaturate(nn::ShiftRightSaturateOp op,
                                              OprExporter &exp) {
  setMultiType(exp, op.getOutType().isInteger(8)
                        ? MultiMode::ROUND_SHR_SATURATE_IXxI8xI8
                        : MultiMode::ROUND_SHR_SATURATE_IXxI8xI16);
  return success();
}

static LogicalResult exportAddRequantize(nn::AddRequantizeOp op,
                                         OprExporter &exp) {
  Type wide = nn::getElementType(op.getLhs().getType());
  if (nn::isUnknown(wide))
    return exp.emitError() << "the element type of the operands is not known";
  setMultiType(
      exp, wide.isInteger(16)
               ? MultiMode::FUSE_ADD_RMULH_ROUND_SHR_SATURATE_INT16x16x16x8
               : MultiMode::FUSE_ADD_RMULH_ROUND_SHR_SATURATE_INT32x32x32x8);
  return success();
}

//===----------------------------------------------------------------------===//
// PowC, TypeCvt
//===----------------------------------------------------------------------===//

static LogicalResult exportPowConst(nn::PowConstOp op, OprExporter &exp) {
  exp.setOpr("PowC");
  exp.addParam<param::PowCT>().exp = op.getExponent().convertToFloat();
  return success();
}

static LogicalResult exportCast(nn::CastOp op, OprExporter &exp) {
  std::optional<DType> dtype = getDType(op.getTo());
  if (!dtype)
    return exp.emitError() << "the format has no dtype for " << op.getTo();
  exp.setOpr("TypeCvtV2");
  auto &param = exp.addParam<fbs::DTypeT>();
  param.type = dtype->type;
  auto kept = op->getAttrOfType<DictionaryAttr>(attr::kDTypeParam);
  if (kept && !dtype->hasQuantization) {
    dtype->hasQuantization = true;
    if (auto scale = kept.getAs<FloatAttr>("scale"))
      dtype->scale = scale.getValue().convertToDouble();
    if (auto zero = kept.getAs<IntegerAttr>("zero_point"))
      dtype->zeroPoint = zero.getInt();
  }
  if (dtype->hasQuantization) {
    fbs::LinearQuantizationParamT quant;
    quant.scale = dtype->scale;
    quant.zero_point = dtype->zeroPoint;
    param.param.Set(quant);
  }
  return success();
}

void mgb::registerElementwiseExports(ExportRegistry &registry) {
#define MGB_ELEMWISE(MODE, OP) registry.add(exportElementwise<nn::OP>);
#include "modelwright/Interop/MGB/ElemwiseModes.def"
  registry.add(exportAdd);
  registry.add(exportProduct<nn::MulOp>);
  registry.add(exportProduct<nn::FmaOp>);
  registry.add(exportFmaSaturate);
  registry.add(exportShiftRightSaturate);
  registry.add(exportAddRequantize);
  registry.add(exportPowConst);
  registry.add(exportCast);
}
