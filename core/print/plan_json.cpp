// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/choices.h"
#include "core/plan/plan.h"
#include "core/print/plan_report.h"

#include "core/base/json_text.h"
#include "core/catalog/links.h"
#include "core/estimate/rollout/rollout_memory.h"
#include "core/estimate/verdict.h"
#include "core/model/missing_parts.h"
#include "core/print/json_parts.h"
#include "core/print/time_report.h"
#include "core/settings/settings.h"

#include <optional>

namespace vramscope {

namespace {

Json known(std::int64_t count)
{
    return orNull(count > 0, count);
}

Json componentsJson(const std::vector<Component> &components)
{
    return listJson(components, [](const Component &component) -> Json {
        return {{"category", categoryName(component.category)},
                {"name", component.name},
                {"bytes", component.bytes},
                {"formula", component.formula},
                {"source", component.source}};
    });
}

Json planMomentJson(const Moment &moment)
{
    return {{"name", moment.name},
            {"allocated", moment.allocated},
            {"components", componentsJson(moment.components)}};
}

/// Of reinforcement learning: who has how much of the device in which phase.
Json phasesJson(const Estimate &estimate)
{
    return listJson(rolloutPhases(estimate), [&](const RolloutPhase &phase) -> Json {
        return {{"name", phase.name},
                {"at", estimate.moments[phase.moment].name},
                {"trainer", phase.trainer},
                {"engine", phase.engine},
                {"device", phase.device}};
    });
}

Json stagesJson(const Estimate &estimate)
{
    Json json = Json::array();
    for (std::size_t stage = 0; stage < estimate.stages.size(); ++stage)
        json.push_back({{"stage", stage}, {"allocated", estimate.stages[stage]}});
    return json;
}

Json poolRangeJson(const InferenceFigures &figures)
{
    if (figures.kvCacheLow == figures.kvCacheHigh)
        return nullptr;
    return {{"low", figures.kvCacheLow}, {"high", figures.kvCacheHigh}};
}

Json inferenceJson(const std::optional<InferenceFigures> &figures)
{
    if (!figures)
        return nullptr;
    return {{"weights", figures->weights},
            {"kv_bytes_per_token", figures->kvBytesPerToken},
            {"state_bytes_per_sequence", figures->stateBytesPerSequence},
            {"activation_peak", figures->activationPeak},
            {"non_torch", figures->nonTorch},
            {"kv_cache", figures->kvCache},
            {"kv_cache_range", poolRangeJson(*figures)},
            {"kv_blocks", figures->kvBlocks},
            {"kv_tokens", figures->kvTokens},
            {"kv_tokens_printed", figures->printedTokens},
            {"max_concurrency", figures->maxConcurrency},
            {"max_context", figures->maxContext},
            {"block_waste", figures->blockWaste}};
}

/// What offloading takes of the host, and the seconds of a step that its link is busy.
Json hostJson(const Estimate &estimate)
{
    if (estimate.settings && estimate.settings->diffusion)
        return {{"bytes", estimate.hostBytes}}; // what moves with each component is not counted
    Json seconds;                               // none where both share one memory
    for (const HostLink &link : kHostLinks)
        if (!estimate.inOneMemory())
            seconds[std::string(link.name)] =
                link.seconds(estimate.toHostBytes, estimate.toDeviceBytes);
    return {{"bytes", estimate.hostBytes},
            {"to_host_per_step", estimate.toHostBytes},
            {"to_device_per_step", estimate.toDeviceBytes},
            {"seconds_per_step", std::move(seconds)}};
}

Json issueJson(const Issue &issue)
{
    return {{"field", issue.field}, {"text", issue.text}};
}

} // namespace

std::string planEstimateJson(const Plan &plan, const Estimate &estimate, const std::string &file)
{
    const bool computed = estimate.computed;
    const auto figure = [computed](const auto &value) { return orNull(computed, value); };
    const std::optional<Verdict> verdict = verdictOf(estimate);
    Json json = {{"file", file},
                 {"name", orNull(plan.name)},
                 {"workload", choiceText(plan.workload.value_or(Workload::Training))},
                 {"parameters",
                  {{"total", known(estimate.parametersTotal)},
                   {"active", known(estimate.parametersActive)},
                   {"per_rank", known(estimate.parametersPerRank)}}},
                 {"peak",
                  {{"allocated", figure(estimate.peakAllocated)},
                   {"reserved", figure(estimate.peakReserved)},
                   {"device", figure(estimate.peakDevice)},
                   {"at", figure(estimate.peakAt)}}},
                 {"first_step_peak",
                  {{"allocated", figure(estimate.firstStepAllocated)},
                   {"reserved", figure(estimate.firstStepReserved)},
                   {"at", figure(estimate.firstStepAt)}}},
                 {"at_rest", {{"allocated", figure(estimate.atRest)}}},
                 {"capacity", orNull(estimate.capacity)},
                 {"headroom", computed ? orNull(estimate.headroom) : Json()},
                 {"fits", computed ? orNull(estimate.fits) : Json()},
                 {"answer", answerLine(plan, estimate)},
                 {"verdict", verdict ? Json(verdictKey(*verdict)) : Json()},
                 {"uncertainty",
                  {{"low", figure(estimate.uncertaintyLow)},
                   {"high", figure(estimate.uncertaintyHigh)},
                   {"reserved_low", figure(estimate.reservedLow)},
                   {"reserved_high", figure(estimate.reservedHigh)}}},
                 {"range",
                  {{"class", textOrNull(estimate.bandClass)},
                   {"widened_by", textOrNull(estimate.bandWidenedBy)},
                   {"source", textOrNull(rangeSourceText(estimate))}}},
                 {"components", computed ? componentsJson(estimate.components()) : Json::array()},
                 {"outside", computed ? componentsJson(estimate.outside) : Json::array()},
                 {"moments", computed ? listJson(estimate.moments, planMomentJson) : Json::array()},
                 {"stages", computed ? stagesJson(estimate) : Json::array()},
                 {"inference", computed ? inferenceJson(estimate.inference) : Json()},
                 {"host", computed ? hostJson(estimate) : Json()},
                 {"communication", {{"bytes_per_step", figure(estimate.communicationBytes)}}},
                 {"side_effects",
                  {{"recompute_share", figure(estimate.recomputeShare)},
                   {"bubble_share", figure(estimate.bubbleShare)}}},
                 {"time", timeJson(estimate)},
                 {"not_counted", notCounted(estimate.issues)},
                 {"issues", listJson(estimate.issues, issueJson)}};
    if (computed && estimate.hasRollout())
        json["phases"] = phasesJson(estimate);
    return jsonText(json);
}

} // namespace vramscope
