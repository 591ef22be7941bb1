// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/timeline_lines.h"

#include <algorithm>
#include <map>

namespace vramscope {

namespace {

constexpr double kGap = 1;
constexpr double kGroupGap = 4;
constexpr double kSectionGap = 8;
constexpr std::size_t kMostOpenThreads = 4;

bool isOfLane(const RowGroup &group)
{
    return group.kind == RowGroupKind::Lane || group.kind == RowGroupKind::DeviceRange;
}

} // namespace

std::vector<TimelineSection> timelineSections(const ProfileDocument &document)
{
    const auto &groups = document.rows->groups;
    std::map<std::int64_t, TimelineSection> devices;
    std::map<std::int64_t, TimelineSection> threads;
    for (std::size_t at = 0; at < groups.size(); ++at) {
        const bool ofLane = isOfLane(groups[at]);
        const std::int64_t of =
            ofLane ? document.profile->lanes()[groups[at].of].device : std::int64_t(groups[at].of);
        TimelineSection &section = (ofLane ? devices : threads)[of];
        section.kind = ofLane ? TimelineSection::Kind::Device : TimelineSection::Kind::Thread;
        section.of = of;
        section.groups.push_back(at);
        if (groups[at].kind != RowGroupKind::DeviceRange) // which only names what the lanes run
            section.events += groups[at].events;
    }
    // Memory of a device on which nothing ran is shown all the same.
    for (const ProfileMemoryCurves &curves : document.memory) {
        if (!curves.isHost)
            devices[curves.ordinal].of = curves.ordinal;
    }
    std::vector<TimelineSection> sections;
    sections.reserve(devices.size() + threads.size() + 1);
    for (auto &[of, section] : devices)
        sections.push_back(std::move(section));
    const auto firstThread = static_cast<std::ptrdiff_t>(sections.size());
    for (auto &[of, section] : threads)
        sections.push_back(std::move(section));
    std::stable_sort(
        sections.begin() + firstThread, sections.end(),
        [](const TimelineSection &a, const TimelineSection &b) { return a.events > b.events; });
    if (std::ranges::any_of(document.memory, &ProfileMemoryCurves::isHost))
        sections.push_back({TimelineSection::Kind::HostMemory, 0, {}, 0});
    return sections;
}

Folds firstFolds(const ProfileDocument &document, const std::vector<TimelineSection> &sections)
{
    Folds folds;
    std::size_t threads = 0;
    for (std::size_t at = 0; at < sections.size(); ++at) {
        if (sections[at].kind != TimelineSection::Kind::Device && ++threads > kMostOpenThreads)
            folds.sections.insert(at);
        for (const std::size_t group : sections[at].groups) {
            if (document.rows->groups[group].kind == RowGroupKind::Overhead)
                folds.groups.insert(group);
        }
    }
    return folds;
}

TimelineLines::TimelineLines(const ProfileDocument &document,
                             const std::vector<TimelineSection> &sections, const Folds &folds,
                             double rowHeight)
{
    using Kind = TimelineLine::Kind;
    for (std::size_t at = 0; at < sections.size(); ++at) {
        const TimelineSection &section = sections[at];
        const bool ofDevice = section.kind == TimelineSection::Kind::Device;
        add({.kind = Kind::Heading, .section = at}, rowHeight + 4, at == 0 ? 0 : kSectionGap);
        if (folds.sections.contains(at))
            continue;
        const auto device = std::ranges::find(document.devices, section.of, &ProfileDevice::device);
        const auto deviceAt = static_cast<std::size_t>(device - document.devices.begin());
        const bool ran = ofDevice && device != document.devices.end();
        if (ran)
            add({.kind = Kind::Cover, .section = at, .at = deviceAt}, rowHeight, kGap);
        for (const std::size_t group : section.groups) {
            const RowGroup &rows = document.rows->groups[group];
            const std::size_t shown = folds.groups.contains(group) ? 1 : rows.rowCount;
            for (std::size_t row = 0; row < shown; ++row)
                add({.kind = Kind::Row,
                     .section = at,
                     .group = group,
                     .at = rows.firstRow + row,
                     .isFirst = row == 0},
                    rowHeight, row == 0 ? kGroupGap : kGap);
        }
        if (ran && !device->queue.empty())
            add({.kind = Kind::Queue, .section = at, .at = deviceAt}, rowHeight * 1.6, kGroupGap);
        for (std::size_t memory = 0; memory < document.memory.size(); ++memory) {
            const ProfileMemoryCurves &curves = document.memory[memory];
            const bool here = curves.isHost ? section.kind == TimelineSection::Kind::HostMemory
                                            : ofDevice && curves.ordinal == section.of;
            if (here)
                add({.kind = Kind::Memory, .section = at, .at = memory}, rowHeight * 4, kGroupGap);
        }
    }
}

void TimelineLines::add(TimelineLine line, double height, double gap)
{
    line.top = m_height + gap;
    line.height = height;
    m_height = line.top + height;
    m_lines.push_back(line);
}

std::size_t TimelineLines::firstBelow(double y) const
{
    const auto found = std::ranges::partition_point(
        m_lines, [y](const TimelineLine &line) { return line.top + line.height <= y; });
    return static_cast<std::size_t>(found - m_lines.begin());
}

std::optional<std::size_t> TimelineLines::lineAt(double y) const
{
    const std::size_t at = firstBelow(y);
    return at < m_lines.size() && m_lines[at].top <= y ? std::optional(at) : std::nullopt;
}

std::optional<std::size_t> TimelineLines::lineOfRow(std::size_t row) const
{
    for (std::size_t at = 0; at < m_lines.size(); ++at) {
        if (m_lines[at].kind == TimelineLine::Kind::Row && m_lines[at].at == row)
            return at;
    }
    return std::nullopt;
}

} // namespace vramscope
