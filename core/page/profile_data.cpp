// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/profile_data.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/sentence.h"
#include "core/page/packed_columns.h"
#include "core/profile/launches.h"
#include "core/profile/profile_study.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace vramscope {

namespace {

// Places among the kinds of slices.
constexpr std::size_t kFirstClass = 10; // of WorkClass, behind the families of compute
constexpr std::size_t kOperatorKind = 14;
constexpr std::size_t kCallKind = 15;
constexpr std::size_t kWaitingCallKind = 16;
constexpr std::size_t kAnnotationKind = 17;
constexpr std::size_t kPythonKind = 18;
constexpr std::size_t kOverheadKind = 19;
constexpr std::size_t kSyncKind = 20;
static_assert(kFirstClass == static_cast<std::size_t>(WorkFamily::Other) - 1);

std::size_t rangeKind(RangeKind kind)
{
    switch (kind) {
    case RangeKind::User:
    case RangeKind::Device:
        return kAnnotationKind;
    case RangeKind::Python:
        return kPythonKind;
    case RangeKind::Overhead:
        return kOverheadKind;
    case RangeKind::Sync:
        break;
    }
    return kSyncKind;
}

/// Which slices a page has: those longer than all that it leaves out, or, where all are as long,
/// the first ones.
class LongestSlices
{
public:
    LongestSlices(const TimelineRows &rows, std::size_t most)
        : m_room(most)
    {
        std::vector<std::int64_t> lengths;
        for (const TimelineRow &row : rows.rows) {
            for (std::size_t at = 0; at < row.events().size(); ++at)
                lengths.push_back(row.end(at) - row.start(at));
        }
        m_all = lengths.size();
        if (m_all <= most)
            return;
        const auto first = lengths.begin() + static_cast<std::ptrdiff_t>(most);
        std::ranges::nth_element(lengths, first, std::ranges::greater());
        m_least = *first + 1;
        if (std::ranges::none_of(lengths, [&](std::int64_t each) { return each >= m_least; }))
            m_least = 0;
    }

    /// Asked once of each slice, in order.
    [[nodiscard]] bool take(std::int64_t length)
    {
        if (length < m_least || m_room == 0)
            return false;
        --m_room;
        ++m_taken;
        return true;
    }
    [[nodiscard]] std::size_t leftOut() const { return m_all - m_taken; }

private:
    std::size_t m_room;
    std::size_t m_all = 0;
    std::size_t m_taken = 0;
    std::int64_t m_least = 0;
};

/// The columns of slices, row by row.
struct SliceColumns
{
    std::vector<std::int64_t> counts; // of each row
    std::vector<std::int64_t> starts;
    std::vector<std::int64_t> durations;
    std::vector<std::int64_t> names;
    std::vector<std::int64_t> kinds;
    std::vector<std::string> texts;
    std::unordered_map<std::string, std::int64_t> places; // in the texts

    std::int64_t placeOf(const std::string &text)
    {
        const auto [found, isNew] = places.try_emplace(text, std::ssize(texts));
        if (isNew)
            texts.push_back(text);
        return found->second;
    }
};

} // namespace

std::string sliceKindName(std::size_t kind)
{
    constexpr std::array<std::string_view, 7> kOfHost = {
        "Operator", "Runtime call", "Call that waits for the GPU", "Annotation",
        "Python",   "Profiler",     "Wait on the device"};
    if (kind >= kOperatorKind)
        return std::string(kOfHost[kind - kOperatorKind]);
    if (kind > kFirstClass)
        return capitalized(std::string(textOf(static_cast<WorkClass>(kind - kFirstClass))));
    const auto family = static_cast<WorkFamily>(kind + 1);
    const bool other = family == WorkFamily::Other; // not of other classes
    return capitalized(std::string(textOf(family))) + (other ? " compute" : "");
}

std::size_t sliceKind(const ProfileStudy &study, const ProfileEventId &event)
{
    const Profile &profile = study.profile();
    switch (event.kind) {
    case EventKind::Work: {
        const WorkGroup &group = study.classes().groupOf(event.row);
        return group.workClass == WorkClass::Compute
                   ? static_cast<std::size_t>(std::max(group.family, WorkFamily::MatrixProduct)) - 1
                   : kFirstClass + static_cast<std::size_t>(group.workClass);
    }
    case EventKind::Operator:
        return kOperatorKind;
    case EventKind::Call:
        return waitsForDevice(profile.text(profile.calls().name[event.row])) ? kWaitingCallKind
                                                                             : kCallKind;
    case EventKind::Range:
        break;
    }
    return rangeKind(profile.ranges().kind[event.row]);
}

std::string profileData(const ProfileStudy &study, const TimelineRows &rows,
                        const ProfileDataOptions &options)
{
    const Profile &profile = study.profile();
    LongestSlices longest(rows, options.largest);
    SliceColumns slices;
    nlohmann::ordered_json head{{"format", "vramscope-page"},
                                {"version", 1},
                                {"kind", "profile"},
                                {"keepsPicture", options.keepsPicture},
                                {"span", options.end - options.origin}};
    auto &titles = head["rows"] = nlohmann::ordered_json::array();
    const auto addRow = [&](const TimelineRow &row) {
        const TimedEvents events = eventsOf(profile, row.kind());
        const std::int64_t before = std::ssize(slices.starts);
        for (std::size_t at = 0; at < row.events().size(); ++at) {
            const std::uint32_t event = row.events()[at];
            if (!longest.take(row.end(at) - row.start(at)))
                continue;
            slices.starts.push_back(row.start(at) - options.origin);
            slices.durations.push_back(row.end(at) - row.start(at));
            slices.names.push_back(slices.placeOf(printable(options.text(events.name[event]))));
            slices.kinds.push_back(
                static_cast<std::int64_t>(sliceKind(study, {row.kind(), event})));
        }
        slices.counts.push_back(std::ssize(slices.starts) - before);
    };
    for (const ProfileSection &section : options.sections) {
        // Its title has a row without slices.
        titles.push_back(printable(section.title));
        slices.counts.push_back(0);
        for (const std::size_t at : section.groups) {
            const RowGroup &group = rows.groups[at];
            for (std::size_t row = 0; row < group.rowCount; ++row) {
                titles.push_back(row == 0 ? printable(options.groupTitles[at]) : std::string());
                addRow(rows.rows[group.firstRow + row]);
            }
        }
    }
    for (std::size_t at = 0; at < kSliceKindCount; ++at)
        head["categories"].push_back({{"name", sliceKindName(at)},
                                      {"color", options.colors[at]},
                                      {"dark", options.darkColors[at]}});
    auto &steps = head["steps"] = nlohmann::ordered_json::array();
    for (const ProfilerStep &step : profile.steps())
        steps.push_back(
            {{"at", step.start - options.origin}, {"name", printable(options.text(step.name))}});
    const auto left = static_cast<std::int64_t>(longest.leftOut());
    if (left > 0)
        head["aside"] = "The page has the " + counted(std::ssize(slices.starts), "longest slice") +
                        " of " + formatCount(std::ssize(slices.starts) + left) +
                        "; the others are left out.";

    using Coding = PackedColumns::Coding;
    PackedColumns columns;
    columns.add("slices", Coding::Plain, slices.counts);
    columns.add("start", Coding::Delta, slices.starts);
    columns.add("duration", Coding::Plain, slices.durations);
    columns.add("name", Coding::Plain, slices.names);
    columns.add("category", Coding::Plain, slices.kinds);
    columns.addTexts("name", slices.texts);
    return columns.document(std::move(head));
}

} // namespace vramscope
