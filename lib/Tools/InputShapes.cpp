//===- InputShapes.cpp - Fix the shapes of inputs -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputShapes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "modelwright/Dialect/NN/IR/ShapeValues.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace modelwright;

static llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

/// Parses `1x3x224x224`; nullopt if it is no shape.
static std::optional<SmallVector<int64_t>> parseShape(StringRef text) {
  SmallVector<int64_t> shape;
  for (StringRef dim : llvm::split(text, 'x')) {
    int64_t size;
    if (dim.getAsInteger(10, size) || size < 0)
      return std::nullopt;
    shape.push_back(size);
  }
  return shape;
}

static llvm::Error setShape(BlockArgument input, StringRef specification,
                            StringRef name, ArrayRef<int64_t> shape) {
  auto type = dyn_cast<RankedTensorType>(input.getType());
  bool fits = type && type.getRank() == int64_t(shape.size());
  for (size_t i = 0; fits && i < shape.size(); ++i)
    fits = type.isDynamicDim(unsigned(i)) ||
           type.getDimSize(unsigned(i)) == shape[i];
  if (!fits) {
    std::string is;
    llvm::raw_string_ostream(is) << input.getType();
    return fail("--input-shape=" + specification + ": input '" + name +
                "' is " + is +
                ", of which only dims that are unknown can be set");
  }
  input.setType(type.clone(shape));
  return llvm::Error::success();
}

/// Gives each op of a function the result types that its operands have now.
static LogicalResult inferTypes(func::FuncOp entry) {
  nn::ShapeValues values;
  for (Operation &op : entry.getBody().front().without_terminator()) {
    if (auto inferred = dyn_cast<InferTypeOpInterface>(op)) {
      SmallVector<Type> types;
      if (failed(inferred.inferReturnTypes(
              op.getContext(), op.getLoc(), op.getOperands(),
              op.getRawDictionaryAttrs(), op.getPropertiesStorage(),
              op.getRegions(), types)))
        return failure();
      for (auto [result, type] : llvm::zip_equal(op.getResults(), types))
        result.setType(type);
    }
    if (failed(values.visit(&op)))
      return failure();
  }
  Operation *terminator = entry.getBody().front().getTerminator();
  entry.setType(FunctionType::get(entry.getContext(),
                                  entry.getBody().getArgumentTypes(),
                                  terminator->getOperandTypes()));
  return success();
}

llvm::Error modelwright::setInputShapes(ModuleOp module,
                                        ArrayRef<std::string> specifications) {
  if (specifications.empty())
    return llvm::Error::success();
  func::FuncOp entry = getEntryFunction(module);
  if (!entry)
    return fail("the model has no function to run");
  llvm::StringSet<> set;
  for (StringRef specification : specifications) {
    auto [name, text] = specification.rsplit('=');
    if (!specification.contains('='))
      std::swap(name, text);
    std::optional<SmallVector<int64_t>> shape = parseShape(text);
    if (!shape)
      return fail("--input-shape=" + specification + ": '" + text +
                  "' is no shape such as 1x3x224x224");
    BlockArgument input;
    SmallVector<std::string> names;
    for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
      auto own =
          entry.getArgAttrOfType<StringAttr>(i, nn::NNDialect::kNameAttr);
      // Without a name, the one that cpu::Executable gives it.
      names.push_back(own ? own.str() : ("input" + llvm::Twine(i)).str());
      if (names.back() == name)
        input = entry.getArgument(i);
    }
    if (name.empty() && names.size() == 1) {
      name = names.front();
      input = entry.getArgument(0);
    }
    if (!input)
      return fail("--input-shape=" + specification +
                  (names.empty() ? ": the model has no inputs"
                                 : ": no input of that name; there are " +
                                       llvm::join(names, ", ")));
    if (!set.insert(name).second)
      return fail("the shape of input '" + name + "' is given twice");
    if (llvm::Error error = setShape(input, specification, name, *shape))
      return error;
  }
  if (failed(inferTypes(entry)))
    return fail("the model does not take inputs of these shapes");
  return llvm::Error::success();
}
