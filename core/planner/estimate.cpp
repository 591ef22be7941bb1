// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/estimate.h"

#include "core/catalog/constants.h"
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

Ledger trainingLedger(const Training &training, bool texts)
{
    Ledger ledger(texts);
    addStates(training, ledger);
    addActivations(training, ledger);
    addLoss(training, ledger);
    addBuffers(training, ledger);
    addParallelBuffers(training, ledger);
    addStepTemporaries(training, ledger);
    addOverheads(training, ledger);
    return ledger;
}

Exact peakOf(const Ledger &ledger)
{
    Exact peak;
    for (std::size_t i = 0; i < kMomentCount; ++i)
        peak = std::max(peak, ledger.total(static_cast<At>(i)));
    return peak;
}

/// The stage that the figures are of: the one asked for, or the one with the highest peak. Fills
/// in the peak of each.
std::int64_t chooseStage(const Settings &s, const ParameterCounts &counts, Estimate &result)
{
    if (s.pipeline == 1)
        return 0;
    std::int64_t worst = 0;
    for (std::int64_t stage = 0; stage < s.pipeline; ++stage) {
        const Rank rank = rankOf(s, counts, stage);
        result.stages.push_back(peakOf(trainingLedger(Training(s, rank), false)).value());
        if (result.stages.back() > result.stages[static_cast<std::size_t>(worst)])
            worst = stage;
    }
    return s.stage >= 0 ? s.stage : worst;
}

void fillMoments(const Ledger &ledger, Estimate &result)
{
    result.moments.reserve(kMomentCount);
    Exact firstStep;
    for (std::size_t i = 0; i < kMomentCount; ++i) {
        const At at = static_cast<At>(i);
        if (at == At::Load && ledger.total(at) <= ledger.total(At::Rest))
            continue; // loading is a moment of its own only where it takes more than stays
        result.moments.push_back(ledger.moment(at));
        const Moment &moment = result.moments.back();
        if (moment.allocated > result.peakAllocated) {
            result.peakAllocated = moment.allocated;
            result.peakMoment = result.moments.size() - 1;
        }
        if (ledger.firstStepTotal(at) > firstStep) {
            firstStep = ledger.firstStepTotal(at);
            result.firstStepAt = moment.name;
        }
    }
    result.peakAt = result.moments[result.peakMoment].name;
    result.firstStepAllocated = firstStep.value();
    result.atRest = ledger.total(At::Rest).value();
}

Bytes reservedFor(Bytes allocated, double factor)
{
    return std::max(allocated, Exact::ceiling(static_cast<double>(allocated) * factor).value());
}

/// The levels above allocated memory, whether it fits, and how far the figure may be off.
void fillLevels(const Plan &plan, const Settings &s, Estimate &result)
{
    const Bytes allocated = result.peakAllocated;
    result.peakReserved = reservedFor(allocated, s.reservedFactor);
    result.firstStepReserved = reservedFor(result.firstStepAllocated, s.reservedFactor);
    result.peakDevice = (Exact(result.peakReserved) + s.contextBytes + s.ncclBytes).value();

    const bool stated = plan.overheads.reservedFactor.has_value();
    const double spread = (kReservedFactorHigh - kReservedFactorLow) / 2 / (kReservedFactor - 1);
    const auto outside = [&](std::string name, Bytes bytes, std::string formula, std::string source,
                             double part) {
        if (bytes > 0)
            result.outside.push_back({Category::Framework, std::move(name), bytes,
                                      std::move(formula), std::move(source),
                                      part > 0 ? Evidence::Empirical : Evidence::Sourced, part, 1});
    };
    outside("Allocator slack", result.peakReserved - allocated, "(reserved_factor - 1) · allocated",
            "Reserved over allocated measured 1.02 to 1.24; planner model, section 5",
            stated ? 0 : spread);
    outside("CUDA context", s.contextBytes, "overheads.context_bytes",
            "CUDA context with lazy loading, 0.3 to 0.6 GB; planner model, section 5",
            plan.overheads.contextBytes ? 0 : 0.3);
    outside("NCCL communicators", s.ncclBytes, "overheads.nccl_bytes",
            "544 MiB for two A100s (NVIDIA/nccl#964); planner model, section 5",
            plan.overheads.ncclBytes ? 0 : 0.5);

    double band = 0;
    const auto spreads = [&](const std::vector<Component> &components) {
        for (const Component &component : components)
            band += component.spread * static_cast<double>(component.bytes);
    };
    spreads(result.components());
    double low = band;
    double high = band;
    if (!stated) {
        const double real = static_cast<double>(allocated);
        low += std::max(0.0, s.reservedFactor - kReservedFactorLow) * real;
        high += std::max(0.0, kReservedFactorHigh - s.reservedFactor) * real;
    }
    for (std::size_t i = 0; i < result.outside.size(); ++i) {
        const Component &part = result.outside[i];
        if (part.name == "Allocator slack")
            continue;
        low += part.spread * static_cast<double>(part.bytes);
        high += part.spread * static_cast<double>(part.bytes);
    }
    const Bytes down = Exact::ceiling(low).value();
    result.uncertaintyLow = std::max<Bytes>(result.peakDevice - down, 0);
    result.uncertaintyHigh = (Exact(result.peakDevice) + Exact::ceiling(high)).value();

    if (s.capacity > 0) {
        result.capacity = s.capacity;
        result.headroom = s.capacity - result.peakDevice;
        result.fits = *result.headroom >= 0;
    }
}

void estimateTraining(const Plan &plan, const Settings &s, const ParameterCounts &counts,
                      Estimate &result)
{
    const Rank rank = rankOf(s, counts, chooseStage(s, counts, result));
    const Training training(s, rank);
    const Ledger ledger = trainingLedger(training, true);
    result.parametersPerRank = rank.parameters();
    if (peakOf(ledger).overflowed()) {
        block(result, "", "This plan needs more than 8 EiB on one GPU: no figure can hold that.");
        return;
    }
    fillMoments(ledger, result);
    fillLevels(plan, s, result);
    result.hostBytes = hostBytes(training).value();
    result.communicationBytes = communicationBytes(training).value();
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
    return computed || !moments.empty() ? moments[peakMoment].components : kNone;
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
    estimateTraining(plan, s, counts, result);
    return result;
}

} // namespace vramscope
