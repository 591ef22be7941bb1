// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/projection/step_time.h"

#include "core/base/format.h"
#include "core/catalog/empirical.h"
#include "core/catalog/links.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

constexpr double kHour = 3600;

/// Which end of the rates' ranges is taken.
enum class End { Likely, Fast, Slow };

double at(Measured name, End end)
{
    const Empirical &it = empirical(name);
    return end == End::Likely ? it.value : end == End::Fast ? it.high : it.low;
}

/// The same of what takes time: the least is the fast end.
double costAt(Measured name, End end)
{
    const Empirical &it = empirical(name);
    return end == End::Likely ? it.value : end == End::Fast ? it.low : it.high;
}

Measured arithmeticOf(const Settings &s)
{
    const GpuGeneration generation = s.gpu->generation;
    if (generation == GpuGeneration::Hopper) {
        const bool fp8 = s.workload == Workload::Training &&
                         (s.linear == LinearFormat::Fp8 || s.regime == Regime::Fp8);
        return fp8 ? Measured::ArithmeticFp8 : Measured::ArithmeticHopper;
    }
    return generation == GpuGeneration::Ampere ? Measured::ArithmeticAmpere
                                               : Measured::ArithmeticUnmeasured;
}

/// Bytes a second and GPU that a ring over `group` GPUs moves: within a node over the link between
/// them, beyond it over the adapters of all the node's GPUs at once, if those are slower.
double ringRate(const Settings &s, std::int64_t group, End end)
{
    const PeerLink *peers = peerLinkOf(s.gpu->name);
    const double within =
        peers ? peers->bytesPerSecond * at(Measured::PeerLinkShare, end)
              : static_cast<double>(s.gpu->hostLink) * at(Measured::HostLinkShare, end);
    if (group <= s.gpusPerNode)
        return within;
    const double between = static_cast<double>(s.gpusPerNode) * at(Measured::NetworkOfOneGpu, end);
    return within > 0 ? std::min(within, between) : between;
}

double over(Bytes bytes, double rate)
{
    return bytes > 0 && rate > 0 ? static_cast<double>(bytes) / rate : 0;
}

/// The parts of a step's time, in seconds.
struct Parts
{
    double arithmetic = 0;
    double memory = 0;
    double blocks = 0; ///< communication that computing waits for
    double shards = 0; ///< what computing does not hide
    double hostLink = 0;
    double hostStep = 0;
    double starts = 0;  ///< of the collectives
    double waiting = 0; ///< for the slowest GPU
    double bubble = 0;
    [[nodiscard]] double sum() const
    {
        return arithmetic + memory + blocks + shards + hostLink + hostStep + starts + waiting +
               bubble;
    }
    [[nodiscard]] double communication() const { return blocks + shards + starts; }
};

/// The share of the dense rate that the arithmetic reaches.
double arithmeticShare(const Settings &s, const RecordedSpeed *calibration, End end)
{
    return calibration ? calibration->arithmeticShare : at(arithmeticOf(s), end);
}

/// Of `groups` rings at once each waits for its own slowest: the largest of n normal deviations is
/// about √(2 ln n) of them.
double slowestOf(std::int64_t gpus)
{
    return gpus > 1 ? std::sqrt(2 * std::log(static_cast<double>(gpus))) : 0;
}

Parts partsOf(const Settings &s, const StepWork &work, const RecordedSpeed *calibration, End end)
{
    Parts parts;
    const auto rate = static_cast<double>(s.gpu->bf16Flops);
    parts.arithmetic = work.flops / (rate * arithmeticShare(s, calibration, end));
    parts.memory = over(work.memoryBytes, static_cast<double>(s.gpu->memoryBandwidth) *
                                              at(Measured::MemoryBandwidthShare, end));
    if (s.workload == Workload::Inference) { // products and reading go on at once
        parts.memory = std::max(parts.memory - parts.arithmetic, 0.0);
    }
    const std::int64_t sharing = s.tensor * s.context;
    parts.blocks = over(work.blockBytes, ringRate(s, sharing, end));
    const double shards = over(work.shardBytes, ringRate(s, sharing * s.data, end));
    // At worst half of the computing has something to gather beside it.
    parts.shards = std::max(shards - parts.arithmetic / (end == End::Slow ? 2 : 1), 0.0);
    if (!s.gpu->unified()) {
        const double host = over(work.hostLinkBytes, static_cast<double>(s.gpu->hostLink) *
                                                         at(Measured::HostLinkShare, end));
        parts.hostLink = end == End::Fast ? std::max(host - parts.arithmetic, 0.0) : host;
    }
    parts.hostStep = over(work.hostStateBytes, at(Measured::HostMemoryOfOneGpu, end));
    parts.starts = costAt(Measured::RingHop, end) *
                   (work.blockCalls * static_cast<double>(sharing - 1) +
                    work.shardCalls * static_cast<double>(sharing * s.data - 1));
    if (s.workload == Workload::Training)
        parts.waiting = parts.arithmetic * costAt(Measured::StepSpread, end) * slowestOf(s.gpus);
    parts.bubble = parts.sum() * work.bubbleShare / (1 - work.bubbleShare);
    return parts;
}

/// "2,360 TFLOP at 416 TFLOP/s"
std::string ofRate(double amount, std::string_view unit, double rate)
{
    return formatRounded(amount) + ' ' + std::string(unit) + " at " + formatRounded(rate) + ' ' +
           std::string(unit) + "/s";
}

std::string movedAt(Bytes bytes, double rate)
{
    return ofRate(static_cast<double>(bytes) / 1e9, "GB", rate / 1e9);
}

std::vector<TimeTerm> termsOf(const Settings &s, const StepWork &work,
                              const RecordedSpeed *calibration, const Parts &parts)
{
    std::vector<TimeTerm> terms;
    const auto add = [&](std::string_view name, double seconds, std::string rate,
                         std::string_view source) {
        if (seconds > 0)
            terms.push_back({name, seconds, std::move(rate), source});
    };
    const double share = arithmeticShare(s, calibration, End::Likely);
    const auto rate = static_cast<double>(s.gpu->bf16Flops);
    add("Arithmetic", parts.arithmetic,
        ofRate(work.flops / 1e12, "TFLOP", rate * share / 1e12) + ", " +
            formatNumber(100 * share, 2) + " % of the dense bf16 rate",
        calibration ? std::string_view("Recorded") : empirical(arithmeticOf(s)).source);
    const bool serves = s.workload == Workload::Inference;
    const Empirical &memory = empirical(Measured::MemoryBandwidthShare);
    add(serves ? "Reading weights and cache" : "Optimizer step", parts.memory,
        movedAt(work.memoryBytes, static_cast<double>(s.gpu->memoryBandwidth) * memory.value) +
            (serves && parts.arithmetic > 0 ? ", beyond the arithmetic" : ""),
        memory.source);
    const std::int64_t sharing = s.tensor * s.context;
    const auto ring = [&](std::int64_t group) {
        return group > s.gpusPerNode ? empirical(Measured::NetworkOfOneGpu).source
                                     : empirical(Measured::PeerLinkShare).source;
    };
    add("Communication within blocks", parts.blocks,
        movedAt(work.blockBytes, ringRate(s, sharing, End::Likely)), ring(sharing));
    add("Gathers and reductions", parts.shards,
        movedAt(work.shardBytes, ringRate(s, sharing * s.data, End::Likely)) +
            ", less what the arithmetic hides",
        ring(sharing * s.data));
    const Empirical &host = empirical(Measured::HostLinkShare);
    add("Link to the host", parts.hostLink,
        movedAt(work.hostLinkBytes, static_cast<double>(s.gpu->hostLink) * host.value),
        host.source);
    const Empirical &step = empirical(Measured::HostMemoryOfOneGpu);
    add("Optimizer step on the host", parts.hostStep, movedAt(work.hostStateBytes, step.value),
        step.source);
    const Empirical &hop = empirical(Measured::RingHop);
    add("Start of collectives", parts.starts,
        formatCount(std::llround(work.blockCalls + work.shardCalls)) + " collectives, " +
            formatNumber(1e6 * hop.value, 2) + " µs a hop of their rings",
        hop.source);
    const Empirical &spread = empirical(Measured::StepSpread);
    add("Waiting for the slowest GPU", parts.waiting,
        formatNumber(100 * spread.value * slowestOf(s.gpus), 2) + " % of the arithmetic",
        spread.source);
    add("Pipeline bubble", parts.bubble, formatNumber(100 * work.bubbleShare, 3) + " % of the step",
        "The plan's schedule");
    return terms;
}

} // namespace

Projected StepTime::tokensPerSecond() const
{
    return {tokens / seconds.likely, tokens / seconds.high, tokens / seconds.low};
}

Projected StepTime::gpuHours(double wanted) const
{
    const double each = wanted / tokens * static_cast<double>(gpus) / kHour;
    return {each * seconds.likely, each * seconds.low, each * seconds.high};
}

std::string whyNotProjected(const Settings &s, const StepWork &work)
{
    if (s.diffusion)
        return "The time of a diffusion pipeline is not projected.";
    if (!s.gpu)
        return "No time is projected without a GPU of the catalogue.";
    if (s.gpu->bf16Flops <= 0)
        return "No time is projected: the catalogue has no bf16 rate of " + s.gpu->title + '.';
    const bool training = s.workload == Workload::Training;
    if (training && s.computeBytes > 2)
        return "No time is projected: the catalogue has no rates for arithmetic in fp32.";
    if (training && s.images > 0)
        return "No time is projected: the arithmetic of images is not counted.";
    if (!training && s.gpu->memoryBandwidth <= 0)
        return "No time is projected: the catalogue has no memory bandwidth of " + s.gpu->title +
               '.';
    if (!training && draftedTokens(s) > 0)
        return "No time is projected: how many of the drafted tokens are accepted is not known.";
    const bool hasLink = peerLinkOf(s.gpu->name) || s.gpu->hostLink > 0 || s.gpus == 1;
    if (!hasLink)
        return "No time is projected: the catalogue has no link between GPUs of this kind.";
    if (!(work.flops > 0) || !(work.tokens > 0) || work.bubbleShare >= 1)
        return "No time is projected: there is nothing to compute.";
    return {};
}

std::optional<double> likelySeconds(const Settings &s, const StepWork &work)
{
    if (!whyNotProjected(s, work).empty())
        return std::nullopt;
    return partsOf(s, work, nullptr, End::Likely).sum();
}

Result<RecordedSpeed> calibrate(const Settings &s, const StepWork &work, double seconds,
                              std::string source)
{
    if (std::string why = whyNotProjected(s, work); !why.empty())
        return Error{ErrorCode::Invalid, std::move(why)};
    // The step gets longer as the share falls, so halving finds it.
    const auto secondsAt = [&](double share) {
        const RecordedSpeed at{share, {}};
        return partsOf(s, work, &at, End::Likely).sum();
    };
    constexpr double kLeast = 1e-4;
    constexpr double kMost = 2; // of the dense bf16 rate: fp8 has twice of it
    if (!(seconds > 0) || secondsAt(kLeast) < seconds || secondsAt(kMost) > seconds)
        return Error{ErrorCode::Invalid,
                     "A recorded step of " + formatMicroseconds(std::llround(1e6 * seconds)) +
                         " cannot be one of this plan, which computes " +
                         formatRounded(work.flops / 1e12) + " TFLOP on each " + s.gpu->title + '.'};
    double low = kLeast;
    double high = kMost;
    for (int round = 0; round < 60; ++round) {
        const double middle = (low + high) / 2;
        (secondsAt(middle) > seconds ? low : high) = middle;
    }
    return RecordedSpeed{(low + high) / 2, std::move(source)};
}

Result<StepTime> projectStep(const Settings &s, const StepWork &work,
                             const RecordedSpeed *calibration)
{
    if (std::string why = whyNotProjected(s, work); !why.empty())
        return Error{ErrorCode::Invalid, std::move(why)};
    const Parts likely = partsOf(s, work, calibration, End::Likely);
    StepTime time;
    time.seconds = {likely.sum(), partsOf(s, work, calibration, End::Fast).sum(),
                    partsOf(s, work, calibration, End::Slow).sum()};
    time.tokens = work.tokens;
    time.gpus = s.gpus;
    time.communication = likely.communication();
    time.idle = likely.waiting + likely.bubble;
    time.terms = termsOf(s, work, calibration, likely);
    return time;
}

} // namespace vramscope
