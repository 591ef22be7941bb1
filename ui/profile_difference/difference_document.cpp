// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile_difference/difference_document.h"

#include <algorithm>
#include <utility>

namespace vramscope {

namespace {

constexpr std::size_t kLeastSteps = 3; ///< that show how much a run's own steps differ

std::optional<std::int64_t> spreadOf(const ProfileSteps &steps)
{
    std::vector<std::int64_t> spans;
    for (const ProfileStep &step : steps.steps) {
        if (step.device && !step.isOutlier)
            spans.push_back(step.device->span);
    }
    if (spans.size() < kLeastSteps)
        return std::nullopt;
    const auto [shortest, longest] = std::ranges::minmax(spans);
    return longest - shortest;
}

} // namespace

std::optional<std::int64_t> ProfileDifferenceDocument::spanChange() const
{
    if (difference.devices.empty())
        return std::nullopt;
    const auto &[a, b] = difference.devices.front().sides;
    return b.times.span - a.times.span;
}

bool ProfileDifferenceDocument::isWithinSpread() const
{
    const std::optional<std::int64_t> change = spanChange();
    if (!change || !difference.steps[0] || !difference.steps[1])
        return false;
    return std::ranges::any_of(spreads, [&](const std::optional<std::int64_t> &spread) {
        return spread && std::abs(*change) <= *spread;
    });
}

DifferencePointer compareSides(std::array<ComparedTrace, 2> sides, const DifferenceScope &scope)
{
    auto document = std::make_shared<ProfileDifferenceDocument>();
    document->sides = std::move(sides);
    document->scope = scope;
    const ProfileStudy &a = *document->profile(0).study;
    const ProfileStudy &b = *document->profile(1).study;
    document->difference = compareProfiles(a, b, scope);
    document->spreads = {spreadOf(a.steps()), spreadOf(b.steps())};
    return document;
}

} // namespace vramscope
