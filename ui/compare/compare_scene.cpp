// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_scene.h"

#include "ui/timeline/view_state.h"

#include <algorithm>

namespace vramscope {

CompareScene::CompareScene(const ComparisonDocument &document, const SceneOptions &options)
    : m_kind(options.kind)
{
    std::vector<AlignedHistory> histories;
    for (std::size_t at = 0; at < document.traces.size(); ++at) {
        const ComparedTrace &trace = document.traces[at];
        if (!hasCurve(trace, options.quantity))
            continue;
        const Study &device = trace.shown();
        const EventIndex count = device.device().events.count();
        const EventIndex anchor = at < options.anchors.size() ? options.anchors[at] : 0;
        histories.push_back({count, device.times(), std::clamp(anchor, 0, count - 1)});
        SceneTrack track;
        track.trace = at;
        track.curve = options.quantity == Quantity::Active ? &device.curve().active()
                                                           : &device.curve().reserved();
        track.axis = EventAxis(count, device.times(), m_kind);
        m_tracks.push_back(track);
    }
    m_alignment =
        m_kind == EventAxis::Kind::Time ? alignedByTime(histories) : alignedByEvent(histories);
    for (std::size_t at = 0; at < m_tracks.size(); ++at)
        m_tracks[at].shift = m_alignment.shifts[at];
}

bool CompareScene::hasCurve(const ComparedTrace &trace, Quantity quantity)
{
    const Study &device = trace.shown();
    return device.hasHistory() &&
           (quantity == Quantity::Active || device.curve().isReservedKnown());
}

bool CompareScene::hasTimes(const ComparisonDocument &document, Quantity quantity)
{
    return std::ranges::all_of(document.traces, [quantity](const ComparedTrace &trace) {
        return !hasCurve(trace, quantity) || trace.shown().hasTimes();
    });
}

const SceneTrack *CompareScene::trackOf(std::size_t trace) const
{
    const auto found = std::ranges::find(m_tracks, trace, &SceneTrack::trace);
    return found == m_tracks.end() ? nullptr : &*found;
}

void CompareScene::setShown(std::size_t trace, bool shown)
{
    for (SceneTrack &track : m_tracks) {
        if (track.trace == trace)
            track.shown = shown;
    }
}

EventAxis CompareScene::axis() const
{
    return {m_alignment.count, m_alignment.moments, m_kind};
}

Range CompareScene::wholeBytes() const
{
    constexpr double kHeadroom = 1.08;
    Bytes highest = 0;
    for (const SceneTrack &track : m_tracks)
        highest = std::max(highest, track.curve->at(track.curve->peakEvent()));
    return {0, std::clamp(static_cast<double>(highest) * kHeadroom, TimelineState::kFewestBytes,
                          kMostBytes)};
}

std::optional<EventIndex> CompareScene::eventOf(const SceneTrack &track, EventIndex event) const
{
    if (event < 0)
        return track.shift == 0 ? std::optional(EventIndex(-1)) : std::nullopt;
    const double own = axis().mark(event) - static_cast<double>(track.shift);
    if (!track.axis.whole().contains(own))
        return std::nullopt;
    return track.axis.eventAt(own);
}

EventIndex CompareScene::sharedEvent(const SceneTrack &track, EventIndex event) const
{
    if (event < 0 && track.shift == 0)
        return -1;
    // What stands before the first event is just left of it.
    const double own = event < 0 ? -0.5 : track.axis.mark(event);
    return axis().eventAt(own + static_cast<double>(track.shift));
}

std::optional<EventSpan> CompareScene::eventsIn(const SceneTrack &track, const LinearScale &across,
                                                int column) const
{
    const Range own = moved(across.range, -static_cast<double>(track.shift));
    const LinearScale scale{own, across.pixels};
    const Range whole = track.axis.whole();
    if (scale.toValue(column + 1) <= whole.low || scale.toValue(column) >= whole.high)
        return std::nullopt;
    return track.axis.column(scale, column);
}

double CompareScene::markOf(const SceneTrack &track, EventIndex event)
{
    return track.axis.mark(event) + static_cast<double>(track.shift);
}

} // namespace vramscope
