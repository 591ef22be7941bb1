// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/seed_facts.h"

#include "core/base/exact.h"
#include "core/base/shipped_documents.h"
#include "core/catalog/gpus.h"
#include "core/plan/plan_json.h"
#include "core/settings/settings.h"
#include "core/validation/figure.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace vramscope {

namespace {

Result<Plan> changedPlan(std::string_view name, std::string_view change)
{
    using Json = nlohmann::json;
    const std::string_view document =
        shippedDocument("examples/" + std::string(name) + ".vramplan");
    if (document.empty())
        return Error{ErrorCode::NotFound, "There is no example " + std::string(name) + '.'};
    if (change.empty())
        return parsePlan(document);
    Json json = Json::parse(document, nullptr, false);
    const Json patch = Json::parse(change, nullptr, false);
    if (json.is_discarded() || patch.is_discarded())
        return Error{ErrorCode::Malformed, "The change of " + std::string(name) + " is no JSON."};
    json.merge_patch(patch);
    return parsePlan(json.dump());
}

} // namespace

double SeedFacts::figure(std::string_view plan, std::string_view path, std::string_view change)
{
    const Result<double> figure = figureOf(answer(plan, change).estimate, path);
    if (!figure)
        fail(std::string(plan) + ": " + figure.error().text());
    return figure ? *figure : 0;
}

double SeedFacts::most(std::string_view plan, Category category, std::string_view change)
{
    const Estimate &estimate = answer(plan, change).estimate;
    if (!estimate.computed)
        fail(std::string(plan) + ": " + whyNotComputed(estimate));
    Bytes most = 0;
    for (const Moment &moment : estimate.moments) {
        Exact sum;
        for (const Component &component : moment.components)
            sum += component.category == category ? component.bytes : 0;
        most = std::max(most, sum.value());
    }
    return number(most);
}

const Settings &SeedFacts::settings(std::string_view plan)
{
    return answer(plan, {}).settings;
}

ParameterCounts SeedFacts::counts(std::string_view plan)
{
    return countParameters(settings(plan).architecture);
}

double SeedFacts::sharded(std::string_view plan, double bytesPerParameter)
{
    return bytesPerParameter * figure(plan, "parameters.total") / number(settings(plan).data);
}

double SeedFacts::savedByCheckpointing(std::string_view plan)
{
    constexpr std::string_view kNone = R"({"activations":{"checkpointing":"none"}})";
    const double without = most(plan, Category::Activations, kNone);
    return without > 0 ? 1 - most(plan, Category::Activations) / without : 0;
}

double SeedFacts::capacity(std::string_view gpu)
{
    const GpuPreset *preset = findGpuPreset(gpu);
    if (preset == nullptr || preset->capacity <= 0)
        fail("The memory of " + std::string(gpu) + " is not known.");
    return preset == nullptr ? 0 : number(preset->capacity);
}

std::optional<Error> SeedFacts::takeError()
{
    return std::exchange(m_error, std::nullopt);
}

const SeedFacts::Answer &SeedFacts::answer(std::string_view plan, std::string_view change)
{
    const auto [place, fresh] = m_answers.try_emplace({std::string(plan), std::string(change)});
    if (fresh) {
        const Result<Plan> changed = changedPlan(plan, change);
        if (changed)
            place->second = {resolve(*changed).settings, estimate(*changed)};
        else
            fail(changed.error().text());
    }
    return place->second;
}

void SeedFacts::fail(std::string text)
{
    if (!m_error)
        m_error = Error{ErrorCode::Invalid, std::move(text)};
}

} // namespace vramscope
