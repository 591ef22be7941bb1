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
                             const Viewport &viewport, int columns, int rows, int together)
    : m_stacked(stacked)
    , m_up{viewport.bytes, static_cast<double>(rows)}
    , m_events(eventsOfColumns(axis, {viewport.x, static_cast<double>(columns)}, together,
                               [&stacked](EventIndex first, EventIndex last) {
                                   return stacked.curve->highest(first, last);
                               }))
{
    m_samples.reserve(static_cast<std::size_t>(std::max(rows, 0)));
    for (int row = 0; row < rows; ++row)
        m_samples.push_back(wholeBytes(m_up.toValue(row)));
}

// The scale gives only an approximate row: the bytes of rows are rounded.
int StackGeometry::rowOf(Bytes bytes, int from) const
{
    const auto sample = [this](int row) { return m_samples[static_cast<std::size_t>(row)]; };
    if (from >= rows() || sample(from) >= bytes)
        return from;
    int row = static_cast<int>(std::clamp(m_up.toPixel(static_cast<double>(bytes)),
                                          static_cast<double>(from), static_cast<double>(rows())));
    while (row > from && sample(row - 1) >= bytes)
        --row;
    while (row < rows() && sample(row) < bytes)
        ++row;
    return row;
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
    // Nothing enters below a band during its life: the lives below can only end.
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
        m_change.bands = {};
    else
        fill(m_stack.advance(m_geometry.event(column)));
    return true;
}

// Finds the bands from the lowest position that changed on.
void StackGeometry::Walk::fill(std::size_t lowestPosition)
{
    m_bands.clear();
    int row = m_geometry.rowOf(m_stack.bottom(lowestPosition), 0);
    if (row < m_geometry.rows()) {
        std::size_t position =
            m_stack.positionOf(m_geometry.m_samples[static_cast<std::size_t>(row)]);
        for (; position < m_stack.size() && row < m_geometry.rows(); ++position) {
            const int end = m_geometry.rowOf(m_stack.top(position), row);
            if (end > row)
                m_bands.push_back({row, end, m_stack.life(position), m_stack.color(position)});
            row = end;
        }
    }
    if (row < m_height)
        m_bands.push_back({row, m_height, kNoLife, 0});
    m_height = row;
    m_change.bands = m_bands;
}

} // namespace vramscope
