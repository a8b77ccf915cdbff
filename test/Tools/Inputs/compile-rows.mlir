func.func @main(%x: tensor<5x6xf32> {nn.name = "x"}, %rows: tensor<3xi32> {nn.name = "rows"}) -> (tensor<3x6xf32> {nn.name = "picked"}) {
  %0 = nn.index %x[%rows] {axes = array<i64: 0>, has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: true>} : (tensor<5x6xf32>, tensor<3xi32>) -> tensor<3x6xf32>
  %1 = nn.neg %0 : (tensor<3x6xf32>) -> tensor<3x6xf32>
  return %1 : tensor<3x6xf32>
}
