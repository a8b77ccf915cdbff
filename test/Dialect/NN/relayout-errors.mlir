// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<2x9x5x6xf32>) {
  // expected-error @+2 {{out_channels is 0 and groups 0, expected at least 0 and 1}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<NCHW_NCHW88>, groups = 0 : i64} : (tensor<2x9x5x6xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<2x9x5xf32>) {
  // expected-error @+2 {{layout NCHW needs a tensor of rank 4, got rank 3}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<NCHW_NCHW88>} : (tensor<2x9x5xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3x5x6x8xf32>) {
  // expected-error @+2 {{layout NCHW4 needs an innermost dim of 4, got 8}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<NCHW4_NCHW>} : (tensor<2x3x5x6x8xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x7xf32>) {
  // expected-error @+2 {{7 channels do not split into blocks of 4}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<NHWC_NHWCD4>} : (tensor<2x5x6x7xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x7xf32>) {
  // expected-error @+2 {{input has 5 channels, expected at most 4}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<NCHW_NCHW4_IC_SMALL>} : (tensor<2x5x6x7xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<2x5x6x7xf32>) {
  // expected-error @+2 {{5 channels do not split into 2 groups}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<NCHW_NCHW4>, groups = 2 : i64} : (tensor<2x5x6x7xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<2x2x5x6x4xf32>) {
  // expected-error @+2 {{out_channels is 9, the input has 8 channels}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<NCHW4_NCHW>, out_channels = 9 : i64} : (tensor<2x2x5x6x4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<8x3x3xf32>) {
  // expected-error @+2 {{mode INTER_WEIGHT_DENSE needs a filter of rank 4, got rank 3}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<INTER_WEIGHT_DENSE>} : (tensor<8x3x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<2x6x3x3x3xf32>) {
  // expected-error @+2 {{6 output channels do not split into blocks of 4}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<INTER_WEIGHT_GROUP>} : (tensor<2x6x3x3x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<8x6x3x3xf32>) {
  // expected-error @+2 {{6 input channels do not split into blocks of 4}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<INTER_WEIGHT_DENSEI_DOT>} : (tensor<8x6x3x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<8x1x2x3x3xf32>) {
  // expected-error @+2 {{a channel-wise filter has 1 channel per group, got 1 and 2}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<INTER_WEIGHT_CHAN>} : (tensor<8x1x2x3x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<6x1x1x3x3xf32>) {
  // expected-error @+2 {{6 groups do not split into blocks of 4}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<INTER_WEIGHT_CHANI>} : (tensor<6x1x1x3x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<8x5x3x3xf32>) {
  // expected-error @+2 {{filter has 5 input channels, expected at most 4}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<NCHW_NCHW4_IC_SMALL_CONV_DENSE_WEIGHT>} : (tensor<8x5x3x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x1x9223372036854775807xf32>) {
  // expected-error @+2 {{the result has too many elements}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<NCHW_NHWC>} : (tensor<1x1x1x9223372036854775807xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x1x1xf32>) {
  // expected-error @+2 {{no tensor has element type 'tensor<1xi8>'}}
  // expected-error @+1 {{op failed to infer returned types}}
  %0 = nn.relayout %x {mode = #nn.relayout_mode<NCHW_NHWC>, out_type = tensor<1xi8>} : (tensor<1x1x1x1xf32>) -> tensor<*xf32>
  return
}
