// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"
#include "core/print/fit_report.h"

#include "core/base/json_text.h"
#include "core/model/missing_parts.h"
#include "core/print/fit_parts.h"
#include "core/print/recommendation_report.h"

#include <nlohmann/json.hpp>

#include <type_traits>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

Json layoutJson(const Layout &layout)
{
    Json json = {{"fields", fieldsJson(layout.fields)}};
    addFitSummary(json, layout.standing);
    json["recompute_share"] = layout.recomputeShare;
    json["bubble_share"] = layout.bubbleShare;
    json["communication_bytes"] = layout.communicationBytes;
    json["cache_tokens"] = layout.cacheTokens;
    json["tokens"] = layout.tokens;
    return json;
}

Json triedJson(std::string_view field, const std::optional<TriedValue> &tried)
{
    if (!tried)
        return nullptr;
    Json json = {{"field", field}, {"value", tried->value}};
    addFitSummary(json, tried->standing);
    return json;
}

Json gpusJson(const std::optional<std::int64_t> &gpus, const std::optional<Layout> &layout)
{
    if (!gpus || !layout)
        return nullptr;
    Json json = {{"field", "hardware.gpus"}, {"value", *gpus}};
    json.update(layoutJson(*layout));
    return json;
}

Json wayJson(const WayToFit &way)
{
    Json json = {{"title", way.title},
                 {"price", way.price},
                 {"fields", fieldsJson(way.fields)},
                 {"saved", way.saved}};
    json["cache"] = way.cache ? Json({{"bytes", way.cache->bytes},
                                      {"tokens", way.cache->tokens},
                                      {"sequences", way.cache->sequences}})
                              : Json();
    addFitSummary(json, way.standing);
    json["costs"] = {{"recompute_share", way.recomputeShare},
                     {"bubble_share", way.bubbleShare},
                     {"communication_bytes", way.communicationBytes},
                     {"host_bytes", way.hostBytes},
                     {"gpus", way.gpus},
                     {"changes_results", way.changesResults}};
    return json;
}

/// Writes what was found into the members of the answer.
struct Write
{
    Json &json;
    std::string_view field;

    void operator()(const std::vector<WayToFit> &ways) const
    {
        for (const WayToFit &way : ways)
            json["ways"].push_back(wayJson(way));
    }
    void operator()(const ValueThatFits &it) const
    {
        json["answer"] = triedJson(field, it.answer);
        json["next"] = triedJson(field, it.next);
        json["step"] = it.step;
        json["evaluated"] = it.evaluated;
        json["note"] = it.note;
    }
    void operator()(const FewestGpus &it) const
    {
        json["answer"] = gpusJson(it.gpus, it.layout);
        json["next"] = gpusJson(it.triedBefore, it.before);
        json["evaluated"] = it.evaluated;
        json["note"] = it.note;
    }
    void operator()(const EngineShare &it) const
    {
        const auto share = [](const std::optional<double> &value) {
            return value ? Json(*value) : Json();
        };
        json["answer"] = {{"field", field},
                          {"value", it.inForce},
                          {"cache", it.cache},
                          {"least", share(it.least)},
                          {"most", share(it.most)}};
        json["same_cache"] = Json::array();
        for (const CacheAtShare &each : it.same)
            json["same_cache"].push_back({{"engine", each.engine},
                                          {"field", each.field.text()},
                                          {"value", each.share},
                                          {"cache", each.cache}});
    }
    void operator()(const Layouts &it) const
    {
        for (const Layout &layout : it.best)
            json["layouts"].push_back(layoutJson(layout));
        json["nearest"] = Json::array();
        for (const Layout &layout : it.nearest)
            json["nearest"].push_back(layoutJson(layout));
        json["note"] = it.held;
        json["evaluated"] = it.evaluated;
        json["fitting"] = it.fitting;
        json["pareto"] = it.pareto;
    }
};

} // namespace

std::string fitJson(const Plan &plan, const Fit &fit, const std::string &file)
{
    Json json = {{"file", file},
                 {"name", plan.name ? Json(*plan.name) : Json()},
                 {"vary", fit.vary},
                 {"capacity", fit.capacity},
                 {"not_counted", notCounted(missingParts(plan))},
                 {"answer", nullptr},
                 {"next", nullptr},
                 {"layouts", Json::array()},
                 {"evaluated", nullptr},
                 {"fitting", nullptr},
                 {"ways", Json::array()}};
    if (fit.vary.empty())
        json["recommendation"] = recommendationJson(fit.recommendation);
    std::visit(Write{json, fit.vary.empty() ? std::string_view() : fit.vary.front()}, fit.found);
    return jsonText(json);
}

} // namespace vramscope
