// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/redacted_plan.h"

#include "core/base/json_text.h"
#include "core/model/catalogue_shapes.h"
#include "core/settings/settings.h"

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

Json configOf(const std::optional<std::string> &config)
{
    return config ? parsedJson(*config) : Json();
}

void gatherConfig(Redaction &redaction, const std::optional<std::string> &text)
{
    Json config = configOf(text);
    visitTexts(config, {}, [&](const std::string &value, std::string_view) {
        redaction.gather(value, Redaction::Kind::Path);
    });
}

void redactConfig(const Redaction &redaction, std::optional<std::string> &text)
{
    Json config = configOf(text);
    if (!config.is_object())
        return;
    visitTexts(config, {}, [&](std::string &value, std::string_view key) {
        value = isChosen(key) ? redaction.fileName(value) : redaction.path(value);
    });
    text = config.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A name that the catalogue does not have is the user's own.
void redactModel(const Redaction &redaction, std::optional<std::string> &name)
{
    if (name && !findCatalogueShape(*name))
        name = redaction.title(*name);
}

} // namespace

void gatherPlan(Redaction &redaction, const Plan &plan)
{
    if (plan.name)
        redaction.gather(*plan.name, Redaction::Kind::Prose);
    for (const std::string &mark : plan.overheads.calibrated.value_or(std::vector<std::string>()))
        redaction.gatherFileName(std::string_view(mark).substr(fileIn(mark)));
    gatherConfig(redaction, plan.model.config);
    gatherConfig(redaction, plan.model.components);
    gatherConfig(redaction, plan.inference.speculative.config);
}

Plan redactedPlan(const Redaction &redaction, Plan plan)
{
    if (plan.name)
        plan.name = redaction.title(*plan.name);
    const Settings settings = resolve(plan).settings;
    redactModel(redaction, plan.model.preset);
    redactModel(redaction, plan.inference.speculative.model);
    if (plan.model.pipeline && !settings.diffusion)
        plan.model.pipeline = redaction.title(*plan.model.pipeline);
    if (plan.hardware.gpu && !settings.gpu)
        plan.hardware.gpu = redaction.title(*plan.hardware.gpu);
    if (plan.hardware.gpuList && settings.gpuList.size() != plan.hardware.gpuList->size())
        for (std::string &name : *plan.hardware.gpuList)
            name = redaction.title(name);
    if (plan.overheads.calibrated) {
        for (std::string &mark : *plan.overheads.calibrated)
            mark.replace(fileIn(mark), mark.npos, redaction.fileName(mark.substr(fileIn(mark))));
    }
    redactConfig(redaction, plan.model.config);
    redactConfig(redaction, plan.model.components);
    redactConfig(redaction, plan.inference.speculative.config);
    return plan;
}

LogAgainstPlan redactedAgainst(const Redaction &redaction, LogAgainstPlan against)
{
    const auto clean = [&](std::string &text) {
        text = redaction.text(text, Redaction::Kind::Prose);
    };
    const auto cleanSettings = [&](std::vector<LogPlanSetting> &settings) {
        for (LogPlanSetting &setting : settings) {
            setting.value = redaction.value(setting.subject, setting.value);
            clean(setting.how);
        }
    };
    against.plan.plan = redactedPlan(redaction, std::move(against.plan.plan));
    cleanSettings(against.plan.settings);
    std::ranges::for_each(against.plan.notTold, clean);
    clean(against.comparison.whyNot);
    if (against.takeOver) {
        against.takeOver->plan = redactedPlan(redaction, std::move(against.takeOver->plan));
        cleanSettings(against.takeOver->taken);
        std::ranges::for_each(against.takeOver->notTaken, clean);
    }
    return against;
}

} // namespace vramscope
