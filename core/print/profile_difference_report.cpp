// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/profile_difference_report.h"

#include "core/base/durations.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/problems_text.h"
#include "core/print/profile_report.h"
#include "core/table/terminal_table.h"
#include "core/table/text_table.h"

#include <map>

namespace vramscope {

namespace {

constexpr std::size_t kKeyWidth = 60;

/// A time with its sign: "+1.2 ms", "-300 ns", "0 ns".
std::string changeOf(std::int64_t before, std::int64_t after)
{
    const std::int64_t change = after - before;
    return (change > 0 ? "+" : "") + formatNanoseconds(change);
}

std::string countPair(std::int64_t before, std::int64_t after)
{
    return before == after ? formatCount(before) : formatCount(before) + " → " + formatCount(after);
}

std::string sumText(const BreakdownChange &change)
{
    const TimeBreakdown &a = change.sides[0].times;
    const TimeBreakdown &b = change.sides[1].times;
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
    const auto row = [&](const char *part, std::int64_t before, std::int64_t after) {
        table.addRow({part, formatNanoseconds(before), formatNanoseconds(after),
                      changeOf(before, after), formatTimeShare(after - before, before)});
    };
    table.addRow({"", "A", "B", "B - A", "of A"});
    row("compute", a.compute, b.compute);
    row("exposed communication", a.exposedCommunication, b.exposedCommunication);
    row("exposed copies and fills", a.exposedCopy, b.exposedCopy);
    row("idle", a.idle, b.idle);
    row("span: their sum", a.span, b.span);
    return "\nDevice " + std::to_string(change.sides[0].device) + " of A, " +
           std::to_string(change.sides[1].device) + " of B:\n" + table.text();
}

template<class Rows>
std::string statesText(const Rows &rows)
{
    std::array<std::int64_t, kChangeStateCount> counts{};
    for (const auto &row : rows)
        ++counts[static_cast<std::size_t>(row.state)];
    std::string text;
    for (std::size_t at = 0; at < counts.size(); ++at) {
        if (counts[at] > 0)
            text += (text.empty() ? "" : ", ") + formatCount(counts[at]) + ' ' +
                    std::string(textOf(static_cast<ChangeState>(at)));
    }
    return text;
}

std::string changedOperators(const ProfileDifference &difference, std::size_t most)
{
    if (difference.operators.empty())
        return {};
    TextTable table(
        {Align::Right, Align::Right, Align::Right, Align::Right, Align::Left, Align::Left});
    table.addRow({"B - A", "device A", "device B", "calls", "state", "operator"});
    for (std::size_t at = 0; at < shownRows(difference.operators.size(), most); ++at) {
        const OperatorChange &row = difference.operators[at];
        table.addRow({changeOf(row.device[0], row.device[1]), formatNanoseconds(row.device[0]),
                      formatNanoseconds(row.device[1]), countPair(row.count[0], row.count[1]),
                      std::string(textOf(row.state)), elided(printable(row.key), kKeyWidth)});
    }
    return "\nOperators, with the device work that each launched itself (" +
           statesText(difference.operators) + "):\n" + table.text() +
           leftOut(difference.operators.size(), most);
}

std::string changedKernels(const ProfileDifference &difference, std::size_t most)
{
    if (difference.kernels.empty())
        return {};
    TextTable table(
        {Align::Right, Align::Right, Align::Right, Align::Right, Align::Left, Align::Left});
    table.addRow({"B - A", "A", "B", "calls", "state", "device work"});
    for (std::size_t at = 0; at < shownRows(difference.kernels.size(), most); ++at) {
        const KernelChange &row = difference.kernels[at];
        table.addRow({changeOf(row.total[0], row.total[1]), formatNanoseconds(row.total[0]),
                      formatNanoseconds(row.total[1]), countPair(row.count[0], row.count[1]),
                      std::string(textOf(row.state)), elided(printable(row.name), kKeyWidth)});
    }
    return "\nDevice work by name (" + statesText(difference.kernels) + "):\n" + table.text() +
           leftOut(difference.kernels.size(), most);
}

Json breakdownJson(const BreakdownChange &change)
{
    Json a = Json::object();
    Json b = Json::object();
    Json delta = Json::object();
    addTimes(a, change.sides[0].times);
    addTimes(b, change.sides[1].times);
    for (const auto &[key, value] : a.items()) {
        if (key != "overlap") // a share, which no difference of times explains
            delta[key] = b[key].get<std::int64_t>() - value.get<std::int64_t>();
    }
    return {{"a", std::move(a)}, {"b", std::move(b)}, {"delta", std::move(delta)}};
}

template<class Rows>
Json countsOf(const Rows &rows)
{
    std::map<std::string_view, std::int64_t> counts;
    for (const auto &row : rows)
        ++counts[textOf(row.state)];
    Json json = Json::object();
    for (const auto &[state, count] : counts)
        json[std::string(state)] = count;
    return json;
}

Json operatorJson(const OperatorChange &row)
{
    return {{"key", row.key},
            {"level", row.level},
            {"count", row.count},
            {"host_self", row.hostSelf},
            {"device", row.device},
            {"delta", row.delta},
            {"state", textOf(row.state)}};
}

Json kernelJson(const KernelChange &row)
{
    return {{"class", row.workClass == WorkClass::Copy ? "memory" : textOf(row.workClass)},
            {"name", row.name},
            {"level", row.level},
            {"count", row.count},
            {"total", row.total},
            {"delta", row.delta},
            {"state", textOf(row.state)}};
}

} // namespace

std::string profileDifferenceText(const ProfileDifference &difference,
                                  const std::array<std::string, 2> &files, std::size_t most)
{
    std::string text = problemsText(difference.problems[0], "A, " + files[0]) +
                       problemsText(difference.problems[1], "B, " + files[1]);
    for (std::size_t side = 0; side < 2; ++side)
        text += std::string(side == 0 ? "A: " : "B: ") + printable(files[side]) + ", " +
                (difference.steps[side] ? printable(*difference.steps[side])
                                        : std::string("all that was recorded")) +
                "\n";
    if (difference.devices.empty())
        text += "\n" + noDevicesComparedText(difference) + "\n";
    for (const BreakdownChange &each : difference.devices)
        text += sumText(each);
    return text + changedOperators(difference, most) + changedKernels(difference, most);
}

std::string profileDifferenceJson(const ProfileDifference &difference, std::size_t most)
{
    const auto first = [most](const auto &rows) {
        return std::span(rows).first(shownRows(rows.size(), most));
    };
    return jsonText(
        {{"problems", sidesProblemsJson(difference.problems[0], difference.problems[1])},
         {"steps", listJson(difference.steps, [](const auto &step) { return orNull(step); })},
         {"device_time", difference.deviceTime},
         {"breakdown", listJson(difference.devices, breakdownJson)},
         {"states",
          {{"operators", countsOf(difference.operators)},
           {"kernels", countsOf(difference.kernels)}}},
         {"operators", listJson(first(difference.operators), operatorJson)},
         {"kernels", listJson(first(difference.kernels), kernelJson)}});
}

} // namespace vramscope
