// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/band_colors.h"

#include <vector>

namespace vramscope {

/// The live members of some Lifetimes at one event, stacked in order of birth; moves forward in
/// time. A move costs what lies above the lowest change and a 64th of what lies below, never the
/// events passed: it skips what is born and dies between two stops.
class LiveStack
{
public:
    /// Starts after `event`.
    LiveStack(const Lifetimes &lives, const BandColors &colors, EventIndex event);

    /// Moves on to the state after `event`. Returns the lowest position that changed, or size() if
    /// none did.
    std::size_t advance(EventIndex event);

    [[nodiscard]] std::size_t size() const { return m_live.size(); }
    [[nodiscard]] LifeIndex life(std::size_t position) const { return m_live[position]; }
    /// Index into BandColors::colors.
    [[nodiscard]] std::uint8_t color(std::size_t position) const { return m_colors[position]; }
    /// Bytes below the upper edge of the life at `position`.
    [[nodiscard]] Bytes top(std::size_t position) const { return m_tops[position]; }
    [[nodiscard]] Bytes bottom(std::size_t position) const
    {
        return position == 0 ? 0 : m_tops[position - 1];
    }
    [[nodiscard]] Bytes total() const { return bottom(size()); }
    /// The position whose bytes include the byte `offset`; size() above the stack.
    [[nodiscard]] std::size_t positionOf(Bytes offset) const;

private:
    static constexpr std::size_t kBlock = 64;

    void push(LifeIndex life);
    [[nodiscard]] std::size_t lowestDead(EventIndex event) const;
    void removeDead(std::size_t from, EventIndex event);
    void updateSoonest(std::size_t from);

    const Lifetimes &m_lives;
    const std::vector<std::uint8_t> &m_colorOf;
    LifeIndex m_unborn; // the first that is born after the event
    // One entry per life, bottom first. The colours are copied here: a look-up by life would cost
    // a cache miss per band.
    std::vector<LifeIndex> m_live;
    std::vector<EventIndex> m_deaths;
    std::vector<std::uint8_t> m_colors;
    std::vector<Bytes> m_tops;
    std::vector<EventIndex> m_soonest; // the next death among each kBlock positions
};

} // namespace vramscope
