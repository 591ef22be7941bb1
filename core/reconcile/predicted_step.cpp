// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/predicted_step.h"

#include <algorithm>
#include <optional>

namespace vramscope {

namespace {

std::optional<StepMoment> momentOf(StepPhase at)
{
    switch (at) {
    case StepPhase::Forward:
    case StepPhase::Profile:
    case StepPhase::Serve:
    case StepPhase::Encode:
    case StepPhase::Denoise:
    case StepPhase::Decode:
        return StepMoment::Forward;
    case StepPhase::Logits:
    case StepPhase::StartOfBackward:
    case StepPhase::Loss:
        return StepMoment::Loss;
    case StepPhase::Backward:
        return StepMoment::Backward;
    case StepPhase::EndOfBackward:
        return StepMoment::EndOfBackward;
    case StepPhase::GradientNorm:
    case StepPhase::Step:
        return StepMoment::Optimizer;
    case StepPhase::Rest:
        return StepMoment::Rest;
    case StepPhase::Load:
    case StepPhase::Generate:
    case StepPhase::LogProbabilities:
    case StepPhase::WeightSync: // between steps of the trainer
        break;
    }
    return std::nullopt;
}

SideBytes bytesOf(const LifecyclePoint &point, const std::vector<Lifecycle::Part> &parts)
{
    SideBytes bytes;
    for (std::size_t part = 0; part < parts.size(); ++part)
        bytes.byCategory[static_cast<std::size_t>(parts[part].category)] += point.bytes[part];
    return bytes;
}

} // namespace

PredictedStep predictedStep(const Lifecycle &lifecycle, bool first)
{
    PredictedStep step;
    std::array<const LifecyclePoint *, kStepMomentCount> highest{};
    for (const LifecyclePoint &point : first ? lifecycle.firstStep : lifecycle.steadyStep) {
        const std::optional<StepMoment> moment = momentOf(point.phase);
        if (!moment)
            continue;
        const LifecyclePoint *&best = highest[static_cast<std::size_t>(*moment)];
        if (!best || point.allocated > best->allocated)
            best = &point;
    }
    for (std::size_t at = 0; at < kStepMomentCount; ++at) {
        if (highest[at])
            step[at] = {highest[at]->moment, bytesOf(*highest[at], lifecycle.parts)};
    }
    return step;
}

} // namespace vramscope
