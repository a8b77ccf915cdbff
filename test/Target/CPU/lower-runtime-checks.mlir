// RUN: model-opt --lower-runtime-checks --split-input-file --verify-diagnostics %s | FileCheck %s

// Each check is a branch with its number, to one exit; in any block, in order.
// CHECK: #[[L1:loc[0-9]*]] = loc({{.*}}:[[#@LINE+19]]:3)
// CHECK: #[[L2:loc[0-9]*]] = loc({{.*}}:[[#@LINE+21]]:3)
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[P:[^:]*]]: i1, %[[Q:[^:]*]]: i1, %[[S:[^:]*]]: memref<1xi64> {nn.status}
// CHECK-SAME: attributes {nn.checks = {{\[\[}}"first", #[[L1]]], ["second", #[[L2]]{{\]\]}}}
// CHECK: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: cf.cond_br %[[P]], ^[[REST:bb[0-9]+]], ^[[EXIT:bb[0-9]+]](%[[ONE]] : i64)
// CHECK: ^[[REST]]:
// CHECK: cf.cond_br %[[Q]], ^[[THEN:bb[0-9]+]], ^[[ELSE:bb[0-9]+]]
// CHECK: ^[[THEN]]:
// CHECK: %[[TWO:.*]] = arith.constant 2 : i64
// CHECK: cf.cond_br %[[P]], ^{{bb[0-9]+}}, ^[[EXIT]](%[[TWO]] : i64)
// CHECK: ^[[EXIT]](%[[N:.*]]: i64
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: memref.store %[[N]], %[[S]][%[[ZERO]]]
// CHECK: %[[POISON:.*]] = ub.poison : memref<?xf32>
// CHECK: return %[[POISON]]
// CHECK-NOT: cf.assert
func.func @main(%p: i1, %q: i1, %s: memref<1xi64> {nn.status}, %m: memref<?xf32>) -> memref<?xf32> {
  cf.assert %p, "first"
  cf.cond_br %q, ^a, ^b
^a:
  cf.assert %p, "second"
  cf.br ^b
^b:
  return %m : memref<?xf32>
}

// -----

// Without checks nothing changes.
// CHECK-LABEL: func.func @none
// CHECK-NOT: nn.checks
// CHECK-NOT: ^bb
func.func @none(%m: memref<?xf32>) -> memref<?xf32> {
  return %m : memref<?xf32>
}

// -----

// expected-error @below {{has checks and no argument marked 'nn.status'}}
func.func @no_status(%p: i1) {
  cf.assert %p, "first"
  return
}
