// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/comparison/alignment.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>

namespace vramscope {

namespace {

std::int64_t timeSinceFirst(const AlignedHistory &history, EventIndex event)
{
    return history.times[static_cast<std::size_t>(event)] - history.times.front();
}

/// Shifts positions so that all anchors align with the largest.
Alignment shiftedTo(const std::vector<std::int64_t> &anchors)
{
    Alignment alignment;
    alignment.anchor = anchors.empty() ? 0 : std::ranges::max(anchors);
    for (const std::int64_t anchor : anchors)
        alignment.shifts.push_back(alignment.anchor - anchor);
    return alignment;
}

EventIndex asCount(std::int64_t count)
{
    return static_cast<EventIndex>(
        std::min<std::int64_t>(count, std::numeric_limits<EventIndex>::max()));
}

/// The first event of each range that begins in the recording, by name.
std::unordered_map<std::string_view, EventIndex> firstStarts(const AnnotatedHistory &history)
{
    std::unordered_map<std::string_view, EventIndex> starts;
    for (const AnnotationRange &range : history.ranges) {
        if (range.first >= 0)
            starts.try_emplace(history.trace.text(range.name), range.first);
    }
    return starts;
}

} // namespace

Alignment alignedByEvent(std::span<const AlignedHistory> histories)
{
    std::vector<std::int64_t> anchors;
    for (const AlignedHistory &history : histories)
        anchors.push_back(history.anchor);
    Alignment alignment = shiftedTo(anchors);
    std::int64_t count = 0;
    for (std::size_t at = 0; at < histories.size(); ++at)
        count = std::max(count, alignment.shifts[at] + histories[at].count);
    alignment.count = asCount(count);
    return alignment;
}

Alignment alignedByTime(std::span<const AlignedHistory> histories)
{
    std::vector<std::int64_t> anchors;
    for (const AlignedHistory &history : histories)
        anchors.push_back(timeSinceFirst(history, history.anchor));
    Alignment alignment = shiftedTo(anchors);
    std::vector<std::int64_t> &moments = alignment.moments;
    for (std::size_t at = 0; at < histories.size(); ++at) {
        const auto middle = static_cast<std::ptrdiff_t>(moments.size());
        for (EventIndex event = 0; event < histories[at].count; ++event)
            moments.push_back(timeSinceFirst(histories[at], event) + alignment.shifts[at]);
        std::ranges::inplace_merge(moments, moments.begin() + middle);
        moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    }
    alignment.count = asCount(static_cast<std::int64_t>(moments.size()));
    return alignment;
}

std::optional<std::size_t> firstCompleteStep(const Steps &steps)
{
    const auto found = std::ranges::find(steps.steps, true, &Step::complete);
    if (found == steps.steps.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - steps.steps.begin());
}

std::vector<CommonAnnotation> commonAnnotations(std::span<const AnnotatedHistory> histories)
{
    std::vector<CommonAnnotation> common;
    if (histories.empty())
        return common;
    std::vector<std::unordered_map<std::string_view, EventIndex>> starts;
    for (const AnnotatedHistory &history : histories)
        starts.push_back(firstStarts(history));
    for (const AnnotationRange &range : histories.front().ranges) {
        const std::string_view name = histories.front().trace.text(range.name);
        const auto isIn = [&](const auto &each) { return each.contains(name); };
        if (starts.front().find(name) == starts.front().end() ||
            starts.front().at(name) != range.first || !std::ranges::all_of(starts, isIn))
            continue;
        CommonAnnotation &found = common.emplace_back();
        found.name = name;
        for (const auto &each : starts)
            found.starts.push_back(each.at(name));
        starts.front().erase(name); // once is enough
    }
    return common;
}

} // namespace vramscope
