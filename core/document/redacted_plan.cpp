// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/redacted_plan.h"

#include <nlohmann/json.hpp>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

/// Calls `visit` with every text in a value, however deep; a config of a plan is not deep.
template<class Visit>
void visitTexts(Json &value, const Visit &visit)
{
    if (value.is_string())
        visit(value.get_ref<std::string &>());
    else if (value.is_structured()) {
        for (Json &member : value)
            visitTexts(member, visit);
    }
}

/// Where in a mark "FIELD from FILE" the file begins.
std::size_t fileIn(std::string_view mark)
{
    constexpr std::string_view kFrom = " from ";
    const std::size_t from = mark.find(kFrom);
    return from == mark.npos ? 0 : from + kFrom.size();
}

Json configOf(const Plan &plan)
{
    return plan.model.config ? Json::parse(*plan.model.config, nullptr, false) : Json();
}

} // namespace

void gatherPlan(Redaction &redaction, const Plan &plan)
{
    if (plan.name)
        redaction.gather(*plan.name, Redaction::Kind::Prose);
    for (const std::string &mark : plan.overheads.calibrated.value_or(std::vector<std::string>()))
        redaction.gatherFileName(std::string_view(mark).substr(fileIn(mark)));
    Json config = configOf(plan);
    visitTexts(config, [&](std::string &text) { redaction.gather(text, Redaction::Kind::Path); });
}

Plan redactedPlan(const Redaction &redaction, Plan plan)
{
    if (plan.name)
        plan.name = redaction.text(*plan.name, Redaction::Kind::Prose);
    if (plan.overheads.calibrated) {
        for (std::string &mark : *plan.overheads.calibrated)
            mark.replace(fileIn(mark), mark.npos, redaction.path(mark.substr(fileIn(mark))));
    }
    Json config = configOf(plan);
    if (!config.is_object())
        return plan;
    visitTexts(config, [&](std::string &text) { text = redaction.path(text); });
    plan.model.config = config.dump(-1, ' ', false, Json::error_handler_t::replace);
    return plan;
}

} // namespace vramscope
