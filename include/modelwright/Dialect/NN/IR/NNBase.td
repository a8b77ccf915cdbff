//===- NNBase.td - The nn dialect and its op base classes --*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNBASE_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def NN_Dialect : Dialect {
  let name = "nn";
  let cppNamespace = "::modelwright::nn";
  let summary = "Neural-network graphs with one semantics for all file formats";
  let description = [{
    Ops over builtin ranked tensors whose element types are builtin numbers or
    `!quant.uniform`. A graph is a `func.func`, a model a `builtin.module`.

    Element types: `i8 i16 i32 f16 bf16 f32 complex<f32>` are what they say,
    `ui8 ui16 ui4` are unsigned integers, `i1` is a boolean (one byte per
    element in memory), `si8` is an uninterpreted byte and `si1` a one-bit
    integer. `!nn.unknown` stands for an element type that a model file does
    not tell (results of vendor ops).

    Physical layout is an attribute of the ops that care; tensors carry their
    physical shape. Attributes with the prefix of a file format (`mgb.`, `ge.`)
    are discardable: they carry what the format says and the dialect does not
    model.
  }];
  let dependentDialects = ["::mlir::quant::QuantDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 0;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Name of a function's argument or result: a StringAttr. The name of a
    /// result is the graph output's, whatever value is returned there.
    static constexpr ::llvm::StringLiteral kNameAttr = "nn.name";
    /// Default value of an overridable input: an ElementsAttr on an argument.
    static constexpr ::llvm::StringLiteral kDefaultAttr = "nn.default";
    /// The elements of a weight that became an argument: an ElementsAttr.
    static constexpr ::llvm::StringLiteral kConstantAttr = "nn.constant";
    /// Marks the argument through which native code tells why it stopped.
    static constexpr ::llvm::StringLiteral kStatusAttr = "nn.status";

  private:
    // One per op family, defined beside the family's ops.
    void registerElementwiseOps();
    void registerConvOps();
    void registerPoolOps();
    void registerNormOps();
    void registerLinearOps();
    void registerReduceOps();
    void registerShapeOps();
    void registerIndexOps();
    void registerRecurrentOps();
    void registerImageOps();
    void registerDetectionOps();
    void registerQuantOps();
    void registerDataOps();
    void registerControlOps();
    void registerForeignOps();
    void registerTypes();
    void registerAttributes();

  public:
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class NN_Type<string name, string typeMnemonic>
    : TypeDef<NN_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def NN_UnknownType : NN_Type<"Unknown", "unknown"> {
  let summary = "element type that the source file does not tell";
}

/// Any tensor the dialect works on. Ops state finer rules in their inference.
def NN_Tensor : TensorOf<[AnyType]>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// An axis, an offset or the like: what a signed 32-bit field of the formats
/// can hold, whatever the rank of the operands.
def NN_I32RangeAttr : ConfinedAttr<I64Attr,
    [IntMinValue<-2147483648>, IntMaxValue<2147483647>]> {
  let summary = "integer of at most 32 bits";
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

def NN_ValueShapedOpInterface : OpInterface<"ValueShapedOpInterface"> {
  let cppNamespace = "::modelwright::nn";
  let description = [{
    An op whose result shapes depend on the *values* of operands (the target of
    a reshape, the bounds of a slice). Its InferTypeOpInterface uses operands
    that are constants; this method uses whatever the caller knows.
  }];
  let methods = [InterfaceMethod<[{
      Infers the result types with the operand values that `values` knows.
    }], "::llvm::LogicalResult", "inferTypesWithValues",
    (ins "::modelwright::nn::KnownValues":$values,
         "::llvm::SmallVectorImpl<::mlir::Type> &":$types)>];
}

def NN_ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::modelwright::nn";
  let description = [{
    An op with one result whose operands broadcast numpy style (right aligned)
    to the result's shape, each element of which depends on the elements in the
    same place only. Layout changes and shape ops may move across it.
  }];
}

//===----------------------------------------------------------------------===//
// Op base classes
//===----------------------------------------------------------------------===//

class NN_Op<string mnemonic, list<Trait> traits = []>
    : Op<NN_Dialect, mnemonic, traits> {
  /// What a base class and what an op add to the op's class; use these, not
  /// extraClassDeclaration.
  code nnBaseDeclaration = "";
  code nnClassDeclaration = "";
  let extraClassDeclaration = [{
    /// A result may be known more exactly than its operands imply.
    static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                        ::mlir::TypeRange actual) {
      return ::modelwright::nn::areCompatibleResultTypes(inferred, actual);
    }
  }] # nnBaseDeclaration # nnClassDeclaration;
}

/// A pure op whose result types follow from operands and attributes by a
/// hand-written `inferReturnTypes(ctx, loc, adaptor, types)`. The verifier runs
/// the same function, so constraints live there and only there.
class NN_InferredOp<string mnemonic, list<Trait> traits = []>
    : NN_Op<mnemonic, [Pure, InferTypeOpAdaptor] # traits>;

/// The same for ops that read operand values to know their result shape. They
/// write `inferTypes` by hand; the methods of both interfaces call it.
class NN_ValueShapedOp<string mnemonic, list<Trait> traits = []>
    : NN_InferredOp<mnemonic,
        [DeclareOpInterfaceMethods<NN_ValueShapedOpInterface>] # traits> {
  let nnBaseDeclaration = [{
    /// Infers the result types with the operand values that `values` knows.
    static ::llvm::LogicalResult
    inferTypes(std::optional<::mlir::Location> loc, Adaptor adaptor,
               ::modelwright::nn::KnownValues values,
               ::llvm::SmallVectorImpl<::mlir::Type> &types);
  }];
  code nnClassDefinition = "";
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> loc,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return inferTypes(loc, adaptor, ::modelwright::nn::getConstantInts,
                        types);
    }
    ::llvm::LogicalResult $cppClass::inferTypesWithValues(
        ::modelwright::nn::KnownValues values,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return inferTypes(getLoc(), Adaptor(*this), values, types);
    }
  }] # nnClassDefinition;
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNBASE_TD
