// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"
#include "core/describe/profile_tables.h"
#include "core/print/json_parts.h"
#include "core/print/problems_text.h"
#include "core/print/profile_report.h"
#include "core/ranks/rank_profiles.h"
#include "core/table/json_rows.h"

#include <algorithm>
#include <map>

namespace vramscope {

namespace {

Json stated(std::int64_t value)
{
    return orNull(value != kNotStated, value);
}

Json devicesJson(const ProfileStudy &study)
{
    Json json = Json::object();
    for (const DeviceBreakdown &each : study.devices()) {
        std::map<std::string_view, std::int64_t> classes;
        for (std::size_t at = 0; at < kWorkClassCount; ++at) {
            if (each.times.counts[at] > 0)
                classes[textOf(static_cast<WorkClass>(at))] = each.times.counts[at];
        }
        Json &device = json[std::to_string(each.device)];
        device["classes"] = Json::object();
        for (const auto &[name, count] : classes)
            device["classes"][std::string(name)] = count;
        addTimes(device, each.times);
    }
    return json;
}

std::string laneText(const ProfileLane &lane)
{
    return std::to_string(lane.device) + '/' + std::to_string(lane.stream);
}

Json streamsJson(const ProfileStudy &study)
{
    Json json = Json::object();
    for (const LaneBreakdown &each : study.lanes()) {
        Json &stream = json[laneText(study.profile().lanes()[each.lane])];
        stream["count"] = each.times.count();
        addTimes(stream, each.times);
    }
    return json;
}

Json htaJson(const std::optional<HtaBreakdown> &hta)
{
    if (!hta)
        return {};
    return {{"kernel_time", hta->kernelTime},
            {"idle", hta->idle},
            {"compute", hta->compute},
            {"non_compute", hta->nonCompute},
            {"overlap", rateJson(shareOf(hta->overlapped, hta->communication))}};
}

Json stepsJson(const ProfileStudy &study)
{
    return listJson(study.steps().steps, [&](const ProfileStep &each) {
        Json step{{"name", study.profile().text(each.name)},
                  {"host_start", each.start},
                  {"host", each.end - each.start},
                  {"events", each.work},
                  {"device_start", nullptr},
                  {"device", nullptr}};
        if (each.device) {
            step["device_start"] = each.device->start;
            addTimes(step["device"], *each.device);
        }
        return step;
    });
}

Json delayJson(const std::optional<DelayFigures> &delay)
{
    if (!delay)
        return {};
    return {{"median", delay->median}, {"max", delay->most}, {"mean", rateJson(delay->mean())}};
}

Json launchJson(const LaunchSummary &launches)
{
    return {{"linked", launches.linked},
            {"unlinked", launches.unlinked},
            {"negative", launches.negative},
            {"from_call_start", delayJson(launches.fromCallStart)},
            {"after_call_end", delayJson(launches.afterCallEnd)}};
}

Json idleJson(const ProfileStudy &study)
{
    Json json = Json::object();
    for (const LaneIdle &each : study.laneIdle())
        json[laneText(study.profile().lanes()[each.lane])] = {
            {"host_wait", each.hostWait}, {"kernel_wait", each.kernelWait}, {"other", each.other}};
    return json;
}

Json memoryJson(const Profile &profile)
{
    Json json = Json::object();
    for (const ProfileMemory &each : profile.memory())
        json[each.type + ':' + each.id] = {{"events", each.events},
                                           {"peak_allocated", stated(each.peakAllocated)},
                                           {"peak_reserved", stated(each.peakReserved)},
                                           {"peak_running", each.peakRunning}};
    return json;
}

Json summaryJson(const ProfileStudy &study, const std::string &file, std::size_t most)
{
    const Profile &profile = study.profile();
    const ProfileSubject of = subjectOf(study);
    const auto gpuJson = [](const ProfileGpu &gpu) -> Json {
        return {{"id", stated(gpu.id)}, {"name", orNull(gpu.name)}, {"memory", stated(gpu.memory)}};
    };
    Json json{{"file", file},
              {"problems", problemsJson(study.problems())},
              {"events", profile.eventCount()},
              {"rank", stated(profile.rank())},
              {"world_size", stated(profile.worldSize())},
              {"gpus", listJson(profile.gpus(), gpuJson)},
              {"device_events", profile.work().count()},
              {"devices", devicesJson(study)},
              {"streams", streamsJson(study)},
              {"hta", htaJson(study.hta())},
              {"steps", stepsJson(study)},
              {"launch", launchJson(study.launches())},
              {"idle", idleJson(study)},
              {"kernels", rowsJson(kernelsTable(of),
                                   {"name", "class", "count", "total", "mean", "min", "max",
                                    "share", "counters.launches", "counters.achieved_occupancy",
                                    "counters.sm_throughput", "counters.dram_throughput"},
                                   most)},
              {"operators", rowsJson(operatorsTable(of, OperatorGrouping::Name),
                                     {"name", "count", "host_self", "host_total", "device_self",
                                      "device_total", "launches"},
                                     most)},
              {"nccl", rowsJson(collectivesTable(of),
                                {"collective", "dtype", "bytes", "group_size", "group", "count",
                                 "total", "min", "max", "algorithm_bandwidth", "bus_bandwidth"})},
              {"memory", memoryJson(profile)}};
    if (const KernelCounters *counters = study.counters())
        json["counters"] = {{"launches", counters->tables->launches.size()},
                            {"kernels", counters->kernels},
                            {"joined", counters->joined},
                            {"other_name", counters->otherName},
                            {"other_shape", counters->otherShape},
                            {"too_many", counters->tooMany},
                            {"assumed_first", counters->assumedFirst}};
    return json;
}

Json matchedJson(const std::vector<RankProfile> &ranks, const MatchedCollective &each)
{
    Json numbers = Json::array();
    Json waits = Json::object();
    for (const MatchedCall &call : each.calls) {
        numbers.push_back(ranks[call.rank].rank);
        waits[std::to_string(ranks[call.rank].rank)] = call.wait;
    }
    return {{"group", each.group},
            {"collective", textOf(each.kind)},
            {"index", each.index},
            {"ranks", std::move(numbers)},
            {"bytes", orNull(each.bytes)},
            {"transfer", each.transfer},
            {"last_rank", ranks[each.last].rank},
            {"waits", std::move(waits)},
            {"end_spread", each.endSpread},
            {"algorithm_bandwidth", rateJson(each.bandwidth.algorithm)},
            {"bus_bandwidth", rateJson(each.bandwidth.bus)}};
}

/// Ranks as files state them, by number; the others behind them by name, numbered by their place.
std::vector<RankProfile> byStatedRank(std::vector<RankProfile> ranks)
{
    const auto isStated = [](const RankProfile &each) {
        return each.study->profile().rank() != kNotStated;
    };
    std::ranges::stable_sort(ranks, {}, &RankProfile::file);
    std::ranges::stable_sort(ranks, {}, [&](const RankProfile &each) {
        return isStated(each) ? std::pair(false, each.study->profile().rank())
                              : std::pair(true, std::int64_t(0));
    });
    for (std::size_t at = 0; at < ranks.size(); ++at)
        ranks[at].rank =
            isStated(ranks[at]) ? ranks[at].study->profile().rank() : static_cast<std::int64_t>(at);
    return ranks;
}

} // namespace

std::string profileJson(const ProfileStudy &study, const ProfilePrinting &as)
{
    return jsonText(summaryJson(study, as.file, as.most));
}

std::string profileFolderJson(const RankProfiles &ranks, const std::string &folder,
                              std::size_t most)
{
    const std::vector<RankProfile> stated = byStatedRank(ranks.ranks);
    const auto rankJson = [most](const RankProfile &each) {
        return summaryJson(*each.study, each.file, most);
    };
    const auto callJson = [&stated](const MatchedCollective &each) {
        return matchedJson(stated, each);
    };
    return jsonText({{"folder", folder},
                     {"problems", ranks.problems},
                     {"ranks", listJson(stated, rankJson)},
                     {"collectives", listJson(matchedInOrder(stated), callJson)}});
}

void addTimes(Json &json, const TimeBreakdown &times)
{
    json["span"] = times.span;
    json["compute"] = times.compute;
    json["communication"] = times.communication;
    json["memory"] = times.memory;
    json["busy"] = times.busy;
    json["idle"] = times.idle;
    json["overlapped_communication"] = times.overlappedCommunication;
    json["exposed_communication"] = times.exposedCommunication;
    json["exposed_copy"] = times.exposedCopy;
    json["overlap"] = rateJson(times.overlap());
}

} // namespace vramscope
