// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/record_json.h"

#include "core/base/bytes.h"

#include <array>
#include <string_view>

namespace vramscope {

namespace {

using Json = RecordJson;

struct TimeMember
{
    const char *key;
    std::int64_t TimeBreakdown::*value;
};
/// Of the first device, in nanoseconds.
constexpr std::array<TimeMember, 10> kTimeMembers{{
    {"start_ns", &TimeBreakdown::start},
    {"span_ns", &TimeBreakdown::span},
    {"compute_ns", &TimeBreakdown::compute},
    {"communication_ns", &TimeBreakdown::communication},
    {"memory_ns", &TimeBreakdown::memory},
    {"busy_ns", &TimeBreakdown::busy},
    {"idle_ns", &TimeBreakdown::idle},
    {"overlapped_communication_ns", &TimeBreakdown::overlappedCommunication},
    {"exposed_communication_ns", &TimeBreakdown::exposedCommunication},
    {"exposed_copy_ns", &TimeBreakdown::exposedCopy},
}};

constexpr std::array<std::int64_t SummaryStepWork::*, 6> kWorkColumns{
    &SummaryStepWork::span,          &SummaryStepWork::compute,
    &SummaryStepWork::communication, &SummaryStepWork::exposedCommunication,
    &SummaryStepWork::exposedCopy,   &SummaryStepWork::idle};
constexpr std::size_t kStepColumns = 2 + kWorkColumns.size();

/// [value, how often in a row, value, …]: what calls state is mostly the same.
template<class Value>
Json inRow(const std::vector<RankCall> &calls, Value value)
{
    Json list = Json::array();
    for (std::size_t at = 0; at < calls.size();) {
        std::size_t end = at + 1;
        while (end < calls.size() && value(end) == value(at))
            ++end;
        const std::int64_t one = value(at);
        list.push_back(one == kNotStated ? Json() : Json(one));
        list.push_back(end - at);
        at = end;
    }
    return list;
}

/// What inRow() wrote, of so many calls.
std::vector<std::int64_t> outOfRow(RecordFields &fields, const char *key, std::size_t count)
{
    std::vector<std::int64_t> values;
    const std::vector<RecordValue> list = fields.array(key);
    for (std::size_t at = 0; at + 1 < list.size(); at += 2) {
        const std::int64_t value = list[at].isNull() ? kNotStated : fields.integerIn(list[at], key);
        const auto times = static_cast<std::size_t>(fields.integerIn(
            list[at + 1], key, 0, static_cast<std::int64_t>(count - values.size())));
        values.insert(values.end(), times, value);
    }
    if (values.size() != count)
        fields.wrong(key, "as long as \"duration\"");
    values.resize(count);
    return values;
}

/// What a value adds to the one before, where both are stated: sequence numbers count.
std::int64_t growth(std::int64_t before, std::int64_t value)
{
    return value == kNotStated || before == kNotStated ? value : wrappingDifference(value, before);
}

Json runJson(const CallRun &run)
{
    const std::vector<RankCall> &calls = run.calls;
    Json starts = Json::array();
    Json durations = Json::array();
    std::int64_t before = 0;
    for (const RankCall &call : calls) {
        starts.push_back(wrappingDifference(call.start, before));
        durations.push_back(call.duration);
        before = call.start;
    }
    const auto number = [&](std::size_t at) {
        return growth(at == 0 ? 0 : calls[at - 1].number, calls[at].number);
    };
    return {{"group", run.group},
            {"collective", textOf(run.kind)},
            {"count", run.count},
            {"bytes", inRow(calls, [&](std::size_t at) { return calls[at].bytes; })},
            {"group_size", inRow(calls, [&](std::size_t at) { return calls[at].groupSize; })},
            {"seq_after", inRow(calls, number)},
            {"step", inRow(calls, [&](std::size_t at) { return std::int64_t(calls[at].step); })},
            {"start_after_ns", std::move(starts)},
            {"duration_ns", std::move(durations)}};
}

CallRun readRun(RecordFields &fields, std::size_t most)
{
    CallRun run;
    run.group = fields.text("group");
    const std::string kind = fields.text("collective");
    run.kind =
        kind == textOf(CollectiveKind::Unknown) ? CollectiveKind::Unknown : collectiveKind(kind);
    if (textOf(run.kind) != kind)
        fields.wrong("collective", "the name of one");
    const std::vector<RecordValue> durations = fields.array("duration_ns");
    const std::vector<RecordValue> starts = fields.array("start_after_ns");
    if (starts.size() != durations.size() || durations.size() > most)
        fields.wrong("duration_ns", "as long as \"start_after_ns\", and no more than " +
                                        std::to_string(kMostSummaryCalls) + " calls in all");
    const std::size_t count = std::min({starts.size(), durations.size(), most});
    run.count = fields.integer("count", static_cast<std::int64_t>(count));
    const auto bytes = outOfRow(fields, "bytes", count);
    const auto sizes = outOfRow(fields, "group_size", count);
    const auto numbers = outOfRow(fields, "seq_after", count);
    const auto steps = outOfRow(fields, "step", count);
    std::int64_t start = 0;
    std::int64_t number = 0;
    run.calls.reserve(count);
    for (std::size_t at = 0; at < count; ++at) {
        start = wrappingSum(start, fields.integerIn(starts[at], "start_after_ns"));
        number = numbers[at] == kNotStated || number == kNotStated
                     ? numbers[at]
                     : wrappingSum(number, numbers[at]);
        if (steps[at] < -1 || steps[at] >= static_cast<std::int64_t>(kMostSummaryProfileSteps))
            fields.wrong("step", "places of steps");
        run.calls.push_back({start, fields.integerIn(durations[at], "duration_ns", 0), bytes[at],
                             sizes[at], number, static_cast<std::int32_t>(steps[at])});
    }
    return run;
}

} // namespace

void addProfile(Json &json, const ProfileSummary &profile)
{
    json["part"] = profile.part.empty() ? Json() : Json(profile.part);
    json["ranks"] = jsonOrNull(profile.ranks);
    json["devices"] = profile.devices;
    json["times"] = Json();
    if (profile.times) {
        json["times"] = Json::object();
        for (const TimeMember &member : kTimeMembers)
            json["times"][member.key] = (*profile.times).*member.value;
        json["times"]["work"] = profile.times->counts;
    }
    json["steps_from"] = profile.stepsFrom;
    json["steps_numbered"] = profile.areStepsNumbered;
    json["step_count"] = profile.stepCount;
    json["cut"] = profile.isCut;
    json["problems"] = problemRows(profile.problems);
    json["columns"] = {"number",          "time_ns",          "span_ns",
                       "compute_ns",      "communication_ns", "exposed_communication_ns",
                       "exposed_copy_ns", "idle_ns"};
    json["steps"] = Json::array();
    for (const SummaryProfileStep &step : profile.steps) {
        Json row{step.number, step.time};
        for (const auto column : kWorkColumns)
            row.push_back(step.work ? Json((*step.work).*column) : Json());
        json["steps"].push_back(std::move(row));
    }
    json["call_count"] = profile.callCount;
    json["records"] = profile.calls.empty() ? Json::array() : Json{"calls"};
}

void addCalls(Json &json, const ProfileSummary &profile)
{
    json["runs"] = Json::array();
    for (const CallRun &run : profile.calls)
        json["runs"].push_back(runJson(run));
}

void readProfile(RecordFields &fields, ProfileSummary &profile)
{
    profile.part = fields.textOrNull("part");
    profile.ranks = fields.maybe("ranks", 1);
    profile.devices = fields.integer("devices", 0);
    if (!fields.value("times").isNull()) {
        RecordFields times = fields.object("times");
        TimeBreakdown &into = profile.times.emplace();
        for (const TimeMember &member : kTimeMembers)
            into.*member.value = times.integer(member.key);
        const std::vector<RecordValue> work = times.array("work");
        if (work.size() != into.counts.size())
            times.wrong("work", "a number for each class of work");
        for (std::size_t at = 0; at < std::min(work.size(), into.counts.size()); ++at)
            into.counts[at] = times.integerIn(work[at], "work", 0);
        fields.take(times);
    }
    profile.stepsFrom = fields.text("steps_from");
    profile.stepCount = fields.integer("step_count", 0);
    // Summaries of earlier versions state neither.
    profile.areStepsNumbered = fields.has("steps_numbered") && fields.flag("steps_numbered");
    profile.isCut = fields.has("cut") && fields.flag("cut");
    if (fields.has("problems"))
        profile.problems = readProblems(fields);
    for (const RecordValue value : fields.array("steps")) {
        const auto *row = fields.row(value, "steps", kStepColumns);
        if (row == nullptr)
            return;
        SummaryProfileStep &step = profile.steps.emplace_back();
        step.number = fields.integerIn((*row)[0], "steps");
        step.time = fields.integerIn((*row)[1], "steps");
        if ((*row)[2].isNull())
            continue;
        step.work.emplace();
        for (std::size_t at = 0; at < kWorkColumns.size(); ++at)
            (*step.work).*kWorkColumns[at] = fields.integerIn((*row)[2 + at], "steps");
    }
    if (profile.steps.size() > kMostSummaryProfileSteps)
        fields.wrong("steps", "at most " + std::to_string(kMostSummaryProfileSteps) + " steps");
    profile.callCount = fields.integer("call_count", 0);
}

void readCalls(RecordFields &fields, ProfileSummary &profile)
{
    std::size_t left = kMostSummaryCalls;
    std::pair<std::string, std::string_view> before;
    for (const RecordValue value : fields.array("runs")) {
        RecordFields run(value);
        CallRun read = readRun(run, left);
        left -= read.calls.size();
        std::pair<std::string, std::string_view> key{read.group, textOf(read.kind)};
        if (!profile.calls.empty() && !(before < key))
            run.wrong("group", "that of one run alone, in order");
        before = std::move(key);
        profile.calls.push_back(std::move(read));
        fields.take(run);
    }
}

} // namespace vramscope
