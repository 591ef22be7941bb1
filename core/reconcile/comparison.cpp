// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/comparison.h"

#include "core/base/exact.h"

#include <algorithm>
#include <cstdlib>
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

namespace {

using Part = ComparedPart;
using Parts = ComparedParts;
constexpr std::size_t kPartCount = kComparedPartCount;

constexpr Part partOf(Category category)
{
    switch (category) {
    case Category::Parameters:
        return Part::Parameters;
    case Category::Gradients:
        return Part::Gradients;
    case Category::OptimizerStates:
        return Part::OptimizerStates;
    case Category::LossAndLogits:
        return Part::Loss;
    case Category::Communication:
        return Part::Communication;
    case Category::Framework:
        return Part::Framework;
    case Category::Activations:
    case Category::KeyValueCache:
    case Category::TemporaryBuffers:
    case Category::Inputs:
    case Category::Unknown:
        break;
    }
    return Part::Working;
}

Parts partsOf(const SideBytes &bytes)
{
    Parts parts{};
    for (std::size_t at = 0; at < kCategoryCount; ++at)
        parts[static_cast<std::size_t>(partOf(static_cast<Category>(at)))] += bytes.byCategory[at];
    parts[static_cast<std::size_t>(Part::Working)] += bytes.unknown;
    return parts;
}

// What comes while a moment lasts: where the recording ends inside it, less says nothing.
constexpr bool comesDuring(StepMoment moment, Part part)
{
    switch (moment) {
    case StepMoment::Loss:
        return part == Part::Loss;
    case StepMoment::Backward:
        return part == Part::Gradients || part == Part::Working;
    case StepMoment::Optimizer:
        return part == Part::OptimizerStates || part == Part::Working;
    case StepMoment::Forward:
    case StepMoment::EndOfBackward:
    case StepMoment::Rest:
        break;
    }
    return part == Part::Working;
}

Bytes missingAt(StepMoment moment, const SideBytes &recorded, const SideBytes &predicted)
{
    const Parts was = partsOf(recorded);
    const Parts said = partsOf(predicted);
    Bytes missing = 0;
    for (std::size_t at = 0; at < kPartCount; ++at) {
        if (comesDuring(moment, static_cast<Part>(at)))
            missing += std::max<Bytes>(0, said[at] - was[at]);
    }
    return missing;
}

// In backward the parts take turns, activations going as gradients come: where in it either side
// is highest says nothing of them, so only the heights are compared.
Bytes differences(StepMoment moment, const SideBytes &a, const SideBytes &b)
{
    if (moment == StepMoment::Backward)
        return std::abs(a.total() - b.total());
    const Parts left = partsOf(a);
    const Parts right = partsOf(b);
    Exact sum;
    for (std::size_t at = 0; at < kPartCount; ++at)
        sum += std::abs(left[at] - right[at]);
    return sum.value();
}

} // namespace

Bytes distanceAt(StepMoment moment, const RecordedMoments &recorded, const PredictedStep &predicted)
{
    const auto at = static_cast<std::size_t>(moment);
    if (!recorded.bytes[at])
        return 0;
    const Bytes sum = differences(moment, *recorded.bytes[at], predicted[at].bytes);
    if (recorded.cutOff != moment)
        return sum;
    return std::max<Bytes>(0, sum - missingAt(moment, *recorded.bytes[at], predicted[at].bytes));
}

Bytes distance(const RecordedMoments &recorded, const PredictedStep &predicted)
{
    Exact sum;
    for (std::size_t at = 0; at < kStepMomentCount; ++at)
        sum += distanceAt(static_cast<StepMoment>(at), recorded, predicted);
    return sum.value();
}

Bytes distance(const RecordedMoments &recorded, const PredictedStep &a, const PredictedStep &b)
{
    Exact sum;
    for (std::size_t at = 0; at < kStepMomentCount; ++at) {
        if (recorded.bytes[at])
            sum += differences(static_cast<StepMoment>(at), a[at].bytes, b[at].bytes);
    }
    return sum.value();
}

ComparedParts differencesLeft(const RecordedMoments &recorded, const PredictedStep &predicted)
{
    const auto at = static_cast<std::size_t>(recorded.compared);
    const Parts was = partsOf(*recorded.bytes[at]);
    const Parts said = partsOf(predicted[at].bytes);
    Parts left{};
    for (std::size_t part = 0; part < kPartCount; ++part) {
        left[part] = was[part] - said[part];
        if (recorded.cutOff == recorded.compared &&
            comesDuring(recorded.compared, static_cast<Part>(part)))
            left[part] = std::max<Bytes>(0, left[part]);
    }
    return left;
}

Bytes notReached(const RecordedMoments &recorded, const PredictedStep &predicted)
{
    if (recorded.cutOff != recorded.compared)
        return 0;
    const auto at = static_cast<std::size_t>(recorded.compared);
    return missingAt(recorded.compared, *recorded.bytes[at], predicted[at].bytes);
}

} // namespace vramscope
