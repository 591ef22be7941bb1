// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/space_groups.h"

#include <algorithm>
#include <optional>

namespace vramscope {

/// The measures of a map of the address space, in device pixels.
struct SpaceMetrics
{
    int columns = 0;    ///< of a row
    int rowHeight = 1;  ///< of the strip that shows memory
    int gap = 0;        ///< between rows, and between segments on one row
    int caption = 0;    ///< height of a group's caption, with the space around it
    Bytes perPixel = 1; ///< bytes of a column
    [[nodiscard]] int pitch() const { return rowHeight + gap; }
};

/// The use of a part of a strip.
enum class SpaceFill { Requested, Rounding, PendingFree, Stranded, Releasable };

/// Places the segments of one state on rows of equal bytes a pixel: group by group under captions,
/// side by side on a row if they fit, else from the next row on over as many as they need. A pixel
/// shows the first block with bytes in it, so that no block is hidden by a hole, and a hole only if
/// no block reaches it. References state, groups and allocations.
class SpaceGeometry
{
public:
    /// Pixels of a segment, counted from its first.
    struct Pixels
    {
        std::int64_t from = 0;
        std::int64_t to = 0;
    };
    /// A segment's place: its first pixel, and how many it has.
    struct Place
    {
        std::int64_t y = 0; ///< top of its first row
        int x = 0;
        std::int64_t pixels = 0;
    };
    struct Hit
    {
        std::uint32_t segment = 0; ///< into SpaceState::segments
        std::uint32_t region = 0;  ///< into SpaceState::regions
        bool operator==(const Hit &) const = default;
    };
    /// A part of one row with one fill.
    struct Run
    {
        std::int64_t y = 0;
        int x = 0;
        int width = 0;
        std::uint32_t region = 0;
        SpaceFill fill = SpaceFill::Requested;
        bool last = false; ///< the region ends with it
    };

    SpaceGeometry(const SpaceState &state, const SpaceGroups &groups,
                  const Allocations &allocations, const SpaceMetrics &metrics);

    [[nodiscard]] const SpaceMetrics &metrics() const { return m_metrics; }
    [[nodiscard]] std::int64_t height() const { return m_height; }
    /// Top of a group's caption, by group.
    [[nodiscard]] const std::vector<std::int64_t> &captions() const { return m_captions; }
    /// In the order of SpaceGroups::segments, which is that of reading.
    [[nodiscard]] const std::vector<Place> &places() const { return m_places; }

    /// What is painted at a pixel.
    [[nodiscard]] std::optional<Hit> at(int x, std::int64_t y) const;
    /// The group whose caption is at `y`.
    [[nodiscard]] std::optional<std::size_t> captionAt(std::int64_t y) const;
    /// The pixels that show a region; may be none. `place` is that of its segment.
    [[nodiscard]] Pixels pixelsOf(std::size_t place, std::uint32_t region) const;
    /// The place of the segment that contains a region.
    [[nodiscard]] std::size_t placeOf(std::uint32_t region) const;

    /// The places that reach into the rows of [top, bottom): the first and the one after the last.
    [[nodiscard]] std::pair<std::size_t, std::size_t> placesBetween(std::int64_t top,
                                                                    std::int64_t bottom) const;
    /// Calls visit(y, x, width) for the part of each row in [top, bottom) that `pixels` fill.
    template<class Visit>
    void forEachRow(std::size_t place, Pixels pixels, std::int64_t top, std::int64_t bottom,
                    Visit &&visit) const
    {
        const Place &at = m_places[place];
        const Pixels seen = clipped(place, pixels, top, bottom);
        for (std::int64_t pixel = seen.from; pixel < seen.to;) {
            const std::int64_t row = (at.x + pixel) / m_metrics.columns;
            const std::int64_t end = std::min(seen.to, (row + 1) * m_metrics.columns - at.x);
            visit(at.y + row * m_metrics.pitch(),
                  static_cast<int>(at.x + pixel - row * m_metrics.columns),
                  static_cast<int>(end - pixel));
            pixel = end;
        }
    }
    /// Everything painted on the rows in [top, bottom), in order of reading.
    [[nodiscard]] std::vector<Run> runs(std::int64_t top, std::int64_t bottom) const;

private:
    void layOut();
    [[nodiscard]] std::int64_t rowsOf(const Place &place) const
    {
        return (place.x + place.pixels + m_metrics.columns - 1) / m_metrics.columns;
    }
    [[nodiscard]] const SpaceState::Segment &segmentAt(std::size_t place) const
    {
        return m_state->segments[m_groups->segments[place]];
    }
    [[nodiscard]] Pixels clipped(std::size_t place, Pixels pixels, std::int64_t top,
                                 std::int64_t bottom) const;
    [[nodiscard]] std::uint32_t regionAt(std::size_t place, std::int64_t pixel) const;
    void addRuns(std::size_t place, std::uint32_t region, std::int64_t top, std::int64_t bottom,
                 std::vector<Run> &runs) const;

    const SpaceState *m_state;
    const SpaceGroups *m_groups;
    const Allocations *m_allocations;
    SpaceMetrics m_metrics;
    std::vector<Place> m_places;
    std::vector<std::int64_t> m_captions;
    std::vector<std::uint32_t> m_placeOf; // by segment
    std::int64_t m_height = 0;
};

/// The smallest number of bytes a pixel with which everything fits in `height`; `metrics` say the
/// rest.
[[nodiscard]] Bytes fittingScale(const SpaceState &state, const SpaceGroups &groups,
                                 const Allocations &allocations, SpaceMetrics metrics, int height);

} // namespace vramscope
