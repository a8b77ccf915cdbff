// RUN: model-run %s --opt-level=0 --schedule=plain | FileCheck %s

// What the evaluator does not cover: NaNs and infinities, integers of 64 bits,
// doubles, divisors and distances that would be undefined, no elements.
// CHECK: relu: tensor<5xf32> [{{-?}}nan, inf, 0, 0, 2]
// CHECK-NEXT: relu6: tensor<5xf32> [{{-?}}nan, 6, 0, 0, 2]
// CHECK-NEXT: maximum: tensor<5xf32> [1, inf, 1, 1, 2]
// CHECK-NEXT: less: tensor<5xi1> [0, 0, 1, 1, 0]
// CHECK-NEXT: not_equal: tensor<5xi1> [1, 0, 0, 0, 0]
// CHECK-NEXT: is_nan: tensor<5xi1> [1, 0, 0, 0, 0]
// CHECK-NEXT: is_inf: tensor<5xf32> [0, 1, 1, 0, 0]
// CHECK-NEXT: sign: tensor<5xf32> [{{-?}}nan, 1, -1, -1, 1]
// CHECK-NEXT: quantize: tensor<5x!quant.uniform<i8:f32, {{.*}}:3>> [-65.5, 62, -65.5, -0.5, 2]
// CHECK-NEXT: truncate: tensor<5xi32> [-2.14748e+09, 2.14748e+09, -2.14748e+09, 0, 2]
// CHECK-NEXT: power: tensor<5xf32> [1, 1, 1, 1, 1]
// CHECK-NEXT: log_add_exp: tensor<5xf32> [{{-?}}nan, inf, -inf, 0.193147, 2.69315]
// CHECK-NEXT: round: tensor<4xf32> [0, -1, 3, 8.38861e+06]
// CHECK-NEXT: erf_inv: tensor<5xf32> [inf, -inf, {{-?}}nan, 0, 8.86227e-31]
// CHECK-NEXT: erfc_inv: tensor<5xf32> [inf, -inf, {{-?}}nan, 0, 8.14862]
// CHECK-NEXT: floor_div: tensor<3xi64> [-9.22337e+18, 0, -4]
// CHECK-NEXT: mod: tensor<3xi64> [0, 0, 1]
// CHECK-NEXT: left: tensor<4xi32> [-12, 0, 0, 0]
// CHECK-NEXT: right: tensor<4xi32> [-3, -1, -1, -1]
// CHECK-NEXT: right8: tensor<4xui8> [125, 0, 0, 0]
// CHECK-NEXT: high: tensor<2xi64> [9.22337e+18, 2.30584e+18]
// CHECK-NEXT: double: tensor<2xf64> [2e-300, 4]
// CHECK-NEXT: wide: tensor<2xf64> [9.0072e+15, 3]
// CHECK-NEXT: saturate: tensor<3xi64> [9.22337e+18, -9.22337e+18, 3]
// CHECK-NEXT: mean: tensor<1x2xf32> [{{-?}}nan, {{-?}}nan]
// CHECK-NEXT: mean_int: tensor<1x2xi32> [0, 0]
// CHECK-NEXT: greatest: tensor<1x2xf32> [-inf, -inf]
// CHECK-NEXT: greatest_nan: tensor<1xf32> [{{-?}}nan]
// CHECK-NEXT: sum: tensor<1xi8> [1]
// CHECK-NEXT: fma_saturate: tensor<4xi8> [0, 2, 0, 100]
// CHECK-NEXT: shift: tensor<5xi8> [1, -1, 2, 127, -128]
// CHECK-NEXT: requantize: tensor<4xi8> [-50, 10, -10, 100]
// CHECK-NEXT: singular: tensor<2x2xf32> [-inf, inf, inf, -inf]
func.func @main() -> (
    tensor<5xf32> {nn.name = "relu"}, tensor<5xf32> {nn.name = "relu6"},
    tensor<5xf32> {nn.name = "maximum"}, tensor<5xi1> {nn.name = "less"},
    tensor<5xi1> {nn.name = "not_equal"}, tensor<5xi1> {nn.name = "is_nan"},
    tensor<5xf32> {nn.name = "is_inf"}, tensor<5xf32> {nn.name = "sign"},
    tensor<5x!quant.uniform<i8:f32, 0.5:3>> {nn.name = "quantize"},
    tensor<5xi32> {nn.name = "truncate"}, tensor<5xf32> {nn.name = "power"},
    tensor<5xf32> {nn.name = "log_add_exp"}, tensor<4xf32> {nn.name = "round"},
    tensor<5xf32> {nn.name = "erf_inv"}, tensor<5xf32> {nn.name = "erfc_inv"},
    tensor<3xi64> {nn.name = "floor_div"}, tensor<3xi64> {nn.name = "mod"},
    tensor<4xi32> {nn.name = "left"}, tensor<4xi32> {nn.name = "right"},
    tensor<4xui8> {nn.name = "right8"}, tensor<2xi64> {nn.name = "high"},
    tensor<2xf64> {nn.name = "double"}, tensor<2xf64> {nn.name = "wide"},
    tensor<3xi64> {nn.name = "saturate"},
    tensor<1x2xf32> {nn.name = "mean"}, tensor<1x2xi32> {nn.name = "mean_int"},
    tensor<1x2xf32> {nn.name = "greatest"},
    tensor<1xf32> {nn.name = "greatest_nan"}, tensor<1xi8> {nn.name = "sum"},
    tensor<4xi8> {nn.name = "fma_saturate"}, tensor<5xi8> {nn.name = "shift"},
    tensor<4xi8> {nn.name = "requantize"}, tensor<2x2xf32> {nn.name = "singular"}) {
  // A NaN, both infinities, -0.5 and 2.
  %x = nn.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, -0.5, 2.0]> : tensor<5xf32> : tensor<5xf32>
  %one = nn.constant dense<1.0> : tensor<1xf32> : tensor<1xf32>
  %relu = nn.relu %x : (tensor<5xf32>) -> tensor<5xf32>
  %relu6 = nn.relu6 %x : (tensor<5xf32>) -> tensor<5xf32>
  %maximum = nn.maximum %x, %one : (tensor<5xf32>, tensor<1xf32>) -> tensor<5xf32>
  %less = nn.less %x, %one {out_type = i1} : (tensor<5xf32>, tensor<1xf32>) -> tensor<5xi1>
  %not_equal = nn.not_equal %x, %x {out_type = i1} : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  %is_nan = nn.is_nan %x {out_type = i1} : (tensor<5xf32>) -> tensor<5xi1>
  %is_inf = nn.is_inf %x : (tensor<5xf32>) -> tensor<5xf32>
  %sign = nn.sign %x : (tensor<5xf32>) -> tensor<5xf32>
  %quantize = nn.cast %x {to = !quant.uniform<i8:f32, 0.5:3>} : (tensor<5xf32>) -> tensor<5x!quant.uniform<i8:f32, 0.5:3>>
  %truncate = nn.cast %x {to = i32} : (tensor<5xf32>) -> tensor<5xi32>
  %power = nn.pow_const %x {exponent = 0.0 : f32} : (tensor<5xf32>) -> tensor<5xf32>
  %log_add_exp = nn.log_add_exp %x, %x : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %halves = nn.constant dense<[0.49999997, -0.5, 2.5, 8388609.0]> : tensor<4xf32> : tensor<4xf32>
  %round = nn.round %halves : (tensor<4xf32>) -> tensor<4xf32>
  %ends = nn.constant dense<[1.0, -1.0, 1.5, 0.0, 1.0e-30]> : tensor<5xf32> : tensor<5xf32>
  %erf_inv = nn.erf_inv %ends : (tensor<5xf32>) -> tensor<5xf32>
  %two = nn.constant dense<[0.0, 2.0, 2.5, 1.0, 1.0e-30]> : tensor<5xf32> : tensor<5xf32>
  %erfc_inv = nn.erfc_inv %two : (tensor<5xf32>) -> tensor<5xf32>

  %long = nn.constant dense<[-9223372036854775808, 5, -7]> : tensor<3xi64> : tensor<3xi64>
  %by = nn.constant dense<[-1, 0, 2]> : tensor<3xi64> : tensor<3xi64>
  %floor_div = nn.floor_div %long, %by : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  %mod = nn.mod %long, %by : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  %bits = nn.constant dense<-6> : tensor<4xi32> : tensor<4xi32>
  %distance = nn.constant dense<[1, 31, 32, -1]> : tensor<4xi32> : tensor<4xi32>
  %left = nn.shift_left %bits, %distance : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %right = nn.shift_right %bits, %distance : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %byte = nn.cast %bits {to = ui8} : (tensor<4xi32>) -> tensor<4xui8>
  %byte_distance = nn.cast %distance {to = ui8} : (tensor<4xi32>) -> tensor<4xui8>
  %right8 = nn.shift_right %byte, %byte_distance : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %least = nn.constant dense<[-9223372036854775808, 4611686018427387904]> : tensor<2xi64> : tensor<2xi64>
  %high = nn.rounding_mul_high %least, %least : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>

  %d = nn.constant dense<[1.0e-300, 2.0]> : tensor<2xf64> : tensor<2xf64>
  %double = nn.add %d, %d : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %exact = nn.constant dense<[9007199254740993, 3]> : tensor<2xi64> : tensor<2xi64>
  %wide = nn.cast %exact {to = f64} : (tensor<2xi64>) -> tensor<2xf64>

  %huge = nn.constant dense<[1.0e300, -1.0e300, 3.9]> : tensor<3xf64> : tensor<3xf64>
  %saturate = nn.cast %huge {to = i64} : (tensor<3xf64>) -> tensor<3xi64>

  %nothing = nn.constant dense<> : tensor<0x2xf32> : tensor<0x2xf32>
  %no_ints = nn.constant dense<> : tensor<0x2xi32> : tensor<0x2xi32>
  %mean = nn.reduce_mean %nothing {axis = 0 : i64} : (tensor<0x2xf32>) -> tensor<1x2xf32>
  %mean_int = nn.reduce_mean %no_ints {axis = 0 : i64} : (tensor<0x2xi32>) -> tensor<1x2xi32>
  %greatest = nn.reduce_max %nothing {axis = 0 : i64} : (tensor<0x2xf32>) -> tensor<1x2xf32>
  %greatest_nan = nn.reduce_max %x {axis = 0 : i64} : (tensor<5xf32>) -> tensor<1xf32>
  %bytes = nn.constant dense<[100, 100, 57]> : tensor<3xi8> : tensor<3xi8>
  %sum = nn.reduce_sum %bytes {axis = 0 : i64} : (tensor<3xi8>) -> tensor<1xi8>

  // Halves to even; halves away from zero; a sum that wraps.
  %a = nn.constant dense<[1, 3, -1, 200]> : tensor<4xi32> : tensor<4xi32>
  %half = nn.constant dense<0.5> : tensor<1xf32> : tensor<1xf32>
  %none = nn.constant dense<0.0> : tensor<1xf32> : tensor<1xf32>
  %fma_saturate = nn.fma_saturate %a, %half, %none : (tensor<4xi32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xi8>
  %shorts = nn.constant dense<[2, -2, 6, 1000, -1000]> : tensor<5xi16> : tensor<5xi16>
  %by_two = nn.constant dense<2> : tensor<1xi8> : tensor<1xi8>
  %shift = nn.shift_right_saturate %shorts, %by_two {out_type = i8} : (tensor<5xi16>, tensor<1xi8>) -> tensor<5xi8>
  %large = nn.constant dense<[2147483647, 20, -20, 400]> : tensor<4xi32> : tensor<4xi32>
  %unit = nn.constant dense<[1, 20, -20, 400]> : tensor<4xi32> : tensor<4xi32>
  %multiplier = nn.constant dense<1073741824> : tensor<1xi32> : tensor<1xi32>
  %zero_byte = nn.constant dense<1> : tensor<1xi8> : tensor<1xi8>
  %low = nn.constant dense<-50> : tensor<1xi8> : tensor<1xi8>
  %up = nn.constant dense<100> : tensor<1xi8> : tensor<1xi8>
  %requantize = nn.add_requantize %large, %unit, %multiplier, %zero_byte, %low, %up : (tensor<4xi32>, tensor<4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>

  %matrix = nn.constant dense<[[1.0, 2.0], [2.0, 4.0]]> : tensor<2x2xf32> : tensor<2x2xf32>
  %singular = nn.matrix_inverse %matrix : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %relu, %relu6, %maximum, %less, %not_equal, %is_nan, %is_inf, %sign,
      %quantize, %truncate, %power, %log_add_exp, %round, %erf_inv, %erfc_inv,
      %floor_div, %mod, %left, %right, %right8, %high, %double, %wide,
      %saturate, %mean,
      %mean_int, %greatest, %greatest_nan, %sum, %fma_saturate, %shift,
      %requantize, %singular : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>,
      tensor<5xi1>, tensor<5xi1>, tensor<5xi1>, tensor<5xf32>, tensor<5xf32>,
      tensor<5x!quant.uniform<i8:f32, 0.5:3>>, tensor<5xi32>, tensor<5xf32>,
      tensor<5xf32>, tensor<4xf32>, tensor<5xf32>, tensor<5xf32>, tensor<3xi64>,
      tensor<3xi64>, tensor<4xi32>, tensor<4xi32>, tensor<4xui8>, tensor<2xi64>,
      tensor<2xf64>, tensor<2xf64>, tensor<3xi64>,
      tensor<1x2xf32>, tensor<1x2xi32>, tensor<1x2xf32>, tensor<1xf32>, tensor<1xi8>, tensor<4xi8>, tensor<5xi8>,
      tensor<4xi8>, tensor<2x2xf32>
}
