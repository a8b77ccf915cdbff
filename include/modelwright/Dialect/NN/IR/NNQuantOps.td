//===- NNQuantOps.td - Fake quantization -------------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantize-dequantize of training, on floats. `round` takes halves away from
// zero. All operands have one float type; all but the first broadcast to it.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNQUANTOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNQUANTOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

class NN_FakeQuantizeOp<string mnemonic, dag args>
    : NN_InferredOp<mnemonic, [NN_ElementwiseOpInterface]> {
  let arguments = !con(args, (ins I32Attr:$qmin, I32Attr:$qmax));
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> loc,
        $cppClass::Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return inferFakeQuantize(loc, adaptor.getOperands(), types);
    }
  }];
}

def NN_FakeQuantOp : NN_FakeQuantizeOp<"fake_quant",
    (ins NN_Tensor:$input, NN_Tensor:$scale, NN_Tensor:$zero_point)> {
  let summary = "quantization and dequantization with a given scale";
  let description = [{
    `result = (clip(round(input/scale) + zero_point, qmin, qmax) - zero_point)
    * scale`
  }];
}

def NN_TQTOp : NN_FakeQuantizeOp<"tqt",
    (ins NN_Tensor:$input, NN_Tensor:$log2_scale)> {
  let summary = "fake quantization with a trained power-of-two threshold";
  let description = [{
    `result = clip(round(input/s), qmin, qmax) * s` with `s = 2^log2_scale`
  }];
}

def NN_LSQOp : NN_FakeQuantizeOp<"lsq",
    (ins NN_Tensor:$input, NN_Tensor:$scale, NN_Tensor:$zero_point,
         NN_Tensor:$grad_scale)> {
  let summary = "fake quantization with a learned step size";
  let description = [{
    `result = (round(clip(input/scale + zero_point, qmin, qmax)) - zero_point)
    * scale`; `grad_scale` matters to the gradient only.
  }];
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNQUANTOPS_TD
