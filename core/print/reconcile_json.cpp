// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/reconcile_report.h"

#include "core/base/json_text.h"
#include "core/describe/reconcile_tables.h"
#include "core/print/json_parts.h"
#include "core/table/json_rows.h"

#include <nlohmann/json.hpp>

#include <array>
#include <string_view>

// A plan compared with a recording, as JSON.

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kKinds = {"fact", "setting", "not_reached", "part"};

Json sideBytesJson(const SideBytes &side)
{
    Json json;
    for (std::size_t at = 0; at < kCategoryCount; ++at)
        json[std::string(categoryName(static_cast<Category>(at)))] = side.byCategory[at];
    json["unknown"] = side.unknown;
    json["total"] = side.total();
    return json;
}

Json momentJson(const MatchedMoment &moment)
{
    return {{"name", moment.name},
            {"predicted_at", moment.predictedAt.empty() ? Json() : Json(moment.predictedAt)},
            {"event", moment.found ? Json(moment.event) : Json()},
            {"how", moment.how},
            {"cut_off", moment.cutOff},
            {"predicted", moment.predictedAt.empty() ? Json() : sideBytesJson(moment.predicted)},
            {"recorded", moment.found ? sideBytesJson(moment.recorded) : Json()}};
}

Json reasonsJson(const std::vector<Reason> &reasons)
{
    Json json = Json::array();
    for (const Reason &reason : reasons) {
        Json settings = Json::object();
        for (const FieldSetting &setting : reason.settings)
            settings[std::string(setting.path)] = valueJson(setting.value);
        json.push_back({{"kind", kKinds[static_cast<std::size_t>(reason.kind)]},
                        {"text", reason.text},
                        {"bytes", reason.bytes},
                        {"explains", reason.explains},
                        {"settings", std::move(settings)}});
    }
    return json;
}

Json failedJson(const std::optional<FailedRequest> &failed)
{
    if (!failed)
        return {};
    Json names = Json::array();
    for (const SizeName &name : failed->names)
        names.push_back({{"text", name.text},
                         {"formula", name.formula},
                         {"category", categoryName(name.category)},
                         {"bytes", name.bytes}});
    return {{"event", failed->event},
            {"bytes", failed->bytes},
            {"place", failed->place},
            {"names", std::move(names)}};
}

} // namespace

std::string reconcileJson(const ReconcileFindings &findings)
{
    const Reconciliation &it = findings.reconciliation;
    Json json{
        {"plan", findings.plan},
        {"trace", findings.trace},
        {"device", findings.device},
        {"step", it.step},
        {"why_this_step", it.whyThisStep},
        {"first_step", it.firstStep},
        {"moments", Json::array()},
        {"compared", it.moments.empty() ? Json() : Json(it.compared)},
        {"failed", failedJson(it.failed)},
        {"reasons", reasonsJson(it.reasons)},
        {"unexplained", it.unexplained},
        {"candidates", reasonsJson(it.candidates)},
        {"levels", rowsJson(levelPairsTable(it.levels), {"name", "predicted", "recorded", "how"})},
        {"calibrations", rowsJson(calibrationsTable(it.calibrations),
                                  {"field", "label", "planned", "recorded", "how"})},
        {"remarks", it.remarks}};
    for (const MatchedMoment &moment : it.moments)
        json["moments"].push_back(momentJson(moment));
    return jsonText(json);
}

} // namespace vramscope
