// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/projection/step_time.h"

#include "core/base/counted.h"
#include "core/base/exact.h"
#include "core/base/format.h"
#include "core/catalog/empirical.h"
#include "core/catalog/links.h"
#include "core/estimate/formulas/measured_bands.h"
#include "core/projection/kernel_time.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

constexpr double kHour = 3600;

/// GPUs that pass data around, each `stride` GPUs after the one before.
struct Ring
{
    std::int64_t degree = 1;
    std::int64_t stride = 1;
    [[nodiscard]] std::int64_t reach() const { return (Exact(degree) * stride).value(); }
    [[nodiscard]] double hops() const { return static_cast<double>(degree - 1); }
};

/// The groups of a job. Ranks are numbered tensor parallel first, then context, data, pipeline.
Ring blockRing(const Settings &s)
{
    return {s.tensor * s.context, 1};
}

std::int64_t shardDegree(const Settings &s)
{
    const bool hybrid = (s.strategy == Strategy::Fsdp1 || s.strategy == Strategy::Fsdp2) &&
                        s.sharding == Sharding::HybridShard;
    return hybrid ? s.shardGroup : s.data * s.context;
}

Ring shardRing(const Settings &s)
{
    return {shardDegree(s), s.tensor};
}

Ring replicaRing(const Settings &s)
{
    const std::int64_t degree = shardDegree(s);
    return {std::max<std::int64_t>(s.data * s.context / degree, 1), s.tensor * degree};
}

Ring expertRing(const Settings &s)
{
    return {s.expert, s.tensor};
}

double withinNode(const Settings &s, End end)
{
    const PeerLink *peers = peerLinkOf(s.gpu->name);
    return peers ? peers->bytesPerSecond * at(Measured::PeerLinkShare, end)
                 : static_cast<double>(s.gpu->hostLink) * at(Measured::HostLinkShare, end);
}

double networkOfOne(const Settings &s, End end)
{
    return static_cast<double>(s.networkGigabits) / 8 * 1e9 * at(Measured::NetworkShare, end);
}

bool leavesNode(const Settings &s, const Ring &ring)
{
    return ring.degree > 1 && ring.reach() > s.gpusPerNode;
}

/// Bytes a second and GPU that a ring moves: within a node over the link between them, beyond it
/// over the adapters of its members in a node, where as many rings go on at once as a node has GPUs
/// for.
double ringRate(const Settings &s, const Ring &ring, const SpeedCalibration *calibration, End end)
{
    if (calibration && calibration->bytesPerSecond &&
        leavesNode(s, ring) == (calibration->reach > s.gpusPerNode))
        return *calibration->bytesPerSecond;
    if (!leavesNode(s, ring))
        return withinNode(s, end);
    const std::int64_t members = std::max<std::int64_t>(s.gpusPerNode / ring.stride, 1);
    const double between = static_cast<double>(members) * networkOfOne(s, end);
    return members > 1 ? std::min(withinNode(s, end), between) : between;
}

/// The same where each GPU sends to each other one: what leaves the node goes over its own adapter,
/// while the rest goes over the links within.
double exchangeRate(const Settings &s, const Ring &ring, End end)
{
    if (!leavesNode(s, ring))
        return withinNode(s, end);
    const std::int64_t members = std::max<std::int64_t>(s.gpusPerNode / ring.stride, 1);
    const double leaving = 1 - static_cast<double>(members - 1) / std::max(ring.hops(), 1.0);
    const double outside = networkOfOne(s, end) / leaving;
    return leaving < 1 ? std::min(outside, withinNode(s, end) / (1 - leaving)) : outside;
}

double over(Bytes bytes, double rate)
{
    return bytes > 0 && rate > 0 ? static_cast<double>(bytes) / rate : 0;
}

/// The parts of a step's time, in seconds.
struct Parts
{
    double arithmetic = 0;
    double widening = 0; ///< of a base in 4 bits
    double kernels = 0;  ///< between the products
    double memory = 0;
    double blocks = 0;  ///< communication that computing waits for
    double experts = 0; ///< the same, of exchanges with the experts
    double shards = 0;  ///< what computing does not hide
    double hostLink = 0;
    double hostStep = 0;
    double starts = 0;  ///< of the collectives
    double waiting = 0; ///< for the slowest GPU
    double idle = 0;    ///< as recorded
    double bubble = 0;
    [[nodiscard]] double computing() const { return arithmetic + widening + kernels + memory; }
    [[nodiscard]] double communication() const { return blocks + experts + shards + starts; }
    [[nodiscard]] double outside() const { return communication() + hostLink + hostStep + waiting; }
    [[nodiscard]] double sum() const { return computing() + outside() + idle + bubble; }
};

/// The largest of n normal deviations is about √(2 ln n) of them.
double slowestOf(std::int64_t gpus)
{
    return gpus > 1 ? std::sqrt(2 * std::log(static_cast<double>(gpus))) : 0;
}

/// How the projection is bent at an end of the ranges.
SpeedCalibration::Fit fitAt(const Settings &s, const SpeedCalibration *calibration, End end)
{
    return calibration ? calibration->fits[static_cast<std::size_t>(end)]
                       : SpeedCalibration::Fit{shareOfProducts(s, end)};
}

Parts partsOf(const Settings &s, const StepWork &work, const SpeedCalibration *calibration, End end)
{
    const SpeedCalibration::Fit fit = fitAt(s, calibration, end);
    Parts parts;
    const auto rate = static_cast<double>(s.gpu->bf16Flops);
    parts.arithmetic = equivalentFlops(s, work) / (rate * fit.arithmeticShare);
    parts.widening = wideningSeconds(s, work, end);
    parts.kernels = kernelSeconds(s, work, end);
    parts.memory = over(work.memoryBytes, static_cast<double>(s.gpu->memoryBandwidth) *
                                              at(Measured::MemoryBandwidthShare, end));
    if (s.workload == Workload::Inference) // products and reading go on at once
        parts.memory = std::max(parts.memory - parts.arithmetic, 0.0);
    parts.blocks = over(work.blocks.bytes, ringRate(s, blockRing(s), calibration, end));
    parts.experts = over(work.experts.bytes, exchangeRate(s, expertRing(s), end));
    const double shards = over(work.shards.bytes, ringRate(s, shardRing(s), calibration, end)) +
                          over(work.replicas.bytes, ringRate(s, replicaRing(s), calibration, end));
    // Collectives and products compete for multiprocessors and memory; at worst half of the
    // computing has something to gather at the same time.
    parts.shards = std::max(shards - parts.arithmetic / (end == End::Slow ? 2 : 1),
                            shards * costAt(Measured::ExposedGathers, end));
    if (!s.gpu->unified()) {
        const double host = over(work.hostLinkBytes, static_cast<double>(s.gpu->hostLink) *
                                                         at(Measured::HostLinkShare, end));
        parts.hostLink = end == End::Fast ? std::max(host - parts.arithmetic, 0.0) : host;
    }
    parts.hostStep = over(work.hostStateBytes, at(Measured::HostMemoryOfOneGpu, end));
    parts.starts =
        costAt(Measured::RingHop, end) *
        (work.blocks.passes * blockRing(s).hops() + work.shards.passes * shardRing(s).hops() +
         work.replicas.passes * replicaRing(s).hops() + work.experts.passes * expertRing(s).hops());
    if (s.workload == Workload::Training)
        parts.waiting = parts.computing() * costAt(Measured::StepSpread, end) * slowestOf(s.gpus);
    for (double *part : {&parts.blocks, &parts.experts, &parts.shards, &parts.hostLink,
                         &parts.hostStep, &parts.starts, &parts.waiting})
        *part *= fit.outsideScale;
    parts.idle = parts.arithmetic * fit.idleShare;
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

std::string passesText(double passes, double seconds)
{
    return counted(std::llround(passes), "pass") + ", " + formatNumber(1e6 * seconds, 2) +
           " µs a hop of their rings";
}

std::vector<TimeTerm> termsOf(const Settings &s, const StepWork &work,
                              const SpeedCalibration *calibration, const Parts &parts)
{
    std::vector<TimeTerm> terms;
    const auto add = [&](std::string_view name, double seconds, std::string rate,
                         std::string_view source, bool recorded = false) {
        if (seconds > 0)
            terms.push_back({name, seconds, std::move(rate),
                             recorded ? "Recorded: " + calibration->source : std::string(source),
                             recorded});
    };
    const SpeedCalibration::Fit fit = fitAt(s, calibration, End::Likely);
    const auto rate = static_cast<double>(s.gpu->bf16Flops);
    add("Arithmetic", parts.arithmetic,
        ofRate(work.flops / 1e12, "TFLOP", work.flops / parts.arithmetic / 1e12) + ", " +
            formatNumber(100 * work.flops / parts.arithmetic / rate, 2) +
            " % of the dense bf16 rate",
        empirical(arithmeticOf(s)).source, calibration != nullptr);
    const double bandwidth = static_cast<double>(s.gpu->memoryBandwidth);
    const Empirical &kernels = empirical(Measured::MemoryBandwidthShare);
    add("Kernels between the products", parts.kernels,
        movedAt(std::llround(work.elementBytes + work.adapterBytes), bandwidth * kernels.value),
        empirical(s.kernels == Kernels::Eager ? Measured::KernelsEager : Measured::KernelsFused)
            .source);
    const Empirical &widening = empirical(Measured::WideningFourBits);
    add("Widening the 4-bit base", parts.widening,
        movedAt(std::llround(work.widenedBytes), bandwidth * widening.value), widening.source);
    const bool serves = s.workload == Workload::Inference;
    const Empirical &memory = empirical(Measured::MemoryBandwidthShare);
    add(serves ? "Reading weights and cache" : "Optimizer step", parts.memory,
        movedAt(work.memoryBytes, static_cast<double>(s.gpu->memoryBandwidth) * memory.value) +
            (serves && parts.arithmetic > 0 ? ", beyond the arithmetic" : ""),
        memory.source);
    const std::string scaled =
        fit.outsideScale < 1 ? ", as much as the recording leaves of it" : "";
    const auto addRing = [&](std::string_view name, double seconds, Bytes bytes, const Ring &ring,
                             std::string_view note) {
        const double reached = ringRate(s, ring, calibration, End::Likely);
        const bool recorded = calibration && calibration->bytesPerSecond == reached;
        add(name, seconds, movedAt(bytes, reached) + std::string(note) + scaled,
            empirical(leavesNode(s, ring) ? Measured::NetworkShare : Measured::PeerLinkShare)
                .source,
            recorded);
    };
    addRing("Communication within blocks", parts.blocks, work.blocks.bytes, blockRing(s), "");
    add("Exchange with the experts", parts.experts,
        movedAt(work.experts.bytes, exchangeRate(s, expertRing(s), End::Likely)) + scaled,
        empirical(leavesNode(s, expertRing(s)) ? Measured::NetworkShare : Measured::PeerLinkShare)
            .source);
    addRing("Gathers and reductions", parts.shards,
            (Exact(work.shards.bytes) + work.replicas.bytes).value(), shardRing(s),
            ", less what the arithmetic hides");
    const Empirical &host = empirical(Measured::HostLinkShare);
    add("Link to the host", parts.hostLink,
        movedAt(work.hostLinkBytes, static_cast<double>(s.gpu->hostLink) * host.value) + scaled,
        host.source);
    const Empirical &step = empirical(Measured::HostMemoryOfOneGpu);
    add("Optimizer step on the host", parts.hostStep,
        movedAt(work.hostStateBytes, step.value) + scaled, step.source);
    const Empirical &hop = empirical(Measured::RingHop);
    add("Start of collectives", parts.starts,
        passesText(work.blocks.passes + work.shards.passes + work.replicas.passes +
                       work.experts.passes,
                   hop.value) +
            scaled,
        hop.source);
    const Empirical &spread = empirical(Measured::StepSpread);
    add("Waiting for the slowest GPU", parts.waiting,
        formatNumber(100 * spread.value * slowestOf(s.gpus), 2) + " % of the computing" + scaled,
        spread.source);
    add("Idle", parts.idle,
        formatNumber(100 * fit.idleShare, 2) + " % of the arithmetic: what is not explained", {},
        calibration != nullptr);
    add("Pipeline bubble", parts.bubble, formatNumber(100 * work.bubbleShare, 3) + " % of the step",
        "The plan's schedule");
    return terms;
}

/// From the lowest to the highest, whichever end gave it.
Projected ranged(const std::array<double, 3> &byEnd)
{
    const auto [low, high] = std::ranges::minmax(byEnd);
    return {byEnd[0], low, high};
}

/// The share with which the likely, fast or slow step takes these seconds; nothing where none does.
std::optional<double> shareOf(const Settings &s, const StepWork &work, double seconds, End end)
{
    // The step gets longer as the share falls, so halving finds it.
    constexpr double kLeast = 1e-4;
    constexpr double kMost = 2; // of the dense bf16 rate: fp8 has twice of it
    const auto secondsAt = [&](double share) {
        SpeedCalibration it;
        it.fits.fill({share});
        return partsOf(s, work, &it, end).sum();
    };
    if (!(seconds > 0) || secondsAt(kLeast) < seconds || secondsAt(kMost) > seconds)
        return std::nullopt;
    double low = kLeast;
    double high = kMost;
    for (int round = 0; round < 60; ++round) {
        const double middle = (low + high) / 2;
        (secondsAt(middle) > seconds ? low : high) = middle;
    }
    return (low + high) / 2;
}

/// The same where the time of the computing was recorded beside that of the step.
std::optional<SpeedCalibration::Fit> fitOf(const Settings &s, const StepWork &work,
                                           const TracedStep &recorded, const SpeedCalibration &link,
                                           End end)
{
    const double memory = over(work.memoryBytes, static_cast<double>(s.gpu->memoryBandwidth) *
                                                     at(Measured::MemoryBandwidthShare, end));
    const double arithmetic =
        *recorded.computing - memory - wideningSeconds(s, work, end) - kernelSeconds(s, work, end);
    SpeedCalibration::Fit fit;
    fit.arithmeticShare =
        equivalentFlops(s, work) / (static_cast<double>(s.gpu->bf16Flops) * arithmetic);
    if (!(arithmetic > 0) || fit.arithmeticShare > 2)
        return std::nullopt;
    SpeedCalibration it = link;
    it.fits.fill(fit);
    const Parts parts = partsOf(s, work, &it, end);
    const double beside = recorded.seconds * (1 - work.bubbleShare) - parts.computing();
    if (beside >= parts.outside())
        fit.idleShare = (beside - parts.outside()) / arithmetic;
    else
        fit.outsideScale = std::max(beside, 0.0) / parts.outside();
    return fit;
}

} // namespace

double tokensOfRun(const Settings &s)
{
    constexpr double kUsualRun = 1e9;
    return s.run.tokens > 0 ? static_cast<double>(s.run.tokens) : kUsualRun;
}

Projected StepTime::tokensPerSecond() const
{
    return {tokens / seconds.likely, tokens / seconds.high, tokens / seconds.low};
}

Projected StepTime::gpuHours(double wanted) const
{
    const double each = wanted / tokens * static_cast<double>(gpus) / kHour;
    return {each * seconds.likely, each * seconds.low, each * seconds.high};
}

bool sameWork(const Settings &a, const Settings &b)
{
    if (a.workload != b.workload)
        return false;
    return a.workload == Workload::Training
               ? a.sequenceLength == b.sequenceLength && a.adapters.kind == b.adapters.kind
               : a.concurrentSequences == b.concurrentSequences &&
                     a.meanSequenceLength == b.meanSequenceLength;
}

std::string whyNotProjected(const Settings &s, const StepWork &work,
                            const SpeedCalibration *calibration)
{
    if (s.diffusion)
        return "The time of a diffusion pipeline is not projected.";
    if (!s.gpu)
        return "No time is projected without a GPU of the catalogue.";
    if (s.gpu->bf16Flops <= 0)
        return "No time is projected: the catalogue has no bf16 rate of " + s.gpu->title + '.';
    const bool training = s.workload == Workload::Training;
    if (training && s.computeBytes > 2 && !calibration)
        return "No time is projected: the catalogue has no rates for arithmetic in fp32. A trace "
               "or the speed of a run gives one.";
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

std::optional<double> likelySeconds(const Settings &s, const StepWork &work,
                                    const SpeedCalibration *calibration)
{
    if (!whyNotProjected(s, work, calibration).empty())
        return std::nullopt;
    return partsOf(s, work, calibration, End::Likely).sum();
}

Result<SpeedCalibration> calibrate(const Settings &s, const StepWork &work,
                                   const TracedStep &recorded)
{
    SpeedCalibration result;
    if (std::string why = whyNotProjected(s, work, &result); !why.empty())
        return Error{ErrorCode::Invalid, std::move(why)};
    result.bytesPerSecond = recorded.bytesPerSecond;
    result.reach = recorded.ring;
    result.gpus = s.gpus;
    result.seconds = recorded.seconds;
    result.source = recorded.source;
    for (const End end : kEnds) {
        std::optional<SpeedCalibration::Fit> fit;
        if (recorded.computing)
            fit = fitOf(s, work, recorded, result, end);
        else if (const std::optional<double> share = shareOf(s, work, recorded.seconds, end))
            fit = SpeedCalibration::Fit{*share};
        if (!fit && end == End::Likely)
            return Error{
                ErrorCode::Invalid,
                "A recorded step of " + formatMicroseconds(std::llround(1e6 * recorded.seconds)) +
                    " cannot be one of this plan, which computes " +
                    formatRounded(work.flops / 1e12) + " TFLOP on each " + s.gpu->title + '.'};
        // Where an end of the ranges alone takes longer than the step did, it is no end of them.
        result.fits[static_cast<std::size_t>(end)] = fit.value_or(result.fits.front());
    }
    return result;
}

Result<StepTime> projectStep(const Settings &s, const StepWork &work,
                             const SpeedCalibration *calibration)
{
    if (std::string why = whyNotProjected(s, work, calibration); !why.empty())
        return Error{ErrorCode::Invalid, std::move(why)};
    const Parts likely = partsOf(s, work, calibration, End::Likely);
    StepTime time;
    time.seconds = ranged({likely.sum(), partsOf(s, work, calibration, End::Fast).sum(),
                           partsOf(s, work, calibration, End::Slow).sum()});
    const std::string speedClass = calibration ? std::string() : speedClassOf(s);
    // The range of a class that no published speed is of stays that of its rates.
    if (const MeasuredBand *band = measuredBand(speedClass); band && band->name == speedClass) {
        time.seconds.low = time.seconds.likely * (1 - band->below);
        time.seconds.high = time.seconds.likely * (1 + band->above);
        time.speedClass = speedClass;
    }
    time.tokens = work.tokens;
    time.gpus = s.gpus;
    time.communication = likely.communication();
    time.idle = likely.waiting + likely.idle + likely.bubble;
    time.terms = termsOf(s, work, calibration, likely);
    return time;
}

Projected ringSeconds(const Settings &s, std::int64_t gpus, double passes, double bytesSent)
{
    const Ring ring{gpus, 1};
    const auto seconds = [&](End end) {
        return costAt(Measured::RingHop, end) * ring.hops() * passes +
               bytesSent / ringRate(s, ring, nullptr, end);
    };
    return ranged({seconds(End::Likely), seconds(End::Fast), seconds(End::Slow)});
}

} // namespace vramscope
