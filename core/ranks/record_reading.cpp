// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/record_json.h"
#include "core/ranks/run_records.h"

#include "core/base/text.h"

#include <charconv>
#include <utility>

namespace vramscope {

namespace {

KnownBy knownByNamed(const std::string &name)
{
    return name == "name"        ? KnownBy::Name
           : name == "folder"    ? KnownBy::Folder
           : name == "recording" ? KnownBy::Stated
                                 : KnownBy::Nothing;
}

void readFigures(RecordFields fields, DeviceSummary &figures, RecordFields &outcome)
{
    figures.events = fields.integer("events", 0);
    figures.segments = fields.integer("segments", 0);
    figures.blocks = fields.integer("blocks", 0);
    const auto reserved = fields.maybe("peak_reserved");
    figures.isReservedKnown = reserved.has_value();
    figures.peakReserved = reserved.value_or(0);
    figures.reservedEnd = fields.maybe("reserved_end").value_or(0);
    figures.allocatedEnd = fields.maybe("allocated_end").value_or(0);
    figures.activeEnd = fields.maybe("active_end").value_or(0);
    figures.requestedEnd = fields.maybe("requested_end").value_or(0);
    figures.baseline = fields.integer("baseline");
    figures.peakActive = fields.integer("peak_active", 0);
    figures.peakActiveEvent = fields.event("peak_active_event");
    RecordFields actions = fields.object("actions");
    for (std::size_t at = 0; at < kActionCount; ++at) {
        const std::string name(actionName(static_cast<Action>(at)));
        figures.actions[at] = actions.maybe(name.c_str(), 0).value_or(0);
    }
    figures.streams = fields.integer("streams", 0);
    figures.pools = fields.integer("pools", 0);
    figures.timeSpan = fields.maybe("time_span_us");
    figures.stacks = fields.integer("stacks", 0);
    figures.frames = fields.integer("frames", 0);
    outcome.take(actions);
    outcome.take(fields);
}

void readPeak(RecordFields fields, SummaryPeak &peak, RecordFields &outcome)
{
    peak.reserved = fields.integer("reserved");
    peak.allocations = fields.integer("allocations", 0);
    for (const RecordValue value : fields.array("categories")) {
        const auto *row = fields.row(value, "categories", 3);
        if (row == nullptr)
            break;
        const auto category = categoryOfWord(fields.textIn((*row)[0], "categories"));
        peak.categories.push_back({category.value_or(Category::Unknown),
                                   {fields.integerIn((*row)[1], "categories"),
                                    fields.integerIn((*row)[2], "categories", 0)}});
    }
    peak.areCategoriesSure = fields.flag("categories_sure");
    peak.step = fields.maybe("step");
    peak.position = fields.share("position");
    for (const RecordValue name : fields.array("running"))
        peak.running.push_back(fields.textIn(name, "running"));
    peak.stack = fields.siteOrNull("stack");
    peak.time = fields.maybe("time_us");
    outcome.take(fields);
}

void readRankNumber(RecordFields &fields, SummarySource &source)
{
    source.rank = fields.maybe("rank", 0);
    source.rankBy = knownByNamed(fields.textOrNull("rank_from"));
    source.node = fields.textOrNull("node");
    source.nodeBy = knownByNamed(fields.textOrNull("node_from"));
}

void readRank(RecordFields &fields, RankSummary &rank)
{
    readRankNumber(fields, rank.source);
    if (fields.has("error")) {
        rank.error = fields.text("error");
        if (rank.error.empty())
            fields.wrong("error", "a sentence");
        rank.isRecording = fields.flag("recording");
        return;
    }
    rank.format = fields.text("format");
    rank.producer = fields.text("producer");
    readFigures(fields.object("figures"), rank.figures, fields);
    rank.figures.device = static_cast<int>(rank.device);
    rank.firstTime = fields.maybe("first_us");
    rank.lastTime = fields.maybe("last_us");
    (void)fields.object("settings");
    for (const auto &[name, value] : fields.value("settings").members())
        rank.settings.push_back(
            {fields.textIn(name, "settings"), fields.textIn(value, "settings")});
    rank.problems = readProblems(fields);
    rank.problemCount = fields.integer("problem_count", 0);
    rank.failureCount = fields.integer("failure_count", 0);
    readPeak(fields.object("peak"), rank.peak, fields);
    for (const RecordValue name : fields.array("records"))
        rank.records.push_back(fields.textIn(name, "records"));
}

void readCurve(RecordFields &fields, CurveOutline &curve)
{
    curve.events = fields.event("events");
    for (const RecordValue value : fields.array("lowest"))
        curve.lowest.push_back(fields.integerIn(value, "lowest"));
    for (const RecordValue value : fields.array("highest"))
        curve.highest.push_back(fields.integerIn(value, "highest"));
    if (curve.lowest.empty() || curve.lowest.size() > kSummaryColumns ||
        curve.lowest.size() != curve.highest.size())
        fields.wrong("highest", "as long as \"lowest\", and at most " +
                                    std::to_string(kSummaryColumns) + " columns");
}

void readActive(RecordFields &fields, RankSummary &rank)
{
    readCurve(fields, rank.active);
    if (fields.value("begins_us").isNull())
        return;
    for (const RecordValue value : fields.array("begins_us"))
        rank.begins.push_back(fields.integerIn(value, "begins_us"));
    if (rank.begins.size() != rank.active.lowest.size())
        fields.wrong("begins_us", "as long as \"lowest\"");
}

void readFailures(RecordFields &outcome, RankSummary &rank)
{
    for (const RecordValue value : outcome.array("failures")) {
        if (!value.isObject() || rank.failures.size() == kMostSummaryFailures) {
            outcome.wrong("failures",
                          "objects, and at most " + std::to_string(kMostSummaryFailures));
            return;
        }
        RecordFields fields(value);
        SummaryFailure &failure = rank.failures.emplace_back();
        failure.event = fields.event("event");
        failure.time = fields.maybe("time_us");
        failure.requested = fields.integer("requested");
        failure.deviceFree = fields.maybe("device_free").value_or(-1);
        failure.active = fields.integer("active");
        failure.reserved = fields.maybe("reserved").value_or(0);
        failure.stack = fields.siteOrNull("stack");
        const std::string cause = fields.textOrNull("cause");
        for (std::size_t at = 0; at < kOutOfMemoryCauseCount; ++at) {
            if (cause == outOfMemoryCauseName(static_cast<OutOfMemoryCause>(at)))
                failure.cause = static_cast<OutOfMemoryCause>(at);
        }
        const std::string remedy = fields.textOrNull("remedy");
        for (std::size_t at = 0; at < kRemedyCount; ++at) {
            if (remedy == remedyName(static_cast<Remedy::Kind>(at)))
                failure.remedy = static_cast<Remedy::Kind>(at);
        }
        failure.remedyBytes = fields.maybe("remedy_bytes").value_or(0);
        rank.figures.outOfMemory.push_back({failure.event, failure.requested, failure.deviceFree});
        outcome.take(fields);
    }
}

void readSteps(RecordFields &fields, SummarySteps &steps)
{
    constexpr std::size_t kColumns = 10;
    steps.how = fields.text("how");
    steps.confidence = fields.share("confidence");
    steps.count = fields.integer("count", 0);
    steps.perRow = fields.integer("per_row", 1);
    constexpr std::int64_t kMostEvent = std::numeric_limits<EventIndex>::max();
    for (const RecordValue value : fields.array("rows")) {
        const auto *row = fields.row(value, "rows", kColumns);
        if (row == nullptr)
            return;
        const auto number = [&](std::size_t column) {
            return fields.integerIn((*row)[column], "rows");
        };
        const auto event = [&](std::size_t column) {
            return static_cast<EventIndex>(
                fields.integerIn((*row)[column], "rows", -1, kMostEvent));
        };
        const auto isComplete = (*row)[3].flag();
        if (!isComplete)
            return fields.wrong("rows", "true or false where a step is complete or not");
        SummaryStep step{number(0), event(1),  event(2),  *isComplete, number(4),
                         number(5), number(6), number(7), {}};
        if (!(*row)[8].isNull())
            step.survivors = Tally{number(8), number(9)};
        steps.rows.push_back(step);
    }
    if (steps.rows.size() > kMostSummarySteps)
        fields.wrong("rows", "at most " + std::to_string(kMostSummarySteps) + " rows");
}

SummaryMoment readSites(RecordFields &fields)
{
    SummaryMoment moment;
    moment.event = fields.event("event");
    moment.active = fields.integer("active");
    Bytes sum = 0;
    std::vector<SiteId> seen;
    for (const RecordValue value : fields.array("sites")) {
        const auto *row = fields.row(value, "sites", 3);
        if (row == nullptr)
            return moment;
        const SummarySite site{fields.siteIn((*row)[0], "sites"),
                               fields.integerIn((*row)[1], "sites"),
                               fields.integerIn((*row)[2], "sites", 0)};
        seen.push_back(site.site);
        sum = wrappingSum(sum, site.bytes);
        moment.sites.push_back(site);
    }
    std::ranges::sort(seen);
    if (std::ranges::adjacent_find(seen) != seen.end() || seen.size() > kMostSummarySites)
        fields.wrong("sites", "different ones, and at most " + std::to_string(kMostSummarySites));
    RecordFields rest = fields.object("rest");
    moment.restSites = rest.integer("sites", 0);
    moment.restBytes = rest.integer("bytes");
    moment.restAllocations = rest.integer("allocations", 0);
    fields.take(rest);
    if (wrappingSum(sum, moment.restBytes) != moment.active)
        fields.wrong("sites", "all that is active: they do not add up to it");
    return moment;
}

/// The whole numbers of a list that canonicalLine() has looked through; nothing where one of them
/// is none.
std::optional<std::vector<std::int64_t>> integersOf(std::string_view list)
{
    if (list.size() < 2 || list.front() != '[')
        return {};
    std::vector<std::int64_t> numbers;
    numbers.reserve(kSummaryColumns);
    const char *at = list.data() + 1;
    const char *last = list.data() + list.size() - 1; // the bracket
    while (at < last) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(at, last, number);
        if (error != std::errc() || (end != last && *end != ','))
            return {};
        numbers.push_back(number);
        at = end + 1;
    }
    return numbers;
}

/// The curves are most of a file: of one that is as it should be nothing but its numbers is built.
/// False of any other, which reading it in full tells about.
bool readCanonicalCurve(const RunRecord &record, RankSummary &into)
{
    const bool isActive = record.kind == "active";
    if (!isActive && record.kind != "reserved")
        return false;
    const auto line = canonicalLine(record.line);
    if (!line)
        return false;
    const auto events = line->integerOf("events");
    auto lowest = integersOf(line->valueOf("lowest"));
    auto highest = integersOf(line->valueOf("highest"));
    if (!events || *events < -1 || *events > std::numeric_limits<EventIndex>::max() || !lowest ||
        !highest || lowest->empty() || lowest->size() > kSummaryColumns ||
        lowest->size() != highest->size())
        return false;
    std::vector<std::int64_t> begins;
    if (const std::string_view value = line->valueOf("begins_us");
        isActive && !value.empty() && value != "null") {
        auto read = integersOf(value);
        if (!read || read->size() != lowest->size())
            return false;
        begins = std::move(*read);
    }
    CurveOutline &curve = isActive ? into.active : into.reserved;
    curve = {static_cast<EventIndex>(*events), std::move(*lowest), std::move(*highest)};
    if (isActive)
        into.begins = std::move(begins);
    return true;
}

} // namespace

Result<void> readRecord(const RunRecord &record, RankSummary &into)
{
    if (readCanonicalCurve(record, into))
        return {};
    RecordFields fields{RecordValue(record.line)};
    RankSummary read;
    read.device = record.device;
    SummaryMoment moment;
    ProfileSummary profile;
    if (record.kind == "profile") {
        read.hasMemory = false;
        readRankNumber(fields, read.source);
        readProfile(fields, profile);
        for (const RecordValue name : fields.array("records"))
            read.records.push_back(fields.textIn(name, "records"));
    } else if (record.kind == "calls") {
        readCalls(fields, profile);
    } else if (record.kind == "rank") {
        readRank(fields, read);
    } else if (record.kind == "ooms") {
        readFailures(fields, read);
    } else if (record.kind == "steps") {
        readSteps(fields, read.steps);
    } else if (record.kind == "sites") {
        moment = readSites(fields);
    } else if (record.kind == "active") {
        readActive(fields, read);
    } else if (record.kind == "reserved") {
        readCurve(fields, read.reserved);
    }
    if (Result<void> outcome = fields.outcome(); !outcome)
        return outcome;

    if (record.kind == "rank" || record.kind == "profile") {
        read.source.path = record.source;
        read.source.stamp = record.stamp;
        if (!read.hasMemory)
            read.profile = std::make_shared<const ProfileSummary>(std::move(profile));
        into = std::move(read); // first of all records of a device: the others follow
    } else if (record.kind == "calls") {
        ProfileSummary whole = into.profile ? *into.profile : ProfileSummary();
        whole.calls = std::move(profile.calls);
        into.profile = std::make_shared<const ProfileSummary>(std::move(whole));
    } else if (record.kind == "ooms") {
        into.failures = std::move(read.failures);
        into.figures.outOfMemory = std::move(read.figures.outOfMemory);
    } else if (record.kind == "steps") {
        into.steps = std::move(read.steps);
    } else if (record.kind == "sites" && record.moment == "peak") {
        into.atPeak = std::move(moment);
    } else if (record.kind == "sites" && record.moment == "oom") {
        into.atFailure = std::move(moment);
    } else if (record.kind == "active") {
        into.active = std::move(read.active);
        into.begins = std::move(read.begins);
    } else if (record.kind == "reserved") {
        into.reserved = std::move(read.reserved);
    }
    return {};
}

Result<std::pair<SiteId, std::vector<SiteFrame>>> stackOfRecord(const RunRecord &record)
{
    RecordFields fields{RecordValue(record.line)};
    const SiteId site = fields.siteOrNull("site").value_or(SiteId{});
    std::vector<SiteFrame> frames;
    for (const RecordValue value : fields.array("frames")) {
        const auto *row = fields.row(value, "frames", 3);
        if (row == nullptr)
            break;
        frames.push_back({fields.textIn((*row)[0], "frames"), fields.textIn((*row)[1], "frames"),
                          static_cast<std::int32_t>(fields.integerIn(
                              (*row)[2], "frames", std::numeric_limits<std::int32_t>::min(),
                              std::numeric_limits<std::int32_t>::max()))});
    }
    if (const Result<void> outcome = fields.outcome(); !outcome)
        return outcome.error();
    if (siteIdOf(frames) != site)
        return invalid("A stack is not the one of its site: its frames were changed.");
    return std::pair(site, std::move(frames));
}

} // namespace vramscope
