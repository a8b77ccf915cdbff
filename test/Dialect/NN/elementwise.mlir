// RUN: model-opt %s | model-opt | FileCheck %s

// CHECK-LABEL: func.func @unary_f32
func.func @unary_f32(%arg0: tensor<2x3xf32>) {
  // CHECK: nn.abs %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = nn.abs %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.neg %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = nn.neg %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.sign %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = nn.sign %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.square %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = nn.square %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.relu %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = nn.relu %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.relu6 %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = nn.relu6 %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.ceil %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = nn.ceil %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.floor %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = nn.floor %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.round %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = nn.round %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.sqrt %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %9 = nn.sqrt %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.exp %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %10 = nn.exp %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.expm1 %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %11 = nn.expm1 %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.log %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %12 = nn.log %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.log1p %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %13 = nn.log1p %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.erf %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %14 = nn.erf %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.erf_inv %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %15 = nn.erf_inv %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.erfc %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %16 = nn.erfc %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.erfc_inv %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %17 = nn.erfc_inv %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.sin %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %18 = nn.sin %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.cos %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %19 = nn.cos %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.tan %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %20 = nn.tan %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.asin %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %21 = nn.asin %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.acos %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %22 = nn.acos %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.sinh %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %23 = nn.sinh %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.cosh %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %24 = nn.cosh %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.tanh %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %25 = nn.tanh %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.asinh %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %26 = nn.asinh %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.acosh %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %27 = nn.acosh %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.atanh %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %28 = nn.atanh %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.fast_tanh %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %29 = nn.fast_tanh %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.sigmoid %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %30 = nn.sigmoid %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.log_sigmoid %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %31 = nn.log_sigmoid %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.softplus %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %32 = nn.softplus %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.silu %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %33 = nn.silu %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.gelu %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %34 = nn.gelu %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.h_swish %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %35 = nn.h_swish %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.h_sigmoid %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %36 = nn.h_sigmoid %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.is_nan %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %37 = nn.is_nan %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.is_inf %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %38 = nn.is_inf %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @binary_f32
func.func @binary_f32(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) {
  // CHECK: nn.sub %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = nn.sub %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.mul %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = nn.mul %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.div %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = nn.div %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.floor_div %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = nn.floor_div %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.maximum %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = nn.maximum %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.minimum %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = nn.minimum %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.pow %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = nn.pow %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.atan2 %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = nn.atan2 %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.log_add_exp %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = nn.log_add_exp %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.switch_gt0 %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %9 = nn.switch_gt0 %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.less %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %10 = nn.less %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.less_equal %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %11 = nn.less_equal %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.equal %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %12 = nn.equal %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.not_equal %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %13 = nn.not_equal %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.abs_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %14 = nn.abs_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.sigmoid_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %15 = nn.sigmoid_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.tanh_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %16 = nn.tanh_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.fast_tanh_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %17 = nn.fast_tanh_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.relu6_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %18 = nn.relu6_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.h_swish_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %19 = nn.h_swish_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.h_sigmoid_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %20 = nn.h_sigmoid_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.silu_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %21 = nn.silu_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.gelu_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %22 = nn.gelu_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.softplus_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %23 = nn.softplus_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.asinh_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %24 = nn.asinh_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.acosh_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %25 = nn.acosh_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.atanh_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %26 = nn.atanh_grad %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.prelu %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %27 = nn.prelu %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @ternary_f32
func.func @ternary_f32(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>) {
  // CHECK: nn.prelu_grad %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = nn.prelu_grad %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.fma %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = nn.fma %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.clip %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = nn.clip %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.cond_less_move %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = nn.cond_less_move %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.cond_less_equal_move %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = nn.cond_less_equal_move %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @quaternary_f32
func.func @quaternary_f32(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>, %arg3: tensor<2x3xf32>) {
  // CHECK: nn.fma2 %arg0, %arg1, %arg2, %arg3 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = nn.fma2 %arg0, %arg1, %arg2, %arg3 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @unary_i1
func.func @unary_i1(%arg0: tensor<2x3xi1>) {
  // CHECK: nn.logical_not %arg0 : (tensor<2x3xi1>) -> tensor<2x3xi1>
  %0 = nn.logical_not %arg0 : (tensor<2x3xi1>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: func.func @binary_i1
func.func @binary_i1(%arg0: tensor<2x3xi1>, %arg1: tensor<2x3xi1>) {
  // CHECK: nn.logical_and %arg0, %arg1 : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %0 = nn.logical_and %arg0, %arg1 : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  // CHECK: nn.logical_or %arg0, %arg1 : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %1 = nn.logical_or %arg0, %arg1 : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  // CHECK: nn.logical_xor %arg0, %arg1 : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %2 = nn.logical_xor %arg0, %arg1 : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: func.func @binary_i32
func.func @binary_i32(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>) {
  // CHECK: nn.shift_left %arg0, %arg1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %0 = nn.shift_left %arg0, %arg1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: nn.shift_right %arg0, %arg1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %1 = nn.shift_right %arg0, %arg1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: nn.rounding_mul_high %arg0, %arg1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %2 = nn.rounding_mul_high %arg0, %arg1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}
