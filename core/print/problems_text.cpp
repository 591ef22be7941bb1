// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/problems_text.h"

#include "core/base/format.h"
#include "core/print/cells.h"
#include "core/table/text_table.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace vramscope {

std::string problemsText(std::span<const Problem> problems, const std::string &file)
{
    std::string text;
    for (const Problem &each : problems)
        text += wrapped((file.empty() ? "Problem: " : "Problem of " + printable(file) + ": ") +
                            problemText(each),
                        kTableWidth) +
                "\n";
    return text.empty() ? text : text + "\n";
}

nlohmann::ordered_json problemsJson(std::span<const Problem> problems)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Problem &each : problems)
        json.push_back(
            {{"kind", each.kind},
             {"count", each.count},
             {"first", each.firstOffset < 0 ? nlohmann::ordered_json()
                                            : nlohmann::ordered_json(each.firstOffset)}});
    return json;
}

nlohmann::ordered_json sidesProblemsJson(std::span<const Problem> a, std::span<const Problem> b)
{
    nlohmann::ordered_json both = nlohmann::ordered_json::array();
    for (const auto &[side, problems] : {std::pair("a", a), std::pair("b", b)}) {
        for (nlohmann::ordered_json &each : problemsJson(problems)) {
            each["side"] = side;
            both.push_back(std::move(each));
        }
    }
    return both;
}

} // namespace vramscope
