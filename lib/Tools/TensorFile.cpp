//===- TensorFile.cpp - Read and write tensors ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorFile.h"
#include "OutputFile.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Tools/ModelIO.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace modelwright;
using modelwright::cpu::HostTensor;

static constexpr llvm::StringLiteral kMagic("\x93NUMPY");

/// NumPy's name of what holds an element, e.g. "<f4"; elements narrower than a
/// byte stay packed.
static std::string getNpyType(Type element) {
  Type storage = nn::getStorageElementType(element);
  unsigned bits = nn::getStorageBits(element);
  if (storage.isSignlessInteger(1))
    return "|b1";
  if (bits % 8 != 0)
    return "|u1";
  std::string size = std::to_string(bits / 8);
  char order = bits == 8 ? '|' : '<';
  if (isa<ComplexType>(storage))
    return "<c" + size;
  if (storage.isBF16())
    return "<u2";
  if (isa<FloatType>(storage))
    return "<f" + size;
  bool isUnsigned = storage.isUnsignedInteger();
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    isUnsigned = !quantized.isSigned();
  return std::string(1, order) + (isUnsigned ? "u" : "i") + size;
}

/// The shape of the stored array: packed rows are shorter.
static SmallVector<int64_t> getNpyShape(RankedTensorType type) {
  SmallVector<int64_t> shape(type.getShape());
  unsigned bits = nn::getStorageBits(type.getElementType());
  if (bits % 8 != 0 && !shape.empty() && !ShapedType::isDynamic(shape.back()))
    shape.back() = int64_t(llvm::divideCeil(uint64_t(shape.back()) * bits, 8));
  return shape;
}

static llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

namespace {
/// The header of an .npy file.
struct NpyHeader {
  std::string type;
  bool fortranOrder = false;
  SmallVector<int64_t> shape;
  size_t size = 0;
};
} // namespace

/// The text behind `key` in the header's dictionary.
static StringRef findValue(StringRef dict, StringRef key) {
  auto [before, after] = dict.split(("'" + key + "':").str());
  return after.ltrim();
}

static llvm::Expected<NpyHeader> readHeader(StringRef bytes) {
  NpyHeader header;
  if (!bytes.starts_with(kMagic) || bytes.size() < 10)
    return fail("is no .npy file");
  unsigned lengthBytes = bytes[6] == 1 ? 2 : 4;
  if (bytes[6] < 1 || bytes[6] > 3 || bytes.size() < 8 + lengthBytes)
    return fail("is an .npy file of an unknown version");
  size_t length = lengthBytes == 2
                      ? llvm::support::endian::read16le(bytes.data() + 8)
                      : llvm::support::endian::read32le(bytes.data() + 8);
  header.size = 8 + lengthBytes;
  if (bytes.size() - header.size < length)
    return fail("ends within its header");
  StringRef dict = bytes.substr(header.size, length);
  header.size += length;
  StringRef type = findValue(dict, "descr");
  if (!type.consume_front("'"))
    return fail("holds records, not numbers");
  header.type = type.take_until([](char c) { return c == '\''; }).str();
  header.fortranOrder = findValue(dict, "fortran_order").starts_with("True");
  StringRef shape = findValue(dict, "shape");
  if (!shape.consume_front("("))
    return fail("has no shape in its header");
  shape = shape.take_until([](char c) { return c == ')'; });
  SmallVector<StringRef> dims;
  shape.split(dims, ',', -1, /*KeepEmpty=*/false);
  for (StringRef dim : dims) {
    int64_t size;
    if (dim.trim().empty())
      continue;
    if (dim.trim().getAsInteger(10, size) || size < 0)
      return fail("has a bad shape in its header");
    header.shape.push_back(size);
  }
  return header;
}

/// "2x3x?".
static std::string printShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "of a scalar";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      shape, os,
      [&](int64_t dim) {
        if (ShapedType::isDynamic(dim))
          os << '?';
        else
          os << dim;
      },
      "x");
  return text;
}

/// The static type of a file of this shape; null if it is another one. Packed
/// dims that are dynamic cannot be told.
static RankedTensorType resolveType(RankedTensorType type,
                                    ArrayRef<int64_t> shape) {
  SmallVector<int64_t> expected = getNpyShape(type);
  if (expected.size() != shape.size())
    return {};
  for (auto [a, b] : llvm::zip_equal(expected, shape))
    if (!ShapedType::isDynamic(a) && a != b)
      return {};
  if (type.hasStaticShape())
    return type;
  return RankedTensorType::get(shape, type.getElementType());
}

llvm::Expected<HostTensor> modelwright::readTensor(StringRef path,
                                                   RankedTensorType type) {
  auto buffer = openInput(path);
  if (!buffer)
    return fail("cannot open '" + path + "': " + buffer.getError().message());
  StringRef bytes = (*buffer)->getBuffer();
  HostTensor tensor;
  tensor.type = type;
  if (llvm::sys::path::extension(path) == ".npy") {
    llvm::Expected<NpyHeader> header = readHeader(bytes);
    if (!header)
      return fail("'" + path + "' " + llvm::toString(header.takeError()));
    std::string expected = getNpyType(type.getElementType());
    // Booleans are often stored as bytes.
    bool isBool = expected == "|b1" && header->type == "|u1";
    if (header->type != expected && !isBool)
      return fail("'" + path + "' holds elements of NumPy type '" +
                  header->type + "', not '" + expected + "'");
    tensor.type = resolveType(type, header->shape);
    if (!tensor.type || (header->fortranOrder && header->shape.size() > 1)) {
      return fail("'" + path + "' has the shape " + printShape(header->shape) +
                  (header->fortranOrder ? ", column major," : ",") + " not " +
                  printShape(getNpyShape(type)));
    }
    bytes = bytes.drop_front(header->size);
  }
  std::optional<uint64_t> size = nn::getByteSize(tensor.type);
  if (!size && tensor.type.hasStaticShape())
    return fail("'" + path + "' has the shape " +
                printShape(tensor.type.getShape()) +
                ", more elements than can be counted");
  if (!size)
    return fail("'" + path +
                "': raw bytes do not tell the shape of a tensor "
                "with dynamic dims; use an .npy file");
  if (bytes.size() != *size)
    return fail("'" + path + "' has " + llvm::Twine(bytes.size()) +
                " bytes of data, not " + llvm::Twine(*size));
  tensor.data.assign(bytes.begin(), bytes.end());
  return tensor;
}

llvm::Error modelwright::writeNpy(StringRef path, const HostTensor &tensor) {
  std::string dict = "{'descr': '" + getNpyType(tensor.type.getElementType()) +
                     "', 'fortran_order': False, 'shape': (";
  llvm::raw_string_ostream os(dict);
  SmallVector<int64_t> shape = getNpyShape(tensor.type);
  for (int64_t dim : shape)
    os << dim << (shape.size() == 1 ? "," : ", ");
  os << "), }";
  // The data begin at a multiple of 64, behind a newline.
  size_t total = llvm::alignTo(10 + dict.size() + 1, 64);
  dict.append(total - 10 - dict.size() - 1, ' ');
  dict.push_back('\n');
  char length[2];
  llvm::support::endian::write16le(length, uint16_t(dict.size()));
  llvm::Expected<std::unique_ptr<OutputFile>> file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  (*file)->os() << kMagic << '\x01' << '\x00' << StringRef(length, 2) << dict;
  (*file)->os().write(tensor.data.data(), tensor.data.size());
  return (*file)->keep();
}

std::vector<double> modelwright::getNumbers(const HostTensor &tensor) {
  Type element = tensor.type.getElementType();
  Type storage = nn::getStorageElementType(element);
  unsigned bits = nn::getStorageBits(element);
  int64_t count = tensor.type.getNumElements();
  std::vector<double> numbers;
  numbers.reserve(count);
  auto isSigned = !storage.isUnsignedInteger();
  double scale = 1;
  int64_t zeroPoint = 0;
  if (auto quantized = dyn_cast<quant::UniformQuantizedType>(element)) {
    isSigned = quantized.isSigned();
    scale = quantized.getScale();
    zeroPoint = quantized.getZeroPoint();
  }
  int64_t row = tensor.type.getRank() == 0 ? 1 : tensor.type.getShape().back();
  uint64_t rowBytes = llvm::divideCeil(uint64_t(row) * bits, 8);
  Type part = storage;
  unsigned parts = 1;
  if (auto complex = dyn_cast<ComplexType>(storage)) {
    part = complex.getElementType();
    bits /= 2;
    parts = 2;
  }
  for (int64_t i = 0; i < count; ++i) {
    for (unsigned k = 0; k < parts; ++k) {
      uint64_t bit = (uint64_t(i % row) * parts + k) * bits;
      const char *at =
          tensor.data.data() + uint64_t(i / row) * rowBytes + bit / 8;
      uint64_t code = 0;
      std::memcpy(&code, at, llvm::divideCeil(bits, 8u));
      code = (code >> (bit % 8)) & llvm::maskTrailingOnes<uint64_t>(bits);
      if (auto floating = dyn_cast<FloatType>(part)) {
        llvm::APFloat value(floating.getFloatSemantics(),
                            llvm::APInt(bits, code));
        bool lost;
        value.convert(llvm::APFloat::IEEEdouble(),
                      llvm::APFloat::rmNearestTiesToEven, &lost);
        numbers.push_back(value.convertToDouble());
        continue;
      }
      int64_t whole = isSigned && !storage.isSignlessInteger(1)
                          ? llvm::SignExtend64(code, bits)
                          : static_cast<int64_t>(code);
      numbers.push_back(double(whole - zeroPoint) * scale);
    }
  }
  return numbers;
}

TensorDifference modelwright::compareTensors(const HostTensor &actual,
                                             const HostTensor &expected) {
  std::vector<double> a = getNumbers(actual), b = getNumbers(expected);
  TensorDifference difference;
  double dot = 0, normA = 0, normB = 0;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    if (!std::isfinite(x) || !std::isfinite(y)) {
      bool isSame = x == y || (std::isnan(x) && std::isnan(y));
      difference.nonFinite |= !isSame;
      continue;
    }
    difference.maxAbs = std::max(difference.maxAbs, std::abs(x - y));
    difference.largest = std::max(difference.largest, std::abs(y));
    dot += x * y;
    normA += x * x;
    normB += y * y;
  }
  if (difference.maxAbs > 0)
    difference.maxRel = difference.maxAbs / difference.largest;
  if (normA > 0 && normB > 0)
    difference.cosine = dot / (std::sqrt(normA) * std::sqrt(normB));
  else if (normA != normB)
    difference.cosine = 0;
  return difference;
}
