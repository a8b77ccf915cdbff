// RUN: model-opt --split-input-file --verify-diagnostics %s

func.func @extra_halos(%a: tensor<1x1x4x4x16xf32>) {
  // expected-error @below {{'cpu.eltwise' op must have a halo for each of its extras}}
  %0 = "cpu.eltwise"(%a, %a) <{extra_halos = [], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32):
    cpu.yield %p
  }) : (tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  return
}

// -----

func.func @arguments(%a: tensor<1x1x4x4x16xf32>) {
  // expected-error @below {{'cpu.eltwise' op has 2 region arguments, expected 1}}
  %0 = "cpu.eltwise"(%a, %a) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32, %q: f32):
    cpu.yield %p
  }) : (tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  return
}

// -----

func.func @argument_type(%a: tensor<1x1x4x4x16xf32>) {
  // expected-error @below {{'cpu.eltwise' op region arguments must be f32}}
  %0 = "cpu.eltwise"(%a, %a) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f64):
    %k = arith.truncf %p : f64 to f32
    cpu.yield %k
  }) : (tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  return
}

// -----

func.func @outside(%a: tensor<1x1x4x4x16xf32>, %k: f32) {
  // expected-note @below {{required by region isolation constraints}}
  %0 = "cpu.eltwise"(%a, %a) <{extra_halos = [array<i64: 0, 0, 0, 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32):
    // expected-error @below {{using value defined outside the region}}
    cpu.yield %k
  }) : (tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  return
}

// -----

func.func @matmul_sum(%a: tensor<2x8xf32>, %w: tensor<1x8x16xf32>, %c: tensor<2x16xf32>) {
  // expected-error @below {{'cpu.matmul' op has 0 region arguments, expected 1}}
  %0 = "cpu.matmul"(%a, %w, %c) ({
    %k = arith.constant 0.0 : f32
    cpu.yield %k
  }) : (tensor<2x8xf32>, tensor<1x8x16xf32>, tensor<2x16xf32>) -> tensor<2x16xf32>
  return
}

// -----

func.func @counts(%a: tensor<1x1x4x4x16xf32>, %w: tensor<1x1x1x16xf32>) {
  // expected-error @below {{'cpu.depthwise_conv2d' op takes two strides, dilations and pads, and four numbers for each halo}}
  %0 = "cpu.depthwise_conv2d"(%a, %w, %a) <{dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>}> ({
  ^bb0(%p: f32):
    cpu.yield %p
  }) : (tensor<1x1x4x4x16xf32>, tensor<1x1x1x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  return
}

// -----

func.func @rank(%a: tensor<1x16x4x4xf32>, %w: tensor<1x1x1x16xf32>) {
  // expected-error @below {{'cpu.depthwise_conv2d' op takes blocked tensors}}
  %0 = "cpu.depthwise_conv2d"(%a, %w, %a) <{dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>}> ({
  ^bb0(%p: f32):
    cpu.yield %p
  }) : (tensor<1x16x4x4xf32>, tensor<1x1x1x16xf32>, tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  return
}

// -----

func.func @depthwise_weights(%a: tensor<1x2x4x4x16xf32>, %w: tensor<1x1x1x16xf32>) {
  // expected-error @below {{'cpu.depthwise_conv2d' op weights of type 'tensor<1x1x1x16xf32>' do not fit the result}}
  %0 = "cpu.depthwise_conv2d"(%a, %w, %a) <{dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>}> ({
  ^bb0(%p: f32):
    cpu.yield %p
  }) : (tensor<1x2x4x4x16xf32>, tensor<1x1x1x16xf32>, tensor<1x2x4x4x16xf32>) -> tensor<1x2x4x4x16xf32>
  return
}

// -----

func.func @weights(%a: tensor<1x2x4x4x16xf32>, %w: tensor<2x1x1x1x16x16xf32>) {
  // expected-error @below {{'cpu.conv2d' op weights of type 'tensor<2x1x1x1x16x16xf32>' do not fit input and result}}
  %0 = "cpu.conv2d"(%a, %w, %a) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>}> ({
  ^bb0(%p: f32):
    cpu.yield %p
  }) : (tensor<1x2x4x4x16xf32>, tensor<2x1x1x1x16x16xf32>, tensor<1x2x4x4x16xf32>) -> tensor<1x2x4x4x16xf32>
  return
}

// -----

func.func @winograd_steps(%a: tensor<1x1x4x4x16xf32>, %w: tensor<36x1x1x16x16xf32>, %c: tensor<1x1x2x2x16xf32>) {
  // expected-error @below {{'cpu.conv2d' op winograd4 takes steps of 1 only}}
  %0 = "cpu.conv2d"(%a, %w, %c) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, algorithm = #cpu.algorithm<winograd4>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, pads = array<i64: 0, 0>, strides = array<i64: 2, 2>}> ({
  ^bb0(%p: f32):
    cpu.yield %p
  }) : (tensor<1x1x4x4x16xf32>, tensor<36x1x1x16x16xf32>, tensor<1x1x2x2x16xf32>) -> tensor<1x1x2x2x16xf32>
  return
}

// -----

func.func @winograd_weights(%a: tensor<1x1x4x4x16xf32>, %w: tensor<16x1x1x16x16xf32>, %c: tensor<1x1x2x2x16xf32>) {
  // expected-error @below {{'cpu.conv2d' op weights of type 'tensor<16x1x1x16x16xf32>' do not fit input and result}}
  %0 = "cpu.conv2d"(%a, %w, %c) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, algorithm = #cpu.algorithm<winograd4>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>}> ({
  ^bb0(%p: f32):
    cpu.yield %p
  }) : (tensor<1x1x4x4x16xf32>, tensor<16x1x1x16x16xf32>, tensor<1x1x2x2x16xf32>) -> tensor<1x1x2x2x16xf32>
  return
}

// -----

func.func @yield(%a: f32) {
  // expected-error @below {{'cpu.yield' op expects parent op to be one of 'cpu.conv2d, cpu.depthwise_conv2d, cpu.eltwise, cpu.matmul'}}
  cpu.yield %a
}
