// DEFINE: %{npy} = %python %S/../../Tools/npy.py
// RUN: %{npy} %t.0.npy "np.array([0], 'i4')"
// RUN: %{npy} %t.1.npy "np.array([1], 'i4')"
// RUN: %{npy} %t.2.npy "np.array([2], 'i4')"
// RUN: %{npy} %t.3.npy "np.array([3], 'i4')"
// RUN: model-run %s --input which=%t.0.npy | FileCheck %s --check-prefix=ZERO
// RUN: model-run %s --input which=%t.1.npy | FileCheck %s --check-prefix=ONE
// RUN: not model-run %s --input which=%t.2.npy 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not model-run %s --input which=%t.3.npy 2>&1 | FileCheck %s --check-prefix=THREE

// What depends on a marked value runs only where the mark's predicate holds: of
// branch 2, which fails, nothing is seen with 0 and 1.

// ZERO: output0: tensor<2xui8> [2, 6]
// ZERO: output1: tensor<2xf32> [4, 12]
// ZERO: output2: tensor<1xi32> [1]
// ZERO: output3: tensor<1xi32> [1]
// ZERO: output4: tensor<1xi32> [0]
// ONE: output0: tensor<2xui8> [1, 3]
// ONE: output1: tensor<2xf32> [1, 3]
// ONE: output2: tensor<1xi32> [1]
// ONE: output3: tensor<1xi32> [0]
// ONE: output4: tensor<1xi32> [1]
// TWO: error: a value differs from the expected one by more than 1.0
// THREE: error: not exactly one branch of a merge ran
func.func @main(%which: tensor<1xi32> {nn.name = "which"}) -> (tensor<2xui8>, tensor<2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) {
  %x = nn.constant dense<[1.0, 3.0]> : tensor<2xf32> : tensor<2xf32>
  %u = nn.constant dense<[1, 3]> : tensor<2xui8> : tensor<2xui8>
  %k0 = nn.constant dense<0> : tensor<1xi32> : tensor<1xi32>
  %k1 = nn.constant dense<1> : tensor<1xi32> : tensor<1xi32>
  %k2 = nn.constant dense<2> : tensor<1xi32> : tensor<1xi32>
  %error = nn.constant dense<2.0> : tensor<1xf32> : tensor<1xf32>
  %shape = nn.constant dense<2> : tensor<1xi32> : tensor<1xi32>
  %p:3 = nn.cond_pred %which keys (%k0, %k1, %k2) {epsilon = 1.0e-4 : f32} : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
  %a:2 = nn.cond_mark %x, %u if %p#0 : (tensor<2xf32>, tensor<2xui8>, tensor<1xi32>) -> (tensor<2xf32>, tensor<2xui8>)
  %b:2 = nn.cond_mark %x, %u if %p#1 : (tensor<2xf32>, tensor<2xui8>, tensor<1xi32>) -> (tensor<2xf32>, tensor<2xui8>)
  %c:3 = nn.cond_mark %x, %u, %error if %p#2 : (tensor<2xf32>, tensor<2xui8>, tensor<1xf32>, tensor<1xi32>) -> (tensor<2xf32>, tensor<2xui8>, tensor<1xf32>)
  %a0 = nn.add %a#0, %a#0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %a1 = nn.add %a#1, %a#1 : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %c0 = nn.assert_equal %c#0, %c#0 error %c#2 {max_error = 1.0 : f32} : (tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  %0 = nn.cond_merge (%a1, %b#1, %c#1) : (tensor<2xui8>, tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>

  // A mark within a marked branch, and the sum of what ran.
  %inner:2 = nn.cond_pred %which keys (%k1) {mode = #nn.cond_pred_mode<piecewise>, epsilon = 1.0e-4 : f32} : (tensor<1xi32>, tensor<1xi32>) -> (tensor<1xi32>, tensor<1xi32>)
  %d = nn.cond_mark %a0 if %inner#0 : (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
  %d0 = nn.add %a0, %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = nn.cond_merge (%d0, %b#0, %c0) shapes (%shape) {mode = #nn.cond_merge_mode<sum>} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
  %2 = nn.cond_logical %p#0, %p#1 {mode = #nn.cond_logical_mode<xor>} : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  return %0, %1, %2, %inner#0, %inner#1 : tensor<2xui8>, tensor<2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>
}
