// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/estimate.h"

#include "core/planner/formulas/inference.h"
#include "core/planner/formulas/levels.h"
#include "core/planner/formulas/offload.h"
#include "core/planner/formulas/training.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

/// Parameters that a 64-bit count of bytes can still hold in all their states.
constexpr double kLargestModel = 1e16;

/// A rough count in floating point: says whether the exact one fits 64 bits.
bool countable(const Architecture &a)
{
    const auto real = [](std::int64_t count) { return static_cast<double>(count); };
    const double width = real(a.heads) * (real(a.headDim) + real(a.qkNopeHeadDim) +
                                          real(a.qkRopeHeadDim) + real(a.vHeadDim));
    const double attention = (real(a.hidden) + real(a.qLoraRank) + real(a.kvLoraRank)) *
                             (2 * width + 2 * real(a.kvHeads) * real(a.headDim) +
                              real(a.qLoraRank) + real(a.kvLoraRank) + 1);
    const double ffn =
        4 * (real(a.hidden) + 1) *
        (real(a.ffn) + real(a.sharedFfn) + real(a.experts) * (real(a.expertFfn) + 1));
    const double outside =
        (2 * real(a.vocab) + real(a.learnedPositions) + real(a.typeVocab) + 1) * real(a.hidden);
    const double norms = real(a.normsPerLayer) * 2 * real(a.hidden);
    return real(a.layers) * (attention + ffn + norms) + outside +
               std::abs(real(a.extraParameters)) <
           kLargestModel;
}

void block(Estimate &result, std::string_view field, std::string text)
{
    result.issues.push_back({Issue::Severity::Blocking, std::string(field), std::move(text)});
}

Exact peakOf(const Ledger &ledger)
{
    Exact peak;
    for (const Exact total : ledger.totals())
        peak = std::max(peak, total);
    return peak;
}

Ledger inferenceLedger(const Settings &s, const Rank &rank, bool texts, InferenceFigures &figures)
{
    Ledger ledger(servingMoments(), texts);
    figures = addInference(s, rank, ledger);
    return ledger;
}

Exact stagePeak(const Settings &s, const Rank &rank)
{
    if (s.workload == Workload::Training) {
        const Training training(s, rank);
        return peakOf(trainingLedger(training, turningPoints(training), false));
    }
    InferenceFigures figures;
    return peakOf(inferenceLedger(s, rank, false, figures));
}

/// The stage that the figures are of: the one asked for, or the one with the highest peak. Fills
/// in the peak of each.
std::int64_t chooseStage(const Settings &s, const ParameterCounts &counts, Estimate &result)
{
    if (s.pipeline == 1)
        return 0;
    std::int64_t worst = 0;
    for (std::int64_t stage = 0; stage < s.pipeline; ++stage) {
        result.stages.push_back(stagePeak(s, rankOf(s, counts, stage)).value());
        if (result.stages.back() > result.stages[static_cast<std::size_t>(worst)])
            worst = stage;
    }
    return s.stage >= 0 ? s.stage : worst;
}

bool withinRange(const Ledger &ledger, Estimate &result)
{
    if (!peakOf(ledger).overflowed())
        return true;
    block(result, "", "This plan needs more than 8 EiB on one GPU: no figure can hold that.");
    return false;
}

void estimateTraining(const Plan &plan, const Settings &s, const Rank &rank, Estimate &result)
{
    const Training training(s, rank);
    const Ledger ledger = trainingLedger(training, turningPoints(training), true);
    if (!withinRange(ledger, result))
        return;
    fillMoments(ledger, rank.layers(), result);
    fillLevels(plan, s, result);
    const Offload offload = offloadOf(training);
    result.hostBytes = offload.hostBytes.value();
    result.toHostBytes = offload.toHost.value();
    result.toDeviceBytes = offload.toDevice.value();
    if (s.hostMemory > 0 && (Exact(result.hostBytes) * s.gpusPerNode).value() > s.hostMemory)
        result.issues.push_back({Issue::Severity::Warning, "hardware.host_memory_bytes",
                                 "The GPUs of a node offload more than the host's memory."});
    result.communicationBytes = communicationBytes(training).value();
    result.computed = true;
}

void estimateInference(const Plan &plan, const Settings &s, const Rank &rank, Estimate &result)
{
    InferenceFigures figures;
    const Ledger ledger = inferenceLedger(s, rank, true, figures);
    if (!withinRange(ledger, result))
        return;
    result.inference = figures;
    if (s.engine == Engine::Vllm && figures.kvBlocks == 0)
        result.issues.push_back({Issue::Severity::Warning, "inference.gpu_memory_utilization",
                                 "Weights and activations leave no memory for the cache."});
    fillMoments(ledger, rank.layers(), result);
    fillLevels(plan, s, result);
    result.computed = true;
}

} // namespace

std::string_view categoryName(Category category)
{
    constexpr std::array<std::string_view, kCategoryCount> kNames = {
        "Parameters",      "Gradients",         "Optimizer states", "Activations",
        "Loss and logits", "Temporary buffers", "Communication",    "Framework"};
    return kNames[static_cast<std::size_t>(category)];
}

const std::vector<Component> &Estimate::components() const
{
    static const std::vector<Component> kNone;
    return moments.empty() ? kNone : moments[peakMoment].components;
}

std::array<Bytes, kCategoryCount> Estimate::byCategory() const
{
    std::array<Bytes, kCategoryCount> sums{};
    for (const Component &component : components())
        sums[static_cast<std::size_t>(component.category)] += component.bytes;
    return sums;
}

Estimate estimate(const Plan &plan)
{
    Estimate result;
    ResolvedPlan resolved = resolve(plan);
    const Settings &s = resolved.settings;
    const bool computable = resolved.computable();
    result.issues = std::move(resolved.issues);
    if (s.architecture.layers <= 0)
        return result;
    if (!countable(s.architecture)) {
        block(result, "model", "The model's size exceeds what 64-bit counts of bytes can hold.");
        return result;
    }
    const ParameterCounts counts = countParameters(s.architecture);
    result.parametersTotal = s.parametersOverride > 0 ? s.parametersOverride : counts.total;
    result.parametersActive =
        std::min(counts.active + result.parametersTotal - counts.total, result.parametersTotal);
    result.parametersPerRank = result.parametersTotal;
    if (!computable)
        return result;
    result.stage = chooseStage(s, counts, result);
    const Rank rank = rankOf(s, counts, result.stage);
    result.parametersPerRank = rank.parameters();
    if (rank.root() < 0) {
        block(result,
              s.parametersPerRankOverride > 0 ? "model.parameters_per_rank_override"
                                              : "model.parameters_override",
              "Fewer parameters than the blocks of the architecture hold by themselves.");
        return result;
    }
    if (s.workload == Workload::Training)
        estimateTraining(plan, s, rank, result);
    else
        estimateInference(plan, s, rank, result);
    return result;
}

} // namespace vramscope
