// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/in_steps.h"
#include "core/base/max_tree.h"
#include "core/profile/profile.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace vramscope {

/// Which columns of a Profile an event stands in.
enum class EventKind : std::uint8_t { Work, Call, Operator, Range };

/// An event of a Profile; `row` is kNoRow where there is none.
struct ProfileEventId
{
    EventKind kind = EventKind::Work;
    std::uint32_t row = kNoRow;

    [[nodiscard]] bool valid() const { return row != kNoRow; }
    bool operator==(const ProfileEventId &) const = default;
};

/// The times and names of all events of a kind, as the columns of a Profile have them.
struct TimedEvents
{
    std::span<const std::int64_t> start;
    std::span<const std::int64_t> end;
    std::span<const StringId> name;
};
[[nodiscard]] TimedEvents eventsOf(const Profile &profile, EventKind kind);

/// A stretch of time [from, to) seen on so many pixels. Times are ns since `origin`, so that a
/// double tells every nanosecond of a recording apart even where the file counts from 1970.
struct TimeWindow
{
    std::int64_t origin = 0;
    double from = 0;
    double to = 1;
    int pixels = 0;

    /// The pixel in which a time of the file lies; below 0 or beyond the pixels outside of it.
    [[nodiscard]] std::int64_t pixelOf(std::int64_t time) const;
    /// The first whole nanosecond of a pixel, as the file counts.
    [[nodiscard]] std::int64_t startOf(std::int64_t pixel) const;
};

/// What is drawn of a row in the pixels [first, last): one event, or several that lie in one pixel.
struct RowMark
{
    std::int32_t first = 0;
    std::int32_t last = 0;
    std::uint32_t event = kNoRow; ///< of the columns; of several the longest, the first of equals
    std::uint32_t count = 1;
    bool operator==(const RowMark &) const = default;
};

/// Events of one kind by start, of which no two overlap: what one line of a timeline shows. Keeps
/// the profile's columns of times, not the profile.
class TimelineRow
{
public:
    /// `events`: rows of the columns with these times, as above.
    TimelineRow(EventKind kind, std::vector<std::uint32_t> events,
                std::span<const std::int64_t> starts, std::span<const std::int64_t> ends);
    TimelineRow(TimelineRow &&) = default;
    TimelineRow(const TimelineRow &) = delete;
    TimelineRow &operator=(const TimelineRow &) = delete;

    [[nodiscard]] EventKind kind() const { return m_kind; }
    [[nodiscard]] std::span<const std::uint32_t> events() const { return m_events; }
    [[nodiscard]] std::int64_t start(std::size_t at) const { return m_starts[m_events[at]]; }
    [[nodiscard]] std::int64_t end(std::size_t at) const { return m_ends[m_events[at]]; }

    /// Replaces `marks` by what a window shows, from left to right; none covers a pixel of another.
    /// Costs a few searches a mark, however many events there are.
    void marks(const TimeWindow &window, std::vector<RowMark> &marks) const;
    /// The mark at a pixel, exactly as marks() gives it.
    [[nodiscard]] std::optional<RowMark> markAt(const TimeWindow &window, std::int32_t pixel) const;
    /// The event that runs at a time: of the columns; kNoRow where none does.
    [[nodiscard]] std::uint32_t eventAt(std::int64_t time) const;
    /// Where an event of the columns stands in events(); none where it is in another row.
    [[nodiscard]] std::optional<std::size_t> placeOf(std::uint32_t event) const;

private:
    // The first place from `from` on whose event starts at `time` or later.
    [[nodiscard]] std::size_t firstFrom(std::size_t from, std::int64_t time) const;

    EventKind m_kind;
    std::vector<std::uint32_t> m_events;
    std::vector<std::int64_t> m_durations;
    MaxTree<std::int64_t> m_longest; // looks into m_durations, which moves along
    std::span<const std::int64_t> m_starts;
    std::span<const std::int64_t> m_ends;
};

/// What the rows of a group show.
enum class RowGroupKind : std::uint8_t {
    Lane,        ///< work of a lane
    DeviceRange, ///< annotations and waits as the device shows them, of a lane
    Annotation,  ///< record_function() of a thread
    Operator,    ///< of a thread, by depth
    Call,        ///< of a thread: of the runtime and the driver
    Python,      ///< functions of a thread
    Overhead,    ///< of the profiler, of a thread
};

/// Consecutive rows that belong to one lane or thread.
struct RowGroup
{
    RowGroupKind kind = RowGroupKind::Lane;
    std::uint32_t of = 0; ///< of Profile::lanes() for Lane and DeviceRange, else of threads()
    std::size_t firstRow = 0;
    std::size_t rowCount = 0;
    std::size_t events = 0;
};

/// All rows of a profile, lanes first by device and stream, then thread by thread. The profile
/// outlives them. No group is empty.
struct TimelineRows
{
    std::vector<TimelineRow> rows;
    std::vector<RowGroup> groups;
};

/// Work that overlaps on its lane goes to the first row that is free; operators stand below their
/// parent. Null where tick() said to stop.
[[nodiscard]] std::unique_ptr<const TimelineRows> timelineRows(const Profile &profile,
                                                               const Tick &tick);

} // namespace vramscope
