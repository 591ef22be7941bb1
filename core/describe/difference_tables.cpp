// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/difference_tables.h"

#include "core/base/counted.h"
#include "core/base/durations.h"

#include <cstdlib>

namespace vramscope {

namespace {

using enum DataTable::Kind;
using ChangeCell = DataTable::Cell;

constexpr double kTimes = 9; ///< from ten times as much on

constexpr const char *kOfSums = "Sum of its durations";
constexpr const char *kOnDevice = "Work that it launched itself, not its children";
constexpr const char *kOnHost = "On the host, without its children";
constexpr const char *kChangeTip =
    "B less A; the changes of all rows add up to that of all device time";

/// A key without the mark of shapes that the file does not state.
std::string withoutNoShapes(std::string text)
{
    constexpr std::string_view kNoShapes = " | null";
    if (text.ends_with(kNoShapes))
        text.resize(text.size() - kNoShapes.size());
    return text;
}

/// How much of A the change is; unknown where A has nothing.
ChangeCell changeShare(std::int64_t change, std::int64_t before)
{
    if (before <= 0)
        return {};
    ChangeCell cell(static_cast<double>(change) / static_cast<double>(before));
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

std::string countsText(std::size_t shown, std::size_t all)
{
    const std::string rows = counted(static_cast<std::int64_t>(all), "row");
    return shown == all ? rows : formatCount(static_cast<std::int64_t>(shown)) + " of " + rows;
}

template<class Row>
std::vector<const Row *> keptOf(const std::vector<Row> &all,
                                const std::function<bool(const Row &)> &keeps)
{
    std::vector<const Row *> rows;
    for (const Row &row : all)
        if (keeps(row))
            rows.push_back(&row);
    return rows;
}

/// One side of a figure of both.
template<class Row>
auto sideOf(BeforeAfter Row::*figure, std::size_t side)
{
    return [figure, side](const Row *row) { return (row->*figure)[side]; };
}

} // namespace

DataTable spanChangesTable(const ProfileDifference &difference)
{
    std::vector<std::vector<ChangeCell>> rows;
    const bool several = difference.devices.size() > 1;
    for (const BreakdownChange &device : difference.devices) {
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
    DataTable table =
        madeTable("Sum",
                  {{"part", "Part"},
                   {"a", "A", Time, {}, "A"},
                   {"b", "B", Time, {}, "B"},
                   {"change", "Change", TimeChange,
                    "B less A; those of the four parts add up to the span's", "B - A"},
                   {"share", "Share of A", Share, {}, "share of A"}},
                  std::move(rows));
    table.isStrong = [](std::size_t row) { return row % kSumRows + 1 == kSumRows; };
    return table;
}

DataTable operatorChangesTable(const ProfileDifference &difference, const ShownName &shownName,
                               const std::function<bool(const OperatorChange &)> &keeps)
{
    using Row = OperatorChange;
    std::vector<const Row *> rows = keptOf(difference.operators, keeps);
    const std::size_t shown = rows.size();
    TableOf<const Row *> table("Operators", std::move(rows));
    table
        .add({"key", "Operator"},
             [shownName](const Row *row) {
                 return withoutNoShapes(shownName(row->count[1] > 0 ? 1 : 0, row->key));
             })
        .add({"state", "State"}, [](const Row *row) { return textOf(row->state); })
        .add({"delta", "Change", TimeChange, kChangeTip, "B - A"}, &Row::delta)
        .add({"share", "Share of A", Share},
             [](const Row *row) { return changeShare(row->delta, row->device[0]); })
        .add({"device_a", "Device, A", Time, kOnDevice, "device A"}, sideOf(&Row::device, 0))
        .add({"device_b", "Device, B", Time, kOnDevice, "device B"}, sideOf(&Row::device, 1))
        .add({"calls_a", "Calls, A", Count, {}, "calls A"}, sideOf(&Row::count, 0))
        .add({"calls_b", "Calls, B", Count, {}, "calls B"}, sideOf(&Row::count, 1))
        .add({"host_a", "Host, A", Time, kOnHost, "host A"}, sideOf(&Row::hostSelf, 0))
        .add({"host_b", "Host, B", Time, kOnHost, "host B"}, sideOf(&Row::hostSelf, 1))
        .add({"level", "Matched by"}, [](const Row *row) { return matchedText(row->level); })
        .note(countsText(shown, difference.operators.size()));
    return std::move(table).table();
}

DataTable kernelChangesTable(const ProfileDifference &difference, const ShownName &shownName,
                             const std::function<bool(const KernelChange &)> &keeps)
{
    using Row = KernelChange;
    std::vector<const Row *> rows = keptOf(difference.kernels, keeps);
    const std::size_t shown = rows.size();
    TableOf<const Row *> table("Kernels and copies", std::move(rows));
    table
        .add(
            {"name", "Kernel or copy"},
            [shownName](const Row *row) { return shownName(row->count[1] > 0 ? 1 : 0, row->name); })
        .add({"class", "Class"}, [](const Row *row) { return textOf(row->workClass); })
        .add({"state", "State"}, [](const Row *row) { return textOf(row->state); })
        .add({"delta", "Change", TimeChange, kChangeTip, "B - A"}, &Row::delta)
        .add({"share", "Share of A", Share},
             [](const Row *row) { return changeShare(row->delta, row->total[0]); })
        .add({"total_a", "Total, A", Time, kOfSums, "total A"}, sideOf(&Row::total, 0))
        .add({"total_b", "Total, B", Time, kOfSums, "total B"}, sideOf(&Row::total, 1))
        .add({"calls_a", "Calls, A", Count, {}, "calls A"}, sideOf(&Row::count, 0))
        .add({"calls_b", "Calls, B", Count, {}, "calls B"}, sideOf(&Row::count, 1))
        .add({"level", "Matched by"},
             [](const Row *row) {
                 return row->level == 1   ? "full name"
                        : row->level == 2 ? "name without variants"
                                          : "–";
             })
        .note(countsText(shown, difference.kernels.size()));
    return std::move(table).table();
}

} // namespace vramscope
