// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/projection/traced_step.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/catalog/gpu_names.h"
#include "core/estimate/estimate.h"
#include "core/projection/scaling.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr double kNanosecond = 1e-9;
/// Below so many bytes the start of a collective hides what its links reach.
constexpr std::int64_t kLeastMessage = 1 << 20;

bool usesWholeRing(CollectiveKind kind)
{
    return kind == CollectiveKind::AllReduce || kind == CollectiveKind::AllGather ||
           kind == CollectiveKind::ReduceScatter;
}

/// The ring of the largest message of the trace.
void addRing(const ProfileStudy &study, TracedStep &step)
{
    std::int64_t largest = kLeastMessage;
    for (const CollectiveRow &row : study.collectiveTable()) {
        const CollectiveCall &call = row.first;
        if (!usesWholeRing(call.kind) || !call.bytes || !call.groupSize || *call.groupSize < 2 ||
            *call.bytes < largest)
            continue;
        const Bandwidth reached = bandwidth(call.kind, call.bytes, call.groupSize, row.shortest);
        if (!reached.bus || *reached.bus <= 0)
            continue;
        largest = *call.bytes;
        step.bytesPerSecond = *reached.bus / kNanosecond; // GB/s are bytes a nanosecond
        step.ring = *call.groupSize;
    }
}

/// The median step by whatever marks steps best.
std::optional<ProfileStep> medianStep(const ProfileStudy &study)
{
    const auto of = [](const ProfileSteps &all) -> std::optional<ProfileStep> {
        if (all.hasMedian)
            return all.steps[all.median];
        const auto first = std::ranges::find_if(
            all.steps, [](const ProfileStep &each) { return each.device.has_value(); });
        return first == all.steps.end() ? std::nullopt : std::optional(*first);
    };
    if (std::optional<ProfileStep> step = of(study.steps()))
        return step;
    if (study.markers().empty())
        return std::nullopt;
    return of(profileSteps(study.profile(), study.classes(), study.markers().front()));
}

/// A GPU of the generation that the trace describes, if the catalogue knows it: by its name,
/// "NVIDIA A100-SXM4-80GB", or a word of it.
const GpuPreset *gpuOf(const Profile &profile)
{
    constexpr std::string_view kBetween = " -_";
    for (const ProfileGpu &gpu : profile.gpus()) {
        std::string_view rest = gpu.name ? std::string_view(*gpu.name) : std::string_view();
        if (const NamedGpu named = findNamedGpu(rest); named.gpu)
            return named.gpu;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find_first_of(kBetween), rest.size());
            if (const NamedGpu named = findNamedGpu(rest.substr(0, end)); named.gpu)
                return named.gpu;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return nullptr;
}

} // namespace

Result<TracedStep> tracedStep(const ProfileStudy &study, std::string source)
{
    const std::size_t devices = study.devices().size();
    if (devices == 0)
        return Error{ErrorCode::Invalid,
                     source + " holds no work of a GPU, so it says nothing about a step."};
    if (devices > 1)
        return Error{ErrorCode::Invalid, source + " holds the work of " +
                                             counted(static_cast<std::int64_t>(devices), "GPU") +
                                             " at once; give the trace of one rank."};
    const std::optional<ProfileStep> step = medianStep(study);
    if (!step || step->time <= 0)
        return Error{ErrorCode::Invalid,
                     source + " marks no steps: call profiler.step() after each of them."};
    TracedStep result;
    result.seconds = kNanosecond * static_cast<double>(step->time);
    result.computing = kNanosecond * static_cast<double>(step->device->compute);
    // Work that the host queued ahead may end after the step does.
    result.seconds = std::max(result.seconds, *result.computing);
    result.source = std::move(source);
    addRing(study, result);
    return result;
}

Result<SpeedCalibration> calibrateBy(const ProfileStudy &study, const Plan &plan,
                                     std::string source)
{
    Result<TracedStep> step = tracedStep(study, std::move(source));
    if (!step)
        return step.error();
    Plan recorded = plan;
    if (const std::int64_t world = study.profile().worldSize(); world > 0) {
        Result<Plan> there = planOn(plan, world, Scaling::Weak);
        if (!there)
            return Error{ErrorCode::Invalid, step->source + " was recorded on " +
                                                 counted(world, "GPU") + "; " +
                                                 there.error().detail};
        recorded = std::move(*there);
    }
    const Estimate it = estimate(recorded);
    if (!it.computed)
        return Error{ErrorCode::Invalid, whyNotComputed(it)};
    const GpuPreset *gpu = gpuOf(study.profile());
    if (gpu && it.settings->gpu && gpu->generation != it.settings->gpu->generation)
        return Error{ErrorCode::Invalid, step->source + " was recorded on " + gpu->title +
                                             ", and the plan's GPU is " + it.settings->gpu->title +
                                             ": a step of one says nothing about the other."};
    return calibrate(*it.settings, it.work, *step);
}

Result<SpeedCalibration> calibrateBySpeed(const Plan &plan, double tokensPerSecond)
{
    const Estimate it = estimate(plan);
    if (!it.computed)
        return Error{ErrorCode::Invalid, whyNotComputed(it)};
    return calibrate(*it.settings, it.work,
                     {.seconds = it.work.tokens / tokensPerSecond,
                      .source = "a speed of " + formatRounded(tokensPerSecond) + " tokens/s"});
}

} // namespace vramscope
