// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/study/study.h"
#include "core/print/oom_remedies.h"
#include "core/print/replay_report.h"

#include "core/base/json_text.h"

#include <nlohmann/json.hpp>

// A replay as JSON.

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

const char *endName(ReplayEnd end)
{
    switch (end) {
    case ReplayEnd::Complete:
        return "none";
    case ReplayEnd::NothingRecorded:
        return "nothing_recorded";
    case ReplayEnd::NoAddresses:
        return "no_addresses";
    case ReplayEnd::OtherAllocator:
        return "other_allocator";
    case ReplayEnd::OtherSettings:
        return "other_settings";
    case ReplayEnd::Contradiction:
        return "contradiction";
    case ReplayEnd::UnknownSizes:
        return "unknown_sizes";
    case ReplayEnd::UnknownReach:
        return "unknown_reach";
    case ReplayEnd::RestoredPool:
        return "restored_pool";
    case ReplayEnd::Unexplained:
        break;
    }
    return "unexplained";
}

const char *kindName(SettingIssue::Kind kind)
{
    switch (kind) {
    case SettingIssue::Kind::Unknown:
        return "unknown";
    case SettingIssue::Kind::BadValue:
        return "bad_value";
    case SettingIssue::Kind::Contradicts:
        return "contradicts";
    case SettingIssue::Kind::TooNew:
        return "too_new";
    case SettingIssue::Kind::NotSimulated:
        break;
    }
    return "not_simulated";
}

Json figuresJson(const AllocatorFigures &figures, Bytes strandedAtPeak, EventIndex peakEvent)
{
    return {{"peak_reserved", figures.peakReserved},
            {"peak_reserved_event", peakEvent},
            {"stranded_at_peak", strandedAtPeak},
            {"peak_allocated", figures.peakAllocated},
            {"peak_active", figures.peakActive},
            {"reserved_end", figures.reserved},
            {"allocated_end", figures.allocated},
            {"active_end", figures.active},
            {"requested_end", figures.requested},
            {"inactive_split_end", figures.inactiveSplit},
            {"driver_allocations", figures.driverAllocations},
            {"driver_frees", figures.driverFrees},
            {"retries", figures.retries},
            {"synchronizations", figures.synchronizations},
            {"out_of_memory", figures.outOfMemory}};
}

Json whatIfJson(const WhatIfs &whatIfs, const WhatIf &asked)
{
    Json issues = Json::array();
    for (const SettingIssue &issue : asked.issues)
        issues.push_back(
            {{"key", issue.key}, {"kind", kindName(issue.kind)}, {"text", issue.text}});
    const SimulationResult &result = asked.result;
    Json json{
        {"configuration", asked.configuration}, {"simulated", asked.simulated}, {"issues", issues}};
    if (!asked.simulated)
        return json;
    json["figures"] = figuresJson(result.figures, result.strandedAtPeak, result.peakEvent);
    json["out_of_memory_event"] = result.runsOut() ? Json(*result.outOfMemoryEvent) : Json();
    json["failed"] = result.failed;
    json["rescued"] = result.rescued;
    const std::optional<Bytes> left = whatIfs.leftAfterFailure(asked);
    json["left_after_failure"] = left ? Json(*left) : Json();
    return json;
}

Json restJson(const std::optional<LastFailure> &failure)
{
    if (!failure)
        return {};
    const RestOfStep &rest = failure->rest;
    return {{"recording_ends", rest.endsThere},
            {"more", rest.isKnown ? Json(rest.more) : Json()},
            {"as_in_step", rest.isKnown ? Json(rest.step) : Json()},
            {"text", restText(rest, ByteUnit::Binary)}};
}

Json textOrNull(const std::string &text)
{
    return text.empty() ? Json() : Json(text);
}

} // namespace

std::string replayJson(const Study &study, const WhatIfs *whatIfs, const std::string &file)
{
    const Replay &replay = study.replay();
    Json json{{"file", file},
              {"device", study.device().device},
              {"events", replay.events},
              {"exact", replay.exact()},
              {"exact_events", replay.exactEvents},
              {"complete_history", replay.fromStart},
              {"cause", endName(replay.end)},
              {"reason", textOrNull(replay.reason)},
              {"difference", textOrNull(replay.difference)},
              {"other_blocks", replay.otherBlocks},
              {"capacity", replay.capacity < 0 ? Json() : Json(replay.capacity)},
              {"figures", figuresJson(replay.figures, replay.strandedAtPeak, replay.peakEvent)}};
    if (whatIfs) {
        const bool known = whatIfs->capacity != kUnknownCapacity;
        json["capacity"] = known ? Json(whatIfs->capacity) : Json();
        Json settings = Json::array({whatIfJson(*whatIfs, whatIfs->recorded)});
        for (const WhatIf &asked : whatIfs->others)
            settings.push_back(whatIfJson(*whatIfs, asked));
        json["settings"] = settings;
        json["recommended"] =
            whatIfs->best ? Json(whatIfs->others[*whatIfs->best].configuration) : Json();
        json["rest_of_step"] = restJson(whatIfs->lastFailure);
        json["addresses"] = whatIfs->addresses == AddressOrder::Falling ? "falling" : "rising";
        json["peak_reserved_other_order"] =
            whatIfs->peakInOtherOrder ? Json(*whatIfs->peakInOtherOrder) : Json();
    }
    return jsonText(json);
}

} // namespace vramscope
