// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/timeline_rows.h"
#include "ui/profile/profile_document.h"

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace vramscope {

/// One line of the timeline, from top to bottom.
struct TimelineLine
{
    enum class Kind : std::uint8_t {
        Heading, ///< of a section
        Cover,   ///< what a device did, divided
        Row,
        Queue,
        Memory,
    };

    Kind kind = Kind::Heading;
    double top = 0;
    double height = 0;
    std::size_t section = 0;
    std::size_t group = 0; ///< of a Row: of TimelineRows::groups
    std::size_t at = 0;    ///< of a Row in TimelineRows::rows; of Cover and Queue in
                           ///< ProfileDocument::devices; of Memory in ProfileDocument::memory
    bool isFirst = true;   ///< of its group: the one that carries the name
};

/// What a section is about: a device, a thread, or the host's memory.
struct TimelineSection
{
    enum class Kind : std::uint8_t { Device, Thread, HostMemory };

    Kind kind = Kind::Device;
    std::int64_t of = 0; ///< the device's number, or an index into Profile::threads()
    std::vector<std::size_t> groups;
    std::size_t events = 0; ///< of a device, the work that it ran
    bool operator==(const TimelineSection &) const = default;
};

/// Devices first, then the threads, those with most operators first, then the host's memory.
[[nodiscard]] std::vector<TimelineSection> timelineSections(const ProfileDocument &document);

/// What is folded: of a section nothing but its heading is shown, of a group its first row.
struct Folds
{
    std::set<std::size_t> sections;
    std::set<std::size_t> groups;
    bool operator==(const Folds &) const = default;
};

/// What is folded at first: the profiler's own work, and of many threads those in which
/// little happened.
[[nodiscard]] Folds firstFolds(const ProfileDocument &document,
                               const std::vector<TimelineSection> &sections);

/// All lines under each other, from 0 on, as the folds have them. `rowHeight` is that of one row of
/// text; the others follow from it.
class TimelineLines
{
public:
    TimelineLines() = default;
    TimelineLines(const ProfileDocument &document, const std::vector<TimelineSection> &sections,
                  const Folds &folds, double rowHeight);

    [[nodiscard]] const std::vector<TimelineLine> &lines() const { return m_lines; }
    [[nodiscard]] double height() const { return m_height; }
    /// The line at a height; none below the last or between two.
    [[nodiscard]] std::optional<std::size_t> lineAt(double y) const;
    /// The first line that reaches below a height.
    [[nodiscard]] std::size_t firstBelow(double y) const;
    /// The line that shows a row; none where it is folded away.
    [[nodiscard]] std::optional<std::size_t> lineOfRow(std::size_t row) const;

private:
    void add(TimelineLine line, double height, double gap);

    std::vector<TimelineLine> m_lines;
    double m_height = 0;
};

} // namespace vramscope
