// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/segment_history.h"

namespace vramscope {

namespace {

/// One column of the segments.
template<class Value>
std::vector<Value> columnOf(const SegmentLives &segments, Value SegmentLife::*member)
{
    std::vector<Value> column;
    for (const SegmentLife &life : segments.all())
        column.push_back(life.*member);
    return column;
}

} // namespace

SegmentHistory::SegmentHistory(const SegmentLives &segments, const EventColumns &columns)
    : lives(columnOf(segments, &SegmentLife::birth), columnOf(segments, &SegmentLife::death),
            columnOf(segments, &SegmentLife::size))
{
    for (EventIndex event = 0; event < columns.count(); ++event) {
        const auto action =
            static_cast<std::size_t>(columns.action[static_cast<std::size_t>(event)]);
        const auto first = static_cast<std::size_t>(Action::SegmentAlloc);
        if (action >= first && action < first + events.size())
            events[action - first].push_back(event);
    }
}

} // namespace vramscope
