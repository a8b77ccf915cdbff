//===- Dump.cpp - Print a GE model file -----------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Format/GE/FileIO.h"
#include "modelwright/Schema/ge/model.pb.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <google/protobuf/text_format.h>
#include <xxhash.h>

using namespace modelwright::ge;
using google::protobuf::TextFormat;
using llvm::StringRef;

static std::string summarize(StringRef bytes) {
  std::string text;
  llvm::raw_string_ostream(text)
      << '<' << bytes.size() << " bytes, XXH64 "
      << llvm::format_hex_no_prefix(XXH64(bytes.data(), bytes.size(), 0), 16)
      << '>';
  return text;
}

namespace {
/// Prints a blob's index as its size and hash.
class BlobPrinter : public TextFormat::FastFieldValuePrinter {
public:
  explicit BlobPrinter(const std::vector<StringRef> &blobs) : blobs(blobs) {}

  void PrintUInt32(uint32_t value,
                   TextFormat::BaseTextGenerator *generator) const override {
    generator->PrintString(value < blobs.size() ? summarize(blobs[value])
                                                : "<no such blob>");
  }

private:
  const std::vector<StringRef> &blobs;
};
} // namespace

void modelwright::ge::dump(const File &file, llvm::raw_ostream &os) {
  if (const auto &container = file.container) {
    os << "container: IMOD " << (container->isServer ? "server" : "mobile")
       << ", version " << llvm::format_hex(container->getVersion(), 10)
       << ", modeltype " << unsigned(container->getModelType()) << " ("
       << describeModelType(*container) << "), om_ir_version "
       << container->getIRVersion() << "\n";
    os << "name: \"";
    os.write_escaped(container->getName()) << "\"\nplatform_version: \"";
    os.write_escaped(container->getPlatformVersion()) << "\"\n";
    // The length is what it has to be; all else in the header counts.
    std::array<char, Container::kHeaderSize> header = container->header;
    std::fill_n(header.begin() + 76, 4, 0);
    std::fill_n(header.begin() + 184, container->hasWideTable ? 8 : 0, 0);
    os << "header: " << summarize({header.data(), header.size()}) << "\n";
    for (const Partition &partition : container->partitions) {
      os << "partition: type " << partition.type;
      if (StringRef name = describePartition(*container, partition.type);
          !name.empty())
        os << " (" << name << ")";
      std::string content;
      for (StringRef piece : partition.pieces)
        content += partition.type == kModelDef ? StringRef() : piece;
      if (partition.type == kModelDef)
        os << "\n";
      else
        os << " " << summarize(content) << "\n";
    }
  }
  TextFormat::Printer printer;
  printer.RegisterFieldValuePrinter(
      proto::TensorDef::descriptor()->FindFieldByNumber(
          proto::TensorDef::kBlobFieldNumber),
      new BlobPrinter(file.blobs));
  std::string text;
  printer.PrintToString(*file.model, &text);
  os << text;
}
