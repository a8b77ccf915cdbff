// RUN: model-opt %s | model-opt | FileCheck %s

// CHECK-LABEL: func.func @fake_quantize
func.func @fake_quantize(%x: tensor<2x3xf32>, %s: tensor<1xf32>,
                         %c: tensor<2x1xf32>, %u: tensor<*xf32>) {
  // CHECK: nn.fake_quant %{{.*}}, %{{.*}}, %{{.*}} {qmax = 127 : i32, qmin = -128 : i32} : (tensor<2x3xf32>, tensor<1xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %0 = nn.fake_quant %x, %s, %c {qmin = -128 : i32, qmax = 127 : i32} : (tensor<2x3xf32>, tensor<1xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  // CHECK: nn.tqt {{.*}} {qmax = 2147483647 : i32, qmin = -2147483648 : i32}
  %1 = nn.tqt %x, %s {qmin = -2147483648 : i32, qmax = 2147483647 : i32} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  // CHECK: nn.lsq
  %2 = nn.lsq %x, %s, %s, %c {qmin = 0 : i32, qmax = 255 : i32} : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  // CHECK: nn.tqt {{.*}} -> tensor<*xf32>
  %3 = nn.tqt %u, %s {qmin = 0 : i32, qmax = 255 : i32} : (tensor<*xf32>, tensor<1xf32>) -> tensor<*xf32>
  return
}
