//===- Weights.cpp - The weights of a library -----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Weights.h"
#include "Interface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstring>
#include <tuple>

using namespace modelwright::cpu;

uint64_t WeightsBuilder::add(llvm::ArrayRef<uint8_t> constant) {
  auto &places = known[llvm::xxh3_64bits(constant)];
  for (auto [offset, size] : places)
    if (constant == llvm::ArrayRef(bytes).slice(offset, size))
      return offset;
  uint64_t offset = llvm::alignTo(bytes.size(), kArenaHeaderBytes);
  bytes.resize(offset);
  bytes.insert(bytes.end(), constant.begin(), constant.end());
  places.push_back({offset, constant.size()});
  return offset;
}

llvm::SmallVector<uint64_t>
WeightsBuilder::add(llvm::MutableArrayRef<ModelConstant> list) {
  llvm::SmallVector<size_t> order(list.size());
  for (size_t i = 0; i < list.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::tie(list[a].firstUse, a) < std::tie(list[b].firstUse, b);
  });
  llvm::SmallVector<uint64_t> offsets(list.size());
  for (size_t i : order)
    offsets[i] =
        add(llvm::ArrayRef(static_cast<const uint8_t *>(list[i].data.get()),
                           getLoweredBytes(list[i].type)));
  return offsets;
}

std::vector<char> WeightsBuilder::takeFile(uint64_t id) {
  std::vector<char> file(kArenaHeaderBytes, 0);
  std::memcpy(file.data(), "MWWEIGHT", 8);
  llvm::support::endian::write64le(file.data() + 8, id);
  file.insert(file.end(), bytes.begin(), bytes.end());
  bytes.clear();
  known.clear();
  return file;
}
