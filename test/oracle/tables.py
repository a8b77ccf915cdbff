"""Names and field lists of the graph format, as compact text.

PARAMS: one line per operator parameter table: union number, table name, then its fields in id
order as [type:]name[=default]; no type means a 32-bit unsigned (also enums), a default of 0 is left
out. Types: i I Q f d ? b as in struct; v = vector of int32, A = axis edits, M = index masks,
S = typed scalar of five bytes.
"""

PARAMS = """
1 Empty
2 Axis i:axis
3 Convolution mode pad_h pad_w stride_h=1 stride_w=1 dilate_h=1 dilate_w=1 sparse format
  compute_mode
4 MaskPropagate pad_h pad_w stride_h=1 stride_w=1 kernel_h=1 kernel_w=1 dilate_h=1 dilate_w=1
5 ConvPooling method convMode poolMode nonlineMode pool_shape_h=1 pool_shape_w=1 pool_stride_h=1
  pool_stride_w=1 pool_pad_h pool_pad_w conv_stride_h=1 conv_stride_w=1 conv_pad_h conv_pad_w
6 ConvBias nonlineMode mode sparse format pad_h pad_w stride_h=1 stride_w=1 dilate_h=1 dilate_w=1
  compute_mode
7 SeparableConv mode borderMode ?:is_symm_kernel=1 pad_h pad_w stride_h=1 stride_w=1 ksize_h=3
  ksize_w=3 anchor_h=1 anchor_w=1
8 Images2Neibs pad_h pad_w stride_h=1 stride_w=1 dilate_h=1 dilate_w=1 window_h=3 window_w=3
9 Pooling mode pad_h pad_w stride_h=2 stride_w=2 window_h=2 window_w=2 format
10 LRN n=5 f:k=2.0 f:alpha=0.0001 f:beta=0.75
11 BN param_dim fwd_mode d:epsilon=0.0001 d:avg_factor=1.0 f:scale=1.0 f:bias
12 ROIPooling mode f:scale=1.0
13 WarpPerspective imode=1 bmode format f:border_val
14 SpatialTfGridGenerator mode
15 SpatialTfSampler mode
16 MGBAddUpdate S:alpha S:beta S:bias
17 Elemwise mode
18 ElemwiseMultiType mode
19 PowC f:exp
20 MatrixMul ?:transposeA ?:transposeB compute_mode format
22 SVD ?:full_matrices ?:compute_uv=1
23 Reduce mode i:axis=2147483647 data_type
24 Cumsum i:axis=2147483647 ?:exclusive=1 ?:reverse
25 CondTake mode f:val f:eps=1e-06
26 Argsort order
27 IndexingRemap ?:is_non_overlapping
28 MGBSleep ?:device=1 ?:host d:seconds
29 Linspace ?:endpoint=1
30 LinspaceFull d:start d:stop=1.0 ?:endpoint=1
31 Eye i:k b:dtype
32 UniformRNG Q:seed b:dtype
33 GaussianRNG Q:seed f:mean f:std=1.0 b:dtype
34 Flip ?:vertical ?:horizontal
35 Rotate ?:clockwise=1
36 ROICopy row_from row_to col_from col_to
37 CvtColor mode
38 WarpAffine imode=1 border_mode f:border_val format=1
39 GaussianBlur border_mode kernel_height kernel_width f:sigma_x f:sigma_y
40 Resize imode=1 format=1
41 Convolution3D mode pad_d pad_h pad_w stride_d=1 stride_h=1 stride_w=1 dilate_d=1 dilate_h=1
  dilate_w=1 sparse data_type format
42 Conv3DBias nonlineMode mode pad_d pad_h pad_w stride_d=1 stride_h=1 stride_w
43 SeparableConv3D mode borderMode ?:is_symm_kernel=1 pad_d pad_h pad_w stride_d stride_h=1
  stride_w=1 ksize_d ksize_h=3 ksize_w=3 anchor_d anchor_h=1 anchor_w=1
44 TopK mode
45 RelayoutFormat mode oc group=1
46 SeparableFilter format borderMode ?:is_symm_kernel=1 ksize_h=3 ksize_w=3 anchor_h=1 anchor_w=1
47 LocalShare mode pad_h pad_w stride_h=1 stride_w=1 dilate_h=1 dilate_w=1 spatial_groups_h=1
  spatial_groups_w=1 sparse format computeMode
48 ROIAlign mode format f:spatial_scale=1.0 f:offset pooled_height=1 pooled_width=1 sample_height=2
  sample_width=2
49 DeformablePSROIPooling ?:no_trans=1 f:spatial_scale=1.0 f:trans_std=1.0 pooled_h=1 pooled_w=1
  part_size=1 sample_per_part=1
50 BatchConvBias nonlineMode mode pad_h pad_w stride_h=1 stride_w=1 dilate_h=1 dilate_w=1 sparse
  format compute_mode
51 DType b:dtype=8
52 PersistentOutputStorage i:share_key=-1
53 OptionalAxis i:axis=-1
54 OptionalAxisV1 i:axis=7
55 ExecutionPolicy strategy=1 Q:workspace_limit=18446744073709551615
56 AssertEqual f:maxerr=0.0001 ?:verbose
58 CollectiveComm mode
59 CondExecPred mode f:eps=0.0001
60 CondExecPredLogical mode
61 CondExecMark grad_mode static_infer
62 CondExecMerge nr_output=1 mode
63 Host2DeviceCopy ?:enable_value_infer=1 ?:dump_default_value ?:allow_cpu_mem_fwd=1
64 Dimshuffle v:pattern ndim
65 AxisAddRemove A:desc
66 IndexDescMaskDump M:items
68 Remap imode=1 border_type format=1 f:scalar
69 NMSKeep f:iou_thresh max_output
70 AdaptivePooling mode format
71 NvOf precision=1
72 DctChannelSelect format fastImpl i:dct_block_size=8
73 FakeQuant i:qmin=-2147483648 i:qmax=2147483647
74 TQT i:qmin=-2147483648 i:qmax=2147483647
75 Correlation format kernel_size=1 max_displacement=1 stride1=1 stride2=1 pad_size ?:is_multiply=1
76 LSQ i:qmin=-2147483648 i:qmax=2147483647
77 GammaRNG Q:seed
78 PoissonRNG Q:seed
79 PermutationRNG Q:seed b:dtype=4
80 BetaRNG Q:seed
81 SlidingWindowTranspose out_h out_w pad_h pad_w stride_h=1 stride_w=1 dilate_h=1 dilate_w=1
  window_h=3 window_w=3
82 Padding front_offset_dim0 front_offset_dim1 front_offset_dim2 front_offset_dim3 front_offset_dim4
  front_offset_dim5 front_offset_dim6 back_offset_dim0 back_offset_dim1 back_offset_dim2
  back_offset_dim3 back_offset_dim4 back_offset_dim5 back_offset_dim6 f:padding_val padding_mode=2
83 ShuffleRNG Q:seed
84 CheckNonFinite f:scale=1.0
85 LayerNorm ?:affine=1 f:eps=1e-05 Q:normalized_dim=1 Q:normalized_size=1
86 Dropout f:drop_prob Q:seed
87 RNNCell nonlineMode
88 RNN num_layers=1 ?:bidirectional ?:bias=1 hidden_size=128 f:dropout nonlineMode fwd_mode
89 LSTM num_layers=1 ?:bidirectional ?:bias=1 hidden_size=128 proj_size f:dropout fwd_mode
90 Softmax i:axis=-1
91 Diag i:k
92 GroupNorm ?:affine=1 f:eps=1e-05 group=1 format
93 Fill f:value
94 GeneralNorm ?:affine=1 f:eps=1e-05 Q:axis_start Q:axis_end
95 MultiHeadAttn num_heads=1 embeding_size k_size v_size qproj_size kproj_size vproj_size oproj_size
  ?:qbias ?:kbias ?:vbias ?:obias f:sm_scaler=1.0 input_order attn_mask_type tensor_combination_type
  ?:add_zero_attn ?:need_weights ?:reslink ?:training=1 Q:seed f:attn_prob f:out_prob
96 Resize3D imode=1 format=1 ?:align_corners
97 Cross i:axisa=-1 i:axisb=-1 i:axisc=-1
98 ExponentialRNG Q:seed
99 MultinomialRNG Q:seed Q:num_samples=1 ?:replacement
"""

DTYPES = """
Float32 Uint8 Int8 Int16 Int32 IntB1 IntB2 IntB4 Byte Float16 UintB4 Quantized8Asymm QuantizedS32
QuantizedS8 Quantized4Asymm QuantizedS4 QuantizedS16 BFloat16 Bool Uint16 QuantizedS1 Complex64
""".split()

ELEMWISE = """
RELU ABS ACOS ASIN CEIL COS EXP EXPM1 FLOOR LOG LOG1P NEGATE SIGMOID SIN TANH ABS_GRAD ADD FLOOR_DIV
MAX MIN MOD MUL POW SIGMOID_GRAD SUB SWITCH_GT0 TANH_GRAD TRUE_DIV LOG_SUM_EXP LT LEQ EQ SHL SHR
COND_LEQ_MOV FUSE_MUL_ADD3 FUSE_MUL_ADD4 FUSE_ADD_RELU FUSE_ADD_SIGMOID FUSE_ADD_TANH FAST_TANH
FAST_TANH_GRAD ROUND RMULH ATAN2 ERF ERFINV ERFC ERFCINV H_SWISH H_SWISH_GRAD FUSE_ADD_H_SWISH NOT
AND OR XOR SILU SILU_GRAD GELU GELU_GRAD COND_LT_MOV NEQ ISNAN ISINF SINH COSH ASINH ACOSH ATANH TAN
ASINH_GRAD ACOSH_GRAD ATANH_GRAD PRELU CLIP PRELU_GRAD SOFTPLUS SOFTPLUS_GRAD RELU6 RELU6_GRAD
HSIGMOID HSIGMOID_GRAD LOGSIGMOID SQRT SQUARE SIGN
""".split()

MULTITYPE = """
FUSE_MUL_ADD3_INT16x32x32x32 FUSE_MUL_ADD3_IXxF32xF32xI8 ROUND_SHR_SATURATE_IXxI8xI8
FUSE_ADD_RMULH_ROUND_SHR_SATURATE_INT16x16x16x8 FUSE_ADD_RMULH_ROUND_SHR_SATURATE_INT32x32x32x8
ROUND_SHR_SATURATE_IXxI8xI16 QADD QFUSE_ADD_RELU QMUL QMIN QMAX QSUB QTRUE_DIV QFUSE_ADD_SIGMOID
QFUSE_ADD_TANH QRELU QABS QSIGMOID QEXP QTANH QFUSE_MUL_ADD3 QFAST_TANH QNEGATE QACOS QASIN QCEIL
QCOS QEXPM1 QFLOOR QLOG QLOG1P QSIN QROUND QERF QERFINV QERFC QERFCINV QABS_GRAD QFLOOR_DIV QMOD
QSIGMOID_GRAD QSWITCH_GT0 QTANH_GRAD QLT QLEQ QEQ QPOW QLOG_SUM_EXP QFAST_TANH_GRAD QATAN2
QCOND_LEQ_MOV QH_SWISH QFUSE_ADD_H_SWISH QH_SWISH_GRAD FUSE_MUL_ADD3_INT16xF32xF32xF32
MUL_INT16xF32xF32 FUSE_MUL_ADD3_UINT8xF32xF32xF32 QCOND_LT_MOV EQ NEQ LT LEQ ISNAN ISINF
""".split()

RELAYOUT = """
NHWC_NHWCD4 NHWCD4_NHWC NHWC_NHWCD4I NCHW_NHWCD4 NCHW_NHWCD4I NHWCD4I_NCHW NHWCD4_NCHW
INTER_WEIGHT_DENSE INTER_WEIGHT_DENSEI INTER_WEIGHT_GROUP INTER_WEIGHT_GROUPI INTER_WEIGHT_CHAN
INTER_WEIGHT_CHANI INTER_WEIGHT_DENSEI_DOT INTER_WEIGHT_GROUPI_DOT NCHW4_CHWN4 CHWN4_NCHW4
NCHW_NCHW88_CONV_DENSE_WEIGHT NCHW_NCHW88_CONV_CHAN_WEIGHT NCHW_NCHW88_CONV_GROUP_WEIGHT NCHW_NCHW88
NCHW88_NCHW NCHW_NCHW4_IC_SMALL NCHW_NCHW4_IC_SMALL_CONV_DENSE_WEIGHT NCHW_NCHW4 NCHW4_NCHW
NCHW_NCHW4_WEIGHT NCHW_NCHW64 NCHW64_NCHW NCHW_NHWC NHWC_NCHW NHWCD4I_NHWC
""".split()

CVTCOLOR = """
RGB2GRAY RGB2YUV YUV2RGB GRAY2RGB RGBA2RGB RGBA2BGR RGBA2GRAY RGB2BGR BGR2GRAY BGR2RGB YUV2GRAY_NV21
YUV2RGB_NV21 YUV2BGR_NV21 YUV2GRAY_NV12 YUV2RGB_NV12 YUV2BGR_NV12 YUV2GRAY_YV12 YUV2RGB_YV12
YUV2BGR_YV12 YUV2GRAY_YU12 YUV2RGB_YU12 YUV2BGR_YU12 YCrCb2RGB YCrCb2BGR BT601_YUV2RGB_NV21
BT601_YUV2BGR_NV21 BT601_YUV2RGB_NV12 BT601_YUV2BGR_NV12 BT601_YUV2RGB_YV12 BT601_YUV2BGR_YV12
BT601_YUV2RGB_YU12 BT601_YUV2BGR_YU12
""".split()

FORMATS = """
NCHW NHWC NHWCD4 NCHW4 NCHW8 NCHW32 NCHW88 NCHW44 NCHW44_DOT NCHW4_NCHW32 NCHW32_NCHW4 NCHW4_NCHW
NHWC_NCHW NHWC_NCHW4_IC_SMALL NCHW_NCHW4_IC_SMALL CHWN4 NCHW64 NCHW4_NHWC
""".split()

OPRS = """
Elemwise PowC AddUpdate ReduceV2 TypeCvtV2 MatrixMulV2 BatchedMatrixMulV2 Dot MatrixInverse SVD
Cross CondExecPred CondExecPredLogical CondExecMark CondExecMarkIfNeed CondExecMerge ConvolutionV2
ConvolutionBackwardDataV2 ConvolutionBackwardFilterV2 Images2Neibs Images2NeibsBackward
SlidingWindowTranspose SlidingWindowTransposeBackward LocalV2 LocalBackwardDataV2
LocalBackwardFilterV2 GroupLocalV2 GroupLocalBackwardDataV2 GroupLocalBackwardFilterV2 LRN
LRNBackward PoolingV1 PoolingBackwardV1 AdaptivePoolingV1 AdaptivePoolingBackwardV1 ROIPooling
ROIPoolingBackward MaskConvolutionV2 MaskPropagate Convolution3D Convolution3DBackwardData
Convolution3DBackwardFilter ConvBiasForwardV4 BatchNormV1 BatchNormBackwardV1 LocalShareForwardV1
LocalShareBackwardDataV1 LocalShareBackwardFilterV1 ROIAlignV1 ROIAlignBackwardV1
DeformableConvForwardV1 DeformableConvBackwardDataV1 DeformableConvBackwardFilterV1
CorrelationForward CorrelationBackwardData1 CorrelationBackwardData2 DeformablePSROIPoolingForward
DeformablePSROIPoolingBackward BatchConvBiasForwardV1 FakeQuant FakeQuantBackward TQT TQTBackward
LSQ LSQBackward LayerNorm LayerNormBackward GeneralNorm GeneralNormBackward RNNCellForward
LSTMCellForward RNNForward RNNBackward LSTMForward LSTMBackward Softmax SoftmaxBackward GroupNorm
GroupNormBackward InstanceNorm InstanceNormBackward RegionRestrictedConvolution
RegionRestrictedConvolutionBackwardData RegionRestrictedConvolutionBackwardFilter WarpPerspectiveV2
WarpPerspectiveBackwardDataV2 WarpPerspectiveBackwardMatV2 Rotate CvtColor GaussianBlur Flip
ResizeBackward RemapV1 RemapBackwardDataV1 RemapBackwardMatV1 WarpAffineV2 ResizeV2
DctChannelSelectV1 Resize3D IndexingMultiAxisVec IndexingSetMultiAxisVec IndexingIncrMultiAxisVec
MeshIndexing BatchedMeshIndexing IncrMeshIndexing BatchedIncrMeshIndexing SetMeshIndexing
BatchedSetMeshIndexing Diag DiagBackward IndexingOneHot IndexingRemap IndexingRemapBackward
IndexingSetOneHot Host2DeviceCopy SharedDeviceTensor SharedDeviceTensorWithFormat
VolatileSharedDeviceTensor ImmutableTensor Copy MultipleDeviceTensorHolder
MultipleDeviceTensorWithFormatHolder opr::Loop InputMaker CounterProvider CustomOpNode Argmax Argmin
Argsort ArgsortBackward CondTake NonZero TopK Where WhereBackward CumsumV1 NvOf CheckNonFinite
ElemwiseMultiType AffineInt UniformRNGV1 GaussianRNGV1 GammaRNG PoissonRNG PermutationRNG BetaRNG
MultinomialRNG ShuffleRNG ShuffleRNGBackward ExponentialRNG Dropout DropoutBackward MultiHeadAttn
MultiHeadAttnBackward NMSKeepMGB Alloc Linspace Eye Subtensor SetSubtensor IncrSubtensor Broadcast
Dimshuffle AxisAddRemove Concat ParamPackConcat GetVarShapeV1 ReshapeV1 Split RelayoutFormatV1
Padding PaddingBackward MaskedFill MarkDynamicVar MarkNoBroadcastElemwise Identity AssertEqual
VirtualGrad Sleep VirtualDep PersistentOutputStorage ExternCOprRunner CambriconRuntimeOpr
MagicMindRuntimeOpr AtlasRuntimeOpr TensorRTRuntimeOpr
""".split()
