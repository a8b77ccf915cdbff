//===- TestFiles.h - Files for the tests of the GE format -------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_UNITTESTS_FORMAT_GE_TESTFILES_H
#define MODELWRIGHT_UNITTESTS_FORMAT_GE_TESTFILES_H

#include "modelwright/Format/GE/FileIO.h"
#include "modelwright/Schema/ge/model.pb.h"
#include "llvm/Support/Endian.h"

#include "gtest/gtest.h"

namespace modelwright::ge::test {

inline std::string write(const File &file) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (llvm::Error error = writeFile(file, os))
    ADD_FAILURE() << llvm::toString(std::move(error));
  return bytes;
}

inline llvm::Expected<File> read(llvm::StringRef bytes) {
  return readFile(llvm::MemoryBuffer::getMemBufferCopy(bytes));
}

/// The message of a file that must not be readable.
inline std::string readFault(llvm::StringRef bytes) {
  llvm::Expected<File> file = read(bytes);
  if (file)
    return "(no fault)";
  return llvm::toString(file.takeError());
}

/// A model of one Const op whose data is `data`.
inline proto::ModelDef makeModel(llvm::StringRef data) {
  proto::ModelDef model;
  model.set_name("m");
  proto::GraphDef *graph = model.add_graph();
  graph->set_name("g");
  proto::OpDef *op = graph->add_op();
  op->set_name("c");
  op->set_type("Const");
  proto::AttrEntry *entry = op->add_attr();
  entry->set_key("value");
  proto::TensorDef *tensor = entry->mutable_value()->mutable_t();
  tensor->mutable_desc()->set_dtype(proto::DT_INT8);
  tensor->mutable_desc()->mutable_shape()->add_dim(data.size());
  tensor->set_data(data.str());
  return model;
}

struct RawPartition {
  uint32_t type;
  std::string bytes;
};

/// An IMOD file around partitions, with a 64-bit table if `wide`.
inline std::string makeContainer(llvm::ArrayRef<RawPartition> partitions,
                                 bool wide = false) {
  using llvm::support::endian::write32le;
  using llvm::support::endian::write64le;
  std::string table(
      wide ? 8 + 24 * partitions.size() : 4 + 12 * partitions.size(), 0);
  write32le(table.data(), partitions.size());
  std::string body;
  for (auto [k, partition] : llvm::enumerate(partitions)) {
    char *entry = table.data() + (wide ? 8 + 24 * k : 4 + 12 * k);
    write32le(entry, partition.type);
    if (wide) {
      write64le(entry + 8, body.size());
      write64le(entry + 16, partition.bytes.size());
    } else {
      write32le(entry + 4, body.size());
      write32le(entry + 8, partition.bytes.size());
    }
    body += partition.bytes;
  }
  std::string header(256, 0);
  header.replace(0, 4, "IMOD");
  write32le(header.data() + 4, 256);
  write32le(header.data() + 8, wide ? 0x20000000 : 0x10000000);
  uint64_t length = table.size() + body.size();
  if (wide)
    write64le(header.data() + 184, length);
  else
    write32le(header.data() + 76, length);
  header[82] = wide ? 1 : 3;
  return header + table + body;
}

} // namespace modelwright::ge::test

#endif // MODELWRIGHT_UNITTESTS_FORMAT_GE_TESTFILES_H
