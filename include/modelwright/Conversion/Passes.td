//===- Passes.td - Conversion of the nn dialect ------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_CONVERSION_PASSES_TD
#define MODELWRIGHT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrepareEntry : Pass<"prepare-entry", "::mlir::ModuleOp"> {
  let summary = "Give the entry function the arguments of native code";
  let description = [{
    Native code keeps weights outside of the module: each `nn.constant` and
    `nn.variable` of the entry function (the first public one with a body)
    becomes an argument behind the inputs, which carries the elements in its
    attribute `nn.constant`. Splats, and constants of up to `max-inline`
    elements, stay where they are, as do those of other functions. Constants
    that are the same attribute share one argument.

    Behind them comes one argument more, marked `nn.status`, of type
    `tensor<1xi64>`: see `lower-runtime-checks`.

    All arguments are marked as not to be written to.

    Functions that call themselves, directly or not, are refused.
  }];
  let options = [
    Option<"maxInline", "max-inline", "uint64_t", /*default=*/"16",
           "Number of elements up to which a constant stays in the code">
  ];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::modelwright::nn::NNDialect"];
}

def ConvertNNToLinalg : Pass<"convert-nn-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower the nn dialect to linalg on tensors";
  let description = [{
    The executable semantics of the dialect: each op becomes `linalg`,
    `tensor`, `arith`, `math`, `scf` and `cf.assert`, or a call into the
    runtime library where an op is a search or a sort rather than a loop nest.

    Element types become what holds them in memory: unsigned integers and
    quantized types are signless integers of their storage's width, elements
    narrower than a byte are held as one byte each.

    Ops that have no lowering, for themselves or for their types, are all
    listed, each as an error; the pass then fails.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::complex::ComplexDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

#endif // MODELWRIGHT_CONVERSION_PASSES_TD
