// RUN: model-opt %s --split-input-file --verify-diagnostics

func.func @bn_element(%a: tensor<2x4x8x8xi32>, %b: tensor<1x4x1x1xf32>, %c: tensor<1x4x1x1xf32>) {
  // expected-error @+2 {{element type 'i32' has no normalization}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.batch_norm %a, %b, %c {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64, training} : (tensor<2x4x8x8xi32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xi32>
  return
}

// -----

func.func @bn_rank(%a: tensor<4x8x8xf32>, %b: tensor<1x4x1x1xf32>, %c: tensor<1x4x1x1xf32>) {
  // expected-error @+2 {{input must have rank 4, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.batch_norm %a, %b, %c {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64, training} : (tensor<4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<4x8x8xf32>
  return
}

// -----

func.func @bn_inference(%a: tensor<2x4x8x8xf32>, %b: tensor<1x4x1x1xf32>, %c: tensor<1x4x1x1xf32>) {
  // expected-error @+2 {{inference needs mean and variance}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.batch_norm %a, %b, %c {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @bn_scale(%a: tensor<2x4x8x8xf32>, %b: tensor<4xf32>, %c: tensor<1x4x1x1xf32>) {
  // expected-error @+2 {{'scale' of type 'tensor<4xf32>' has not the shape of 'tensor<1x4x1x1xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.batch_norm %a, %b, %c {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64, training} : (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @bn_variance(%a: tensor<2x4x8x8xf32>, %b: tensor<1x4x1x1xf32>, %c: tensor<1x4x1x1xf32>, %d: tensor<1x4x1x1xf32>, %e: tensor<1x5x1x1xf32>) {
  // expected-error @+2 {{'variance' of type 'tensor<1x5x1x1xf32>' has not the shape of 'tensor<1x4x1x1xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.batch_norm %a, %b, %c stats %d, %e {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x5x1x1xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @bn_types(%a: tensor<2x4x8x8xf32>, %b: tensor<1x4x1x1xf32>, %c: tensor<1x4x1x1xf16>) {
  // expected-error @+2 {{'bias' has element type 'f16', the parameters before it have 'f32'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.batch_norm %a, %b, %c {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64, training} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf16>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @bn_stats(%a: tensor<2x4x8x8xf32>, %b: tensor<1x4x1x1xf32>, %c: tensor<1x4x1x1xf32>, %d: tensor<1x4x1x1xf32>, %e: tensor<1x4x1x1xf32>) {
  // expected-error @+2 {{'num_stats' must be 0, 2 or 3, got 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:5 = nn.batch_norm %a, %b, %c stats %d, %e {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64, num_stats = 4 : i64} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>)
  return
}

// -----

func.func @bn_stats_training(%a: tensor<2x4x8x8xf32>, %b: tensor<1x4x1x1xf32>, %c: tensor<1x4x1x1xf32>, %d: tensor<1x4x1x1xf32>, %e: tensor<1x4x1x1xf32>) {
  // expected-error @+2 {{'num_stats' must be 0, 4 or 5, got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.batch_norm %a, %b, %c stats %d, %e {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64, training, num_stats = 2 : i64} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>)
  return
}

// -----

func.func @bn_results(%a: tensor<2x4x8x8xf32>, %b: tensor<1x4x1x1xf32>, %c: tensor<1x4x1x1xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<2x4x8x8xf32>' are incompatible with return type(s) of operation 'tensor<2x4x8x8xf32>', 'tensor<1x4x1x1xf32>', 'tensor<1x4x1x1xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.batch_norm %a, %b, %c {epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64, training} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>)
  return
}

// -----

func.func @lrn_element(%a: tensor<2x4x8x8xi8>) {
  // expected-error @+2 {{element type 'i8' has no normalization}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.lrn %a {size = 5 : i64, k = 2.0 : f32, alpha = 1.0e-04 : f32, beta = 0.75 : f32} : (tensor<2x4x8x8xi8>) -> tensor<2x4x8x8xi8>
  return
}

// -----

func.func @lrn_rank(%a: tensor<4x8x8xf32>) {
  // expected-error @+2 {{input must have rank 4, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.lrn %a {size = 5 : i64, k = 2.0 : f32, alpha = 1.0e-04 : f32, beta = 0.75 : f32} : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  return
}

// -----

func.func @lrn_even(%a: tensor<2x4x8x8xf32>) {
  // expected-error @+2 {{'size' must be odd, got 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.lrn %a {size = 4 : i64, k = 2.0 : f32, alpha = 1.0e-04 : f32, beta = 0.75 : f32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @lrn_zero(%a: tensor<2x4x8x8xf32>) {
  // expected-error @+2 {{'size' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.lrn %a {size = 0 : i64, k = 2.0 : f32, alpha = 1.0e-04 : f32, beta = 0.75 : f32} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @ln_dims(%a: tensor<2x5x16xf32>) {
  // expected-error @+2 {{'normalized_dims' must be less than rank 3, got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.layer_norm %a {epsilon = 1.0e-05 : f32, normalized_dims = 3 : i64, normalized_size = 160 : i64} : (tensor<2x5x16xf32>) -> (tensor<2x5x16xf32>, tensor<2x5xf32>, tensor<2x5xf32>)
  return
}

// -----

func.func @ln_no_dims(%a: tensor<2x5x16xf32>) {
  // expected-error @+2 {{'normalized_dims' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.layer_norm %a {epsilon = 1.0e-05 : f32, normalized_dims = 0 : i64, normalized_size = 1 : i64} : (tensor<2x5x16xf32>) -> (tensor<2x5x16xf32>, tensor<2x5xf32>, tensor<2x5xf32>)
  return
}

// -----

func.func @ln_negative_size(%a: tensor<2x5x16xf32>) {
  // expected-error @+2 {{'normalized_size' must be positive, got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.layer_norm %a {epsilon = 1.0e-05 : f32, normalized_dims = 1 : i64, normalized_size = -1 : i64} : (tensor<2x5x16xf32>) -> (tensor<2x5x16xf32>, tensor<2x5xf32>, tensor<2x5xf32>)
  return
}

// -----

func.func @ln_size(%a: tensor<2x5x16xf32>) {
  // expected-error @+2 {{the last 1 dims of 'tensor<2x5x16xf32>' do not hold 15 elements}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.layer_norm %a {epsilon = 1.0e-05 : f32, normalized_dims = 1 : i64, normalized_size = 15 : i64} : (tensor<2x5x16xf32>) -> (tensor<2x5x16xf32>, tensor<2x5xf32>, tensor<2x5xf32>)
  return
}

// -----

func.func @ln_weight(%a: tensor<2x5x16xf32>, %b: tensor<5xf32>, %c: tensor<16xf32>) {
  // expected-error @+2 {{'weight' of type 'tensor<5xf32>' has not the shape of 'tensor<16xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.layer_norm %a weight %b bias %c {epsilon = 1.0e-05 : f32, normalized_dims = 1 : i64, normalized_size = 16 : i64} : (tensor<2x5x16xf32>, tensor<5xf32>, tensor<16xf32>) -> (tensor<2x5x16xf32>, tensor<2x5xf32>, tensor<2x5xf32>)
  return
}

// -----

func.func @ln_bias(%a: tensor<2x5x16xf32>, %b: tensor<16xf32>, %c: tensor<5xf32>) {
  // expected-error @+2 {{'bias' of type 'tensor<5xf32>' has not the shape of 'tensor<16xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.layer_norm %a weight %b bias %c {epsilon = 1.0e-05 : f32, normalized_dims = 1 : i64, normalized_size = 16 : i64} : (tensor<2x5x16xf32>, tensor<16xf32>, tensor<5xf32>) -> (tensor<2x5x16xf32>, tensor<2x5xf32>, tensor<2x5xf32>)
  return
}

// -----

func.func @ln_types(%a: tensor<2x5x16xf32>, %b: tensor<16xf32>, %c: tensor<16xf16>) {
  // expected-error @+2 {{weight and bias element types differ: 'f32' and 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.layer_norm %a weight %b bias %c {epsilon = 1.0e-05 : f32, normalized_dims = 1 : i64, normalized_size = 16 : i64} : (tensor<2x5x16xf32>, tensor<16xf32>, tensor<16xf16>) -> (tensor<2x5x16xf32>, tensor<2x5xf32>, tensor<2x5xf32>)
  return
}

// -----

func.func @gen_range(%a: tensor<2x6x5xf32>) {
  // expected-error @+2 {{axes [2, 2) are no range}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.general_norm %a {epsilon = 1.0e-05 : f32, axis_begin = 2 : i64, axis_end = 2 : i64} : (tensor<2x6x5xf32>) -> (tensor<2x6x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>)
  return
}

// -----

func.func @gen_rank(%a: tensor<2x6x5xf32>) {
  // expected-error @+2 {{axes [2, 4) are out of range for rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.general_norm %a {epsilon = 1.0e-05 : f32, axis_begin = 2 : i64, axis_end = 4 : i64} : (tensor<2x6x5xf32>) -> (tensor<2x6x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>)
  return
}

// -----

func.func @gen_weight(%a: tensor<2x6x5xf32>, %b: tensor<5xf32>, %c: tensor<5xf32>) {
  // expected-error @+2 {{'weight' of type 'tensor<5xf32>' has not the shape of 'tensor<6xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.general_norm %a weight %b bias %c {epsilon = 1.0e-05 : f32, axis_begin = 1 : i64, axis_end = 2 : i64} : (tensor<2x6x5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<2x6x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>)
  return
}

// -----

func.func @gn_rank(%a: tensor<4x8x8xf32>) {
  // expected-error @+2 {{input must have rank 4, got rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.group_norm %a {epsilon = 1.0e-05 : f32, groups = 2 : i64} : (tensor<4x8x8xf32>) -> (tensor<4x8x8xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  return
}

// -----

func.func @gn_zero(%a: tensor<2x4x8x8xf32>) {
  // expected-error @+2 {{'groups' must lie in [1, 4294967295], got 0}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.group_norm %a {epsilon = 1.0e-05 : f32, groups = 0 : i64} : (tensor<2x4x8x8xf32>) -> (tensor<2x4x8x8xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  return
}

// -----

func.func @gn_split(%a: tensor<2x4x8x8xf32>) {
  // expected-error @+2 {{4 channels do not split into 3 groups}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.group_norm %a {epsilon = 1.0e-05 : f32, groups = 3 : i64} : (tensor<2x4x8x8xf32>) -> (tensor<2x4x8x8xf32>, tensor<2x3xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @gn_weight(%a: tensor<2x4x8x8xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) {
  // expected-error @+2 {{a parameter of type 'tensor<2xf32>' has not one value for each of 4 channels}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.group_norm %a weight %b bias %c {epsilon = 1.0e-05 : f32, groups = 2 : i64} : (tensor<2x4x8x8xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x4x8x8xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  return
}

// -----

func.func @in_weight(%a: tensor<2x4x8x8xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) {
  // expected-error @+2 {{a parameter of type 'tensor<2xf32>' has not one value for each of 4 channels}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = nn.instance_norm %a weight %b bias %c {epsilon = 1.0e-05 : f32} : (tensor<2x4x8x8xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x4x8x8xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @softmax_axis(%a: tensor<3x5x7xf32>) {
  // expected-error @+2 {{axis 3 is out of range for rank 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.softmax %a {axis = 3 : i64} : (tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
  return
}

// -----

func.func @softmax_element(%a: tensor<3x5x7xi32>) {
  // expected-error @+2 {{element type 'i32' has no normalization}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = nn.softmax %a {axis = 0 : i64} : (tensor<3x5x7xi32>) -> tensor<3x5x7xi32>
  return
}

// -----

func.func @bn_pair(%a: tensor<2x4x8x8xf32>, %b: tensor<1x4x1x1xf32>) {
  // expected-error @+2 {{mean and variance come together}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "nn.batch_norm"(%a, %b, %b, %b) <{epsilon = 1.0e-05 : f64, avg_factor = 1.0 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @gn_pair(%a: tensor<2x4x8x8xf32>, %b: tensor<4xf32>) {
  // expected-error @+2 {{weight and bias come together}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = "nn.group_norm"(%a, %b) <{epsilon = 1.0e-05 : f32, groups = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x4x8x8xf32>, tensor<4xf32>) -> (tensor<2x4x8x8xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  return
}
