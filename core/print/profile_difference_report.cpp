// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/profile_difference_report.h"

#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/describe/difference_tables.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/problems_text.h"
#include "core/print/profile_report.h"
#include "core/table/terminal_table.h"

#include <map>

namespace vramscope {

namespace {

constexpr std::size_t kKeyWidth = 60;

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

std::string changedText(const DataTable &table, const std::string &title,
                        std::initializer_list<std::string_view> keys, std::size_t most)
{
    if (table.rows == 0)
        return {};
    return "\n" + title + ":\n" +
           terminalText(table, {.keys = keys, .most = most, .widest = kKeyWidth});
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
    const auto shown = [](std::size_t, std::string_view name) { return std::string(name); };
    const auto all = [](const auto &) { return true; };
    return text +
           changedText(spanChangesTable(difference), "Where the time went",
                       {"part", "a", "b", "change", "share"}, 0) +
           changedText(operatorChangesTable(difference, shown, all),
                       "Operators, with the device work that each launched itself (" +
                           statesText(difference.operators) + ")",
                       {"delta", "device_a", "device_b", "calls_a", "calls_b", "state", "key"},
                       most) +
           changedText(kernelChangesTable(difference, shown, all),
                       "Device work by name (" + statesText(difference.kernels) + ")",
                       {"delta", "total_a", "total_b", "calls_a", "calls_b", "state", "name"},
                       most);
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
