//===- RunInputs.cpp - What model-run feeds and prints --------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunInputs.h"
#include "TensorFile.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <random>

using namespace mlir;
using namespace modelwright;
using modelwright::cpu::HostTensor;

static llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

/// Writes the low bits of `code` as element `index` of contiguous elements.
static void store(HostTensor &tensor, uint64_t index, unsigned bytes,
                  uint64_t code) {
  std::memcpy(tensor.data.data() + index * bytes, &code, bytes);
}

static void fillRandom(HostTensor &tensor, std::mt19937_64 &generator) {
  Type element = tensor.type.getElementType();
  Type storage = nn::getStorageElementType(element);
  if (auto complex = dyn_cast<ComplexType>(storage))
    storage = complex.getElementType();
  if (auto floating = dyn_cast<FloatType>(storage)) {
    unsigned bytes = floating.getWidth() / 8;
    for (uint64_t i = 0; i < tensor.data.size() / bytes; ++i) {
      // 24 bits: exact in f32, and the same everywhere.
      double number = double(generator() >> 40) / double(1 << 23) - 1.0;
      llvm::APFloat value(number);
      bool lost;
      value.convert(floating.getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &lost);
      store(tensor, i, bytes, value.bitcastToAPInt().getZExtValue());
    }
    return;
  }
  bool isPlainInt = storage == element && !element.isSignlessInteger(1);
  unsigned bits = nn::getStorageBits(element);
  if (isPlainInt && bits >= 8) {
    // Small numbers: an index of some kind may be meant.
    for (uint64_t i = 0; i < tensor.data.size() / (bits / 8); ++i)
      store(tensor, i, bits / 8, generator() % 10);
    return;
  }
  bool isBool = element.isSignlessInteger(1);
  for (char &byte : tensor.data)
    byte = static_cast<char>(isBool ? generator() % 2 : generator());
}

/// The tensor that `value` stands for.
static llvm::Expected<HostTensor> makeInput(StringRef value,
                                            RankedTensorType type,
                                            std::mt19937_64 &generator,
                                            const ImageOptions &image) {
  if (isImagePath(value))
    return readImage(value, type, image);
  if (value != "random" && value != "zeros")
    return readTensor(value, type);
  std::optional<uint64_t> size = nn::getByteSize(type);
  if (!size && type.hasStaticShape())
    return fail("has more elements than can be counted");
  if (!size)
    return fail("has dynamic dims: give an .npy file");
  if (!cpu::canAllocate(*size))
    return fail("no memory for its " + llvm::Twine(*size) + " bytes");
  HostTensor tensor;
  tensor.type = type;
  tensor.data.assign(*size, 0);
  if (value == "random")
    fillRandom(tensor, generator);
  return tensor;
}

llvm::Expected<SmallVector<HostTensor>>
modelwright::prepareInputs(ModuleOp module,
                           ArrayRef<std::string> specifications, uint64_t seed,
                           const ImageOptions &image) {
  func::FuncOp entry = getEntryFunction(module);
  if (!entry)
    return fail("the model has no function to run");
  SmallVector<std::string> names;
  SmallVector<StringRef> values(entry.getNumArguments());
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    auto name = entry.getArgAttrOfType<StringAttr>(i, nn::NNDialect::kNameAttr);
    // Without a name, the one that cpu::Executable gives it.
    names.push_back(name ? name.str() : ("input" + llvm::Twine(i)).str());
  }
  for (StringRef specification : specifications) {
    // Names may hold '=', as may files: the longest name that fits counts.
    size_t best = names.size();
    for (auto [i, name] : llvm::enumerate(names))
      if (specification.starts_with(name + "=") &&
          (best == names.size() || name.size() > names[best].size()))
        best = i;
    StringRef value = specification;
    if (best != names.size())
      value = specification.drop_front(names[best].size() + 1);
    else if (names.size() == 1)
      best = 0;
    else
      return fail("--input=" + specification +
                  (names.empty() ? ": the model has no inputs"
                                 : ": no input of that name; there are " +
                                       llvm::join(names, ", ")));
    if (!values[best].empty())
      return fail("input '" + names[best] + "' is given twice");
    if (value.empty())
      return fail("--input=" + specification + " names no value");
    values[best] = value;
  }
  SmallVector<HostTensor> inputs;
  std::mt19937_64 generator(seed);
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    auto type = dyn_cast<RankedTensorType>(entry.getArgumentTypes()[i]);
    if (!type)
      return fail("input '" + names[i] + "' has no known rank");
    auto initial =
        entry.getArgAttrOfType<ElementsAttr>(i, nn::NNDialect::kDefaultAttr);
    if (values[i].empty() && initial) {
      SmallVector<char> storage;
      auto bytes = nn::getRawBytes(initial, storage);
      if (!bytes)
        return fail("the default of input '" + names[i] + "' is missing");
      HostTensor tensor;
      // The input's dims may be dynamic.
      tensor.type = RankedTensorType::get(initial.getShapedType().getShape(),
                                          type.getElementType());
      tensor.data.assign(bytes->begin(), bytes->end());
      inputs.push_back(std::move(tensor));
    } else {
      auto tensor = makeInput(values[i].empty() ? "random" : values[i], type,
                              generator, image);
      if (!tensor)
        return fail("input '" + names[i] +
                    "': " + llvm::toString(tensor.takeError()));
      inputs.push_back(std::move(*tensor));
    }
    inputs.back().name = names[i];
  }
  return inputs;
}

void modelwright::printOutputs(ArrayRef<HostTensor> outputs,
                               llvm::raw_ostream &os) {
  constexpr size_t kShown = 8;
  for (const HostTensor &output : outputs) {
    os << output.name << ": " << output.type << " [";
    std::vector<double> numbers = getNumbers(output);
    ArrayRef<double> shown = ArrayRef(numbers).take_front(kShown);
    llvm::interleaveComma(
        shown, os, [&](double number) { os << llvm::format("%.6g", number); });
    os << (numbers.size() > kShown ? ", ...]\n" : "]\n");
  }
}
