// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/problems_text.h"

#include "core/base/format.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"

#include <utility>

namespace vramscope {

std::string problemsText(std::span<const Problem> problems, const std::string &file)
{
    std::string text;
    for (const Problem &each : problems)
        text += paragraph((file.empty() ? "Problem: " : "Problem of " + printable(file) + ": ") +
                          problemText(each));
    return text.empty() ? text : text + "\n";
}

Json problemsJson(std::span<const Problem> problems)
{
    return listJson(problems, [](const Problem &each) -> Json {
        return {{"kind", each.kind},
                {"count", each.count},
                {"first", orNull(each.firstOffset >= 0, each.firstOffset)}};
    });
}

Json sidesProblemsJson(std::span<const Problem> a, std::span<const Problem> b)
{
    Json both = Json::array();
    for (const auto &[side, problems] : {std::pair("a", a), std::pair("b", b)}) {
        for (Json &each : problemsJson(problems)) {
            each["side"] = side;
            both.push_back(std::move(each));
        }
    }
    return both;
}

} // namespace vramscope
