// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/space_geometry.h"

#include <array>

namespace vramscope {

namespace {

constexpr Bytes kFinest = 16; // bytes a pixel: the smallest block has 32 bytes
constexpr Bytes kCoarsest = Bytes(1) << 50;
constexpr Bytes kCoarseEnough = kMiB; // a segment of the small pool still has two pixels
constexpr std::int64_t kTallest = std::int64_t(1) << 40; // nothing is placed further down

std::int64_t ceilDivide(std::int64_t value, std::int64_t by)
{
    return value / by + (value % by > 0 ? 1 : 0);
}

} // namespace

SpaceGeometry::SpaceGeometry(const SpaceState &state, const SpaceGroups &groups,
                             const Allocations &allocations, const SpaceMetrics &metrics)
    : m_state(&state)
    , m_groups(&groups)
    , m_allocations(&allocations)
    , m_metrics(metrics)
{
    m_metrics.columns = std::max(1, metrics.columns);
    m_metrics.perPixel = std::clamp(metrics.perPixel, kFinest, kCoarsest);
    layOut();
}

void SpaceGeometry::layOut()
{
    const int columns = m_metrics.columns;
    m_places.reserve(m_groups->segments.size());
    m_placeOf.resize(m_state->segments.size());
    std::int64_t y = 0;
    for (const SpaceGroup &group : m_groups->groups) {
        m_captions.push_back(y);
        y += m_metrics.caption;
        int x = 0;
        for (const std::uint32_t segment : m_groups->of(group)) {
            const Bytes size = m_state->segments[segment].life.size;
            const std::int64_t pixels =
                std::max<std::int64_t>(1, ceilDivide(size, m_metrics.perPixel));
            if (x > 0 && x + pixels > columns) {
                x = 0;
                y += m_metrics.pitch();
            }
            m_placeOf[segment] = static_cast<std::uint32_t>(m_places.size());
            m_places.push_back({std::min(y, kTallest), x, pixels});
            const std::int64_t lastRow = (x + pixels - 1) / columns;
            y = std::min(y + lastRow * m_metrics.pitch(), kTallest);
            x = static_cast<int>(x + pixels - lastRow * columns) + m_metrics.gap;
            if (x >= columns) {
                x = 0;
                y += m_metrics.pitch();
            }
        }
        y += x > 0 ? m_metrics.pitch() : 0;
    }
    m_height = y;
}

std::size_t SpaceGeometry::placeOf(std::uint32_t region) const
{
    const auto after =
        std::ranges::upper_bound(m_state->segments, region, {}, &SpaceState::Segment::firstRegion);
    return m_placeOf[static_cast<std::size_t>(after - m_state->segments.begin() - 1)];
}

SpaceGeometry::Pixels SpaceGeometry::pixelsOf(std::size_t place, std::uint32_t region) const
{
    const SpaceState::Segment &segment = segmentAt(place);
    const auto offset = [&](std::uint32_t of) {
        return static_cast<Bytes>(m_state->regions[of].address - segment.life.address);
    };
    const auto isHole = [&](std::uint32_t of) {
        return m_state->regions[of].allocation == kNoAllocation;
    };
    const Bytes scale = m_metrics.perPixel;
    const Bytes low = offset(region);
    const Bytes high = low + m_state->regions[region].size;
    const bool last = region + 1 == segment.firstRegion + segment.regionCount;
    Pixels result{ceilDivide(low, scale), ceilDivide(high, scale)};
    if (isHole(region)) {
        if (!last)
            result.to = high / scale;
    } else if (region > segment.firstRegion && isHole(region - 1)) {
        // The hole gives its last pixel, unless a block before it has that already.
        result.from = std::max(ceilDivide(offset(region - 1), scale), low / scale);
    }
    result.to = std::min(result.to, m_places[place].pixels);
    return result;
}

std::uint32_t SpaceGeometry::regionAt(std::size_t place, std::int64_t pixel) const
{
    const SpaceState::Segment &segment = segmentAt(place);
    const auto begin = m_state->regions.begin() + segment.firstRegion;
    const std::uint64_t byte =
        segment.life.address + static_cast<std::uint64_t>(pixel * m_metrics.perPixel);
    const auto after =
        std::ranges::upper_bound(begin, begin + segment.regionCount, byte, {}, &Region::address);
    auto region =
        static_cast<std::uint32_t>(std::max(after, begin + 1) - 1 - m_state->regions.begin());
    const bool last = region + 1 == segment.firstRegion + segment.regionCount;
    if (!last && pixelsOf(place, region).to <= pixel)
        ++region;
    return region;
}

std::optional<SpaceGeometry::Hit> SpaceGeometry::at(int x, std::int64_t y) const
{
    if (x < 0 || x >= m_metrics.columns)
        return {};
    const auto below = std::ranges::upper_bound(m_places, y, {}, &Place::y);
    if (below == m_places.begin())
        return {};
    const std::int64_t first = std::prev(below)->y;
    const std::int64_t row = first + (y - first) / m_metrics.pitch() * m_metrics.pitch();
    if (y - row >= m_metrics.rowHeight)
        return {};
    const auto after =
        std::ranges::upper_bound(m_places, std::pair(row, x), {},
                                 [](const Place &place) { return std::pair(place.y, place.x); });
    if (after == m_places.begin())
        return {};
    const auto place = static_cast<std::size_t>(after - m_places.begin() - 1);
    const Place &found = m_places[place];
    const std::int64_t pixel =
        (row - found.y) / m_metrics.pitch() * m_metrics.columns + x - found.x;
    if (pixel < 0 || pixel >= found.pixels || segmentAt(place).regionCount == 0)
        return {};
    return Hit{m_groups->segments[place], regionAt(place, pixel)};
}

std::optional<std::size_t> SpaceGeometry::captionAt(std::int64_t y) const
{
    const auto after = std::ranges::upper_bound(m_captions, y);
    if (after == m_captions.begin() || y - *std::prev(after) >= m_metrics.caption)
        return {};
    return static_cast<std::size_t>(after - m_captions.begin() - 1);
}

std::pair<std::size_t, std::size_t> SpaceGeometry::placesBetween(std::int64_t top,
                                                                 std::int64_t bottom) const
{
    const auto first = std::ranges::partition_point(m_places, [&](const Place &place) {
        return place.y + rowsOf(place) * m_metrics.pitch() <= top;
    });
    const auto last = std::ranges::lower_bound(m_places, bottom, {}, &Place::y);
    const auto index = [&](auto place) {
        return static_cast<std::size_t>(place - m_places.begin());
    };
    return {index(first), std::max(index(first), index(last))};
}

SpaceGeometry::Pixels SpaceGeometry::clipped(std::size_t place, Pixels pixels, std::int64_t top,
                                             std::int64_t bottom) const
{
    const Place &at = m_places[place];
    const std::int64_t firstRow = std::max<std::int64_t>(0, (top - at.y) / m_metrics.pitch());
    const std::int64_t endRow = std::clamp<std::int64_t>(
        ceilDivide(std::max<std::int64_t>(0, bottom - at.y), m_metrics.pitch()), 0, rowsOf(at));
    return {std::max(pixels.from, firstRow * m_metrics.columns - at.x),
            std::min(pixels.to, endRow * m_metrics.columns - at.x)};
}

std::vector<SpaceGeometry::Run> SpaceGeometry::runs(std::int64_t top, std::int64_t bottom) const
{
    std::vector<Run> result;
    const auto [first, last] = placesBetween(top, bottom);
    for (std::size_t place = first; place < last; ++place) {
        const SpaceState::Segment &segment = segmentAt(place);
        const Pixels seen = clipped(place, {0, m_places[place].pixels}, top, bottom);
        if (segment.regionCount == 0 || seen.from >= seen.to)
            continue;
        const std::uint32_t end = segment.firstRegion + segment.regionCount;
        for (std::uint32_t region = regionAt(place, seen.from);
             region < end && pixelsOf(place, region).from < seen.to; ++region)
            addRuns(place, region, top, bottom, result);
    }
    return result;
}

void SpaceGeometry::addRuns(std::size_t place, std::uint32_t region, std::int64_t top,
                            std::int64_t bottom, std::vector<Run> &runs) const
{
    const Region &of = m_state->regions[region];
    const Pixels all = pixelsOf(place, region);
    if (all.from >= all.to)
        return;
    const Bytes scale = m_metrics.perPixel;
    const auto low = static_cast<Bytes>(of.address - segmentAt(place).life.address);
    const auto pixel = [&](std::int64_t at) { return std::clamp(at, all.from, all.to); };
    // Up to three ranges, one after the other.
    std::array<std::pair<std::int64_t, SpaceFill>, 3> ends;
    if (of.allocation == kNoAllocation) {
        const Bytes from =
            of.releasable > 0 ? static_cast<Bytes>(of.releasableFrom - of.address) : 0;
        const Bytes to = from + of.releasable;
        ends = {
            std::pair(from == 0 ? all.from : pixel(ceilDivide(low + from, scale)),
                      SpaceFill::Stranded),
            std::pair(to == of.size ? all.to : pixel((low + to) / scale), SpaceFill::Releasable),
            std::pair(all.to, SpaceFill::Stranded)};
    } else {
        const Bytes used = m_allocations->requested[of.allocation];
        const std::int64_t rounding =
            of.pendingFree ? all.to : pixel(ceilDivide(low + used, scale));
        ends = {std::pair(of.pendingFree ? all.from : rounding, SpaceFill::Requested),
                std::pair(rounding, SpaceFill::PendingFree),
                std::pair(all.to, SpaceFill::Rounding)};
    }
    std::int64_t from = all.from;
    for (const auto &[to, fill] : ends) {
        const std::size_t before = runs.size();
        const auto add = [&runs, region, kind = fill](std::int64_t y, int x, int width) {
            runs.push_back({y, x, width, region, kind, false});
        };
        forEachRow(place, {from, to}, top, bottom, add);
        if (to == all.to && runs.size() > before)
            runs.back().last = true;
        from = std::max(from, to);
    }
}

Bytes fittingScale(const SpaceState &state, const SpaceGroups &groups,
                   const Allocations &allocations, SpaceMetrics metrics, int height)
{
    const auto fits = [&](Bytes scale) {
        metrics.perPixel = scale;
        return SpaceGeometry(state, groups, allocations, metrics).height() <= height;
    };
    Bytes reserved = 0;
    for (const SpaceGroup &group : groups.groups)
        reserved = wrappingSum(reserved, group.bands.reserved());
    const Bytes pixels =
        Bytes(std::max(1, metrics.columns)) * std::max(1, height / std::max(1, metrics.pitch()));
    // Any coarser, blocks would merge: let the map continue below instead.
    const Bytes most = std::clamp(reserved / pixels * 2, kCoarseEnough, kCoarsest);
    Bytes low = kFinest;
    Bytes high = kFinest;
    while (high < most && !fits(high))
        high = std::min(most, high * 2);
    while (low < high) {
        const Bytes middle = low + (high - low) / 2;
        if (fits(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

} // namespace vramscope
