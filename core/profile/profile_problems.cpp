// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_problems.h"

#include "core/base/bytes.h"
#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/profile/call_kinds.h"

#include <algorithm>
#include <array>
#include <map>

namespace vramscope {

namespace {

constexpr std::array<std::string_view, 4> kPurposes{"launch", "copy", "wait", "other call"};

/// "50 launches (cudaLaunchKernel), 1 wait (cudaDeviceSynchronize)": the calls by what they are
/// for, with the most frequent name of each; empty without calls.
std::string callsText(const Profile &profile)
{
    struct Calls
    {
        std::int64_t count = 0;
        std::map<StringId, std::int64_t> names{};
    };
    std::array<Calls, kPurposes.size()> all;
    for (const StringId name : profile.calls().name) {
        Calls &of = all[static_cast<std::size_t>(purposeOf(profile.text(name)))];
        ++of.count;
        ++of.names[name];
    }
    std::string text;
    for (std::size_t at = 0; at < all.size(); ++at) {
        if (all[at].count == 0)
            continue;
        constexpr std::size_t kLongestCall = 60;
        const auto most = std::ranges::max_element(all[at].names, {},
                                                   [](const auto &name) { return name.second; });
        text += (text.empty() ? "" : ", ") + counted(all[at].count, kPurposes[at]) + " (" +
                (all[at].names.size() > 1 ? "mostly " : "") +
                excerpt(profile.text(most->first), kLongestCall) + ")";
    }
    return text;
}

/// What a recording without device events has instead, and what that means.
std::string withoutDeviceText(const Profile &profile)
{
    const std::string calls = callsText(profile);
    const auto operators = static_cast<std::int64_t>(profile.operators().count());
    std::string text = noDeviceText(profile);
    if (!calls.empty())
        text += " It has calls of the GPU's runtime: " + calls + ".";
    if (profile.isCut())
        return text + " The missing end may have held the device events.";
    if (!calls.empty())
        return text + " So the GPU had work, and its events are missing: the profiler could not "
                      "record them (no permission, no support for this driver, or another "
                      "profiler), or it recorded calls alone.";
    if (operators > 0)
        return text + " It has " + counted(operators, "operator") +
               " and no call of a GPU's runtime: it was recorded for the CPU alone.";
    return text + " It has no call of a GPU's runtime and no operator either.";
}

std::string stepsWithoutWork(const ProfileStudy &study)
{
    const std::vector<ProfileStep> &steps = study.steps().steps;
    const auto without = std::ranges::count_if(
        steps, [](const ProfileStep &step) { return !step.device.has_value(); });
    const auto all = std::ssize(steps);
    if (without <= all / 2)
        return {};
    return formatCount(without) + " of " + counted(all, "step") +
           (without == 1 ? " has" : " have") +
           " no device event: figures of steps are those of the others.";
}

/// Work of most of the time that no recorded call launched, where calls were recorded.
std::string unlinkedWork(const ProfileStudy &study)
{
    const WorkColumns &work = study.profile().work();
    std::int64_t count = 0;
    std::int64_t time = 0;
    std::int64_t whole = 0;
    for (std::size_t row = 0; row < work.count(); ++row) {
        whole = wrappingSum(whole, work.duration(row));
        if (work.call[row] != kNoRow)
            continue;
        ++count;
        time = wrappingSum(time, work.duration(row));
    }
    if (count == static_cast<std::int64_t>(work.count()) || time <= whole / 2)
        return {};
    return counted(count, "device event") + (count == 1 ? " has" : " have") +
           " no recorded call, " + formatTimeShare(time, whole) +
           " of the device time: " + (count == 1 ? "it belongs" : "they belong") +
           " to no step and no operator.";
}

} // namespace

std::string noDeviceText(const Profile &profile)
{
    return profile.isCut() ? "No device event is in the part of the file that was read."
                           : "The recording has no device event.";
}

std::vector<Problem> profileProblems(const ProfileStudy &study)
{
    const Profile &profile = study.profile();
    std::vector<Problem> problems;
    if (profile.curves())
        problems.assign(profile.curves()->problems().begin(), profile.curves()->problems().end());
    const auto add = [&](std::string text) {
        if (!text.empty())
            problems.push_back({std::move(text), 1, -1});
    };
    if (profile.work().count() == 0) {
        add(withoutDeviceText(profile));
        return problems;
    }
    add(stepsWithoutWork(study));
    add(unlinkedWork(study));
    return problems;
}

} // namespace vramscope
