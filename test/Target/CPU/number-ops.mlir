// RUN: model-opt %s --number-ops --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// In the order of the text, over all functions; other ops have no number, and
// what a location says otherwise stays.
// CHECK-LABEL: func.func @main
// CHECK:         nn.relu {{.*}} loc(fused<0 : i64>["x"({{.*}})])
// CHECK:         tensor.empty() : tensor<2xf32> loc({{[^f]}}
// CHECK:         nn.exp {{.*}} loc(fused<1 : i64>[{{.*}}])
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = nn.relu %x : (tensor<2xf32>) -> tensor<2xf32> loc("x"("net.mge":3:0))
  %1 = tensor.empty() : tensor<2xf32>
  %2 = nn.exp %0 : (tensor<2xf32>) -> tensor<2xf32>
  return %1, %2 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func private @callee
// CHECK:         nn.neg {{.*}} loc(fused<2 : i64>[{{.*}}])
func.func private @callee(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = nn.neg %x : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
