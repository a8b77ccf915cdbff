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
  // expected-error @below {{'cpu.eltwise' op has a region argument of type 'f64', expected 'f32'}}
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

func.func @weights(%a: tensor<1x2x4x4x16xf32>, %w: tensor<2x3x1x1x16x16xf32>) {
  // expected-error @below {{'cpu.conv2d' op weights of type 'tensor<2x3x1x1x16x16xf32>' do not fit input and result}}
  %0 = "cpu.conv2d"(%a, %w, %a) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>}> ({
  ^bb0(%p: f32):
    cpu.yield %p
  }) : (tensor<1x2x4x4x16xf32>, tensor<2x3x1x1x16x16xf32>, tensor<1x2x4x4x16xf32>) -> tensor<1x2x4x4x16xf32>
  return
}

// -----

func.func @strassen_pads(%a: tensor<1x2x4x4x16xf32>, %w: tensor<7x1x1x16x16xf32>, %c: tensor<1x2x6x6x16xf32>) {
  // expected-error @below {{'cpu.conv2d' op strassen takes no pads}}
  %0 = "cpu.conv2d"(%a, %w, %c) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, algorithm = #cpu.algorithm<strassen>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, pads = array<i64: 1, 1>, strides = array<i64: 1, 1>}> ({
  ^bb0(%p: f32):
    cpu.yield %p
  }) : (tensor<1x2x4x4x16xf32>, tensor<7x1x1x16x16xf32>, tensor<1x2x6x6x16xf32>) -> tensor<1x2x6x6x16xf32>
  return
}

// -----

func.func @strassen_odd(%a: tensor<1x2x3x3x16xf32>, %w: tensor<7x1x1x16x16xf32>, %c: tensor<1x2x3x3x16xf32>) {
  // expected-error @below {{'cpu.conv2d' op strassen takes an even number of rows or columns}}
  %0 = "cpu.conv2d"(%a, %w, %c) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, algorithm = #cpu.algorithm<strassen>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>}> ({
  ^bb0(%p: f32):
    cpu.yield %p
  }) : (tensor<1x2x3x3x16xf32>, tensor<7x1x1x16x16xf32>, tensor<1x2x3x3x16xf32>) -> tensor<1x2x3x3x16xf32>
  return
}

// -----

func.func @strassen_weights(%a: tensor<1x2x4x4x16xf32>, %w: tensor<7x1x1x16x16xf32>, %c: tensor<1x3x4x4x16xf32>) {
  // expected-error @below {{'cpu.conv2d' op weights of type 'tensor<7x1x1x16x16xf32>' do not fit input and result}}
  %0 = "cpu.conv2d"(%a, %w, %c) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, algorithm = #cpu.algorithm<strassen>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>}> ({
  ^bb0(%p: f32):
    cpu.yield %p
  }) : (tensor<1x2x4x4x16xf32>, tensor<7x1x1x16x16xf32>, tensor<1x3x4x4x16xf32>) -> tensor<1x3x4x4x16xf32>
  return
}

// -----

func.func @last_channels(%a: tensor<1x2x4x4x16xf32>, %w: tensor<2x2x1x1x16x16xf32>, %c: tensor<1x2x4x4x16xf32>) {
  // expected-error @below {{'cpu.conv2d' op has 17 channels in a block of 16}}
  %0 = "cpu.conv2d"(%a, %w, %c) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, algorithm = #cpu.algorithm<direct>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, last_channels = 17 : i64, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>}> ({
  ^bb0(%p: f32):
    cpu.yield %p
  }) : (tensor<1x2x4x4x16xf32>, tensor<2x2x1x1x16x16xf32>, tensor<1x2x4x4x16xf32>) -> tensor<1x2x4x4x16xf32>
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

// -----

func.func @pack_halo(%x: tensor<1x3x4x4xf32>, %b: tensor<1x1x4x4x16xf32>) {
  // expected-error @below {{'cpu.pack' op takes four numbers for each halo}}
  %0 = cpu.pack %x into %b {halo = array<i64: 0, 0>} : tensor<1x3x4x4xf32> into tensor<1x1x4x4x16xf32> -> tensor<1x1x4x4x16xf32>
  return
}

// -----

func.func @pack_room(%x: tensor<1x3x4x4xf32>, %b: tensor<1x1x4x4x16xf32>) {
  // expected-error @below {{'cpu.pack' op 'tensor<1x1x4x4x16xf32>' has no room for its halo}}
  %0 = cpu.pack %x into %b {halo = array<i64: 3, 0, 2, 0>} : tensor<1x3x4x4xf32> into tensor<1x1x4x4x16xf32> -> tensor<1x1x4x4x16xf32>
  return
}

// -----

func.func @pack_image(%x: tensor<1x17x4x4xf32>, %b: tensor<1x1x4x4x16xf32>) {
  // expected-error @below {{'cpu.pack' op 'tensor<1x17x4x4xf32>' is not the image of 'tensor<1x1x4x4x16xf32>'}}
  %0 = cpu.pack %x into %b {halo = array<i64: 0, 0, 0, 0>} : tensor<1x17x4x4xf32> into tensor<1x1x4x4x16xf32> -> tensor<1x1x4x4x16xf32>
  return
}

// -----

func.func @unpack_type(%x: tensor<1x16x4x4xf32>, %b: tensor<1x1x4x4x16xf16>) {
  // expected-error @below {{'cpu.unpack' op 'tensor<1x16x4x4xf32>' is not the image of 'tensor<1x1x4x4x16xf16>'}}
  %0 = cpu.unpack %b into %x {halo = array<i64: 0, 0, 0, 0>} : tensor<1x1x4x4x16xf16> into tensor<1x16x4x4xf32> -> tensor<1x16x4x4xf32>
  return
}

// -----

func.func @pool_counts(%a: tensor<1x1x4x4x16xf32>) {
  // expected-error @below {{'cpu.pool2d' op takes two numbers for kernel, strides and pads}}
  %0 = cpu.pool2d %a into %a {halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, kernel = array<i64: 1>, kind = #cpu.pool_kind<max>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} : tensor<1x1x4x4x16xf32> into tensor<1x1x4x4x16xf32> -> tensor<1x1x4x4x16xf32>
  return
}

// -----

func.func @pool_channels(%a: tensor<1x1x4x4x16xf32>, %b: tensor<1x2x4x4x16xf32>) {
  // expected-error @below {{'cpu.pool2d' op pools each channel for itself}}
  %0 = cpu.pool2d %a into %b {halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, kernel = array<i64: 1, 1>, kind = #cpu.pool_kind<max>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>} : tensor<1x1x4x4x16xf32> into tensor<1x2x4x4x16xf32> -> tensor<1x2x4x4x16xf32>
  return
}

// -----

func.func @gather_halos(%a: tensor<1x1x4x4x16xf32>) {
  // expected-error @below {{'cpu.gather_channels' op must have a halo for each of its inputs}}
  %0 = cpu.gather_channels %a into %a {channels = array<i64: 0>, halo = array<i64: 0, 0, 0, 0>, input_halos = []} : tensor<1x1x4x4x16xf32> into tensor<1x1x4x4x16xf32> -> tensor<1x1x4x4x16xf32>
  return
}

// -----

func.func @gather_input(%a: tensor<1x1x4x4x16xf32>, %b: tensor<1x1x5x4x16xf32>) {
  // expected-error @below {{'cpu.gather_channels' op input of type 'tensor<1x1x4x4x16xf32>' does not fit the result}}
  %0 = cpu.gather_channels %a into %b {channels = array<i64: 0>, halo = array<i64: 0, 0, 0, 0>, input_halos = [array<i64: 0, 0, 0, 0>]} : tensor<1x1x4x4x16xf32> into tensor<1x1x5x4x16xf32> -> tensor<1x1x5x4x16xf32>
  return
}

// -----

func.func @gather_blocks(%a: tensor<1x1x4x4x16xf32>) {
  // expected-error @below {{'cpu.gather_channels' op gathers 17 channels into 1 blocks of 16}}
  %0 = cpu.gather_channels %a, %a into %a {channels = array<i64: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>, halo = array<i64: 0, 0, 0, 0>, input_halos = [array<i64: 0, 0, 0, 0>, array<i64: 0, 0, 0, 0>]} : tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32> into tensor<1x1x4x4x16xf32> -> tensor<1x1x4x4x16xf32>
  return
}

// -----

func.func @gather_channel(%a: tensor<1x1x4x4x16xf32>) {
  // expected-error @below {{'cpu.gather_channels' op reads channel 16 of 16}}
  %0 = cpu.gather_channels %a into %a {channels = array<i64: 16>, halo = array<i64: 0, 0, 0, 0>, input_halos = [array<i64: 0, 0, 0, 0>]} : tensor<1x1x4x4x16xf32> into tensor<1x1x4x4x16xf32> -> tensor<1x1x4x4x16xf32>
  return
}

// -----

func.func @eltwise_halos(%a: tensor<1x1x4x4x16xf32>) {
  // expected-error @below {{'cpu.eltwise' op takes four numbers for each halo}}
  %0 = "cpu.eltwise"(%a, %a) <{extra_halos = [array<i64: 0>], halo = array<i64: 0, 0, 0, 0>}> ({
  ^bb0(%p: f32):
    cpu.yield %p
  }) : (tensor<1x1x4x4x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x1x4x4x16xf32>
  return
}

// -----

// vpdpbusd takes weights of bytes, in quads.
func.func @products(%x: tensor<1x1x4x4x16xi8>, %w: tensor<1x1x1x1x4x64xi16>, %v: tensor<1x1x1x1x16x16xi8>, %y: tensor<1x1x4x4x16xi32>) {
  // expected-error @below {{'cpu.conv2d' op has no products of 'i8' and 'i16' as dot_i8}}
  %0 = "cpu.conv2d"(%x, %w, %y) <{algorithm = #cpu.algorithm<direct>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, pads = array<i64: 0, 0>, products = #cpu.products<dot_i8>, strides = array<i64: 1, 1>}> ({
  ^bb0(%s: i32):
    cpu.yield %s : i32
  }) : (tensor<1x1x4x4x16xi8>, tensor<1x1x1x1x4x64xi16>, tensor<1x1x4x4x16xi32>) -> tensor<1x1x4x4x16xi32>
  // expected-error @below {{'cpu.conv2d' op weights of type 'tensor<1x1x1x1x16x16xi8>' do not fit input and result}}
  %1 = "cpu.conv2d"(%x, %v, %y) <{algorithm = #cpu.algorithm<direct>, dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, pads = array<i64: 0, 0>, products = #cpu.products<dot_i8>, strides = array<i64: 1, 1>}> ({
  ^bb0(%s: i32):
    cpu.yield %s : i32
  }) : (tensor<1x1x4x4x16xi8>, tensor<1x1x1x1x16x16xi8>, tensor<1x1x4x4x16xi32>) -> tensor<1x1x4x4x16xi32>
  return
}

// -----

// Codes are summed as i32; what is yielded is what is stored.
func.func @sums(%x: tensor<1x1x4x4x16xi8>, %w: tensor<1x1x1x16xi32>, %y: tensor<1x1x4x4x16xi8>) {
  // expected-error @below {{'cpu.depthwise_conv2d' op has a region argument of type 'f32', expected 'i32'}}
  %0 = "cpu.depthwise_conv2d"(%x, %w, %y) <{dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>}> ({
  ^bb0(%s: f32):
    cpu.yield %s
  }) : (tensor<1x1x4x4x16xi8>, tensor<1x1x1x16xi32>, tensor<1x1x4x4x16xi8>) -> tensor<1x1x4x4x16xi8>
  // expected-error @below {{'cpu.depthwise_conv2d' op yields 'i32', but stores 'i8'}}
  %1 = "cpu.depthwise_conv2d"(%x, %w, %y) <{dilations = array<i64: 1, 1>, extra_halos = [], halo = array<i64: 0, 0, 0, 0>, input_halo = array<i64: 0, 0, 0, 0>, pads = array<i64: 0, 0>, strides = array<i64: 1, 1>}> ({
  ^bb0(%s: i32):
    cpu.yield %s : i32
  }) : (tensor<1x1x4x4x16xi8>, tensor<1x1x1x16xi32>, tensor<1x1x4x4x16xi8>) -> tensor<1x1x4x4x16xi8>
  return
}

// -----

func.func @matmul_bytes(%x: tensor<3x5xi8>, %w: tensor<1x5x16xi8>, %y: tensor<3x16xi32>) {
  // expected-error @below {{'cpu.matmul' op has no products of 'i8' and 'i8' as lanes}}
  %0 = "cpu.matmul"(%x, %w, %y) ({
  ^bb0(%s: i32):
    cpu.yield %s : i32
  }) : (tensor<3x5xi8>, tensor<1x5x16xi8>, tensor<3x16xi32>) -> tensor<3x16xi32>
  return
}
