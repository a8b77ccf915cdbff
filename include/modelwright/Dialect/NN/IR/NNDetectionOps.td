//===- NNDetectionOps.td - Detection ops -------------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNDETECTIONOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNDETECTIONOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

def NN_RoIPoolOp : NN_ValueShapedOp<"roi_pool"> {
  let summary = "pooling of regions of interest";
  let description = [{
    A row of `rois` (`R,5`) is a batch index and the corners x0, y0, x1, y1 of
    a box. With all corners `round(v*spatial_scale)` (half away from zero) and
    extents `max(end - start + 1, 1)`, bin i of the O of a dim covers
    `[floor(i*extent/O) + start, ceil((i + 1)*extent/O) + start)`, clipped to
    the map. `result[r,c,oh,ow]` is the maximum or the mean of the bin, 0 for
    an empty one. `indices` are `h*W + w` of the maximum (-1 for an empty bin;
    no meaning in mode `average`).

    `input` is `N,C,H,W`; the two integers of `output_size` are OH and OW, both
    results `R,C,OH,OW`. Floats; `indices` is `i32`.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$rois,
    NN_Tensor:$output_size, NN_PoolModeAttr:$mode, F32Attr:$spatial_scale);
  let results = (outs NN_Tensor:$result, NN_Tensor:$indices);
  let assemblyFormat = [{
    $input `,` $rois `,` $output_size attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_RoIAlignOp : NN_InferredOp<"roi_align"> {
  let summary = "pooling of regions of interest without rounding";
  let description = [{
    A row of `rois` (`R,5`) is a batch index and the corners x0, y0, x1, y1 of
    a box; corners are `v*spatial_scale - offset` and extents
    `max(end - start, 0)`. Sample k of the S of bin p of a dim lies at
    `start + extent/pooled*(p + (k + 0.5)/S)`; it is the bilinear mix of the
    four pixels around it, zero for those outside of the map.
    `result[r,c,oh,ow]` is the maximum or the mean of the samples of the bin;
    `indices` the number `iy*sample_width + ix` of the largest one (no meaning
    in mode `average`).

    The result has `R` in place of `N` and `pooled_size` as spatial size, in
    `layout` (NCHW or NCHW4). Floats, in NCHW4 also quantized; `indices` is
    `i32`.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$rois,
    NN_PoolModeAttr:$mode, F32Attr:$spatial_scale, F32Attr:$offset,
    DenseI64ArrayAttr:$pooled_size, DenseI64ArrayAttr:$sample_size,
    DefaultValuedAttr<NN_LayoutAttr, "Layout::NCHW">:$layout);
  let results = (outs NN_Tensor:$result, NN_Tensor:$indices);
  let assemblyFormat = [{
    $input `,` $rois attr-dict `:` functional-type(operands, results)
  }];
}

def NN_DeformPSRoIPoolOp : NN_InferredOp<"deform_psroi_pool"> {
  let summary = "deformable position-sensitive pooling of regions";
  let description = [{
    A row of `rois` (`R,5`) is a batch index and the corners x0, y0, x1, y1 of
    a box, which reaches from `round(v0)*spatial_scale - 0.5` to
    `(round(v1) + 1)*spatial_scale - 0.5`, at least 0.1 wide and high. Each of
    the bins of `pooled_size` takes `sample_per_part^2` bilinear samples,
    evenly from the bin's start on; those outside of `(-0.5, size - 0.5)` are
    left out, the others clamped to the map. `result` is the mean of the
    samples, `count` their number.

    Unless `no_trans`, a bin is shifted by `trans*trans_std*extent`; `trans` is
    `R,2,pooled_size...`, and `part_size` its number of parts per dim. `input`
    is `N,C,H,W` of `f32`, both results are `R,C,pooled_size...`.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$rois, NN_Tensor:$trans,
    UnitAttr:$no_trans, F32Attr:$spatial_scale, F32Attr:$trans_std,
    DenseI64ArrayAttr:$pooled_size, I64Attr:$part_size,
    I64Attr:$sample_per_part);
  let results = (outs NN_Tensor:$result, NN_Tensor:$count);
  let assemblyFormat = [{
    $input `,` $rois `,` $trans attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_NMSOp : NN_InferredOp<"nms"> {
  let summary = "non-maximum suppression";
  let description = [{
    Walks the boxes (x0, y0, x1, y1) of each batch entry of `boxes` (`B,N,4`,
    best first) and keeps a box unless its intersection with a kept one exceeds
    `iou_threshold` times their union, until `max_output` are kept. `indices`
    (`B,max_output` of `i32`) are the kept boxes, the last one repeated in the
    free places; `count` (`B` of `i32`) their number. Areas are
    `(x1 - x0)*(y1 - y0)`. `f32`.
  }];
  let arguments = (ins NN_Tensor:$boxes, F32Attr:$iou_threshold,
    I64Attr:$max_output);
  let results = (outs NN_Tensor:$indices, NN_Tensor:$count);
  let assemblyFormat = [{
    $boxes attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNDETECTIONOPS_TD
