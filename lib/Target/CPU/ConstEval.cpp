//===- ConstEval.cpp - Evaluate constant subgraphs by running them --------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Target/CPU/ConstEval.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/IR/IRMapping.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "modelwright/Target/CPU/Executable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

namespace {

/// A set of roots on its way to values.
class Evaluation {
public:
  Evaluation(ArrayRef<Value> roots) : roots(roots), results(roots.size()) {
    for (size_t i = 0; i < roots.size(); ++i)
      live.push_back(i);
  }

  SmallVector<nn::ConstantEvaluation> run(function_ref<std::string()> nextName);

private:
  /// What went wrong: with the op of this number in `slice`, or (-1) with none
  /// in particular.
  struct Fault {
    int64_t op = -1;
    std::string message;
  };

  void collectSlice();
  std::string writeModule() const;
  LogicalResult tryRun(SmallVectorImpl<HostTensor> &outputs,
                       SmallVectorImpl<Fault> &faults) const;
  void drop(ArrayRef<Fault> faults);

  ArrayRef<Value> roots;
  SmallVector<nn::ConstantEvaluation> results;
  /// Numbers of the roots that may still have a value.
  SmallVector<size_t> live;
  /// What these hang on, in the order of the block.
  SmallVector<Operation *> slice;
};

} // namespace

void Evaluation::collectSlice() {
  llvm::SetVector<Operation *> ops;
  for (size_t root : live)
    ops.insert(roots[root].getDefiningOp());
  for (size_t i = 0; i < ops.size(); ++i)
    for (Value operand : ops[i]->getOperands())
      ops.insert(operand.getDefiningOp());
  slice = ops.takeVector();
  llvm::sort(slice,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
}

/// The slice as a function that returns the live roots, in bytecode: it goes to
/// a context of its own, where dialects may be loaded, passes run and faults be
/// caught whatever the caller is about.
std::string Evaluation::writeModule() const {
  MLIRContext *context = slice.front()->getContext();
  OpBuilder builder(context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  SmallVector<Type> types;
  for (size_t root : live)
    types.push_back(roots[root].getType());
  auto function = func::FuncOp::create(builder, loc, "main",
                                       builder.getFunctionType({}, types));
  builder.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  for (Operation *op : slice) {
    Operation *clone = builder.clone(*op, mapping);
    // Names, and what a file says of its operator, are of no matter there.
    clone->setDiscardableAttrs(ArrayRef<NamedAttribute>());
    clone->setLoc(loc);
  }
  SmallVector<Value> values;
  for (size_t root : live)
    values.push_back(mapping.lookup(roots[root]));
  func::ReturnOp::create(builder, loc, values);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  [[maybe_unused]] LogicalResult written = writeBytecodeToFile(*module, os);
  assert(succeeded(written) && "bytecode of the current version");
  return bytes;
}

/// The number that `tryRun` gave the op at `loc`, or -1.
static int64_t getNumber(Location loc) {
  int64_t number = -1;
  loc->walk([&](Location inner) {
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    number = file.getLine();
    return WalkResult::interrupt();
  });
  return number;
}

LogicalResult Evaluation::tryRun(SmallVectorImpl<HostTensor> &outputs,
                                 SmallVectorImpl<Fault> &faults) const {
  DialectRegistry registry;
  registry.insert<nn::NNDialect, func::FuncDialect, quant::QuantDialect>();
  // Pass managers run on one thread: this may be one of many.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      faults.push_back({getNumber(diagnostic.getLocation()), diagnostic.str()});
    return success();
  });
  // The reader wants bytecode to be aligned as the blobs in it are.
  std::string bytes = writeModule();
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      bytes.size(), "constants", llvm::Align(4096));
  llvm::copy(bytes, buffer->getBufferStart());
  bytes = {};
  Block block;
  if (failed(readBytecodeFile(buffer->getMemBufferRef(), &block,
                              ParserConfig(&context))))
    return failure();
  auto module = cast<ModuleOp>(block.front());
  auto function = cast<func::FuncOp>(module.getBody()->front());
  // Ops are known by their lines.
  auto name = StringAttr::get(&context, "constants");
  for (auto [i, op] : llvm::enumerate(function.getBody().front()))
    op.setLoc(FileLineColLoc::get(name, unsigned(i), 0));
  CompileOptions options;
  options.pipeline.schedule = Schedule::Plain;
  // It runs once: what LLVM's passes would gain is less than they cost.
  options.optLevel = 0;
  auto executable = Executable::compile(module, options);
  return failed(executable) ? failure() : (*executable)->run({}, outputs);
}

/// Gives up the roots that hang on an op at fault: all if none is known.
void Evaluation::drop(ArrayRef<Fault> faults) {
  // Each op's fault: its own, or that of what it reads.
  llvm::DenseMap<Operation *, const Fault *> faulty;
  const Fault *general = nullptr;
  for (const Fault &fault : faults) {
    if (fault.op < 0 || fault.op >= int64_t(slice.size()))
      general = general ? general : &fault;
    else
      faulty.try_emplace(slice[fault.op], &fault);
  }
  for (Operation *op : slice)
    for (Value operand : op->getOperands())
      if (const Fault *fault = faulty.lookup(operand.getDefiningOp()))
        faulty.try_emplace(op, fault);
  auto giveUp = [&](size_t root, const Fault *fault) {
    results[root].culprit =
        fault && fault != general ? slice[fault->op] : nullptr;
    results[root].reason = fault ? fault->message : "it cannot be compiled";
  };
  size_t before = live.size();
  llvm::erase_if(live, [&](size_t root) {
    const Fault *fault = faulty.lookup(roots[root].getDefiningOp());
    if (fault)
      giveUp(root, fault);
    return fault != nullptr;
  });
  if (live.size() != before)
    return;
  for (size_t root : live)
    giveUp(root, general);
  live.clear();
}

/// Bytes laid out as those of `nn.constant`, as its value.
static ElementsAttr makeValue(RankedTensorType type, ArrayRef<char> bytes,
                              function_ref<std::string()> nextName) {
  unsigned bits = nn::getStorageBits(type.getElementType());
  size_t size = bits / 8;
  // A splat stays one.
  if (bits % 8 == 0 && bytes.size() > size &&
      bytes.drop_front(size) == bytes.drop_back(size)) {
    Type element = nn::getStorageElementType(type.getElementType());
    auto valueType = RankedTensorType::get(type.getShape(), element);
    if (element.isInteger(1))
      return DenseElementsAttr::get(valueType, bytes.front() != 0);
    return DenseElementsAttr::getFromRawBuffer(valueType,
                                               bytes.take_front(size));
  }
  return nn::makeOwnedElements(type, nextName(), bytes);
}

SmallVector<nn::ConstantEvaluation>
Evaluation::run(function_ref<std::string()> nextName) {
  while (!live.empty()) {
    collectSlice();
    SmallVector<HostTensor> outputs;
    SmallVector<Fault> faults;
    if (failed(tryRun(outputs, faults))) {
      drop(faults);
      continue;
    }
    for (auto [root, output] : llvm::zip_equal(live, outputs)) {
      // The output's type is one of the other context.
      auto type = cast<RankedTensorType>(roots[root].getType());
      results[root].value = makeValue(type, output.data, nextName);
      output.data = {};
    }
    break;
  }
  return std::move(results);
}

SmallVector<nn::ConstantEvaluation>
cpu::evaluateConstants(ArrayRef<Value> roots,
                       function_ref<std::string()> nextName) {
  return Evaluation(roots).run(nextName);
}

namespace {
class CPUConstantEvaluator : public nn::ConstantEvaluator {
public:
  using ConstantEvaluator::ConstantEvaluator;

  SmallVector<nn::ConstantEvaluation>
  evaluate(ArrayRef<Value> roots,
           function_ref<std::string()> nextName) const override {
    return evaluateConstants(roots, nextName);
  }
};
} // namespace

void cpu::registerConstantEvaluator(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, nn::NNDialect *dialect) {
    dialect->addInterfaces<CPUConstantEvaluator>();
  });
}
