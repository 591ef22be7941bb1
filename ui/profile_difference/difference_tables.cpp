// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile_difference/difference_tables.h"

#include "core/base/counted.h"
#include "core/base/durations.h"
#include "ui/profile_difference/difference_text.h"

#include <algorithm>
#include <cstdlib>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

using enum DataTable::Kind;
using Cell = DataTable::Cell;

constexpr std::array<QStringView, kDifferenceTabCount> kNames = {u"parts", u"operators", u"work"};

constexpr double kTimes = 9; ///< from ten times as much on

constexpr const char *kOfSums = "Sum of its durations";
constexpr const char *kOnDevice = "Work that it launched itself, not its children";
constexpr const char *kOnHost = "On the host, without its children";
constexpr const char *kChangeTip =
    "B less A; the changes of all rows add up to that of all device time";

/// A key without the mark of shapes that the file does not state.
std::string shownKey(const ProfileDocument &side, std::string_view key)
{
    std::string text = side.shown(key);
    constexpr std::string_view kNoShapes = " | null";
    if (text.ends_with(kNoShapes))
        text.resize(text.size() - kNoShapes.size());
    return text;
}

/// How much of A the change is; unknown where A has nothing.
Cell changeShare(std::int64_t change, std::int64_t before)
{
    if (before <= 0)
        return {};
    Cell cell(static_cast<double>(change) / static_cast<double>(before));
    if (const double part = std::get<double>(cell.value);
        part >= kTimes) // hard to read in per cent
        cell.text = "× " + formatNumber(part + 1, 3);
    else
        cell.text = (change > 0   ? "+"
                     : change < 0 ? "-"
                                  : "") +
                    formatTimeShare(std::abs(change), before);
    return cell;
}

std::string matchedText(int level)
{
    switch (level) {
    case 1:
        return "call path and shapes";
    case 2:
        return "call path";
    case 3:
        return "name and shapes";
    case 4:
        return "name";
    default:
        return "–";
    }
}

bool isShown(ChangeState state, const DifferenceFilter &filter)
{
    return !filter.state || *filter.state == state;
}

std::string countsText(std::size_t shown, std::size_t all)
{
    const std::string rows = counted(static_cast<std::int64_t>(all), "row");
    return shown == all ? rows : formatCount(static_cast<std::int64_t>(shown)) + " of " + rows;
}

/// One side of a figure of both.
template<class Row>
auto sideOf(BeforeAfter Row::*figure, std::size_t side)
{
    return [figure, side](const Row *row) { return (row->*figure)[side]; };
}

DataTable parts(const ProfileDifferenceDocument &document)
{
    std::vector<std::vector<Cell>> rows;
    const bool several = document.difference.devices.size() > 1;
    for (const BreakdownChange &device : document.difference.devices) {
        const DeviceBreakdown &a = device.sides[0];
        const DeviceBreakdown &b = device.sides[1];
        const auto row = [&](const std::string &name, std::int64_t before, std::int64_t after) {
            rows.push_back({several ? "GPU " + std::to_string(a.device) + ": " + name : name,
                            before, after, after - before, changeShare(after - before, before)});
        };
        row("Compute", a.times.compute, b.times.compute);
        row("Exposed communication", a.times.exposedCommunication, b.times.exposedCommunication);
        row("Exposed copies", a.times.exposedCopy, b.times.exposedCopy);
        row("Idle", a.times.idle, b.times.idle);
        row("Span", a.times.span, b.times.span);
    }
    DataTable table = madeTable(
        {},
        {{"part", "Part"},
         {"a", "A", Time},
         {"b", "B", Time},
         {"change", "Change", TimeChange, "B less A; those of the four parts add up to the span's"},
         {"share", "Of A", Share}},
        std::move(rows));
    table.isStrong = [](std::size_t row) { return row % kSumRows + 1 == kSumRows; };
    table.note = u"of %1; %2"_s.arg(sideText(document, 0), sideText(document, 1)).toStdString();
    return table;
}

DataTable operators(const ProfileDifferenceDocument &document, const DifferenceFilter &filter)
{
    using Row = OperatorChange;
    std::vector<const Row *> rows;
    for (const Row &row : document.difference.operators)
        if (isShown(row.state, filter))
            rows.push_back(&row);
    const std::size_t shown = rows.size();
    TableOf<const Row *> table({}, std::move(rows));
    table
        .add({"key", "Operator"},
             [&document](const Row *row) {
                 return shownKey(document.profile(row->count[1] > 0 ? 1 : 0), row->key);
             })
        .add({"state", "State"}, [](const Row *row) { return textOf(row->state); })
        .add({"delta", "Change", TimeChange, kChangeTip}, &Row::delta)
        .add({"share", "Of A", Share},
             [](const Row *row) { return changeShare(row->delta, row->device[0]); })
        .add({"device_a", "Device, A", Time, kOnDevice}, sideOf(&Row::device, 0))
        .add({"device_b", "Device, B", Time, kOnDevice}, sideOf(&Row::device, 1))
        .add({"calls_a", "Calls, A", Count}, sideOf(&Row::count, 0))
        .add({"calls_b", "Calls, B", Count}, sideOf(&Row::count, 1))
        .add({"host_a", "Host, A", Time, kOnHost}, sideOf(&Row::hostSelf, 0))
        .add({"host_b", "Host, B", Time, kOnHost}, sideOf(&Row::hostSelf, 1))
        .add({"level", "Matched by"}, [](const Row *row) { return matchedText(row->level); })
        .note(countsText(shown, document.difference.operators.size()));
    return std::move(table).table();
}

DataTable work(const ProfileDifferenceDocument &document, const DifferenceFilter &filter)
{
    using Row = KernelChange;
    std::vector<const Row *> rows;
    for (const Row &row : document.difference.kernels)
        if (isShown(row.state, filter) && (!filter.part || belongsTo(row.workClass, *filter.part)))
            rows.push_back(&row);
    const std::size_t shown = rows.size();
    TableOf<const Row *> table({}, std::move(rows));
    table
        .add({"name", "Kernel or copy"},
             [&document](const Row *row) {
                 return document.profile(row->count[1] > 0 ? 1 : 0).shown(row->name);
             })
        .add({"class", "Class"}, [](const Row *row) { return textOf(row->workClass); })
        .add({"state", "State"}, [](const Row *row) { return textOf(row->state); })
        .add({"delta", "Change", TimeChange, kChangeTip}, &Row::delta)
        .add({"share", "Of A", Share},
             [](const Row *row) { return changeShare(row->delta, row->total[0]); })
        .add({"total_a", "Total, A", Time, kOfSums}, sideOf(&Row::total, 0))
        .add({"total_b", "Total, B", Time, kOfSums}, sideOf(&Row::total, 1))
        .add({"calls_a", "Calls, A", Count}, sideOf(&Row::count, 0))
        .add({"calls_b", "Calls, B", Count}, sideOf(&Row::count, 1))
        .add({"level", "Matched by"},
             [](const Row *row) {
                 return row->level == 1   ? "full name"
                        : row->level == 2 ? "name without variants"
                                          : "–";
             })
        .note(countsText(shown, document.difference.kernels.size()));
    return std::move(table).table();
}

} // namespace

QString nameOf(DifferenceTab tab)
{
    return kNames[static_cast<std::size_t>(tab)].toString();
}

std::optional<DifferenceTab> differenceTabNamed(QStringView name)
{
    const auto found = std::ranges::find(kNames, name);
    if (found == kNames.end())
        return std::nullopt;
    return static_cast<DifferenceTab>(found - kNames.begin());
}

QString titleOf(DifferenceTab tab)
{
    switch (tab) {
    case DifferenceTab::Parts:
        return u"Sum"_s;
    case DifferenceTab::Operators:
        return u"Operators"_s;
    case DifferenceTab::Work:
        break;
    }
    return u"Kernels and copies"_s;
}

DataTable differenceTable(const ProfileDifferenceDocument &document, DifferenceTab tab,
                          const DifferenceFilter &filter)
{
    DataTable table = tab == DifferenceTab::Parts       ? parts(document)
                      : tab == DifferenceTab::Operators ? operators(document, filter)
                                                        : work(document, filter);
    table.title = titleOf(tab).toStdString();
    return keptWith(std::move(table), document.weak_from_this().lock());
}

} // namespace vramscope
