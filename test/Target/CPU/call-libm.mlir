// RUN: model-opt --call-libm %s | FileCheck %s

// On vectors for each element; f16 in f32. What has an accurate expansion stays.
// CHECK: func.func private @log1pf(f32) -> f32
// CHECK: func.func private @expm1f(f32) -> f32
// CHECK-LABEL: func.func @main
// CHECK: call @expm1f
// CHECK: math.exp
// CHECK: vector.extract
// CHECK: call @log1pf
// CHECK: call @log1pf
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: call @expm1f
func.func @main(%x: f32, %v: vector<2xf32>, %h: f16) -> (f32, f32, vector<2xf32>, f16) {
  %0 = math.expm1 %x : f32
  %1 = math.exp %x : f32
  %2 = math.log1p %v : vector<2xf32>
  %3 = math.expm1 %h : f16
  return %0, %1, %2, %3 : f32, f32, vector<2xf32>, f16
}
