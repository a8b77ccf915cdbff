// RUN: model-opt %s | model-opt | FileCheck %s

// CHECK-LABEL: @cond
func.func @cond(%v: tensor<1xf32>, %k0: tensor<1xf32>, %k1: tensor<1xf32>, %x: tensor<2x3xf32>,
                %y: tensor<4x3xf32>, %s: tensor<2xi32>) {
  // CHECK: %[[P:.*]]:2 = nn.cond_pred %{{.*}} keys(%{{.*}}, %{{.*}}) {epsilon = 9.99999974E-5 : f32} : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xi32>, tensor<1xi32>)
  %p:2 = nn.cond_pred %v keys(%k0, %k1) {epsilon = 1.0e-4 : f32} : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1xi32>, tensor<1xi32>)
  // CHECK: nn.cond_pred {{.*}}mode = #nn.cond_pred_mode<case_fallback>
  %q:2 = nn.cond_pred %v keys(%k0) {epsilon = 0.0 : f32, mode = #nn.cond_pred_mode<case_fallback>} : (tensor<1xf32>, tensor<1xf32>) -> (tensor<1xi32>, tensor<1xi32>)
  %r:2 = nn.cond_pred %v keys(%k0) {epsilon = 0.0 : f32, mode = #nn.cond_pred_mode<piecewise>} : (tensor<1xf32>, tensor<1xf32>) -> (tensor<1xi32>, tensor<1xi32>)
  // CHECK: nn.cond_logical %[[P]]#0, %[[P]]#1 : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %l = nn.cond_logical %p#0, %p#1 : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  // CHECK: nn.cond_logical {{.*}} {mode = #nn.cond_logical_mode<and>}
  %l1 = nn.cond_logical %p#0, %p#1 {mode = #nn.cond_logical_mode<and>} : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  // CHECK: nn.cond_mark %{{.*}}, %{{.*}} if %[[P]]#0 {static_infer = #nn.cond_static_infer<none>}
  %m:2 = nn.cond_mark %x, %y if %p#0 {static_infer = #nn.cond_static_infer<none>} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<1xi32>) -> (tensor<2x3xf32>, tensor<4x3xf32>)
  // CHECK: nn.cond_merge(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %0 = nn.cond_merge(%m#0, %m#1) : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %1:2 = nn.cond_merge(%x, %y, %x, %y) {mode = #nn.cond_merge_mode<exact_one_same_shape>, num_outputs = 2 : i64} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<4x3xf32>)
  // CHECK: nn.cond_merge(%{{.*}}, %{{.*}}) shapes(%{{.*}}) {mode = #nn.cond_merge_mode<sum>}
  %2 = nn.cond_merge(%x, %x) shapes(%s) {mode = #nn.cond_merge_mode<sum>} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  // CHECK: nn.cond_merge(%{{.*}}, %{{.*}}) if %{{.*}} {mode = #nn.cond_merge_mode<sum_cond_out>} : {{.*}} -> (tensor<2x3xf32>, tensor<1xi32>)
  %3:2 = nn.cond_merge(%x, %x) if %l {mode = #nn.cond_merge_mode<sum_cond_out>} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1xi32>) -> (tensor<2x3xf32>, tensor<1xi32>)
  return
}

// CHECK-LABEL: @others
func.func @others(%x: tensor<2x3xf32>, %e: tensor<1xf32>) {
  // CHECK: nn.identity %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = nn.identity %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.assert_equal %{{.*}}, %{{.*}} error %{{.*}} {max_error = 5.000000e-01 : f32, verbose}
  %1 = nn.assert_equal %x, %0 error %e {max_error = 0.5 : f32, verbose} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  // CHECK: nn.extern_call "vendor:extra"(%{{.*}}, %{{.*}}) {data = array<i8: 1, -2, 3>} : (tensor<2x3xf32>, tensor<1xf32>) -> (tensor<*x!nn.unknown>, tensor<*x!nn.unknown>)
  %2:2 = nn.extern_call "vendor:extra"(%x, %e) {data = array<i8: 1, -2, 3>} : (tensor<2x3xf32>, tensor<1xf32>) -> (tensor<*x!nn.unknown>, tensor<*x!nn.unknown>)
  return
}
