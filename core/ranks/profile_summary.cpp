// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/profile_summary.h"

#include "core/base/bytes.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/text_hash.h"
#include "core/profile/profile_study.h"
#include "core/ranks/site_id.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace vramscope {

namespace {

constexpr std::size_t kLongestGroup = 256; ///< bytes of the name of a group of ranks
constexpr std::size_t kLongestProblem = 1024;
constexpr std::size_t kMostRuns = 512; ///< groups with kinds; of more no call is kept

/// A name that fits into a record; another than any other group's.
std::string keptGroup(const std::string &group)
{
    std::string kept = printable(firstBytes(group, kLongestGroup));
    return kept == group ? kept : kept + '~' + std::to_string(textHash(group));
}

std::string markerText(const Profile &profile, const StepMarker &marker)
{
    const std::string name = printable(firstBytes(profile.text(marker.name), 120));
    switch (marker.kind) {
    case StepMarker::Kind::ProfilerStep:
        return "The profiler marked them (ProfilerStep#N).";
    case StepMarker::Kind::Optimizer:
        return "Each begins with a call of the optimizer, " + name + ".";
    case StepMarker::Kind::DataLoader:
        return "Each begins where the data loader gives a batch.";
    case StepMarker::Kind::Range:
        return "Each begins with the range " + name + ".";
    case StepMarker::Kind::Kernel:
        return "Each begins with the kernel " + name + ", which runs once in each period.";
    }
    return {};
}

SummaryProfileStep stepOf(const Profile &profile, const ProfileStep &step, std::int64_t place,
                          bool isNumbered)
{
    SummaryProfileStep kept;
    const auto number = isNumbered ? numberOfStep(profile.text(step.name)) : std::nullopt;
    kept.number = number.value_or(place);
    kept.time = step.time;
    if (step.device)
        kept.work = SummaryStepWork{step.device->span,          step.device->compute,
                                    step.device->communication, step.device->exposedCommunication,
                                    step.device->exposedCopy,   step.device->idle};
    return kept;
}

} // namespace

bool ProfileSummary::areCallsWhole() const
{
    std::int64_t kept = 0;
    for (const CallRun &run : calls)
        kept += static_cast<std::int64_t>(run.calls.size());
    return kept == callCount;
}

std::vector<RankStep> ProfileSummary::comparedSteps() const
{
    std::vector<RankStep> compared;
    if (!areStepsNumbered || devices > 1)
        return compared;
    for (const SummaryProfileStep &step : steps) {
        RankStep &made = compared.emplace_back();
        made.number = step.number;
        if (!step.work)
            continue;
        made.times.span = step.work->span;
        made.times.compute = step.work->compute;
        made.times.communication = step.work->communication;
        made.times.exposedCommunication = step.work->exposedCommunication;
        made.times.overlappedCommunication =
            wrappingDifference(step.work->communication, step.work->exposedCommunication);
        made.times.exposedCopy = step.work->exposedCopy;
        made.times.idle = step.work->idle;
        made.times.busy = wrappingDifference(step.work->span, step.work->idle);
    }
    return compared;
}

ProfileSummary summarize(const ProfileStudy &study)
{
    ProfileSummary summary;
    const Profile &profile = study.profile();
    if (profile.worldSize() > 0)
        summary.ranks = profile.worldSize();
    summary.devices = static_cast<std::int64_t>(study.devices().size());
    if (!study.devices().empty())
        summary.times = study.devices().front().times;
    const std::vector<StepMarker> &markers = study.markers();
    const bool isMarked =
        !markers.empty() && markers.front().kind == StepMarker::Kind::ProfilerStep;
    const ProfileSteps others = isMarked || markers.empty()
                                    ? ProfileSteps()
                                    : profileSteps(profile, study.classes(), markers.front());
    const ProfileSteps &steps = isMarked ? study.steps() : others;
    summary.stepsFrom =
        markers.empty() ? "Nothing marks steps." : markerText(profile, markers.front());
    summary.areStepsNumbered = isMarked;
    summary.isCut = profile.isCut();
    for (const Problem &problem : study.problems()) {
        if (summary.problems.size() < kMostSummaryProblems)
            summary.problems.push_back({printable(firstBytes(problem.kind, kLongestProblem)),
                                        problem.count, problem.firstOffset});
    }
    summary.stepCount = static_cast<std::int64_t>(steps.steps.size());
    for (std::size_t at = 0; at < std::min(steps.steps.size(), kMostSummaryProfileSteps); ++at)
        summary.steps.push_back(
            stepOf(profile, steps.steps[at], static_cast<std::int64_t>(at), isMarked));
    summary.callCount = static_cast<std::int64_t>(study.collectives().calls.size());
    summary.calls = rankCalls(study, steps, kMostSummaryCalls);
    summary.calls.resize(std::min(summary.calls.size(), kMostRuns));
    for (CallRun &run : summary.calls) {
        run.group = keptGroup(run.group);
        for (RankCall &call : run.calls) {
            if (call.step >= static_cast<std::int32_t>(kMostSummaryProfileSteps))
                call.step = -1;
        }
    }
    std::ranges::sort(summary.calls, {}, [](const CallRun &run) {
        return std::pair(std::string_view(run.group), textOf(run.kind));
    });
    return summary;
}

} // namespace vramscope
