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

StackGeometry::StackGeometry(const Stacked &stacked, const EventAxis &axis,
                             const Viewport &viewport, int columns, int rows)
    : m_stacked(stacked)
{
    const LinearScale across{viewport.x, static_cast<double>(columns)};
    m_events.reserve(static_cast<std::size_t>(std::max(columns, 0)));
    for (int column = 0; column < columns; ++column) {
        const EventSpan events = axis.column(across, column);
        m_events.push_back(stacked.curve->highest(events.first, events.last));
    }
    const LinearScale up{viewport.bytes, static_cast<double>(rows)};
    m_samples.reserve(static_cast<std::size_t>(std::max(rows, 0)));
    for (int row = 0; row < rows; ++row)
        m_samples.push_back(wholeBytes(up.toValue(row)));
}

LifeIndex StackGeometry::lifeAt(int column, int row) const
{
    if (column < 0 || column >= columns() || row < 0 || row >= rows())
        return kNoLife;
    const LiveStack stack(*m_stacked.lives, colors(), event(column));
    const std::size_t at = stack.positionOf(m_samples[static_cast<std::size_t>(row)]);
    return at < stack.size() ? stack.life(at) : kNoLife;
}

std::vector<StackGeometry::Slice> StackGeometry::slices(LifeIndex life) const
{
    std::vector<Slice> result;
    const Lifetimes &lives = *m_stacked.lives;
    if (life >= lives.count())
        return result;
    // Nothing enters below a band during its life: what is below only dies.
    std::vector<std::pair<EventIndex, Bytes>> below;
    Bytes bottom = 0;
    for (const LifeIndex under : lives.liveAfter(lives.birth[life])) {
        if (under >= life)
            break;
        below.emplace_back(lives.death[under], lives.size[under]);
        bottom = wrappingSum(bottom, below.back().second);
    }
    std::ranges::sort(below);
    auto dying = below.begin();
    const auto first = std::ranges::lower_bound(m_events, lives.birth[life]);
    const auto last = std::ranges::lower_bound(m_events, lives.death[life]);
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
    , m_stack(*geometry.m_stacked.lives, geometry.colors(), geometry.event(first))
    , m_rows(geometry.m_samples.size(), kNoLife)
    , m_colors(geometry.m_samples.size(), 0)
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

// Finds the life of every row from the lowest position that changed on.
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
            m_rows[row] = m_stack.life(position);
            m_colors[row] = m_stack.color(position);
        }
    }
    const auto height = static_cast<int>(row);
    for (; static_cast<int>(row) < m_height; ++row)
        m_rows[row] = kNoLife;
    m_change.from = static_cast<int>(from);
    m_change.to = std::max(height, m_height);
    m_change.rows = m_rows;
    m_change.colors = m_colors;
    m_height = height;
}

} // namespace vramscope
