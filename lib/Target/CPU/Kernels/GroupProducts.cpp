//===- GroupProducts.cpp - Several products per lane ----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

GroupProducts::Operand GroupProducts::loadInput(Value buffer,
                                                ValueRange indices) {
  return spread(e.load(buffer, indices, getGroupSize()));
}

GroupProducts::Operand GroupProducts::loadPart(Value buffer, ValueRange indices,
                                               int64_t count) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  Value zero = arith::ConstantOp::create(e.b, e.b.getZeroAttr(element));
  SmallVector<Value> elements(getGroupSize(), zero), at(indices);
  for (int64_t i = 0; i < count; ++i) {
    at.back() = e.add(indices.back(), i);
    elements[i] = e.loadScalar(buffer, at);
  }
  return spread(vector::FromElementsOp::create(
      e.b, VectorType::get({getGroupSize()}, element), elements));
}

GroupProducts::Operand GroupProducts::spread(Value group) {
  Type i16 = e.b.getIntegerType(16), i32 = e.b.getI32Type();
  if (products != Products::madd_i16) {
    Value word =
        vector::BitCastOp::create(e.b, VectorType::get({1}, i32), group);
    Value words = e.broadcast(vector::ExtractOp::create(e.b, word, 0));
    if (products == Products::dot_i8 && !isUnsigned)
      words =
          arith::XOrIOp::create(e.b, words, e.splat(i32, int64_t(0x80808080)));
    Type element = cast<VectorType>(group.getType()).getElementType();
    return {vector::BitCastOp::create(
        e.b, VectorType::get({getGroupSize() * e.lanes}, element), words)};
  }
  auto wide = VectorType::get({4}, i16);
  group = isUnsigned ? Value(arith::ExtUIOp::create(e.b, wide, group))
                     : Value(arith::ExtSIOp::create(e.b, wide, group));
  Value pairs =
      vector::BitCastOp::create(e.b, VectorType::get({2}, i32), group);
  Operand operand;
  for (int64_t i = 0; i < 2; ++i) {
    Value pair = e.broadcast(vector::ExtractOp::create(e.b, pairs, i));
    operand.push_back(vector::BitCastOp::create(
        e.b, VectorType::get({2 * e.lanes}, i16), pair));
  }
  return operand;
}

GroupProducts::Operand GroupProducts::loadWeights(Value buffer,
                                                  ValueRange indices) {
  if (products != Products::madd_i16)
    return {e.load(buffer, indices, getGroupSize() * e.lanes)};
  SmallVector<Value> second(indices);
  second.back() = e.index(2 * e.lanes);
  return {e.load(buffer, indices, 2 * e.lanes),
          e.load(buffer, second, 2 * e.lanes)};
}

Value GroupProducts::call(StringRef intrinsic, ValueRange operands) {
  Type sum = e.b.getI32Type();
  if (products == Products::dot_bf16)
    sum = e.b.getF32Type();
  Type result = e.getVector(sum);
  return LLVM::CallIntrinsicOp::create(e.b, result,
                                       e.b.getStringAttr(intrinsic), operands)
      .getResult(0);
}

Value GroupProducts::add(Value sums, const Operand &input,
                         const Operand &weights) {
  bool isWide = e.lanes == 16;
  if (products == Products::dot_i8)
    return call(isWide ? "llvm.x86.avx512.vpdpbusd.512"
                       : "llvm.x86.avx512.vpdpbusd.256",
                {sums, input[0], weights[0]});
  if (products == Products::dot_bf16)
    return call(isWide ? "llvm.x86.avx512bf16.dpbf16ps.512"
                       : "llvm.x86.avx512bf16.dpbf16ps.256",
                {sums, input[0], weights[0]});
  StringRef madd =
      isWide ? "llvm.x86.avx512.pmaddw.d.512" : "llvm.x86.avx2.pmadd.wd";
  for (unsigned i = 0; i < 2; ++i)
    sums = e.add(sums, call(madd, {input[i], weights[i]}));
  return sums;
}
