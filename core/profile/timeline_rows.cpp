// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/timeline_rows.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>

namespace vramscope {

namespace {

// A time far outside of a window lands on one of these pixels: safe to count with.
constexpr double kFarPixel = 1e15;

/// Deals events, which come by start, out to rows in which none overlaps the next.
class RowPacker
{
public:
    /// The first free row from `least` on.
    std::uint32_t place(std::int64_t start, std::int64_t end, std::uint32_t least = 0)
    {
        for (; !m_busy.empty() && m_busy.top().first <= start; m_busy.pop())
            m_free.insert(m_busy.top().second);
        while (m_count <= least)
            m_free.insert(m_count++);
        auto free = m_free.lower_bound(least);
        if (free == m_free.end())
            free = m_free.insert(m_count++).first;
        const std::uint32_t row = *free;
        m_free.erase(free);
        m_busy.emplace(end, row);
        return row;
    }

private:
    using Busy = std::pair<std::int64_t, std::uint32_t>; // until when, row
    std::priority_queue<Busy, std::vector<Busy>, std::greater<>> m_busy;
    std::set<std::uint32_t> m_free;
    std::uint32_t m_count = 0;
};

/// The rows of one group while they fill.
using PackedRows = std::vector<std::vector<std::uint32_t>>;

class RowsMaker
{
public:
    RowsMaker(const Profile &profile, const Tick &tick)
        : m_profile(profile)
        , m_tick(tick)
        , m_made(std::make_unique<TimelineRows>())
    {
    }

    std::unique_ptr<const TimelineRows> make()
    {
        const auto lanes = static_cast<std::uint32_t>(m_profile.lanes().size());
        const auto threads = static_cast<std::uint32_t>(m_profile.threads().size());
        const WorkColumns &work = m_profile.work();
        const CallColumns &calls = m_profile.calls();
        const RangeColumns &ranges = m_profile.ranges();
        const auto ofLane = dealt(work.lane, lanes);
        const auto ofThread = dealt(calls.thread, threads);
        for (std::uint32_t lane = 0; lane < lanes && !m_stopped; ++lane) {
            add(RowGroupKind::Lane, lane, EventKind::Work, work, ofLane[lane]);
            add(RowGroupKind::DeviceRange, lane, EventKind::Range, ranges,
                rangesOf(lane, [](RangeKind kind) {
                    return kind == RangeKind::Device || kind == RangeKind::Sync;
                }));
        }
        const auto operators = dealt(m_profile.operators().thread, threads);
        for (std::uint32_t thread = 0; thread < threads && !m_stopped; ++thread) {
            addRanges(RowGroupKind::Annotation, thread, RangeKind::User);
            addOperators(thread, operators[thread]);
            add(RowGroupKind::Call, thread, EventKind::Call, calls, ofThread[thread]);
            addRanges(RowGroupKind::Python, thread, RangeKind::Python);
            addRanges(RowGroupKind::Overhead, thread, RangeKind::Overhead);
        }
        return m_stopped ? nullptr : std::move(m_made);
    }

private:
    // The rows of a column, each to the lane or thread that it names.
    static std::vector<std::vector<std::uint32_t>> dealt(const std::vector<std::uint32_t> &column,
                                                         std::uint32_t count)
    {
        std::vector<std::vector<std::uint32_t>> dealt(count);
        for (std::uint32_t row = 0; row < column.size(); ++row) {
            if (column[row] < count)
                dealt[column[row]].push_back(row);
        }
        return dealt;
    }

    template<class Wanted>
    std::vector<std::uint32_t> rangesOf(std::uint32_t thread, const Wanted &wanted)
    {
        if (m_rangesBy.empty() && m_profile.ranges().count() > 0) {
            const std::size_t most = std::max(m_profile.lanes().size(), m_profile.threads().size());
            m_rangesBy = dealt(m_profile.ranges().thread, static_cast<std::uint32_t>(most));
        }
        std::vector<std::uint32_t> rows;
        if (thread < m_rangesBy.size())
            std::ranges::copy_if(m_rangesBy[thread], std::back_inserter(rows),
                                 [&](auto row) { return wanted(m_profile.ranges().kind[row]); });
        const RangeColumns &ranges = m_profile.ranges();
        std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) {
            return ranges.start[a] != ranges.start[b] ? ranges.start[a] < ranges.start[b]
                                                      : ranges.end[a] > ranges.end[b];
        });
        return rows;
    }

    void addRanges(RowGroupKind group, std::uint32_t thread, RangeKind kind)
    {
        add(group, thread, EventKind::Range, m_profile.ranges(),
            rangesOf(thread, [kind](RangeKind of) { return of == kind; }));
    }

    template<class Columns>
    void add(RowGroupKind group, std::uint32_t of, EventKind kind, const Columns &columns,
             const std::vector<std::uint32_t> &events)
    {
        RowPacker packer;
        PackedRows rows;
        m_stopped = m_stopped || !forEachInSteps(events, m_tick, [&](std::uint32_t event) {
                        put(rows, packer.place(columns.start[event], columns.end[event]), event);
                    });
        finish(group, of, kind, columns, std::move(rows), events.size());
    }

    void addOperators(std::uint32_t thread, const std::vector<std::uint32_t> &events)
    {
        const OperatorColumns &operators = m_profile.operators();
        m_rowOfOperator.resize(operators.count());
        RowPacker packer;
        PackedRows rows;
        m_stopped = m_stopped || !forEachInSteps(events, m_tick, [&](std::uint32_t event) {
                        const std::uint32_t parent = operators.parent[event];
                        const std::uint32_t least =
                            parent == kNoRow ? 0 : m_rowOfOperator[parent] + 1;
                        const std::uint32_t row =
                            packer.place(operators.start[event], operators.end[event], least);
                        m_rowOfOperator[event] = row;
                        put(rows, row, event);
                    });
        finish(RowGroupKind::Operator, thread, EventKind::Operator, operators, std::move(rows),
               events.size());
    }

    static void put(PackedRows &rows, std::uint32_t row, std::uint32_t event)
    {
        if (row >= rows.size())
            rows.resize(row + 1);
        rows[row].push_back(event);
    }

    template<class Columns>
    void finish(RowGroupKind group, std::uint32_t of, EventKind kind, const Columns &columns,
                PackedRows rows, std::size_t events)
    {
        if (rows.empty() || m_stopped)
            return;
        m_made->groups.push_back({group, of, m_made->rows.size(), rows.size(), events});
        for (auto &row : rows)
            m_made->rows.emplace_back(kind, std::move(row), columns.start, columns.end);
    }

    const Profile &m_profile;
    const Tick &m_tick;
    bool m_stopped = false;
    std::unique_ptr<TimelineRows> m_made;
    std::vector<std::vector<std::uint32_t>> m_rangesBy;
    std::vector<std::uint32_t> m_rowOfOperator;
};

} // namespace

TimedEvents eventsOf(const Profile &profile, EventKind kind)
{
    const auto of = [](const auto &columns) {
        return TimedEvents{columns.start, columns.end, columns.name};
    };
    switch (kind) {
    case EventKind::Work:
        return of(profile.work());
    case EventKind::Call:
        return of(profile.calls());
    case EventKind::Operator:
        return of(profile.operators());
    case EventKind::Range:
        break;
    }
    return of(profile.ranges());
}

std::int64_t TimeWindow::pixelOf(std::int64_t time) const
{
    if (!(to > from) || pixels <= 0)
        return 0;
    const double at = (static_cast<double>(time - origin) - from) / (to - from) * pixels;
    return static_cast<std::int64_t>(std::floor(std::clamp(at, -kFarPixel, kFarPixel)));
}

std::int64_t TimeWindow::startOf(std::int64_t pixel) const
{
    if (pixels <= 0)
        return origin;
    const double at = from + static_cast<double>(pixel) * (to - from) / pixels;
    std::int64_t time = origin + static_cast<std::int64_t>(std::ceil(at));
    // Rounding may be off by one; pixelOf() decides.
    while (pixelOf(time) < pixel && to > from)
        ++time;
    while (pixelOf(time - 1) >= pixel && to > from)
        --time;
    return time;
}

TimelineRow::TimelineRow(EventKind kind, std::vector<std::uint32_t> events,
                         std::span<const std::int64_t> starts, std::span<const std::int64_t> ends)
    : m_kind(kind)
    , m_events(std::move(events))
    , m_starts(starts)
    , m_ends(ends)
{
    m_durations.reserve(m_events.size());
    for (const std::uint32_t event : m_events)
        m_durations.push_back(ends[event] - starts[event]);
    m_longest = MaxTree<std::int64_t>(m_durations);
}

std::size_t TimelineRow::firstFrom(std::size_t from, std::int64_t time) const
{
    // Mostly it is near: steps that double, then a search between the last two.
    std::size_t step = 1;
    std::size_t low = from;
    while (low + step < m_events.size() && start(low + step) < time) {
        low += step;
        step *= 2;
    }
    const auto first = m_events.begin() + static_cast<std::ptrdiff_t>(low);
    const auto last =
        m_events.begin() + static_cast<std::ptrdiff_t>(std::min(low + step + 1, m_events.size()));
    const auto found = std::partition_point(
        first, last, [&](std::uint32_t event) { return m_starts[event] < time; });
    return static_cast<std::size_t>(found - m_events.begin());
}

void TimelineRow::marks(const TimeWindow &window, std::vector<RowMark> &marks) const
{
    marks.clear();
    const std::int64_t left = window.startOf(0);
    const auto reaching =
        std::partition_point(m_events.begin(), m_events.end(), [&](std::uint32_t event) {
            return m_ends[event] <= left && m_starts[event] < left;
        });
    auto at = static_cast<std::size_t>(reaching - m_events.begin());
    std::int64_t free = 0; // no mark has this pixel yet
    while (at < m_events.size()) {
        const std::int64_t first = std::max(window.pixelOf(start(at)), free);
        if (first >= window.pixels)
            return;
        std::int64_t last = window.pixelOf(end(at));
        std::size_t next = at + 1;
        std::size_t drawn = at;
        if (last <= first) { // it and its neighbours share a pixel
            last = first + 1;
            next = firstFrom(at, window.startOf(last));
            if (next == at)
                next = at + 1;
            // The last of them may reach over the next pixels: those are its own.
            if (next > at + 1 && window.pixelOf(end(next - 1)) > last)
                --next;
            drawn = next > at + 1 ? m_longest.argMax(at, next) : at;
        }
        marks.push_back({static_cast<std::int32_t>(first),
                         static_cast<std::int32_t>(std::min<std::int64_t>(last, window.pixels)),
                         m_events[drawn], static_cast<std::uint32_t>(next - at)});
        free = last;
        at = next;
    }
}

std::optional<RowMark> TimelineRow::markAt(const TimeWindow &window, std::int32_t pixel) const
{
    std::vector<RowMark> all;
    marks(window, all);
    const auto mark =
        std::ranges::partition_point(all, [pixel](const RowMark &of) { return of.last <= pixel; });
    return mark != all.end() && mark->first <= pixel ? std::optional(*mark) : std::nullopt;
}

std::uint32_t TimelineRow::eventAt(std::int64_t time) const
{
    const auto after =
        std::partition_point(m_events.begin(), m_events.end(),
                             [&](std::uint32_t event) { return m_starts[event] <= time; });
    if (after == m_events.begin())
        return kNoRow;
    const std::uint32_t event = *(after - 1);
    return m_ends[event] > time || m_starts[event] == time ? event : kNoRow;
}

std::optional<std::size_t> TimelineRow::placeOf(std::uint32_t event) const
{
    if (event >= m_starts.size())
        return std::nullopt;
    // Of those that start together all but the last take no time.
    for (std::size_t at = firstFrom(0, m_starts[event]);
         at < m_events.size() && start(at) == m_starts[event]; ++at) {
        if (m_events[at] == event)
            return at;
    }
    return std::nullopt;
}

std::unique_ptr<const TimelineRows> timelineRows(const Profile &profile, const Tick &tick)
{
    return RowsMaker(profile, tick).make();
}

} // namespace vramscope
