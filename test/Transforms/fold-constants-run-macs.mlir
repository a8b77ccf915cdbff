// Products are run as long as max-run-macs lasts: 128 and 64 of them.
// RUN: model-opt %s --fold-constants=max-run-macs=192 | FileCheck %s --check-prefix=BOTH
// BOTH-NOT: nn.{{[^c]}}

// The first leaves too little for the second.
// RUN: model-opt %s --fold-constants=max-run-macs=191 --remarks=missed -o %t.first.mlir 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: FileCheck %s --check-prefix=FIRST --input-file=%t.first.mlir
// LEFT:      Reason="it takes 64 multiply-accumulates, max-run-macs leaves 63 of 191"
// LEFT-NOT:    {{.}}
// FIRST:     nn.constant dense<8.000000e+00> : tensor<1x4x4xf32>
// FIRST:     nn.batch_matmul
// FIRST:     nn.abs

// The second is run if the first is too much.
// RUN: model-opt %s --fold-constants=max-run-macs=127 --remarks=missed -o %t.second.mlir 2>&1 | FileCheck %s --check-prefix=MUCH
// RUN: FileCheck %s --check-prefix=SECOND --input-file=%t.second.mlir
// MUCH:       Reason="it takes 128 multiply-accumulates, max-run-macs leaves 127 of 127"
// MUCH-NOT:     {{.}}
// SECOND:     nn.batch_matmul
// SECOND:     nn.constant dense<4.000000e+00> : tensor<1x4x4xf32>
// SECOND-NOT: nn.abs

// None are run by a limit of 0.
// RUN: model-opt %s --fold-constants=max-run-macs=0 | FileCheck %s --check-prefix=NONE
// NONE-COUNT-2: nn.batch_matmul
// NONE:         nn.abs

func.func @main() -> (tensor<1x4x4xf32>, tensor<1x4x4xf32>) {
  %a = nn.constant dense<1.0> : tensor<1x4x8xf32> : tensor<1x4x8xf32>
  %b = nn.constant dense<1.0> : tensor<1x8x4xf32> : tensor<1x8x4xf32>
  %c = nn.constant dense<1.0> : tensor<1x4x4xf32> : tensor<1x4x4xf32>
  %0 = nn.batch_matmul %a, %b : (tensor<1x4x8xf32>, tensor<1x8x4xf32>) -> tensor<1x4x4xf32>
  %1 = nn.batch_matmul %c, %c : (tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %2 = nn.abs %1 : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  return %0, %2 : tensor<1x4x4xf32>, tensor<1x4x4xf32>
}

// More than can be counted are too many.
// RUN: model-opt %S/Inputs/huge-product.mlir --fold-constants --remarks=missed -o %t.huge.mlir 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: Reason="it takes 18446744073709551615 multiply-accumulates, max-run-macs leaves 1000000000 of 1000000000"
