// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/record_json.h"

#include <cmath>

namespace vramscope {

namespace {

using Json = RecordJson;

Json siteOrNull(const std::optional<SiteId> &site)
{
    return site ? Json(site->text()) : Json();
}

/// Four decimals: what a share is worth.
double roundedShare(double share)
{
    constexpr double kSteps = 10'000;
    return std::isfinite(share) ? std::round(share * kSteps) / kSteps : 0;
}

const char *knownByName(KnownBy by)
{
    switch (by) {
    case KnownBy::Name:
        return "name";
    case KnownBy::Folder:
        return "folder";
    case KnownBy::Stated:
        return "recording";
    case KnownBy::Nothing:
        break;
    }
    return nullptr;
}

Json knownByJson(KnownBy by)
{
    return knownByName(by) != nullptr ? Json(knownByName(by)) : Json();
}

Json recordHead(const char *kind, const RankSummary &rank)
{
    const SourceStamp &stamp = rank.source.stamp;
    return {{"kind", kind},
            {"source", rank.source.path},
            {"device", rank.device < 0 ? Json() : Json(rank.device)},
            {"mtime_us", stamp.modified},
            {"size", stamp.size},
            {"analysis", stamp.analysis}};
}

Json figuresJson(const DeviceSummary &figures)
{
    const auto known = [&](Bytes bytes) { return figures.isReservedKnown ? Json(bytes) : Json(); };
    Json actions = Json::object();
    for (std::size_t at = 0; at < kActionCount; ++at) {
        if (figures.actions[at] > 0)
            actions[std::string(actionName(static_cast<Action>(at)))] = figures.actions[at];
    }
    return {{"events", figures.events},
            {"segments", figures.segments},
            {"blocks", figures.blocks},
            {"reserved_end", known(figures.reservedEnd)},
            {"allocated_end", known(figures.allocatedEnd)},
            {"active_end", known(figures.activeEnd)},
            {"requested_end", known(figures.requestedEnd)},
            {"baseline", figures.baseline},
            {"peak_active", figures.peakActive},
            {"peak_active_event", figures.peakActiveEvent},
            {"peak_reserved", known(figures.peakReserved)},
            {"actions", std::move(actions)},
            {"streams", figures.streams},
            {"pools", figures.pools},
            {"time_span_us", jsonOrNull(figures.timeSpan)},
            {"stacks", figures.stacks},
            {"frames", figures.frames}};
}

Json peakJson(const SummaryPeak &peak)
{
    Json categories = Json::array();
    for (const SummaryPeak::Share &share : peak.categories)
        categories.push_back({categoryWord(share.category), share.tally.bytes, share.tally.count});
    return {{"reserved", peak.reserved},
            {"allocations", peak.allocations},
            {"categories", std::move(categories)},
            {"categories_sure", peak.areCategoriesSure},
            {"step", jsonOrNull(peak.step)},
            {"position", roundedShare(peak.position)},
            {"running", peak.running},
            {"stack", siteOrNull(peak.stack)},
            {"time_us", jsonOrNull(peak.time)}};
}

/// In the order of the alphabet.
std::vector<std::string> otherRecords(const RankSummary &rank)
{
    std::vector<std::string> records{"active"};
    if (rank.failureCount > 0)
        records.emplace_back("ooms");
    if (!rank.reserved.lowest.empty())
        records.emplace_back("reserved");
    if (rank.atFailure)
        records.emplace_back("sites oom");
    records.insert(records.end(), {"sites peak", "steps"});
    return records;
}

/// Which rank of the run it is, and where it ran.
void addRankNumber(Json &json, const RankSummary &rank)
{
    json["rank"] = jsonOrNull(rank.source.rank);
    json["rank_from"] = knownByJson(rank.source.rankBy);
    json["node"] = rank.source.node.empty() ? Json() : Json(rank.source.node);
    json["node_from"] = knownByJson(rank.source.nodeBy);
}

Json rankJson(const RankSummary &rank)
{
    Json json = recordHead("rank", rank);
    addRankNumber(json, rank);
    if (!rank.isUsable()) {
        json["error"] = rank.error;
        json["recording"] = rank.isRecording;
        return json;
    }
    json["format"] = rank.format;
    json["producer"] = rank.producer;
    json["figures"] = figuresJson(rank.figures);
    json["first_us"] = jsonOrNull(rank.firstTime);
    json["last_us"] = jsonOrNull(rank.lastTime);
    json["settings"] = Json::object();
    for (const Setting &setting : rank.settings)
        json["settings"][setting.name] = setting.value;
    json["problems"] = problemRows(rank.problems);
    json["problem_count"] = rank.problemCount;
    json["failure_count"] = rank.failureCount;
    json["peak"] = peakJson(rank.peak);
    json["records"] = otherRecords(rank);
    return json;
}

Json curveJson(const char *kind, const RankSummary &rank, const CurveOutline &curve)
{
    Json json = recordHead(kind, rank);
    json["events"] = curve.events;
    json["lowest"] = curve.lowest;
    json["highest"] = curve.highest;
    return json;
}

Json failuresJson(const RankSummary &rank)
{
    Json json = recordHead("ooms", rank);
    json["failures"] = Json::array();
    for (const SummaryFailure &each : rank.failures)
        json["failures"].push_back(
            {{"event", each.event},
             {"time_us", jsonOrNull(each.time)},
             {"requested", each.requested},
             {"device_free", each.deviceFree < 0 ? Json() : Json(each.deviceFree)},
             {"active", each.active},
             {"reserved", rank.figures.isReservedKnown ? Json(each.reserved) : Json()},
             {"stack", siteOrNull(each.stack)},
             {"cause", each.cause ? Json(outOfMemoryCauseName(*each.cause)) : Json()},
             {"remedy", each.remedy ? Json(remedyName(*each.remedy)) : Json()},
             {"remedy_bytes", each.remedy ? Json(each.remedyBytes) : Json()}});
    return json;
}

Json stepsJson(const RankSummary &rank)
{
    const SummarySteps &steps = rank.steps;
    Json json = recordHead("steps", rank);
    json["how"] = steps.how;
    json["confidence"] = roundedShare(steps.confidence);
    json["count"] = steps.count;
    json["per_row"] = steps.perRow;
    json["columns"] = {"number",         "first_event",   "last_event", "complete",
                       "peak_active",    "peak_reserved", "begin",      "end",
                       "survivor_bytes", "survivors"};
    json["rows"] = Json::array();
    for (const SummaryStep &row : steps.rows)
        json["rows"].push_back({row.number, row.first, row.last, row.complete, row.peakActive,
                                row.peakReserved, row.activeBegin, row.activeEnd,
                                row.survivors ? Json(row.survivors->bytes) : Json(),
                                row.survivors ? Json(row.survivors->count) : Json()});
    return json;
}

Json sitesJson(const RankSummary &rank, const char *moment, const SummaryMoment &live)
{
    Json json = recordHead("sites", rank);
    json["moment"] = moment;
    json["event"] = live.event;
    json["active"] = live.active;
    json["columns"] = {"site", "bytes", "allocations"};
    json["sites"] = Json::array();
    for (const SummarySite &site : live.sites)
        json["sites"].push_back({site.site.text(), site.bytes, site.allocations});
    json["rest"] = {{"sites", live.restSites},
                    {"bytes", live.restBytes},
                    {"allocations", live.restAllocations}};
    return json;
}

Json stackJson(SiteId site, std::span<const SiteFrame> frames)
{
    Json list = Json::array();
    for (const SiteFrame &frame : frames)
        list.push_back({frame.name, frame.file, frame.line});
    return {{"kind", "stack"}, {"site", site.text()}, {"frames", std::move(list)}};
}

} // namespace

std::vector<RunRecord> recordsOf(const SummarizedDevice &device)
{
    const RankSummary &rank = device.summary;
    std::vector<RunRecord> records;
    const auto add = [&](const Json &json) {
        records.push_back(recordWithSource(json, rank.source.stamp, rank.device));
    };
    if (rank.isUsable() && !rank.hasMemory) {
        Json profile = recordHead("profile", rank);
        addRankNumber(profile, rank);
        addProfile(profile, *rank.profile);
        add(profile);
        if (rank.profile->calls.empty())
            return records;
        Json calls = recordHead("calls", rank);
        addCalls(calls, *rank.profile);
        add(calls);
        return records;
    }
    add(rankJson(rank));
    if (!rank.isUsable())
        return records;
    if (rank.failureCount > 0)
        add(failuresJson(rank));
    add(stepsJson(rank));
    add(sitesJson(rank, "peak", rank.atPeak));
    if (rank.atFailure)
        add(sitesJson(rank, "oom", *rank.atFailure));
    Json active = curveJson("active", rank, rank.active);
    active["begins_us"] = rank.begins.empty() ? Json() : Json(rank.begins);
    add(active);
    if (!rank.reserved.lowest.empty())
        add(curveJson("reserved", rank, rank.reserved));
    for (const auto &[site, frames] : device.stacks)
        records.push_back(recordWithoutSource(stackJson(site, frames)));
    return records;
}

} // namespace vramscope
