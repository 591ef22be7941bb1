// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/oom_report.h"

#include "core/analysis/study/study.h"
#include "core/base/json_text.h"
#include "core/print/json_parts.h"
#include "core/print/oom_remedies.h"

#include <nlohmann/json.hpp>

// A failed allocation as JSON.

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

Json bandsAndSum(const Bands &bands)
{
    Json json = bandsJson(bands);
    json["reserved"] = bands.reserved();
    return json;
}

Json domainsJson(const Trace &trace, const Fragmentation &fragmentation)
{
    Json json = Json::array();
    for (const FreeDomain &domain : fragmentation.domains) {
        const Pool &pool = trace.pools()[static_cast<std::size_t>(domain.pool)];
        json.push_back({{"pool", {pool.first, pool.second}},
                        {"stream", trace.streams()[static_cast<std::size_t>(domain.stream)]},
                        {"size_class", domain.large ? "large" : "small"},
                        {"reserved", domain.reserved},
                        {"stranded", domain.stranded},
                        {"releasable", domain.releasable},
                        {"holes", domain.holes},
                        {"largest_hole", domain.largestHole}});
    }
    return json;
}

Json pinsJson(const Trace &trace, const Fragmentation &fragmentation)
{
    Json json = Json::array();
    for (const Pin &pin : fragmentation.pins)
        json.push_back({{"alone", pin.alone},
                        {"with_others", pin.shared},
                        {"blocks", pin.blocks},
                        {"bytes", pin.size},
                        {"frames", framesJson(trace, pin.stack)}});
    return json;
}

Json liveJson(const Trace &trace, const std::vector<LiveGroup> &live)
{
    Json json = Json::array();
    for (const LiveGroup &group : live)
        json.push_back({{"bytes", group.bytes},
                        {"count", group.count},
                        {"frames", framesJson(trace, group.stack)}});
    return json;
}

Json boolOrNull(std::optional<bool> value)
{
    return value ? Json(*value) : Json();
}

Json inUseJson(const std::vector<LiveKind> &live)
{
    Json json = Json::array();
    for (const LiveKind &kind : live)
        json.push_back({{"category", memoryCategoryName(kind.category)}, {"bytes", kind.bytes}});
    return json;
}

Json restOfStepJson(const OutOfMemoryReport &failure, const OutOfMemoryAdvice &advice)
{
    const RestOfStep &rest = advice.rest;
    return {{"recording_ends", rest.endsThere},
            {"more", rest.isKnown ? Json(rest.more) : Json()},
            {"as_in_step", rest.isKnown ? Json(rest.step) : Json()},
            {"asked_there", rest.isKnown ? Json(rest.askedThere) : Json()},
            {"left_after_request", failure.isLeftTold() ? Json(advice.left) : Json()},
            {"text", stepText(failure, advice, ByteUnit::Binary)}};
}

Json remediesJson(const OutOfMemoryReport &failure, const OutOfMemoryAdvice &advice)
{
    Json json = Json::array();
    const std::vector<RemedyText> texts = remedyTexts(failure, advice, ByteUnit::Binary);
    for (std::size_t at = 0; at < texts.size(); ++at) {
        const Remedy &remedy = advice.remedies[at];
        json.push_back({{"change", remedyName(remedy.kind)},
                        {"bytes", remedy.bytes},
                        {"at_most", remedy.atMost},
                        {"enough", boolOrNull(remedy.servesRequest)},
                        {"enough_for_step", boolOrNull(remedy.servesStep)},
                        {"title", texts[at].title},
                        {"text", texts[at].text}});
    }
    return json;
}

Json failureJson(const Study &study, const OutOfMemoryReport &failure,
                 const OutOfMemoryAdvice &advice)
{
    const Trace &trace = study.trace();
    const std::vector<std::int64_t> &times = study.device().events.time;
    const Release &release = failure.lastRelease;
    return {
        {"event", failure.event},
        {"time_us", times.empty() ? Json() : Json(times[static_cast<std::size_t>(failure.event)])},
        {"explanation", outOfMemoryParagraph(study, failure)},
        {"requested", failure.requested},
        {"needed", failure.needed},
        {"device_free", failure.deviceFree < 0 ? Json() : Json(failure.deviceFree)},
        {"shortage", failure.shortage},
        {"cause", outOfMemoryCauseName(failure.cause)},
        {"stream", trace.streams()[static_cast<std::size_t>(failure.stream)]},
        {"bands", bandsAndSum(failure.bands)},
        {"live_blocks", failure.liveBlocks},
        {"holes", failure.fragmentation.holes},
        {"largest_hole", failure.fragmentation.largestHole},
        {"free_for_it", failure.freeForIt},
        {"largest_hole_for_it", failure.largestForIt},
        {"last_release", release.bytes == 0 ? Json()
                                            : Json{{"first_event", release.first},
                                                   {"last_event", release.last},
                                                   {"bytes", release.bytes}}},
        {"frames", framesJson(trace, failure.stack)},
        {"in_use", inUseJson(advice.live)},
        {"rest_of_step", restOfStepJson(failure, advice)},
        {"remedies", remediesJson(failure, advice)},
        {"live", liveJson(trace, failure.live)},
        {"domains", domainsJson(trace, failure.fragmentation)},
        {"pins", pinsJson(trace, failure.fragmentation)}};
}

} // namespace

std::string outOfMemoryJson(const Study &study, const std::string &file)
{
    Json json{{"file", file},
              {"device", study.device().device},
              {"failed", study.device().outOfMemory.size()},
              {"failures", Json::array()}};
    for (std::size_t at = 0; at < study.failures().size(); ++at)
        json["failures"].push_back(failureJson(study, study.failures()[at], study.advice()[at]));
    return jsonText(json);
}

} // namespace vramscope
