//===- Outputs.cpp - Numbers of the vars of a V1 graph --------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// V1 files do not store var ids: vars are numbered while walking operators, so
// the number of vars that each operator owns must be known. It follows from
// params for all operators but vendors' and custom ones, and depends on the
// release for two of them.
//
//===----------------------------------------------------------------------===//

#include "GraphReader.h"

#include "llvm/ADT/StringSwitch.h"

using namespace modelwright::mgb;
using llvm::Twine;

namespace {
/// How the number of vars follows from an operator.
enum class Rule : uint8_t {
  Fixed1,
  Fixed2,
  Fixed3,
  Fixed4,
  ByModel, ///< Only the vendor's blob says.
  Tensors,
  InputsButOne,
  SVD,
  CondExecPred,
  CondExecMerge,
  BatchNorm,
  NormBackward,
  TopK,
  CheckNonFinite,
  MultiHeadAttn,
  MultiHeadAttnBackward,
};
} // namespace

static Rule ruleOf(llvm::StringRef name) {
  return llvm::StringSwitch<Rule>(name)
      .Case("SVD", Rule::SVD)
      .Case("CondExecPred", Rule::CondExecPred)
      .Case("CondExecMerge", Rule::CondExecMerge)
      .Cases({"CondExecMark", "Split"}, Rule::InputsButOne)
      .Case("BatchNormV1", Rule::BatchNorm)
      .Cases({"LayerNormBackward", "GeneralNormBackward", "GroupNormBackward",
              "InstanceNormBackward"},
             Rule::NormBackward)
      .Case("TopK", Rule::TopK)
      .Case("CheckNonFinite", Rule::CheckNonFinite)
      .Case("MultiHeadAttn", Rule::MultiHeadAttn)
      .Case("MultiHeadAttnBackward", Rule::MultiHeadAttnBackward)
      .Cases({"MultipleDeviceTensorHolder",
              "MultipleDeviceTensorWithFormatHolder"},
             Rule::Tensors)
      .Cases({"ROIPooling", "ROIAlignV1", "DeformablePSROIPoolingForward",
              "DeformablePSROIPoolingBackward", "TQTBackward", "LSQBackward"},
             Rule::Fixed2)
      .Cases({"Argsort", "CondTake", "WhereBackward", "ShuffleRNG", "Dropout",
              "NMSKeepMGB"},
             Rule::Fixed2)
      .Cases({"BatchNormBackwardV1", "DeformableConvBackwardDataV1",
              "LayerNorm", "GeneralNorm", "GroupNorm", "InstanceNorm"},
             Rule::Fixed3)
      .Cases({"LSTMCellForward", "RNNForward", "RNNBackward"}, Rule::Fixed3)
      .Cases({"LSTMForward", "LSTMBackward"}, Rule::Fixed4)
      .Cases({"ExternCOprRunner", "CambriconRuntimeOpr", "MagicMindRuntimeOpr",
              "AtlasRuntimeOpr", "TensorRTRuntimeOpr", "CustomOpNode"},
             Rule::ByModel)
      .Cases({"opr::Loop", "InputMaker", "CounterProvider"}, Rule::ByModel)
      .Default(Rule::Fixed1);
}

/// Whether the normalization `param` has weights.
static bool isAffine(const Param &param) {
  switch (param.type) {
  case fbs::OperatorParam::LayerNorm:
    return param.AsLayerNorm()->affine;
  case fbs::OperatorParam::GeneralNorm:
    return param.AsGeneralNorm()->affine;
  case fbs::OperatorParam::GroupNorm:
    return param.AsGroupNorm()->affine;
  default:
    return true;
  }
}

/// MultiHeadAttn has two outputs more since v1.12.4.
static bool hasAttentionReserves(uint32_t version) {
  return isOldEra(version) || version != 101203;
}

using Counts = llvm::SmallVector<uint32_t, 2>;

static Counts countsByParams(const Operator &opr, uint32_t version) {
  auto nrInputs = static_cast<uint32_t>(opr.inputs.size());
  Param none;
  const Param &param = opr.params.empty() ? none : opr.params.front();
  switch (ruleOf(opr.info->name)) {
  case Rule::Fixed1:
    return {1};
  case Rule::Fixed2:
    return {2};
  case Rule::Fixed3:
    return {3};
  case Rule::Fixed4:
    return {4};
  case Rule::ByModel:
    return {};
  case Rule::Tensors:
    return {static_cast<uint32_t>(opr.tensors.size())};
  case Rule::InputsButOne:
    if (nrInputs < 2)
      return {};
    return {nrInputs - 1};
  case Rule::SVD: {
    const param::SVDT *svd = param.AsSVD();
    return {svd && !svd->compute_uv ? 1u : 3u};
  }
  case Rule::CondExecPred: {
    if (nrInputs < 2)
      return {};
    // Keys, and the predicate. A case statement with a fallback and a list of
    // intervals have one branch more than keys.
    const param::CondExecPredT *pred = param.AsCondExecPred();
    bool more = pred && pred->mode != param::CondExecPredMode::CASE;
    return {nrInputs - 1 + more};
  }
  case Rule::CondExecMerge: {
    const param::CondExecMergeT *merge = param.AsCondExecMerge();
    // Every output takes at least one input; more would be a bomb.
    if (!merge || merge->nr_output > nrInputs)
      return {};
    return {merge->nr_output +
            (merge->mode == param::CondExecMergeMode::SUM_COND_OUT)};
  }
  case Rule::BatchNorm: {
    // Running mean and variance are volatile without statistics to update.
    const param::BNT *bn = param.AsBN();
    bool updates =
        nrInputs == 5 && (!bn || bn->fwd_mode != param::BNFwdMode::INFERENCE);
    uint32_t early = updates ? 5 : 3, late = early + 1;
    return isOldEra(version) ? Counts{early, late} : Counts{late, early};
  }
  case Rule::NormBackward:
    return {isAffine(param) ? 3u : 1u};
  case Rule::TopK: {
    const param::TopKT *topk = param.AsTopK();
    return {topk && topk->mode == param::TopKMode::KTH_ONLY ? 1u : 2u};
  }
  case Rule::CheckNonFinite:
    // The dump hides the scaled copies, unless it was told to change nothing.
    if (nrInputs == 0)
      return {1};
    return {1, nrInputs + 1};
  case Rule::MultiHeadAttn:
    return {hasAttentionReserves(version) ? 4u : 2u};
  case Rule::MultiHeadAttnBackward:
    return {hasAttentionReserves(version) ? 6u : 4u};
  }
  llvm_unreachable("all rules covered");
}

namespace {
/// One attempt at numbering: a count for every operator.
struct Numbering {
  /// UINT32_MAX = unknown.
  std::vector<uint32_t> counts;
  bool valid = false;   ///< Every id that is used exists.
  bool natural = false; ///< The last operator owns an output, as dumps do.
};
} // namespace

static constexpr uint32_t kUnknown = UINT32_MAX;

/// An operator with more outputs must name them: a larger count would more
/// likely come from a damaged id.
static constexpr uint64_t kMaxSolvedCount = 256;

static uint32_t maxOutput(const Graph &graph) {
  uint32_t id = 0;
  for (const OutputVar &output : graph.outputs)
    id = std::max(id, output.compactId);
  return id;
}

/// Fills in the unknown counts of `numbering` where the ids that are used
/// leave one choice only. Returns whether they do.
///
/// Dumps hold the operators that outputs depend on, in topological order: the
/// last one owns the output with the largest id, which gives the sum of all
/// counts. Inputs give lower bounds on the sums of leading counts.
static bool solveUnknown(const Graph &graph, Numbering &numbering) {
  std::vector<uint32_t> &counts = numbering.counts;
  // lower[j]: least sum of the unknown counts up to the j-th of them.
  std::vector<uint64_t> lower;
  std::vector<size_t> unknown;
  uint64_t known = 0;
  for (size_t k = 0; k != counts.size(); ++k) {
    for (uint32_t id : graph.oprs[k].inputs)
      if (!lower.empty() && id >= known && id - known + 1 > lower.back())
        lower.back() = id - known + 1;
    if (counts[k] != kUnknown) {
      known += counts[k];
      continue;
    }
    unknown.push_back(k);
    lower.push_back((lower.empty() ? 0 : lower.back()) + 1);
  }
  if (unknown.empty())
    return true;
  if (graph.outputs.empty())
    return false;

  uint64_t total = uint64_t(maxOutput(graph)) + 1;
  uint64_t least = known + lower.back();
  if (counts.back() == kUnknown) {
    // Outputs of the last operator that nobody reads do not matter.
    total = std::max(total, least);
  } else if (counts.back() > 1) {
    // Which of its vars is the output is not known, unless inputs decide.
    total += counts.back() - 1;
    if (total != least)
      return false;
  }
  if (total < least)
    return false;
  uint64_t sum = total - known, previous = 0;
  for (size_t j = 0; j != unknown.size(); ++j) {
    // The later ones take at least one each.
    uint64_t upper = sum - (unknown.size() - 1 - j);
    if (j + 1 != unknown.size() && lower[j] != upper)
      return false;
    if (upper - previous > kMaxSolvedCount)
      return false;
    counts[unknown[j]] = static_cast<uint32_t>(upper - previous);
    previous = upper;
  }
  return true;
}

/// Tries one way of counting; `batchNorm` and `checkNonFinite` choose among
/// the candidates of these operators.
static Numbering tryNumbering(const Graph &graph, bool batchNorm,
                              bool checkNonFinite) {
  Numbering result;
  result.counts.reserve(graph.oprs.size());
  for (const Operator &opr : graph.oprs) {
    Counts counts = candidateCounts(opr, graph.version);
    bool second =
        counts.size() == 2 &&
        (opr.info->name == "CheckNonFinite" ? checkNonFinite : batchNorm);
    result.counts.push_back(counts.empty() ? kUnknown : counts[second]);
  }
  if (!solveUnknown(graph, result))
    return result;
  result.valid = true;
  uint64_t nrVars = 0;
  for (size_t k = 0; k != result.counts.size(); ++k) {
    for (uint32_t id : graph.oprs[k].inputs)
      result.valid &= id < nrVars;
    nrVars += result.counts[k];
  }
  if (graph.outputs.empty())
    return result;
  uint32_t last = maxOutput(graph);
  result.valid &= last < nrVars;
  result.natural = result.valid && !result.counts.empty() &&
                   last >= nrVars - result.counts.back();
  return result;
}

Counts modelwright::mgb::candidateCounts(const Operator &opr,
                                         uint32_t version) {
  Counts counts;
  if (opr.info)
    counts = countsByParams(opr, version);
  // Names, when kept, are those of all non-volatile outputs.
  if (opr.outputNames && !opr.outputNames->empty()) {
    auto nrNames = static_cast<uint32_t>(opr.outputNames->size());
    if (counts.empty() || llvm::is_contained(counts, nrNames))
      return {nrNames};
  }
  return counts;
}

std::optional<uint32_t> modelwright::mgb::countOutputs(const Operator &opr,
                                                       uint32_t version) {
  Counts counts = candidateCounts(opr, version);
  if (counts.empty())
    return std::nullopt;
  return counts.front();
}

void modelwright::mgb::numberVars(Graph &graph, Faults &faults) {
  Numbering best = tryNumbering(graph, false, false);
  for (unsigned choice = 1; choice != 4 && !best.natural; ++choice) {
    Numbering other = tryNumbering(graph, choice & 1, choice & 2);
    if (other.natural || (other.valid && !best.valid))
      best = std::move(other);
  }

  // Explains the first choice when none is valid.
  uint64_t nrVars = 0;
  for (size_t k = 0; k != graph.oprs.size(); ++k) {
    Operator &opr = graph.oprs[k];
    for (uint32_t id : opr.inputs)
      if (id >= nrVars)
        faults.add("input var " + Twine(id) + " is not among the " +
                       Twine(nrVars) + " vars defined so far",
                   k, &opr);
    uint32_t count = best.counts[k];
    if (count == kUnknown) {
      faults.add("the number of its outputs is not known and does not follow "
                 "from the graph",
                 k, &opr);
      return;
    }
    if (opr.outputNames && !opr.outputNames->empty() &&
        opr.outputNames->size() != count)
      faults.add("has " + Twine(opr.outputNames->size()) +
                     " output names for " + Twine(count) + " outputs",
                 k, &opr);
    if (nrVars + count > UINT32_MAX) {
      faults.add("the graph has too many vars", k, &opr);
      return;
    }
    opr.outputs.resize(count);
    for (uint32_t &id : opr.outputs)
      id = static_cast<uint32_t>(nrVars++);
    if (faults.full())
      return;
  }
  graph.numVars = static_cast<uint32_t>(nrVars);
  for (const OutputVar &output : graph.outputs)
    if (output.compactId >= nrVars && !faults.full())
      faults.add("output var " + Twine(output.compactId) +
                 " is not among the " + Twine(nrVars) + " vars of the graph");
}
