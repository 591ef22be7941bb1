// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/levels.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/estimate/formulas/communicators.h"
#include "core/estimate/formulas/inference.h"
#include "core/estimate/formulas/serving.h"
#include "core/plan/field_path.h"
#include "core/settings/engines/sglang_values.h"
#include "core/settings/engines/vllm_releases.h"
#include "core/settings/field_conditions.h"
#include "core/settings/rollout.h"
#include "core/settings/usual_values.h"
#include "core/settings/vllm_graphs.h"

#include <algorithm>

namespace vramscope {

namespace {

Bytes reservedFor(Bytes allocated, double factor, Bytes whole = 0)
{
    const Bytes pieces = allocated - whole;
    const Exact reserved = Exact::ceiling(static_cast<double>(pieces) * factor) + whole;
    return std::max(allocated, reserved.value());
}

/// The memory reserved at the positions of a ledger.
class Reserved
{
public:
    Reserved(const Ledger &ledger, const Slack &slack)
        : m_ledger(ledger)
        , m_slack(slack)
        , m_kept(slack.byStream ? ledger.kept() : Exact())
    {
    }

    [[nodiscard]] Bytes at(std::size_t i, bool first) const
    {
        const Exact total = (first ? m_ledger.firstStepTotals() : m_ledger.totals())[i];
        const Exact pooled = m_slack.pooled.empty() ? Exact() : m_slack.pooled[i];
        const Exact kept = idle(i, first);
        const Exact whole = std::min(excess(m_kept, kept) + pooled, total);
        return (Exact(reservedFor(total.value(), m_slack.factor, whole.value())) + kept).value();
    }
    /// What side streams keep and do not use.
    [[nodiscard]] Exact idle(std::size_t i, bool first) const
    {
        return m_slack.byStream ? excess(m_kept, m_ledger.aside(i, first)) : Exact();
    }

private:
    const Ledger &m_ledger;
    const Slack &m_slack;
    Exact m_kept;
};

/// Memory parts named after their process.
class Outside
{
public:
    Outside(Estimate &result, std::string_view owner)
        : m_result(result)
        , m_owner(owner)
    {
    }

    void add(std::string_view name, Bytes bytes, std::string_view symbols, const Origin &origin)
    {
        if (bytes <= 0)
            return;
        std::string formula = std::string(symbols) + " = ";
        appendCount(formula, bytes);
        m_result.outside.push_back({Category::Framework, m_owner + std::string(name), bytes,
                                    std::move(formula), std::string(origin.source), origin.evidence,
                                    origin.spread, 1});
    }

private:
    Estimate &m_result;
    std::string m_owner;
};

/// A typical value has a range; one from the plan or from a recording is used as it is.
Origin typical(const Empirical &constant, bool stated, std::string_view recording = {})
{
    if (stated)
        return calibratedOr(recording, {"As the plan states it", Evidence::Sourced});
    return {constant.source, Evidence::Empirical, constant.spread()};
}

bool amd(const Settings &s)
{
    return s.gpu && s.gpu->vendor() == GpuVendor::Amd;
}

std::string_view contextName(const Settings &s)
{
    if (runsCuda(s))
        return "CUDA context";
    return amd(s) ? "HIP context" : "Context of the runtime";
}

Origin graphsOrigin(const Settings &s)
{
    if (s.engine == Engine::Sglang)
        return {"What SGLang reserves for them; server_args.py", Evidence::Sourced, 0.7};
    return typical(*vllmGraphs(s).ofLayer, false);
}

/// The symbols of the formula, without the result.
std::string graphsText(const Settings &s)
{
    if (s.engine == Engine::Sglang) {
        const bool prefills = sglangRelease(s).fraction == SglangFraction::SumWithPrefills;
        return std::string("2 MiB · cuda_graph_max_bs") + (!prefills ? ""
                                                           : s.architecture.mla()
                                                               ? " + 1.5 GiB"
                                                               : " + 8 MiB · captured prefills");
    }
    const VllmGraphs graphs = vllmGraphs(s);
    std::string text = graphs.pieces > 0 && graphs.whole > 0
                           ? '(' + formatCount(graphs.pieces) + " + " +
                                 counted(graphs.whole, "captured size") + ')'
                           : counted(graphs.pieces + graphs.whole, "captured size");
    text += " · " + formatBytes(graphs.kernels.value()) + " of kernels + " +
            formatBytes(graphs.tensors.value()) + " of activations";
    return graphs.attention > 0
               ? text + " + " + formatBytes(graphs.attention.value()) + " of attention"
               : text;
}

/// The memory between allocated and device memory, part by part.
void fillOutside(const Plan &plan, const Settings &s, const MemoryLevels &levels, Outside outside)
{
    Origin slack = typical(typicalReserved(s), plan.overheads.reservedFactor.has_value(),
                           s.calibrated.reservedFactor);
    slack.spread = 0; // its range is a part of the band by itself
    const bool byStream = !s.reservedStated && applies::fsdp(s);
    outside.add("Allocator slack", levels.slack - levels.aside,
                byStream ? "peak reserved - peak allocated - what other streams keep"
                         : "(reserved_factor - 1) · allocated",
                slack);
    outside.add("Blocks that other streams keep", levels.aside,
                "the peaks of the gathering and the reducing stream - what both use at this moment",
                {"A freed block stays with the stream that it was taken on: "
                 "c10/cuda/CUDACachingAllocator.cpp; the streams of FSDP: "
                 "torch/distributed/fsdp/_runtime_utils.py and _fully_shard/_fsdp_collectives.py",
                 Evidence::Sourced});
    outside.add(kOutsidePyTorch, levels.nonTorch, FieldPath("inference.non_torch_bytes"),
                typical(vllmNonTorch(s), s.nonTorchBytes >= 0));
    const bool graphsStated = plan.inference.cudaGraphBytes.has_value();
    outside.add(kCudaGraphs, levels.graphs,
                graphsStated ? std::string(FieldPath("inference.cuda_graph_bytes").text())
                             : graphsText(s),
                graphsStated ? typical({}, true) : graphsOrigin(s));
    outside.add(contextName(s), levels.context, FieldPath("overheads.context_bytes"),
                typical(usual::cudaContext(s), plan.overheads.contextBytes.has_value(),
                        s.calibrated.context));
    if (levels.nccl > 0) {
        const bool stated = plan.overheads.ncclBytes.has_value();
        const Origin origin = communicatorOrigin(s);
        outside.add(amd(s) ? "RCCL communicators" : "NCCL communicators", levels.nccl,
                    stated ? std::string(FieldPath("overheads.nccl_bytes").text())
                           : communicatorsText(s),
                    stated ? typical({}, true, s.calibrated.nccl) : origin);
    }
    outside.add(unifiedMemory(s) ? "System and other programs" : "Other programs", levels.system,
                FieldPath("hardware.system_bytes"),
                typical(empirical(Measured::UnifiedSystem), plan.hardware.systemBytes.has_value()));
    outside.add(
        "Offloaded, in the same memory", levels.offloaded, "host.bytes",
        {"Host and device share one memory: what is offloaded moves within it", Evidence::Sourced});
}

/// Moments of the other workload do not exist; loading is a moment of its own only where it uses
/// more than what stays, or where a checkpoint gives the memory of loading.
bool happens(const Ledger &ledger, std::size_t i)
{
    const Exact total = ledger.totals()[i];
    return total != 0 && (ledger.positions()[i].phase != StepPhase::Load || ledger.namesLoading() ||
                          total > ledger.total(StepPhase::Rest));
}

/// Memory of a trainer's engine outside the allocator, asleep or awake.
MemoryLevels engineLevels(const Settings &s, const InferenceFigures &figures)
{
    MemoryLevels levels = levelsOf(*s.rollout, {}, &figures, 0);
    levels.system = levels.slack = 0;
    if (s.rl.sharedProcess)
        levels.context = 0;
    return levels;
}

} // namespace

PeakHeights peakHeights(const Ledger &ledger, const Slack &slack)
{
    PeakHeights heights;
    heights.rest = ledger.total(StepPhase::Rest);
    const std::span<const Position> positions = ledger.positions();
    const Reserved reserved(ledger, slack);
    const bool byReserved = !slack.pooled.empty();
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (!happens(ledger, i))
            continue;
        const Bytes most = reserved.at(i, false);
        const Exact total = ledger.totals()[i];
        if (byReserved ? most > heights.reserved : total > heights.peak) {
            heights.peak = total;
            heights.peakAt = positions[i];
        }
        const Bytes idle = reserved.idle(i, false).value();
        heights.least = std::max(heights.least, most - idle);
        if (most > heights.reserved) {
            heights.reserved = most;
            heights.aside = idle;
        }
        const Bytes firstMost = reserved.at(i, true);
        const Exact firstTotal = ledger.firstStepTotals()[i];
        if (byReserved ? firstMost > heights.firstStepReserved : firstTotal > heights.firstStep) {
            heights.firstStep = firstTotal;
            heights.firstStepAt = positions[i];
        }
        heights.firstStepReserved = std::max(heights.firstStepReserved, firstMost);
    }
    return heights;
}

MemoryLevels levelsOf(const Settings &s, const PeakHeights &heights,
                      const InferenceFigures *serving, Bytes hostBytes)
{
    MemoryLevels levels;
    levels.reserved = heights.reserved;
    levels.slack = levels.reserved - heights.peak.value();
    levels.aside = std::min(heights.aside, levels.slack);
    const bool serves = serving && !s.rollout;
    const bool vllm = serves && s.engine == Engine::Vllm;
    const NonTorch counted = vllm ? vllmRelease(s).nonTorch : NonTorch::WithoutCommunicators;
    if (serves && (vllm || s.engine == Engine::Sglang))
        levels.graphs = s.cudaGraphBytes;
    if (vllm)
        levels.nonTorch = serving->nonTorch;
    if (counted != NonTorch::AllInUse) {
        levels.context = s.contextBytes;
        levels.system = s.systemBytes;
    }
    if (counted == NonTorch::WithoutCommunicators)
        levels.nccl = s.ncclBytes;
    if (unifiedMemory(s))
        levels.offloaded = hostBytes;
    if (s.rollout && serving) {
        const MemoryLevels engine = engineLevels(s, *serving);
        levels.engine = engine.context + engine.nccl + engine.nonTorch + engine.graphs;
    }
    levels.device = (Exact(levels.reserved) + levels.context + levels.nccl + levels.nonTorch +
                     levels.graphs + levels.system + levels.offloaded + levels.engine)
                        .value();
    // When memory runs out the allocator returns what is idle and tries again
    // (release_cached_blocks of c10/cuda/CUDACachingAllocator.cpp).
    if (s.capacity > 0 && levels.device > s.capacity)
        levels.returned = std::min(heights.reserved - heights.least, levels.device - s.capacity);
    for (Bytes *level : {&levels.reserved, &levels.slack, &levels.aside, &levels.device})
        *level -= levels.returned;
    return levels;
}

void fillMoments(const Ledger &ledger, const Slack &slack, std::int64_t blocks, Estimate &result)
{
    const PeakHeights heights = peakHeights(ledger, slack);
    const Reserved reserved(ledger, slack);
    const std::span<const Position> positions = ledger.positions();
    result.moments.reserve(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Position &position = positions[i];
        const bool isFirst = position.phase == StepPhase::Backward && position.block == 0;
        const bool within = position.after ||
                            (runsBlocks(position.phase) && !isFirst && position.block < blocks - 1);
        const bool peak = position == heights.peakAt;
        if (!happens(ledger, i) || (within && !peak))
            continue;
        if (peak)
            result.peakMoment = result.moments.size();
        const Bytes allocated = ledger.totals()[i].value();
        result.moments.push_back({positionName(position, blocks), allocated,
                                  ledger.componentsAt(position), position.phase,
                                  reserved.at(i, false)});
    }
    result.peakAllocated = heights.peak.value();
    result.peakAt = positionName(heights.peakAt, blocks);
    result.peakPhase = heights.peakAt.phase;
    result.firstStepAllocated = heights.firstStep.value();
    result.firstStepAt = positionName(heights.firstStepAt, blocks);
    result.atRest = heights.rest.value();
}

Exact deviceLevel(const Settings &s, Exact allocated)
{
    if (allocated.overflowed())
        return allocated;
    return Exact(reservedFor(allocated.value(), s.reservedFactor)) + s.contextBytes + s.ncclBytes +
           s.systemBytes;
}

void fillLevels(const Plan &plan, const Settings &s, const PeakHeights &heights, Estimate &result)
{
    const MemoryLevels levels =
        levelsOf(s, heights, result.inference ? &*result.inference : nullptr, result.hostBytes);
    result.peakReserved = levels.reserved;
    result.peakDevice = levels.device;
    result.firstStepReserved = heights.firstStepReserved;
    if (levels.returned > 0) {
        result.firstStepReserved = std::min(result.firstStepReserved, levels.reserved);
        for (Moment &moment : result.moments)
            moment.reserved = std::min(moment.reserved, levels.reserved);
        warn(
            result, "overheads.alloc_conf",
            "The GPU lacks " + formatBytes(levels.returned) +
                " for the blocks that other streams keep: in every step the allocator returns some "
                "and takes them back, which makes steps slower (num_alloc_retries).");
    }
    fillOutside(plan, s, levels, Outside(result, ""));
    if (s.rollout && result.inference)
        fillOutside(enginePlan(plan, s), *s.rollout, engineLevels(s, *result.inference),
                    Outside(result, kOfEngine));
    fillBands(plan, s, result);
    if (s.capacity > 0) {
        result.capacity = s.capacity;
        result.headroom = s.capacity - result.peakDevice;
        result.fits = *result.headroom >= 0;
    }
}

} // namespace vramscope
