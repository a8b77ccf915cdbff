//===- Dump.cpp - Text of every field of a file ---------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Format/MGB/FileIO.h"
#include "modelwright/Format/MGB/Registry.h"

#include "GraphReader.h"
#include "Params.h"

#include "llvm/Support/Format.h"

#include <xxhash.h>

using namespace modelwright::mgb;

namespace {

class Dumper {
public:
  explicit Dumper(llvm::raw_ostream &os) : os(os) {}

  void dump(const File &file);

private:
  void dump(const PackedModel &packed);
  void dump(const Graph &graph);
  void dump(const Operator &opr, const Graph &graph);
  void dump(const Tensor &tensor);

  void print(const std::string &text) {
    os << '"';
    os.write_escaped(text, /*UseHexEscapes=*/true);
    os << '"';
  }
  void print(uint32_t x) { os << x; }
  void print(const CompNode &node) {
    if (node.locator)
      print(*node.locator);
    else
      os << "(default)";
  }
  void print(const DType &dtype);
  void print(const TensorFormat &format);
  void print(llvm::ArrayRef<uint8_t> bytes) {
    os << bytes.size() << " bytes "
       << llvm::format_hex(XXH64(bytes.data(), bytes.size(), 0), 18);
  }
  template <typename T> void print(const std::vector<T> &list) {
    os << '[';
    for (size_t k = 0; k != list.size(); ++k) {
      os << (k ? ", " : "");
      print(list[k]);
    }
    os << ']';
  }

  /// Prints " label=value" unless the value is absent.
  template <typename T>
  void field(const char *label, const std::optional<T> &value) {
    if (!value)
      return;
    os << ' ' << label << '=';
    print(*value);
  }

  llvm::raw_ostream &os;
};

} // namespace

void Dumper::print(const DType &dtype) {
  os << fbs::EnumNameDTypeEnum(dtype.type);
  if (dtype.hasQuantization)
    os << llvm::format(
        "(scale=%.9g bits=0x%08x zero_point=%u)", double(dtype.scale),
        llvm::bit_cast<uint32_t>(dtype.scale), unsigned(dtype.zeroPoint));
}

void Dumper::print(const TensorFormat &format) {
  switch (format.kind) {
  case TensorFormat::Kind::None:
    os << "none";
    return;
  case TensorFormat::Kind::Default:
    os << "default";
    return;
  case TensorFormat::Kind::Image2DPacked:
    os << "image2d(" << unsigned(format.alignAxis) << ')';
    return;
  case TensorFormat::Kind::LowbitsAligned:
    os << "lowbits(" << unsigned(format.sizeNbits) << ','
       << unsigned(format.alignSizeInBits) << ')';
    return;
  }
}

void Dumper::dump(const Tensor &tensor) {
  os << "    tensor";
  field("name", tensor.name);
  field("shape", tensor.shape);
  field("comp_node", tensor.compNode);
  field("dtype", tensor.dtype);
  if (tensor.format.kind != TensorFormat::Kind::None) {
    os << " format=";
    print(tensor.format);
  }
  if (tensor.offset)
    os << " offset=" << tensor.offset;
  if (tensor.hasData) {
    os << " data=";
    print(tensor.area);
  }
  os << '\n';
}

void Dumper::dump(const Operator &opr, const Graph &graph) {
  os << describeType(opr) << " id=" << llvm::format_hex(opr.typeId, 18);
  if (graph.encoding == Encoding::V2) {
    field("type", opr.type);
    os << " version=" << opr.oprVersion;
  }
  field("name", opr.name);
  if (opr.priority)
    os << " priority=" << opr.priority;
  field("comp_nodes", opr.compNodes);
  field("output_dtype", opr.outputDType);
  os << "\n    inputs ";
  print(opr.inputs);
  os << " outputs ";
  print(opr.outputs);
  field("output_names", opr.outputNames);
  os << '\n';
  for (const Param &param : opr.params) {
    os << "    param " << fbs::EnumNameOperatorParam(param.type) << ' ';
    printParam(param, os);
    os << '\n';
  }
  for (const Tensor &tensor : opr.tensors)
    dump(tensor);
  for (llvm::ArrayRef<uint8_t> blob : opr.blobs) {
    os << "    blob ";
    print(blob);
    os << '\n';
  }
}

void Dumper::dump(const Graph &graph) {
  os << stringifyEncoding(graph.encoding) << " version=" << graph.version;
  if (graph.encoding == Encoding::V2)
    os << " model_version=" << graph.modelVersion;
  else
    os << " hash=" << llvm::format_hex(graph.hash, 18);
  os << " shared_tensors=" << graph.nrSharedTensor << " vars=" << graph.numVars;
  if (graph.shiftedUnion)
    os << " shifted_union";
  if (graph.layouts.zeroStrategy)
    os << " zero_strategy";
  if (graph.layouts.earlyWindow)
    os << " early_window";
  os << '\n';
  if (graph.metadata) {
    os << "  metadata valid=" << graph.metadata->isValid
       << " modified=" << graph.metadata->graphModified
       << " options=" << llvm::format_hex(graph.metadata->optimizeOptions, 18);
    field("user_info", graph.metadata->userInfo);
    os << '\n';
  }
  for (size_t k = 0; k != graph.oprs.size(); ++k) {
    os << "  opr " << k << ' ';
    dump(graph.oprs[k], graph);
  }
  if (graph.middleTensors) {
    os << "  " << graph.middleTensors->size() << " middle tensors\n";
    for (size_t k = 0; k != graph.middleTensors->size(); ++k) {
      const MiddleTensor &tensor = (*graph.middleTensors)[k];
      os << "  var " << k;
      field("name", tensor.name);
      field("shape", tensor.shape);
      field("comp_node", tensor.compNode);
      field("dtype", tensor.dtype);
      if (tensor.format.kind != TensorFormat::Kind::None) {
        os << " format=";
        print(tensor.format);
      }
      os << '\n';
    }
  }
  for (const OutputVar &output : graph.outputs)
    os << "  output " << output.compactId << " original=" << output.originalId
       << '\n';
  if (graph.outputAliases) {
    os << "  " << graph.outputAliases->size() << " aliases\n";
    for (const OutputAlias &alias : *graph.outputAliases) {
      os << "  alias " << alias.id;
      field("name", alias.name);
      os << '\n';
    }
  }
}

void Dumper::dump(const PackedModel &packed) {
  os << "packed model";
  field("name", packed.name);
  field("info_decryption", packed.infoDecryption);
  field("info_parse", packed.infoParse);
  field("model_decryption", packed.modelDecryption);
  field("info_cache_parse", packed.infoCacheParse);
  os << " fast_run_cache=" << packed.fastRunCache
     << " has_info=" << packed.hasInfo;
  field("info", packed.infoData);
  field("algo_policy", packed.algoPolicy);
  field("binary_cache", packed.binaryCache);
  os << '\n';
}

void Dumper::dump(const File &file) {
  if (file.packed)
    dump(*file.packed);
  if (file.isTestcase)
    os << "testcase container with " << file.testcases.size() << " graphs\n";
  os << "graph 0 ";
  dump(file.graph);
  for (size_t k = 0; k != file.testcases.size(); ++k) {
    os << "graph " << k + 1 << ' ';
    dump(file.testcases[k]);
  }
}

void modelwright::mgb::dump(const File &file, llvm::raw_ostream &os) {
  Dumper(os).dump(file);
}
