// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"
#include "core/print/problems_text.h"
#include "core/print/profile_difference_report.h"
#include "core/print/profile_json_parts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace vramscope {

namespace {

using DifferenceJson = nlohmann::ordered_json;

DifferenceJson breakdownJson(const BreakdownChange &change)
{
    DifferenceJson a = DifferenceJson::object();
    DifferenceJson b = DifferenceJson::object();
    DifferenceJson delta = DifferenceJson::object();
    addTimes(a, change.sides[0].times);
    addTimes(b, change.sides[1].times);
    for (const auto &[key, value] : a.items()) {
        if (key != "overlap") // a share, which no difference of times explains
            delta[key] = b[key].get<std::int64_t>() - value.get<std::int64_t>();
    }
    return {{"a", std::move(a)}, {"b", std::move(b)}, {"delta", std::move(delta)}};
}

template<class Rows>
DifferenceJson countsOf(const Rows &rows)
{
    std::map<std::string_view, std::int64_t> counts;
    for (const auto &row : rows)
        ++counts[textOf(row.state)];
    DifferenceJson json = DifferenceJson::object();
    for (const auto &[state, count] : counts)
        json[std::string(state)] = count;
    return json;
}

std::string_view classText(WorkClass workClass)
{
    return workClass == WorkClass::Copy ? "memory" : textOf(workClass);
}

} // namespace

std::string profileDifferenceJson(const ProfileDifference &difference, std::size_t most)
{
    const auto shown = [&](std::size_t count) { return most == 0 ? count : std::min(count, most); };
    DifferenceJson json{
        {"problems", sidesProblemsJson(difference.problems[0], difference.problems[1])},
        {"steps", DifferenceJson::array()},
        {"device_time", difference.deviceTime},
        {"breakdown", DifferenceJson::array()},
        {"states",
         {{"operators", countsOf(difference.operators)},
          {"kernels", countsOf(difference.kernels)}}},
        {"operators", DifferenceJson::array()},
        {"kernels", DifferenceJson::array()}};
    for (const auto &step : difference.steps)
        json["steps"].push_back(step ? DifferenceJson(*step) : DifferenceJson());
    for (const BreakdownChange &each : difference.devices)
        json["breakdown"].push_back(breakdownJson(each));
    for (std::size_t at = 0; at < shown(difference.operators.size()); ++at) {
        const OperatorChange &row = difference.operators[at];
        json["operators"].push_back({{"key", row.key},
                                     {"level", row.level},
                                     {"count", row.count},
                                     {"host_self", row.hostSelf},
                                     {"device", row.device},
                                     {"delta", row.delta},
                                     {"state", textOf(row.state)}});
    }
    for (std::size_t at = 0; at < shown(difference.kernels.size()); ++at) {
        const KernelChange &row = difference.kernels[at];
        json["kernels"].push_back({{"class", classText(row.workClass)},
                                   {"name", row.name},
                                   {"level", row.level},
                                   {"count", row.count},
                                   {"total", row.total},
                                   {"delta", row.delta},
                                   {"state", textOf(row.state)}});
    }
    return jsonText(json);
}

} // namespace vramscope
