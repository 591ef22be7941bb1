// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/segment_order.h"

#include <algorithm>
#include <limits>

namespace vramscope {

namespace {

constexpr std::uint64_t kRange = std::uint64_t(32) << 20; // bytes
constexpr std::size_t kLeastSegments = 4;

} // namespace

SegmentOrder::SegmentOrder(const DeviceTrace &device)
{
    bool isExpandable = false;
    for (const FinalSegment &segment : device.segments) {
        m_starts.push_back(segment.address);
        isExpandable = isExpandable || segment.expandable;
    }
    const EventColumns &events = device.events;
    for (std::size_t at = 0; at < events.action.size(); ++at) {
        if (events.action[at] == Action::SegmentAlloc)
            m_starts.push_back(events.address[at]);
    }
    std::ranges::sort(m_starts);
    m_starts.erase(std::unique(m_starts.begin(), m_starts.end()), m_starts.end());
    const auto aligned =
        std::ranges::count_if(m_starts, [](std::uint64_t start) { return start % kRange == 0; });
    m_descends = !isExpandable && m_starts.size() >= kLeastSegments &&
                 4 * static_cast<std::size_t>(aligned) > m_starts.size();
}

SegmentOrder::Key SegmentOrder::keyOf(std::uint64_t address) const
{
    if (!m_descends)
        return {0, address};
    const auto after = std::ranges::upper_bound(m_starts, address);
    const std::uint64_t start = after == m_starts.begin() ? address : after[-1];
    return {std::numeric_limits<std::uint64_t>::max() - start / kRange, address};
}

} // namespace vramscope
