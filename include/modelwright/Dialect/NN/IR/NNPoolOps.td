//===- NNPoolOps.td - Pool ops -----------------------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNPOOLOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNPOOLOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

class NN_Pool2DOp<string mnemonic> : NN_InferredOp<mnemonic> {
  dag windowAttributes = (ins
    DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
    DenseI64ArrayAttr:$pads,
    DefaultValuedAttr<NN_LayoutAttr, "Layout::NCHW">:$layout);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

def NN_MaxPool2DOp : NN_Pool2DOp<"max_pool2d"> {
  let summary = "maximum over sliding windows";
  let description = [{
    `result[oh,ow] = max over fh,fw of input[oh*stride - pad + fh,
    ow*stride - pad + fw]` per channel, over the elements inside of the image
    only. Size: `O = (I + 2*pad - K) / stride + 1`, floored; `pads` is as in
    `nn.conv2d`. A window that
    lies in the padding as a whole has no value. The element type (float,
    quantized or 8-bit integer) stays.
  }];
  let arguments = !con((ins NN_Tensor:$input), windowAttributes);
}

def NN_AvgPool2DOp : NN_Pool2DOp<"avg_pool2d"> {
  let summary = "mean over sliding windows";
  let description = [{
    `result[oh,ow] = (sum over fh,fw of input[oh*stride - pad + fh,
    ow*stride - pad + fw]) / count` per channel, with zero (real 0 for
    quantized inputs) outside of the image. `count` is `KH*KW` with
    `count_include_pad`, else the number of elements inside of the image.
    Size as in `nn.max_pool2d`.

    The element type stays. Quantized: the mean of the codes, rounded half away
    from zero; plain 8-bit integers are truncated toward zero.
  }];
  let arguments = !con((ins NN_Tensor:$input), windowAttributes,
                       (ins UnitAttr:$count_include_pad));
}

class NN_AdaptivePool2DOp<string mnemonic> : NN_ValueShapedOp<mnemonic> {
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $output_size attr-dict `:` functional-type(operands, results)
  }];
}

def NN_AdaptiveMaxPool2DOp : NN_AdaptivePool2DOp<"adaptive_max_pool2d"> {
  let summary = "maximum pooling to a given size";
  let description = [{
    `nn.max_pool2d` without padding whose window gives the spatial size that
    the two integers of `output_size` say: per dim `stride = I / O` (floored)
    and `K = I - (O - 1)*stride`.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$output_size,
    DefaultValuedAttr<NN_LayoutAttr, "Layout::NCHW">:$layout);
}

def NN_AdaptiveAvgPool2DOp : NN_AdaptivePool2DOp<"adaptive_avg_pool2d"> {
  let summary = "mean pooling to a given size";
  let description = [{
    `nn.avg_pool2d` without padding whose window gives the spatial size that
    the two integers of `output_size` say: per dim `stride = I / O` (floored)
    and `K = I - (O - 1)*stride`. Without padding `count_include_pad` changes
    nothing; it is kept for the formats that tell.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$output_size,
    DefaultValuedAttr<NN_LayoutAttr, "Layout::NCHW">:$layout,
    UnitAttr:$count_include_pad);
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNPOOLOPS_TD
