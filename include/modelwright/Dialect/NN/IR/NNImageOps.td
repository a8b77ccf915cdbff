//===- NNImageOps.td - Image ops ---------------------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNIMAGEOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNIMAGEOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

//===----------------------------------------------------------------------===//
// Resampling
//===----------------------------------------------------------------------===//

def NN_Resize2DOp : NN_ValueShapedOp<"resize2d"> {
  let summary = "resize of images to a given height and width";
  let description = [{
    Resamples `input` (I = its height or width) to the two values of
    `output_size`, height and width (O); all other dims stay. With
    `scale = O/I`, element i of an axis lies at the source coordinate x that
    `coordinates` says:

    * `half_pixel`: `x = (i + 0.5)/scale - 0.5`;
    * `asymmetric`: `x = i/scale`;
    * `align_corners`: `x = i*(I - 1)/(O - 1)`, 0 if O is 1.

    What becomes of x is `mode`:

    * `linear`: two taps, x clamped to `[0, I - 1]`.
    * `cubic` (`half_pixel` only): four taps of the cubic kernel with
      A = -0.75, indices clamped.
    * `nearest`: one element. `asymmetric` takes `min(int(i/scale), I - 1)`
      with scale and quotient in f32; in NHWC with 1 or 3 channels the index is
      `floor(i * (1/(O/I)))` in f64. `half_pixel` takes
      `min(floor((i + 0.5)*I/O), I - 1)`; `align_corners` rounds x to the
      nearest integer, halves up.
    * `area` (NHWC with 1 or 3 channels, `half_pixel` only, which has no
      effect): if both axes shrink, the mean over
      `[i*I/O, (i + 1)*I/O)` with fractional end cells; else linear between
      `s = floor(i*I/O)` and `s + 1` with weight `(i + 1) - (s + 1)*O/I` of the
      latter, taken as 0 if not positive and modulo 1 otherwise.
    * `lanczos4` (NHWC with 1 or 3 channels, `half_pixel` only): eight taps
      `floor(x) - 3` to `floor(x) + 4`, clamped, weights `sin(pi*d)*sin(pi*d/4)/d^2` normalised
      to sum 1.

    Integers are rounded (`ui8` also clamped to 0..255).
  }];
  let arguments = (ins
    NN_Tensor:$input, NN_Tensor:$output_size,
    DefaultValuedAttr<NN_InterpolationAttr, "Interpolation::linear">:$mode,
    DefaultValuedAttr<NN_CoordinatesAttr,
                      "Coordinates::half_pixel">:$coordinates,
    DefaultValuedAttr<NN_LayoutAttr, "Layout::NCHW">:$layout);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $output_size attr-dict `:` functional-type(operands, results)
  }];
}

def NN_Resize3DOp : NN_ValueShapedOp<"resize3d"> {
  let summary = "resize of volumes to a given depth, height and width";
  let description = [{
    Resamples `input` to the three values of `output_size` (depth, height,
    width), each axis linearly as in `nn.resize2d`. With `align_corners` the
    source coordinate is `i*(I - 1)/(O - 1)`. `layout` is NCDHW or NDHWC.
  }];
  let arguments = (ins
    NN_Tensor:$input, NN_Tensor:$output_size,
    DefaultValuedAttr<NN_InterpolationAttr, "Interpolation::linear">:$mode,
    DefaultValuedAttr<NN_LayoutAttr, "Layout::NCDHW">:$layout,
    UnitAttr:$align_corners);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $output_size attr-dict `:` functional-type(operands, results)
  }];
}

def NN_WarpPerspectiveOp
    : NN_ValueShapedOp<"warp_perspective", [AttrSizedOperandSegments]> {
  let summary = "perspective transformation of images";
  let description = [{
    The element at `(x, y)` of result image i is `input` at
    `((m00*x + m01*y + m02)/w, (m10*x + m11*y + m12)/w)` with
    `w = m20*x + m21*y + m22` and m = `matrix[i]` (`matrix` is `N,3,3`), mixed
    by `mode`. The result has N images of the size `output_size` (height,
    width).

    Result image i reads image i of the inputs (several inputs count as their
    concatenation along the batch), or image `matrix_index[i]` if that operand
    (`N` x i32) is given. Coordinates outside follow `border`; `constant` takes
    `border_value`, also where the coordinate is not finite.

    In NHWC with 1, 2 or 3 channels coordinates are rounded (half to even) to
    multiples of 1/32 first; other cases use exact coordinates and `linear`
    only.
  }];
  let arguments = (ins
    Variadic<NN_Tensor>:$inputs, NN_Tensor:$matrix,
    Optional<NN_Tensor>:$matrix_index, NN_Tensor:$output_size,
    DefaultValuedAttr<NN_InterpolationAttr, "Interpolation::linear">:$mode,
    DefaultValuedAttr<NN_BorderAttr, "Border::replicate">:$border,
    DefaultValuedAttr<NN_LayoutAttr, "Layout::NCHW">:$layout,
    DefaultValuedAttr<F32Attr, "0.0">:$border_value);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $inputs `matrix` $matrix (`index` $matrix_index^)? `size` $output_size
    attr-dict `:` functional-type(operands, results)
  }];
}

def NN_WarpAffineOp : NN_ValueShapedOp<"warp_affine"> {
  let summary = "affine transformation of images";
  let description = [{
    The element at `(x, y)` of result image i is image i of `input` at
    `(m00*x + m01*y + m02, m10*x + m11*y + m12)` with m = `matrix[i]`
    (`matrix` is `N,2,3`), mixed by `mode`; `border` as in
    `nn.warp_perspective`. The result has the size `output_size` (height,
    width).

    In NHWC with 1, 2 or 3 channels coordinates are fixed point:
    `((R((m01*y + m02)*1024) + 16 + R(m00*x*1024)) >> 5) / 32` with
    R = round to an integer; y likewise.
  }];
  let arguments = (ins
    NN_Tensor:$input, NN_Tensor:$matrix, NN_Tensor:$output_size,
    DefaultValuedAttr<NN_InterpolationAttr, "Interpolation::linear">:$mode,
    DefaultValuedAttr<NN_BorderAttr, "Border::replicate">:$border,
    DefaultValuedAttr<NN_LayoutAttr, "Layout::NCHW">:$layout,
    DefaultValuedAttr<F32Attr, "0.0">:$border_value);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $matrix `size` $output_size attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_RemapOp : NN_InferredOp<"remap"> {
  let summary = "sampling of images at given coordinates";
  let description = [{
    `result[n, c, i, j]` is `input[n, c]` at the coordinates
    `(x, y) = map[n, i, j]` (`map` is `N,OH,OW,2`), which are exact; `nearest`
    rounds half away from zero. Coordinates outside follow `border`;
    `constant` takes `border_value`.
  }];
  let arguments = (ins
    NN_Tensor:$input, NN_Tensor:$map,
    DefaultValuedAttr<NN_InterpolationAttr, "Interpolation::linear">:$mode,
    DefaultValuedAttr<NN_BorderAttr, "Border::replicate">:$border,
    DefaultValuedAttr<NN_LayoutAttr, "Layout::NCHW">:$layout,
    DefaultValuedAttr<F32Attr, "0.0">:$border_value);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $map attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Ops on NHWC images
//===----------------------------------------------------------------------===//

class NN_ImageOp<string mnemonic> : NN_InferredOp<mnemonic> {
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

def NN_RotateOp : NN_ImageOp<"rotate"> {
  let summary = "rotation of NHWC images by 90 degrees";
  let description = [{
    Swaps height and width: `out[i][j] = in[H - 1 - j][i]` if `clockwise`,
    else `out[i][j] = in[j][W - 1 - i]`. Images have 1 or 3 channels.
  }];
  let arguments = (ins NN_Tensor:$input,
                       DefaultValuedAttr<BoolAttr, "true">:$clockwise);
}

def NN_FlipOp : NN_ImageOp<"flip"> {
  let summary = "mirror image of NHWC images";
  let description = [{
    `vertical` reverses the order of rows, `horizontal` that of columns.
    Images have 1 or 3 channels.
  }];
  let arguments = (ins NN_Tensor:$input, UnitAttr:$vertical,
                       UnitAttr:$horizontal);
  let hasFolder = 1;
}

def NN_GaussianBlurOp : NN_ImageOp<"gaussian_blur"> {
  let summary = "Gaussian blur of NHWC images";
  let description = [{
    Separable: `kernel_width` and `sigma_x` along the width, `kernel_height`
    and `sigma_y` along the height; `sigma_y <= 0` means `sigma_x`. A size of
    0 means `int(8*sigma + 1.5) | 1`. The n weights are `exp(-d^2/(2*sigma^2))`
    normalised to sum 1; for `sigma <= 0` they are [1], [1 2 1]/4,
    [1 4 6 4 1]/16, [1 3.5 7 9 7 3.5 1]/32 for n = 1, 3, 5, 7 and else follow
    `sigma = ((n - 1)/2 - 1)*0.3 + 0.8`. `ui8` images use weights
    `int(w*256)`, round and shift by 16. The `constant` border is 0. Images
    have 1 or 3 channels.
  }];
  let arguments = (ins NN_Tensor:$input,
    DefaultValuedAttr<NN_BorderAttr, "Border::replicate">:$border,
    DefaultValuedAttr<I64Attr, "0">:$kernel_height,
    DefaultValuedAttr<I64Attr, "0">:$kernel_width,
    DefaultValuedAttr<F32Attr, "0.0">:$sigma_x,
    DefaultValuedAttr<F32Attr, "0.0">:$sigma_y);
}

def NN_CvtColorOp : NN_ImageOp<"cvt_color"> {
  let summary = "colour conversion of NHWC images";
  let description = [{
    With `D(x) = (x + 8192) >> 14` and channels in the order that the mode
    names:

    * to GRAY from RGB or BGR: `ui8` `(4899*R + 9617*G + 1868*B + 8192) >> 14`,
      floats `0.299*R + 0.587*G + 0.114*B`; alpha is dropped. GRAY2RGB
      repeats the channel, RGB2BGR and BGR2RGB swap, RGBA2RGB and RGBA2BGR drop
      alpha.
    * RGB2YUV on `ui8` c0, c1, c2: `Y = D(1868*c0 + 9617*c1 + 4899*c2)`, then
      `(Y, D((c0 - Y)*8061 + (128 << 14)), D((c2 - Y)*14369 + (128 << 14)))`.
      YUV2RGB with u = c1 - 128, v = c2 - 128:
      `(Y + D(33292*u), Y + D(-6472*u - 9519*v), Y + D(18678*v))`. Both are
      clamped to 0..255.
    * planar YUV 4:2:0: the input is `N,3*H/2,W,1`, the result `N,H,W,3`, or
      `N,H,W,1` for GRAY (the Y rows). After the Y rows come rows of U,V pairs
      (NV12), V,U pairs (NV21), all U then all V (YU12), or V then U (YV12).
      With `r = (359*(V - 128)) >> 8`, `b = (454*(U - 128)) >> 8`,
      `g = (88*(U - 128) + 183*(V - 128)) >> 8`: `(Y + r, Y - g, Y + b)`,
      clamped; BGR reverses. YCrCb2RGB and YCrCb2BGR read NV21.
    * BT601_*: `y = (Y*257*18997) >> 16`, `B = (y + 128*U - 17544) >> 6`,
      `G = (y - 25*U - 52*V + 8696) >> 6`, `R = (y + 102*V - 14216) >> 6`,
      clamped.
  }];
  let arguments = (ins NN_Tensor:$input, NN_ColorConversionAttr:$mode);
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

def NN_DctChannelSelectOp
    : NN_InferredOp<"dct_channel_select", [AttrSizedOperandSegments]> {
  let summary = "blockwise discrete cosine transform with channel selection";
  let description = [{
    Every b x b block X of each channel of the `ui8` image batch `input`
    (`N,C,H,W`, b = `block_size`) becomes `D*X*D^T` with the orthonormal DCT-II
    matrix D; coefficient (u, v), u vertical, of channel c becomes channel
    `c*b*b + u*b + v` of the result, `N,C*b*b,H/b,W/b`.

    With masks, only selected coefficients are kept: `mask_offset` (C + 1
    values) says which part of `mask_values` belongs to each channel. The
    result then has as many channels as `mask_values` elements.
    `fix_32_mask` promises that these are 32.

    The result is f32 unless `out_type` names a quantized i8 type. In layout
    NCHW4 its channels are in blocks of 4.
  }];
  let arguments = (ins
    NN_Tensor:$input, Optional<NN_Tensor>:$mask_offset,
    Optional<NN_Tensor>:$mask_values,
    DefaultValuedAttr<I64Attr, "8">:$block_size,
    DefaultValuedAttr<NN_LayoutAttr, "Layout::NCHW">:$layout,
    UnitAttr:$fix_32_mask, OptionalAttr<TypeAttr>:$out_type);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input (`mask` $mask_offset^ `,` $mask_values)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_OpticalFlowOp : NN_ImageOp<"optical_flow"> {
  let summary = "optical flow between successive frames";
  let description = [{
    The motion vectors (dx, dy) of 4 x 4 pixel cells from each frame of
    `input` (`N,T,H,W,4`, `ui8`) to the next: `i16` of shape
    `N,T-1,ceil(H/4),ceil(W/4),2`, in units of 1/32 pixel. The estimator is the
    one of a hardware unit; `precision` is its preset.
  }];
  let arguments = (ins NN_Tensor:$input,
                       DefaultValuedAttr<I64Attr, "1">:$precision);
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNIMAGEOPS_TD
