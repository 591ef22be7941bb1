// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/redacted_plan.h"

#include "core/base/json_text.h"
#include "core/planner/catalogue_shapes.h"
#include "core/planner/settings.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

/// Calls `visit` with every text in a value and its key, however deep; a config of a plan is not
/// deep.
template<class Visit>
void visitTexts(Json &value, std::string_view key, const Visit &visit)
{
    if (value.is_string())
        visit(value.get_ref<std::string &>(), key);
    for (auto member = value.begin(); value.is_structured() && member != value.end(); ++member)
        visitTexts(*member, value.is_object() ? std::string_view(member.key()) : key, visit);
}

/// Whether people choose the texts under a key; others are words that the planner reads.
bool isChosen(std::string_view key)
{
    constexpr std::array<std::string_view, 9> kChosen{
        "_name_or_path", "name_or_path", "name",       "author",
        "title",         "run_name",     "base_model", "base_model_name_or_path",
        "tokenizer_name"};
    return std::ranges::find(kChosen, key) != kChosen.end();
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
    const auto &stated = plan.model.config ? plan.model.config : plan.model.components;
    return stated ? parsedJson(*stated) : Json();
}

} // namespace

void gatherPlan(Redaction &redaction, const Plan &plan)
{
    if (plan.name)
        redaction.gather(*plan.name, Redaction::Kind::Prose);
    for (const std::string &mark : plan.overheads.calibrated.value_or(std::vector<std::string>()))
        redaction.gatherFileName(std::string_view(mark).substr(fileIn(mark)));
    Json config = configOf(plan);
    visitTexts(config, {}, [&](const std::string &text, std::string_view) {
        redaction.gather(text, Redaction::Kind::Path);
    });
}

Plan redactedPlan(const Redaction &redaction, Plan plan)
{
    if (plan.name)
        plan.name = redaction.title(*plan.name);
    const Settings settings = resolve(plan).settings;
    if (plan.model.preset && !findCatalogueShape(*plan.model.preset))
        plan.model.preset = redaction.title(*plan.model.preset);
    if (plan.model.pipeline && !settings.diffusion)
        plan.model.pipeline = redaction.title(*plan.model.pipeline);
    if (plan.hardware.gpu && !settings.gpu)
        plan.hardware.gpu = redaction.title(*plan.hardware.gpu);
    if (plan.overheads.calibrated) {
        for (std::string &mark : *plan.overheads.calibrated)
            mark.replace(fileIn(mark), mark.npos, redaction.fileName(mark.substr(fileIn(mark))));
    }
    Json config = configOf(plan);
    if (!config.is_object())
        return plan;
    visitTexts(config, {}, [&](std::string &text, std::string_view key) {
        text = isChosen(key) ? redaction.fileName(text) : redaction.path(text);
    });
    (plan.model.config ? plan.model.config : plan.model.components) =
        config.dump(-1, ' ', false, Json::error_handler_t::replace);
    return plan;
}

} // namespace vramscope
