//===- PrintHeader.cpp - The C header of a library ------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../HostData.h"
#include "Interface.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

/// The name of a type's elements in memory; empty if there is none. Elements of
/// less than a byte take one.
static std::string getDtypeName(Type element) {
  Type storage = nn::getStorageElementType(element);
  if (storage.isSignlessInteger(1))
    return "BOOL";
  if (storage.isF16())
    return "F16";
  if (storage.isBF16())
    return "BF16";
  if (storage.isF32())
    return "F32";
  if (storage.isF64())
    return "F64";
  if (auto complex = dyn_cast<ComplexType>(storage))
    return complex.getElementType().isF32() ? "COMPLEX64" : "";
  auto integer = dyn_cast<IntegerType>(storage);
  if (!integer || integer.getWidth() > 64)
    return "";
  bool isSigned = !integer.isUnsigned();
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    isSigned = quantized.isSigned();
  unsigned width =
      std::max(8u, unsigned(llvm::PowerOf2Ceil(integer.getWidth())));
  return (isSigned ? "I" : "U") + std::to_string(width);
}

std::optional<InterfaceTensor> cpu::describeTensor(const TensorInfo &info) {
  InterfaceTensor tensor;
  Type element = info.type.getElementType();
  const auto *dtype = llvm::find(kDtypeNames, getDtypeName(element));
  if (dtype == std::end(kDtypeNames))
    return std::nullopt;
  tensor.dtype = unsigned(dtype - kDtypeNames);
  tensor.bits = element.isSignlessInteger(1) ? 1 : nn::getStorageBits(element);
  tensor.name = info.name;
  llvm::raw_string_ostream(tensor.type) << element;
  tensor.shape.assign(info.type.getShape().begin(), info.type.getShape().end());
  tensor.bytes = getLoweredBytes(info.type);
  if (auto uniform = dyn_cast<quant::UniformQuantizedType>(element)) {
    tensor.scales = {uniform.getScale()};
    tensor.zeroPoints = {uniform.getZeroPoint()};
  } else if (auto axis =
                 dyn_cast<quant::UniformQuantizedPerAxisType>(element)) {
    tensor.scales = axis.getScales().vec();
    tensor.zeroPoints = axis.getZeroPoints().vec();
    tensor.axis = axis.getQuantizedDimension();
  }
  return tensor;
}

/// Upper case, and '_' for what no identifier has.
static std::string getMacroName(StringRef name) {
  std::string macro = name.upper();
  for (char &letter : macro)
    if (!llvm::isAlnum(letter))
      letter = '_';
  return macro;
}

/// A string that ends no comment, continues no line and prints.
static std::string getCommentText(StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  os.write_escaped(text);
  for (size_t at = 0; (at = escaped.find("*/", at)) != std::string::npos;)
    escaped.replace(at, 2, "*\\/");
  for (size_t at = 0; (at = escaped.find("/*", at)) != std::string::npos;)
    escaped.replace(at, 2, "/\\*");
  for (size_t at = 0; (at = escaped.find("?"
                                         "?",
                                         at)) != std::string::npos;)
    escaped.replace(at, 2, "?\\?");
  return escaped;
}

namespace {

class HeaderPrinter {
public:
  explicit HeaderPrinter(const Interface &interface)
      : interface(interface), prefix(interface.prefix),
        macro(getMacroName(interface.prefix)), os(text) {}

  std::string print();

private:
  void printIntroduction();
  void printCodes();
  void printTypes();
  void printTensors(StringRef what, ArrayRef<InterfaceTensor> tensors);
  void printVersions();
  void printFunctions();

  const Interface &interface;
  std::string prefix, macro, text;
  llvm::raw_string_ostream os;
};

} // namespace

void HeaderPrinter::printIntroduction() {
  os << "/* A model as a library, made by model-compile of Modelwright.\n"
        " *\n"
        " * The library holds no state and allocates nothing. A run works in "
        "an "
        "arena,\n"
        " * memory of the caller: "
     << prefix << "_arena_size() bytes, aligned to " << macro
     << "_ALIGNMENT,\n"
        " * which "
     << prefix
     << "_init() prepares once. Threads may run the model at the same time, "
        "each\n"
        " * in an arena of its own. Any memory may be an arena: ";
  os << prefix << "_arena_size() is also\n * " << macro
     << "_ARENA_SIZE. Nothing is to be freed but what the caller allocated.\n"
        " *\n"
        " * Tensors are row major. Each starts at an address that its elements "
        "may have\n"
        " * (64-byte alignment may be faster), and inputs, outputs and arena "
        "do "
        "not overlap.\n"
        " * Booleans are bytes of 0 or 1; integers of less than 8 bits take a "
        "byte each.\n"
        " */\n";
}

void HeaderPrinter::printCodes() {
  os << "\n/* What the functions return: 0, one of these, or the number of a "
        "check of the\n"
        " * model that failed, 1 and up (an index out of range, say). "
     << prefix
     << "_message() tells\n"
        " * what a number means. After a run that failed the outputs hold "
        "nothing in\n"
        " * particular; the next run is none the worse.\n"
        " */\n"
        "enum {\n  "
     << macro << "_GOOD = 0,\n  " << macro
     << "_BAD_ARENA = -1, /* null, not aligned, or too small */\n  " << macro
     << "_NOT_INITIALIZED = -2, /* not by this library's " << prefix
     << "_init() */\n  " << macro
     << "_BAD_WEIGHTS = -3, /* of another library, or not aligned */\n  "
     << macro
     << "_BAD_CPU = -4, /* without instructions that the code needs */\n  "
     << macro << "_BAD_VERSION = -5 /* there is no such version */\n};\n";
}

void HeaderPrinter::printTypes() {
  os << "\n/* Types of elements. */\nenum {\n";
  for (auto [i, name] : llvm::enumerate(kDtypeNames))
    os << "  " << macro << "_" << name << " = " << i
       << (i + 1 == std::size(kDtypeNames) ? "\n" : ",\n");
  os << "};\n\n/* An input or an output. A quantized number is\n"
        " * (code - zero point) * scale, with the one scale of the tensor or "
        "that of its\n"
        " * index in dimension scale_axis.\n */\ntypedef struct "
     << prefix
     << "_tensor {\n"
        "  const char *name;\n"
        "  int dtype;\n"
        "  int bits; /* of an element, that count: 4 if codes have 4 bits */\n"
        "  int rank;\n"
        "  const size_t *shape; /* rank numbers */\n"
        "  size_t bytes;\n"
        "  int scale_axis; /* -1 if there is one scale or none */\n"
        "  int scale_count; /* 0 if the tensor is not quantized */\n"
        "  const double *scales;\n"
        "  const int *zero_points;\n} "
     << prefix << "_tensor;\n";
}

void HeaderPrinter::printTensors(StringRef what,
                                 ArrayRef<InterfaceTensor> tensors) {
  std::string list = macro + "_" + getMacroName(what);
  os << "\n/* The " << what << "s, in the order of the pointers that " << prefix
     << "_run() takes. */\n";
  // Different names may be the same identifier.
  llvm::StringSet<> used;
  used.insert("COUNT");
  for (auto [i, tensor] : llvm::enumerate(tensors)) {
    std::string name = getMacroName(tensor.name);
    while (!used.insert(name).second)
      name += "_" + std::to_string(i);
    os << "/* '" << getCommentText(tensor.name) << "': ";
    for (int64_t dim : tensor.shape)
      os << dim << "x";
    os << getCommentText(tensor.type) << " */\n"
       << "#define " << list << "_" << name << " " << i << "\n"
       << "#define " << macro << "_SIZEOF_" << getMacroName(what) << "_" << name
       << " " << tensor.bytes << "ul\n";
  }
  os << "#define " << list << "_COUNT " << tensors.size() << "\nextern const "
     << prefix << "_tensor " << prefix << "_" << what << "s["
     << std::max<size_t>(tensors.size(), 1) << "];\n";
}

void HeaderPrinter::printVersions() {
  if (interface.versions.size() < 2)
    return;
  os << "\n/* There is code for several kinds of CPUs, the best last. */\n"
        "enum {\n";
  for (auto [i, name] : llvm::enumerate(interface.versions))
    os << "  " << macro << "_VERSION_" << getMacroName(name) << " = " << i
       << (i + 1 == interface.versions.size() ? "\n" : ",\n");
  os << "};\n\n/* The version that runs with an arena use: the best for this "
        "CPU, unless another\n * was set. Negative for an arena that was not "
        "initialized. */\n"
     << "int " << prefix << "_version(const void *arena);\n"
     << "/* Sets it, for example to have the same rounding on all machines. "
        "*/\n"
     << "int " << prefix << "_set_version(void *arena, int version);\n";
}

void HeaderPrinter::printFunctions() {
  os << "\n/* Bytes of an arena, and what its address is a multiple of. */\n"
     << "#define " << macro << "_ARENA_SIZE " << interface.arenaBytes
     << "ul\n#define " << macro << "_ALIGNMENT " << kArenaHeaderBytes
     << "\nsize_t " << prefix << "_arena_size(void);\n\n";
  if (interface.separateWeights) {
    os << "/* Bytes of the file of weights. */\n#define " << macro
       << "_WEIGHTS_SIZE " << kArenaHeaderBytes + interface.weightBytes
       << "ul\n\n"
       << "/* Prepares an arena for " << prefix
       << "_run(), which may then use it any number of\n"
          " * times. `size` is that of the memory at `arena`, `weights` what "
          "the file of\n"
          " * weights holds, mapped or read to an address that is a multiple "
          "of\n * "
       << macro
       << "_ALIGNMENT; it must stay there. Threads and arenas may share it. "
          "*/\nint "
       << prefix
       << "_init(void *arena, size_t size, const void *weights,\n"
          "    size_t weights_size);\n";
  } else {
    os << "/* Prepares an arena for " << prefix
       << "_run(), which may then use it any number of\n"
          " * times. `size` is that of the memory at `arena`. */\nint "
       << prefix << "_init(void *arena, size_t size);\n";
  }
  os << "\n/* Runs the model. `inputs` and `outputs` are as many pointers as "
        "there are inputs\n * and outputs. */\nint "
     << prefix
     << "_run(const void *const *inputs, void *const *outputs, void *arena);\n"
        "\n/* What a number that was returned means, in English. */\n"
        "const char *"
     << prefix << "_message(int code);\n";
  printVersions();
}

std::string HeaderPrinter::print() {
  printIntroduction();
  // Macros are in upper case; of two prefixes that differ by case only, one
  // header must not hide the other's functions.
  std::string guard = "MODELWRIGHT_" + prefix + "_H";
  os << "#ifndef " << guard << "\n#define " << guard
     << "\n\n#include <stddef.h>\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  printCodes();
  printTypes();
  printTensors("input", interface.inputs);
  printTensors("output", interface.outputs);
  printFunctions();
  os << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return std::move(text);
}

std::string cpu::printHeader(const Interface &interface) {
  return HeaderPrinter(interface).print();
}
