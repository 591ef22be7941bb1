// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/stack_geometry.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

Bytes wholeBytes(double bytes)
{
    return static_cast<Bytes>(std::floor(std::clamp(bytes, -kMostBytes, kMostBytes)));
}

} // namespace

StackGeometry::StackGeometry(const Allocations &allocations, const UsageCurve &curve,
                             const Viewport &viewport, int columns, int rows)
    : m_allocations(allocations)
{
    const LinearScale across{viewport.events, static_cast<double>(columns)};
    m_events.reserve(static_cast<std::size_t>(std::max(columns, 0)));
    for (int column = 0; column < columns; ++column) {
        const EventSpan events = columnEvents(across, column, curve.count());
        m_events.push_back(curve.highestActive(events.first, events.last));
    }
    const LinearScale up{viewport.bytes, static_cast<double>(rows)};
    m_samples.reserve(static_cast<std::size_t>(std::max(rows, 0)));
    for (int row = 0; row < rows; ++row)
        m_samples.push_back(wholeBytes(up.toValue(row)));
}

AllocationIndex StackGeometry::allocationAt(int column, int row) const
{
    if (column < 0 || column >= columns() || row < 0 || row >= rows())
        return kNoAllocation;
    const LiveStack stack(m_allocations, event(column));
    const std::size_t at = stack.positionOf(m_samples[static_cast<std::size_t>(row)]);
    return at < stack.size() ? stack.allocation(at) : kNoAllocation;
}

std::vector<StackGeometry::Slice> StackGeometry::slices(AllocationIndex allocation) const
{
    std::vector<Slice> result;
    if (allocation >= m_allocations.count())
        return result;
    // Nothing enters below an allocation during its life: what is below only dies.
    std::vector<std::pair<EventIndex, Bytes>> below;
    Bytes bottom = 0;
    for (const AllocationIndex under : m_allocations.liveAfter(m_allocations.birth[allocation])) {
        if (under >= allocation)
            break;
        below.emplace_back(m_allocations.death[under], m_allocations.size[under]);
        bottom = wrappingSum(bottom, below.back().second);
    }
    std::ranges::sort(below);
    auto dying = below.begin();
    const auto first = std::ranges::lower_bound(m_events, m_allocations.birth[allocation]);
    const auto last = std::ranges::lower_bound(m_events, m_allocations.death[allocation]);
    for (auto at = first; at != last; ++at) {
        for (; dying != below.end() && dying->first <= *at; ++dying)
            bottom = wrappingDifference(bottom, dying->second);
        result.push_back({static_cast<int>(at - m_events.begin()), bottom});
    }
    return result;
}

StackGeometry::Walk::Walk(const StackGeometry &geometry, int first, int last)
    : m_geometry(geometry)
    , m_last(last)
    , m_stack(geometry.m_allocations, geometry.event(first))
    , m_rows(geometry.m_samples.size(), kNoAllocation)
    , m_stacks(geometry.m_samples.size(), StackId::None)
{
    m_change.column = first;
    fill(0);
}

bool StackGeometry::Walk::next()
{
    const int column = m_change.column + 1;
    if (column >= m_last)
        return false;
    m_change.column = column;
    if (m_geometry.event(column) == m_geometry.event(column - 1))
        m_change.from = m_change.to = 0;
    else
        fill(m_stack.advance(m_geometry.event(column)));
    return true;
}

// Finds the allocation of every row from the lowest position that changed on.
void StackGeometry::Walk::fill(std::size_t lowestPosition)
{
    const std::vector<Bytes> &samples = m_geometry.m_samples;
    const auto from = static_cast<std::size_t>(
        std::ranges::lower_bound(samples, m_stack.bottom(lowestPosition)) - samples.begin());
    std::size_t row = from;
    if (row < samples.size()) {
        std::size_t position = m_stack.positionOf(samples[row]);
        for (; row < samples.size(); ++row) {
            while (position < m_stack.size() && m_stack.top(position) <= samples[row])
                ++position;
            if (position == m_stack.size())
                break;
            m_rows[row] = m_stack.allocation(position);
            m_stacks[row] = m_stack.stack(position);
        }
    }
    const auto height = static_cast<int>(row);
    for (; static_cast<int>(row) < m_height; ++row)
        m_rows[row] = kNoAllocation;
    m_change.from = static_cast<int>(from);
    m_change.to = std::max(height, m_height);
    m_change.rows = m_rows;
    m_change.stacks = m_stacks;
    m_height = height;
}

} // namespace vramscope
