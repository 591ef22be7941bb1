// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/event_curve.h"
#include "ui/timeline/live_stack.h"
#include "ui/timeline/view_state.h"

#include <span>
#include <vector>

namespace vramscope {

/// Things stacked over time, as a timeline draws them.
struct Stacked
{
    const Lifetimes *lives = nullptr;
    const EventCurve *curve = nullptr; ///< the sums of `lives`
    const BandColors *colors = nullptr;
};

/// Places each band of a stacked timeline on a raster of pixels. A column shows the state after the
/// event in it with the most bytes, so that no peak is lost; a row, counted from the bottom, shows
/// the life that has the lowest byte of the row, so that any memory in use reaches at least one
/// pixel. lifeAt() and walk() follow the same rule: hit testing is the inverse of painting. Costs a
/// few tree look-ups a column; keeps references to its arguments.
class StackGeometry
{
public:
    /// `together` neighbouring columns show the same.
    StackGeometry(const Stacked &stacked, const EventAxis &axis, const Viewport &viewport,
                  int columns, int rows, int together = 1);

    [[nodiscard]] int columns() const { return static_cast<int>(m_events.size()); }
    [[nodiscard]] int rows() const { return static_cast<int>(m_samples.size()); }

    /// The event whose live set column `column` shows.
    [[nodiscard]] EventIndex event(int column) const
    {
        return m_events[static_cast<std::size_t>(column)];
    }

    [[nodiscard]] const BandColors &colors() const { return *m_stacked.colors; }

    /// The life at a pixel, rows from the bottom; kNoLife above the stack and outside.
    [[nodiscard]] LifeIndex lifeAt(int column, int row) const;

    /// One column of the area of a life.
    struct Slice
    {
        int column = 0;
        Bytes bottom = 0;
    };
    /// The rows of `life` in each column that shows it, from left to right.
    [[nodiscard]] std::vector<Slice> slices(LifeIndex life) const;

    /// The rows [from, to) of a column that one life takes, or that are empty (kNoLife).
    struct Band
    {
        int from = 0;
        int to = 0;
        LifeIndex life = kNoLife;
        std::uint8_t color = 0;
    };
    /// Bands from the lowest row that may differ from the previous column up to the highest; above
    /// them nothing is drawn. From below, without gaps; empty if nothing changes.
    struct Change
    {
        int column = 0;
        std::span<const Band> bands;
    };
    /// Visits the columns [first, last) from left to right, except those without a change. The cost
    /// follows the changes: bands that stay at the bottom are visited once.
    template<class Visit>
    void walk(int first, int last, Visit &&visit) const
    {
        if (first >= last)
            return;
        Walk state(*this, first, last);
        do {
            if (!state.change().bands.empty())
                visit(state.change());
        } while (state.next());
    }

private:
    class Walk
    {
    public:
        Walk(const StackGeometry &geometry, int first, int last);
        bool next();
        [[nodiscard]] const Change &change() const { return m_change; }

    private:
        void fill(std::size_t lowestPosition);

        const StackGeometry &m_geometry;
        int m_last;
        LiveStack m_stack;
        std::vector<Band> m_bands;
        int m_height = 0; // rows in use
        Change m_change;
    };

    /// The first row at or after `from` whose byte is at least `bytes`, or rows().
    [[nodiscard]] int rowOf(Bytes bytes, int from) const;

    Stacked m_stacked;
    LinearScale m_up;
    std::vector<EventIndex> m_events; // by column
    std::vector<Bytes> m_samples;     // by row from the bottom: the byte that it shows
};

} // namespace vramscope
