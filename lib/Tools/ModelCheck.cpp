//===- ModelCheck.cpp - Whether passes kept what a model computes ---------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelCheck.h"
#include "CheckData.h"
#include "RunInputs.h"
#include "RunTestcases.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace modelwright;
using modelwright::cpu::HostTensor;

double modelwright::getAllowedRel(Type elementType,
                                  const CheckOptions &options) {
  if (options.rtol)
    return *options.rtol;
  return isa<FloatType, ComplexType>(elementType) ? options.floatRel : 0;
}

bool modelwright::isWithin(const TensorDifference &difference, Type elementType,
                           const CheckOptions &options) {
  double bound =
      options.atol + getAllowedRel(elementType, options) * difference.largest;
  return !difference.nonFinite && difference.maxAbs <= bound;
}

static InFlightDiagnostic emitModuleError(ModuleOp module) {
  return emitError(UnknownLoc::get(module.getContext()));
}

/// The bound for the narrowest floats that a model computes.
static double getFloatRel(ModuleOp module) {
  double rel = 1e-4;
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      Type element = getElementTypeOrSelf(type);
      if (element.isBF16())
        rel = std::max(rel, 4e-2);
      else if (element.isF16())
        rel = std::max(rel, 5e-3);
    }
  });
  return rel;
}

/// The inputs of each run; takes testcases out of the module.
static llvm::Expected<std::vector<SmallVector<HostTensor>>>
makeInputs(ModuleOp module, const CheckOptions &options) {
  std::vector<SmallVector<HostTensor>> inputs;
  auto testcases = takeTestcases(module);
  if (!testcases)
    return testcases.takeError();
  if (!options.dataDir.empty()) {
    auto cases = findCheckData(module, options.dataDir);
    if (!cases)
      return cases.takeError();
    for (ArrayRef<std::string> specifications : *cases) {
      auto prepared = prepareInputs(module, specifications, options.seed, {});
      if (!prepared)
        return prepared.takeError();
      inputs.push_back(std::move(*prepared));
    }
    return inputs;
  }
  if (!testcases->inputs.empty())
    return std::move(testcases->inputs);
  for (unsigned run = 0; run < options.runs; ++run) {
    auto prepared = prepareInputs(module, {}, options.seed + run, {});
    if (!prepared)
      return prepared.takeError();
    inputs.push_back(std::move(*prepared));
  }
  return inputs;
}

FailureOr<std::unique_ptr<ModelCheck>>
ModelCheck::create(ModuleOp module, const CheckOptions &options) {
  std::unique_ptr<ModelCheck> check(new ModelCheck);
  check->options = options;
  check->options.floatRel = getFloatRel(module);
  check->original = module.clone();
  auto inputs = makeInputs(*check->original, options);
  if (!inputs)
    return emitModuleError(module)
           << "cannot check: " << llvm::toString(inputs.takeError());
  check->inputs = std::move(*inputs);
  auto expected = check->run(*check->original);
  if (failed(expected)) {
    emitRemark(UnknownLoc::get(module.getContext()))
        << "--check needs a model that runs on "
        << (options.dataDir.empty() ? "random inputs: --check-data gives "
                                      "others"
                                    : "the inputs of --check-data");
    return failure();
  }
  check->expected = std::move(*expected);
  return check;
}

/// Whether values of two types can be compared: the same type, or a single
/// element of the same type as a scalar here and a vector there, since
/// MegEngine files have no tensors of rank 0.
static bool areComparable(RankedTensorType a, RankedTensorType b) {
  return a == b || (a.getElementType() == b.getElementType() &&
                    a.getRank() <= 1 && b.getRank() <= 1 &&
                    a.getNumElements() == 1 && b.getNumElements() == 1);
}

FailureOr<RunOutputs> ModelCheck::run(ModuleOp module) const {
  cpu::CompileOptions compile;
  compile.pipeline.schedule =
      options.plain ? cpu::Schedule::Plain : cpu::Schedule::Full;
  auto executable = cpu::Executable::compile(module, compile);
  if (failed(executable))
    return failure();
  if ((*executable)->getInputs().size() != inputs.front().size())
    return emitModuleError(module)
           << "the model has " << (*executable)->getInputs().size()
           << " inputs now, it had " << inputs.front().size();
  RunOutputs outputs;
  for (SmallVector<HostTensor> values : inputs) {
    for (auto [value, info] :
         llvm::zip_equal(values, (*executable)->getInputs()))
      if (info.type.hasStaticShape() && areComparable(value.type, info.type))
        value.type = info.type;
    if (failed((*executable)
                   ->run(llvm::to_vector(llvm::make_pointer_range(values)),
                         outputs.emplace_back())))
      return failure();
  }
  return outputs;
}

namespace {
/// The worst that all runs showed for an output.
struct Worst {
  TensorDifference difference;
  bool isGood = true;
  /// Set if the types differ.
  RankedTensorType actual;
};
} // namespace

static Worst compareRuns(const RunOutputs &actual, const RunOutputs &expected,
                         size_t output, const CheckOptions &options) {
  Worst worst;
  for (auto [a, b] : llvm::zip_equal(actual, expected)) {
    if (!areComparable(a[output].type, b[output].type)) {
      worst.isGood = false;
      worst.actual = a[output].type;
      return worst;
    }
    TensorDifference difference = compareTensors(a[output], b[output]);
    worst.isGood &=
        isWithin(difference, b[output].type.getElementType(), options);
    worst.difference.nonFinite |= difference.nonFinite;
    worst.difference.maxAbs =
        std::max(worst.difference.maxAbs, difference.maxAbs);
    worst.difference.maxRel =
        std::max(worst.difference.maxRel, difference.maxRel);
    worst.difference.cosine =
        std::min(worst.difference.cosine, difference.cosine);
  }
  return worst;
}

FailureOr<bool> ModelCheck::compare(ModuleOp module, StringRef what,
                                    llvm::raw_ostream &os) const {
  // Testcases are inputs by now, here and there.
  OwningOpRef<ModuleOp> copy = module.clone();
  auto testcases = takeTestcases(*copy);
  if (!testcases)
    return emitModuleError(module)
           << "cannot check: " << llvm::toString(testcases.takeError());
  FailureOr<RunOutputs> actual = run(*copy);
  if (failed(actual))
    return failure();
  size_t count = expected.front().size();
  if (actual->front().size() != count)
    return emitModuleError(module) << what << " has " << actual->front().size()
                                   << " outputs, the model had " << count;
  bool isGood = true;
  for (size_t i = 0; i < count; ++i) {
    const HostTensor &output = expected.front()[i];
    Worst worst = compareRuns(*actual, expected, i, options);
    isGood &= worst.isGood;
    os << what << ": '" << output.name << "': ";
    if (worst.actual)
      os << worst.actual << ", was " << output.type << ": MISMATCH\n";
    else
      os << llvm::formatv(
          "max abs {0:e3}, max rel {1:e3} (allowed {2:e1}), cosine {3:f9}{4}"
          "{5}\n",
          worst.difference.maxAbs, worst.difference.maxRel,
          getAllowedRel(output.type.getElementType(), options),
          worst.difference.cosine,
          worst.difference.nonFinite ? ", NaN or infinity in one of the two"
                                     : "",
          worst.isGood ? "" : ": MISMATCH");
  }
  return isGood;
}

namespace {
struct Snapshot {
  std::string pass;
  OwningOpRef<ModuleOp> module;
};

/// Keeps a copy of the module behind each pass that changed it. The passes of
/// other passes' pipelines are no steps of their own.
class SnapshotTaker : public PassInstrumentation {
public:
  SnapshotTaker(std::vector<Snapshot> &snapshots, ModuleOp module)
      : snapshots(snapshots), last(module) {}

  void runBeforePass(Pass *pass, Operation *) override {
    depth += isStep(pass);
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    if (!isStep(pass) || --depth != 0)
      return;
    auto module = dyn_cast<ModuleOp>(op);
    if (!module)
      module = op->getParentOfType<ModuleOp>();
    OperationFingerPrint print(module);
    if (print == last)
      return;
    last = print;
    snapshots.push_back({pass->getArgument().str(), module.clone()});
  }

  void runAfterPassFailed(Pass *pass, Operation *) override {
    depth -= isStep(pass);
  }

private:
  /// Not one that only hands the functions of a module to other passes.
  static bool isStep(Pass *pass) { return !pass->getArgument().empty(); }

  std::vector<Snapshot> &snapshots;
  OperationFingerPrint last;
  unsigned depth = 0;
};
} // namespace

void ModelCheck::blame(function_ref<LogicalResult(PassManager &)> build) const {
  MLIRContext *context = original.get().getContext();
  std::vector<Snapshot> snapshots;
  OwningOpRef<ModuleOp> module = original.get().clone();
  PassManager pm(context, ModuleOp::getOperationName(),
                 PassManager::Nesting::Implicit);
  // Copies are taken while nothing else changes the module, and what the
  // passes report was reported the first time.
  bool wasThreaded = context->isMultithreadingEnabled();
  context->disableMultithreading();
  LogicalResult ran = failure();
  {
    ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
    ran = build(pm);
    pm.addInstrumentation(std::make_unique<SnapshotTaker>(snapshots, *module));
    if (succeeded(ran))
      ran = pm.run(*module);
  }
  context->disableMultithreading(!wasThreaded);
  auto isGood = [&](ModuleOp candidate) {
    ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
    FailureOr<bool> good = compare(candidate, "", llvm::nulls());
    return succeeded(good) && *good;
  };
  if (failed(ran) || snapshots.empty() || isGood(*snapshots.back().module)) {
    emitModuleError(original.get())
        << "the outputs differ, but not when the passes are run again";
    return;
  }
  size_t good = 0, bad = snapshots.size() - 1;
  // All before `good` are good, `bad` is not.
  while (good < bad) {
    size_t middle = good + (bad - good) / 2;
    if (isGood(*snapshots[middle].module))
      good = middle + 1;
    else
      bad = middle;
  }
  ModuleOp before = bad == 0 ? original.get() : *snapshots[bad - 1].module;
  InFlightDiagnostic diagnostic = emitModuleError(original.get())
                                  << "outputs differ behind '"
                                  << snapshots[bad].pass << "', change "
                                  << bad + 1 << " of " << snapshots.size();
  std::string op = findOp(before, *snapshots[bad].module);
  if (!op.empty())
    diagnostic << "; first at " << op;
}
