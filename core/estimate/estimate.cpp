// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"

#include "core/base/format.h"
#include "core/catalog/uncomputed_keys.h"
#include "core/estimate/diffusion/diffusion.h"
#include "core/estimate/formulas/inference.h"
#include "core/estimate/formulas/levels.h"
#include "core/estimate/formulas/offload.h"
#include "core/estimate/formulas/serving.h"
#include "core/estimate/formulas/side_effects.h"
#include "core/estimate/formulas/stages.h"
#include "core/estimate/formulas/step_work.h"
#include "core/estimate/formulas/training.h"
#include "core/estimate/peak_summary.h"
#include "core/model/checkpoint/placed_checkpoint.h"
#include "core/plan/field_path.h"
#include "core/settings/checkpoint_issues.h"
#include "core/settings/engines/vllm_releases.h"
#include "core/settings/uncomputed_keys.h"
#include "core/settings/verified_shapes.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

/// A risk that may make the run fail although its figures fit.
void warnOfRisk(Estimate &result, FieldPath field, std::string text, std::string risk)
{
    warn(result, field, std::move(text));
    result.risk = std::move(risk);
}

/// The stage that the figures describe: the requested one, or the first with the highest peak, or
/// on GPUs of several kinds the one with the least headroom. Fills in the peak of each.
std::int64_t chooseStage(const Settings &s, const ParameterCounts &counts, Estimate &result)
{
    result.stages = stagePeaks(s, counts);
    if (!s.ofStages.empty())
        return chosenStage(s, counts).rank.stage;
    return s.stage >= 0 ? s.stage : std::ranges::max_element(result.stages) - result.stages.begin();
}

/// Effects of a training step outside its memory: host, communication and time. `waiting`: bytes
/// that wait on the host for their phase.
void fillSideEffects(const Settings &s, const ParameterCounts &counts, const RankInventory &rank,
                     Bytes waiting, Estimate &result)
{
    const Training training(s, rank);
    const Offload offload = offloadOf(training);
    result.hostBytes = (offload.hostBytes + waiting).value();
    if (offload.driveBytes != 0)
        result.issues.push_back(
            {Issue::Severity::Note, "optimizer.offload_device",
             "The drives hold " + formatBytes(offload.driveBytes.value()) + " of each GPU."});
    result.toHostBytes = offload.toHost.value();
    result.toDeviceBytes = offload.toDevice.value();
    if (!unifiedMemory(s) && s.hostMemory > 0 &&
        (Exact(result.hostBytes) * s.gpusPerNode).value() > s.hostMemory)
        warnOfRisk(result, "hardware.host_memory_bytes",
                   "The GPUs of a node offload more than the host's memory.",
                   "the host's memory is too small for what the GPUs of a node offload");
    result.communicationBytes = communicationOf(training).total().value();
    const SideEffects effects = sideEffects(s, counts);
    result.recomputeShare = effects.recomputeShare;
    result.bubbleShare = effects.bubbleShare;
    result.work = rank.stage == 0 ? trainingWork(training, counts)
                                  : trainingWork(s, counts).value_or(StepWork());
}

/// vLLM reserves its share of the whole GPU when it starts, while the trainer is there already.
void refuseEngineStart(const Settings &s, Bytes held, Estimate &result)
{
    const Settings &engine = *s.rollout;
    if (engine.engine != Engine::Vllm || s.capacity <= 0 || !vllmRelease(engine).asksForFreeMemory)
        return;
    const auto share =
        static_cast<Bytes>(static_cast<double>(s.capacity) * engine.gpuMemoryUtilization);
    const Bytes free = std::max<Bytes>(s.capacity - s.systemBytes - held, 0);
    if (free >= share)
        return;
    warn(result, "inference.gpu_memory_utilization",
         "The trainer holds " + formatBytes(held) + " when the engine starts, which leaves " +
             formatBytes(free) + " of the " + formatBytes(share) +
             " that vLLM asks for (\"Free memory on device … is less than desired GPU memory "
             "utilization\"): it does not start. Lower the share, or offload weights.");
    result.fits = false;
}

/// The kernel counts the page cache as available and frees it if requested in time; otherwise the
/// driver of a GB10 hangs (NVIDIA/open-gpu-kernel-modules#1358). Runtimes that use the pages of the
/// file themselves (Metal) have no second copy.
void warnOfPageCache(const Plan &plan, const Settings &s, Estimate &result)
{
    const bool pool = s.gpu && s.gpu->memory == DeviceMemory::Pool;
    if (!pool || !result.inference || plan.hardware.pageCacheBytes || s.capacity <= 0)
        return;
    const Bytes weights = result.inference->weights;
    const Bytes files = countsByCheckpoint(s) ? s.checkpoint->table.fileBytes : weights;
    if (Exact(weights) + files + s.systemBytes <= s.capacity || weights > s.capacity)
        return;
    warnOfRisk(result, "hardware.page_cache_bytes",
               "Weights of " + formatBytes(weights) +
                   " and as much page cache of their files do not fit at once: while they load, "
                   "the kernel has to give pages back in time, or the machine may hang. Load "
                   "around the page cache, or drop it while loading; state it here to count it.",
               "while the weights load, the page cache of their files does not fit beside them");
}

void refuseOverflow(Estimate &result)
{
    result.issues.push_back({Issue::Severity::Blocking,
                             {},
                             "This plan needs more than 8 EiB on one GPU: no figure can hold "
                             "that."});
}

/// The figures of a diffusion pipeline.
void fillPipeline(const Plan &plan, const Settings &s, bool computable, Estimate &result)
{
    result.parametersTotal = s.diffusion->parameters();
    result.parametersActive = result.parametersPerRank = result.parametersTotal;
    if (!computable)
        return;
    const Ledger ledger = diffusionLedger(s, true);
    const Slack slack = {s.reservedFactor};
    const PeakHeights heights = peakHeights(ledger, slack);
    if (heights.peak.overflowed()) {
        refuseOverflow(result);
        return;
    }
    fillMoments(ledger, slack, 1, result);
    result.hostBytes = diffusionHostBytes(s);
    if (!unifiedMemory(s) && s.hostMemory > 0 && result.hostBytes > s.hostMemory)
        warnOfRisk(result, "hardware.host_memory_bytes",
                   "The components that are offloaded do not fit into the host's memory.",
                   "the host's memory is too small for the components that are offloaded");
    fillLevels(plan, s, heights, result);
    result.computed = true;
}

/// A part whose shape no measured run has is not called verified.
void noteUnverifiedShapes(const Settings &s, Estimate &result)
{
    for (const VerifiedShape &shape : shapesOf(s)) {
        if (isVerified(shape))
            continue;
        for (Moment &moment : result.moments)
            for (Component &component : moment.components)
                if (component.evidence == Evidence::Verified &&
                    categoryName(component.category) == shape.part)
                    component.evidence = Evidence::Derived;
    }
}

/// No measurement checks a part whose size a key changes that no formula reads: its band widens
/// (fillBands). Returns what the moment may hold then.
Bytes lowerEvidence(const UncomputedKey &key, Moment &moment)
{
    double more = 0;
    for (Component &component : moment.components) {
        if (categoryName(component.category) != key.part)
            continue;
        component.evidence = Evidence::Derived;
        component.spread = std::max(component.spread, key.spread);
        more += key.spread * static_cast<double>(component.bytes);
    }
    return moment.allocated + static_cast<Bytes>(more);
}

/// Warns of such keys. Returns the most that any moment may hold with one of them.
Bytes noteUncomputedKeys(const Plan &plan, const Settings &s, Estimate &result)
{
    const std::vector<const UncomputedKey *> keys = uncomputedKeysOf(plan, s);
    std::ranges::move(issuesOfKeys(plan, keys), std::back_inserter(result.issues));
    if (!keys.empty())
        result.bandWidenedBy = "no formula reads " + keys.front()->key + " of its config";
    Bytes most = 0;
    for (const UncomputedKey *key : keys)
        for (Moment &moment : result.moments)
            most = std::max(most, lowerEvidence(*key, moment));
    return most;
}

/// Another moment may become the peak.
void raiseBands(const Settings &s, Bytes most, Estimate &result)
{
    const Exact more =
        Exact::ceiling(s.reservedFactor * static_cast<double>(most - result.peakAllocated));
    const auto raise = [more](Bytes figure, Bytes &high) {
        high = std::max(high, (more + figure).value());
    };
    raise(result.peakReserved, result.reservedHigh);
    raise(result.peakDevice, result.uncertaintyHigh);
}

void fillFigures(const Plan &plan, const Settings &s, const ParameterCounts &counts,
                 const RankInventory &rank, Estimate &result)
{
    const RankMemory memory = rankMemory(s, rank, true);
    const PeakHeights heights = peakHeights(memory.ledger, memory.slack(s));
    if (heights.peak.overflowed()) {
        refuseOverflow(result);
        return;
    }
    result.inference = memory.serving;
    fillMoments(memory.ledger, memory.slack(s), rank.layers(), result);
    if (s.workload == Workload::Training)
        fillSideEffects(s, counts, rank, memory.hostBytes, result);
    else if (result.inference)
        result.work = servingWork(s, counts, rank, *result.inference);
    if (s.workload == Workload::Inference && s.engine == Engine::Vllm)
        result.hostBytes = vllmRelease(s).swapSpace;
    if (memory.serving && memory.serving->hostWeights > 0) {
        result.hostBytes = memory.serving->hostWeights;
        if (!unifiedMemory(s) && s.hostMemory > 0 && result.hostBytes > s.hostMemory)
            warnOfRisk(result, "hardware.host_memory_bytes",
                       "The experts that stay on the host do not fit into its memory.",
                       "the host's memory is too small for the experts that stay there");
    }
    noteUnverifiedShapes(s, result);
    const Bytes most = noteUncomputedKeys(plan, s, result);
    fillLevels(plan, s, heights, result);
    if (most > result.peakAllocated)
        raiseBands(s, most, result);
    if (result.inference)
        refuseCache(s.rollout ? *s.rollout : s, result);
    if (s.rollout)
        refuseEngineStart(s, memory.heldAtStart, result);
    warnOfPageCache(plan, s, result);
    result.computed = true;
}

} // namespace

double reservedOfAllocated(const Estimate &estimate)
{
    if (!estimate.computed || estimate.peakAllocated <= 0)
        return 1;
    const double factor = estimate.settings->reservedFactor;
    const double allocated = static_cast<double>(estimate.peakAllocated);
    const double reserved = static_cast<double>(estimate.peakReserved);
    return std::abs(reserved - factor * allocated) <= 1 ? factor : reserved / allocated;
}

std::string whyNotComputed(const Estimate &estimate)
{
    const auto blocking =
        std::ranges::find(estimate.issues, Issue::Severity::Blocking, &Issue::severity);
    return blocking == estimate.issues.end() ? std::string() : placed(*blocking);
}

const std::vector<Component> &Estimate::components() const
{
    static const std::vector<Component> kNone;
    return moments.empty() ? kNone : moments[peakMoment].components;
}

bool Estimate::ofSteps() const
{
    return settings && settings->workload == Workload::Training;
}

bool Estimate::hasRollout() const
{
    return settings && settings->rollout;
}

bool Estimate::inOneMemory() const
{
    return settings && unifiedMemory(*settings);
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
    const bool computable = resolved.computable();
    const auto settings = std::make_shared<const Settings>(std::move(resolved.settings));
    result.settings = settings;
    result.issues = std::move(resolved.issues);
    const Settings &s = *settings;
    if (s.diffusion) {
        fillPipeline(plan, s, computable, result);
        return result;
    }
    if (s.architecture.layers <= 0)
        return result;
    if (!countable(s.architecture)) {
        result.issues.push_back({Issue::Severity::Blocking, "model",
                                 "The model's size exceeds what 64-bit counts of bytes can hold."});
        return result;
    }
    const ParameterCounts counts = countParameters(s.architecture);
    result.parametersTotal =
        s.model.parametersOverride > 0 ? s.model.parametersOverride : counts.total;
    for (const Tower &tower : s.towers)
        result.parametersTotal += tower.parameters();
    result.parametersActive =
        std::min(counts.active + result.parametersTotal - counts.total, result.parametersTotal);
    result.parametersPerRank = result.parametersTotal;
    if (!computable)
        return result;
    result.stage = chooseStage(s, counts, result);
    if (!s.ofStages.empty())
        result.settings = s.ofStages[static_cast<std::size_t>(result.stage)];
    const RankInventory rank = rankOf(s, counts, result.stage);
    result.parametersPerRank = rank.parameters() + towerParameters(s, rank);
    if (rank.root() < 0) {
        const FieldPath field = s.model.parametersPerRankOverride > 0
                                    ? FieldPath("model.parameters_per_rank_override")
                                    : FieldPath("model.parameters_override");
        result.issues.push_back(
            issueOf(field, Issue::Severity::Blocking,
                    "Fewer parameters than the blocks of the architecture hold by themselves."));
        return result;
    }
    fillFigures(plan, *result.settings, counts, rank, result);
    return result;
}

} // namespace vramscope
