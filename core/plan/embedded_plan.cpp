// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/embedded_plan.h"

#include "core/plan/plan_json.h"

namespace vramscope {

namespace {

constexpr std::string_view kOpening = "<script type=\"application/json\" id=\"vramscope-plan";
constexpr std::string_view kClosing = "</script>";
/// Of what stands between the mark and the first plan: title and the like.
constexpr std::size_t kFarthest = std::size_t(64) << 10;

} // namespace

std::string planElement(const Plan &plan, std::size_t number)
{
    std::string element(kOpening);
    element += (number > 1 ? "-" + std::to_string(number) : "") + "\">\n";
    return element + elementJson(planJson(plan)) + std::string(kClosing) + "\n";
}

std::optional<std::string_view> embeddedPlan(std::string_view text)
{
    if (!looksLikeReport(text))
        return std::nullopt;
    const std::size_t opening = text.substr(0, kFarthest).find(kOpening);
    if (opening == text.npos)
        return std::nullopt;
    const std::size_t first = text.find('>', opening);
    const std::size_t end = text.find(kClosing, opening);
    if (end == text.npos || first > end)
        return std::nullopt;
    return text.substr(first + 1, end - first - 1);
}

} // namespace vramscope
