// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/run_records.h"

#include "core/base/json_text.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace vramscope {

namespace {

/// Its objects are sorted by key: each value has one text.
using Json = nlohmann::json;

constexpr std::string_view kFormat = "vramranks";
constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kMostOf = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeastOf = std::numeric_limits<std::int64_t>::min();

std::string lineOf(const Json &json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// ---- writing ----

template<class T>
Json valueOrNull(const std::optional<T> &value)
{
    return value ? Json(*value) : Json();
}

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
    return by == KnownBy::Name ? "name" : by == KnownBy::Folder ? "folder" : nullptr;
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
            {"time_span_us", valueOrNull(figures.timeSpan)},
            {"stacks", figures.stacks},
            {"frames", figures.frames}};
}

Json peakJson(const SummaryPeak &peak)
{
    Json categories = Json::array();
    for (const SummaryPeak::Share &share : peak.categories)
        categories.push_back(
            {memoryCategoryName(share.category), share.tally.bytes, share.tally.count});
    return {{"reserved", peak.reserved},
            {"allocations", peak.allocations},
            {"categories", std::move(categories)},
            {"categories_sure", peak.areCategoriesSure},
            {"step", valueOrNull(peak.step)},
            {"position", roundedShare(peak.position)},
            {"running", peak.running},
            {"stack", siteOrNull(peak.stack)},
            {"time_us", valueOrNull(peak.time)}};
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

Json rankJson(const RankSummary &rank)
{
    Json json = recordHead("rank", rank);
    json["rank"] = valueOrNull(rank.source.rank);
    json["rank_from"] = knownByJson(rank.source.rankBy);
    json["node"] = rank.source.node.empty() ? Json() : Json(rank.source.node);
    json["node_from"] = knownByJson(rank.source.nodeBy);
    if (!rank.isUsable()) {
        json["error"] = rank.error;
        json["recording"] = rank.isRecording;
        return json;
    }
    json["format"] = rank.format;
    json["producer"] = rank.producer;
    json["figures"] = figuresJson(rank.figures);
    json["first_us"] = valueOrNull(rank.firstTime);
    json["last_us"] = valueOrNull(rank.lastTime);
    json["settings"] = Json::object();
    for (const Setting &setting : rank.settings)
        json["settings"][setting.name] = setting.value;
    json["problems"] = Json::array();
    for (const Problem &problem : rank.problems)
        json["problems"].push_back({problem.kind, problem.count, problem.firstOffset});
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
             {"time_us", valueOrNull(each.time)},
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

// ---- reading ----

/// Takes values out of an object, and remembers the first that is not what it should be.
class RecordFields
{
public:
    explicit RecordFields(const Json &object)
        : m_object(object)
    {
    }

    std::int64_t integer(const char *key, std::int64_t least = kLeastOf,
                         std::int64_t most = kMostOf)
    {
        return integerIn(find(key), key, least, most);
    }
    std::optional<std::int64_t> maybe(const char *key, std::int64_t least = kLeastOf)
    {
        const Json &value = find(key);
        return value.is_null() ? std::nullopt
                               : std::optional(integerIn(value, key, least, kMostOf));
    }
    EventIndex event(const char *key)
    {
        return static_cast<EventIndex>(integer(key, -1, std::numeric_limits<EventIndex>::max()));
    }
    std::string text(const char *key)
    {
        const Json &value = find(key);
        if (const auto *text = value.get_ptr<const std::string *>())
            return *text;
        return wrong(key, "a text"), std::string();
    }
    std::string textOrNull(const char *key)
    {
        return find(key).is_null() ? std::string() : text(key);
    }
    bool flag(const char *key)
    {
        const Json &value = find(key);
        if (const auto *flag = value.get_ptr<const bool *>())
            return *flag;
        return wrong(key, "true or false"), false;
    }
    double share(const char *key)
    {
        const Json &value = find(key);
        if (value.is_number())
            return value.get<double>();
        return wrong(key, "a number"), 0;
    }
    const Json &array(const char *key)
    {
        const Json &value = find(key);
        if (value.is_array())
            return value;
        static const Json empty = Json::array();
        return wrong(key, "a list"), empty;
    }
    RecordFields object(const char *key)
    {
        const Json &value = find(key);
        if (value.is_object())
            return RecordFields(value);
        static const Json empty = Json::object();
        wrong(key, "an object");
        return RecordFields(empty);
    }
    std::optional<SiteId> siteOrNull(const char *key)
    {
        const Json &value = find(key);
        return value.is_null() ? std::nullopt : std::optional(siteIn(value, key));
    }

    // The same of a value in a list.
    std::int64_t integerIn(const Json &value, const char *key, std::int64_t least = kLeastOf,
                           std::int64_t most = kMostOf)
    {
        const bool fits = value.is_number_integer() &&
                          (!value.is_number_unsigned() ||
                           value.get<std::uint64_t>() <= static_cast<std::uint64_t>(kMostOf));
        const std::int64_t number = fits ? value.get<std::int64_t>() : 0;
        if (!fits || number < least || number > most)
            return wrong(key, "a whole number in its range"), std::clamp(number, least, most);
        return number;
    }
    SiteId siteIn(const Json &value, const char *key)
    {
        const auto *text = value.get_ptr<const std::string *>();
        const auto site = text != nullptr ? SiteId::fromText(*text) : std::nullopt;
        if (!site)
            wrong(key, "a site of 32 hexadecimal digits");
        return site.value_or(SiteId{});
    }
    const std::string &textIn(const Json &value, const char *key)
    {
        static const std::string empty;
        if (const auto *text = value.get_ptr<const std::string *>())
            return *text;
        return wrong(key, "a text"), empty;
    }
    /// A list in a list, with so many values.
    const Json *row(const Json &value, const char *key, std::size_t count)
    {
        if (value.is_array() && value.size() == count)
            return &value;
        return wrong(key, "lists of " + std::to_string(count) + " values"), nullptr;
    }

    void wrong(const char *key, const std::string &wanted)
    {
        if (m_error.empty())
            m_error = std::string("Its \"") + key + "\" should be " + wanted + ".";
    }
    void take(const RecordFields &other)
    {
        if (m_error.empty())
            m_error = other.m_error;
    }
    [[nodiscard]] Result<void> outcome() const
    {
        if (m_error.empty())
            return {};
        return invalid(m_error);
    }

private:
    const Json &find(const char *key) const
    {
        static const Json none;
        const auto found = m_object.find(key);
        return found == m_object.end() ? none : *found;
    }

    const Json &m_object;
    std::string m_error;
};

Result<Json> parsedRecord(std::string_view line)
{
    if (const Result<void> checked = checkJson(line, kLongestRecord); !checked)
        return checked.error();
    Json json = Json::parse(line, nullptr, false);
    if (!json.is_object())
        return invalid("It is no JSON object.");
    return json;
}

KnownBy knownByNamed(const std::string &name)
{
    return name == "name" ? KnownBy::Name : name == "folder" ? KnownBy::Folder : KnownBy::Nothing;
}

SourceStamp stampOf(RecordFields &fields, const Json &json)
{
    SourceStamp stamp;
    stamp.modified = fields.integer("mtime_us");
    stamp.size = fields.integer("size", 0);
    stamp.analysis = fields.integer("analysis", 0);
    stamp.usable = !json.contains("error");
    return stamp;
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
    for (const Json &value : fields.array("categories")) {
        const Json *row = fields.row(value, "categories", 3);
        if (row == nullptr)
            break;
        const auto category = memoryCategoryNamed(fields.textIn((*row)[0], "categories"));
        peak.categories.push_back({category.value_or(MemoryCategory::Unknown),
                                   {fields.integerIn((*row)[1], "categories"),
                                    fields.integerIn((*row)[2], "categories", 0)}});
    }
    peak.areCategoriesSure = fields.flag("categories_sure");
    peak.step = fields.maybe("step");
    peak.position = fields.share("position");
    for (const Json &name : fields.array("running"))
        peak.running.push_back(fields.textIn(name, "running"));
    peak.stack = fields.siteOrNull("stack");
    peak.time = fields.maybe("time_us");
    outcome.take(fields);
}

void readRank(const Json &json, RecordFields &fields, RankSummary &rank)
{
    rank.source.rank = fields.maybe("rank", 0);
    rank.source.rankBy = knownByNamed(fields.textOrNull("rank_from"));
    rank.source.node = fields.textOrNull("node");
    rank.source.nodeBy = knownByNamed(fields.textOrNull("node_from"));
    if (json.contains("error")) {
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
    const Json settings = json.value("settings", Json());
    for (const auto &[name, value] : settings.items()) {
        if (settings.is_object())
            rank.settings.push_back({name, fields.textIn(value, "settings")});
    }
    for (const Json &value : fields.array("problems")) {
        const Json *row = fields.row(value, "problems", 3);
        if (row == nullptr)
            break;
        rank.problems.push_back({fields.textIn((*row)[0], "problems"),
                                 fields.integerIn((*row)[1], "problems", 0),
                                 fields.integerIn((*row)[2], "problems", -1)});
    }
    rank.problemCount = fields.integer("problem_count", 0);
    rank.failureCount = fields.integer("failure_count", 0);
    readPeak(fields.object("peak"), rank.peak, fields);
    for (const Json &name : fields.array("records"))
        rank.records.push_back(fields.textIn(name, "records"));
}

void readCurve(RecordFields &fields, CurveOutline &curve)
{
    curve.events = fields.event("events");
    for (const Json &value : fields.array("lowest"))
        curve.lowest.push_back(fields.integerIn(value, "lowest"));
    for (const Json &value : fields.array("highest"))
        curve.highest.push_back(fields.integerIn(value, "highest"));
    if (curve.lowest.empty() || curve.lowest.size() > kSummaryColumns ||
        curve.lowest.size() != curve.highest.size())
        fields.wrong("highest", "as long as \"lowest\", and at most " +
                                    std::to_string(kSummaryColumns) + " columns");
}

void readActive(const Json &json, RecordFields &fields, RankSummary &rank)
{
    readCurve(fields, rank.active);
    if (!json.contains("begins_us") || json["begins_us"].is_null())
        return;
    for (const Json &value : fields.array("begins_us"))
        rank.begins.push_back(fields.integerIn(value, "begins_us"));
    if (rank.begins.size() != rank.active.lowest.size())
        fields.wrong("begins_us", "as long as \"lowest\"");
}

void readFailures(RecordFields &outcome, RankSummary &rank)
{
    for (const Json &value : outcome.array("failures")) {
        if (!value.is_object() || rank.failures.size() == kMostSummaryFailures) {
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
    for (const Json &value : fields.array("rows")) {
        const Json *row = fields.row(value, "rows", kColumns);
        if (row == nullptr)
            return;
        const auto number = [&](std::size_t column) {
            return fields.integerIn((*row)[column], "rows");
        };
        const auto event = [&](std::size_t column) {
            return static_cast<EventIndex>(
                fields.integerIn((*row)[column], "rows", -1, kMostEvent));
        };
        if (!(*row)[3].is_boolean())
            return fields.wrong("rows", "true or false where a step is complete or not");
        SummaryStep step{number(0), event(1),  event(2),  (*row)[3].get<bool>(),
                         number(4), number(5), number(6), number(7),
                         {}};
        if (!(*row)[8].is_null())
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
    std::set<SiteId> seen;
    for (const Json &value : fields.array("sites")) {
        const Json *row = fields.row(value, "sites", 3);
        if (row == nullptr)
            return moment;
        const SummarySite site{fields.siteIn((*row)[0], "sites"),
                               fields.integerIn((*row)[1], "sites"),
                               fields.integerIn((*row)[2], "sites", 0)};
        if (!seen.insert(site.site).second || seen.size() > kMostSummarySites)
            fields.wrong("sites",
                         "different ones, and at most " + std::to_string(kMostSummarySites));
        sum = wrappingSum(sum, site.bytes);
        moment.sites.push_back(site);
    }
    RecordFields rest = fields.object("rest");
    moment.restSites = rest.integer("sites", 0);
    moment.restBytes = rest.integer("bytes");
    moment.restAllocations = rest.integer("allocations", 0);
    fields.take(rest);
    if (wrappingSum(sum, moment.restBytes) != moment.active)
        fields.wrong("sites", "all that is active: they do not add up to it");
    return moment;
}

constexpr std::array<std::string_view, 6> kSourceKinds{"rank",  "ooms",   "steps",
                                                       "sites", "active", "reserved"};

/// What tells records of one source apart; sorts by device.
std::string keyOf(std::string_view kind, std::int64_t device, std::string_view moment)
{
    std::string number = device < 0 ? "" : std::to_string(device);
    constexpr std::size_t kDigits = 20;
    number.insert(0, kDigits - std::min(number.size(), kDigits), '0');
    return std::string(kind) + '\0' + (device < 0 ? "" : number) + '\0' + std::string(moment);
}

RunRecord finishedRecord(const Json &json, const SourceStamp &stamp, std::int64_t device)
{
    RunRecord record;
    record.kind = json.at("kind").get<std::string>();
    record.moment = json.value("moment", "");
    record.source = json.at("source").get<std::string>();
    record.device = device;
    record.stamp = stamp;
    record.key = keyOf(record.kind, device, record.moment);
    record.line = lineOf(json);
    return record;
}

RunRecord withoutSource(const Json &json)
{
    RunRecord record;
    record.kind = json.at("kind").get<std::string>();
    record.line = lineOf(json);
    record.key = record.line;
    return record;
}

} // namespace

Result<RunRecord> recordOf(std::string_view line)
{
    const Result<Json> json = parsedRecord(line);
    if (!json)
        return json.error();
    RecordFields fields(*json);
    const std::string kind = fields.text("kind");
    if (kind.empty() || kind.size() > 32 ||
        kind.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != kind.npos)
        return invalid("Its \"kind\" should be a word of small letters.");
    if (!isOneOf(kind, kSourceKinds))
        return withoutSource(*json);
    const SourceStamp stamp = stampOf(fields, *json);
    const auto device = fields.maybe("device", 0);
    constexpr std::int64_t kMostDevice = 65'535;
    if (device.value_or(0) > kMostDevice)
        fields.wrong("device", "the number of a GPU");
    if (fields.text("source").empty())
        fields.wrong("source", "a path");
    if (json->contains("moment") || kind == "sites")
        (void)fields.text("moment");
    if (device.has_value() == json->contains("error") || (!device && kind != "rank"))
        fields.wrong("device", "a number, of a file that could not be used null");
    if (const Result<void> outcome = fields.outcome(); !outcome)
        return outcome.error();
    RunRecord record = finishedRecord(*json, stamp, device.value_or(-1));
    if (record.line.size() >= kLongestRecord)
        return invalid("It is too long.");
    return record;
}

std::vector<RunRecord> recordsOf(const SummarizedDevice &device)
{
    const RankSummary &rank = device.summary;
    std::vector<RunRecord> records;
    const auto add = [&](const Json &json) {
        records.push_back(finishedRecord(json, rank.source.stamp, rank.device));
    };
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
        records.push_back(withoutSource(stackJson(site, frames)));
    return records;
}

RunRecord recordOf(const SummaryPart &part)
{
    return withoutSource({{"kind", "part"},
                          {"part", part.part},
                          {"parts", part.parts},
                          {"ranks", valueOrNull(part.ranks)},
                          {"folder", part.folder.empty() ? Json() : Json(part.folder)},
                          {"redacted", part.isRedacted}});
}

Result<SummaryPart> partOfRecord(const RunRecord &record)
{
    const Json json = Json::parse(record.line, nullptr, false);
    RecordFields fields(json);
    SummaryPart part;
    part.parts = fields.integer("parts", 1);
    part.part = fields.integer("part", 0, part.parts - 1);
    part.ranks = fields.maybe("ranks", 1);
    if (part.ranks.value_or(1) > kMostRanks)
        fields.wrong("ranks", "no more than " + std::to_string(kMostRanks));
    part.folder = fields.textOrNull("folder");
    part.isRedacted = fields.flag("redacted");
    if (const Result<void> outcome = fields.outcome(); !outcome)
        return outcome.error();
    return part;
}

Result<void> readRecord(const RunRecord &record, RankSummary &into)
{
    const Json json = Json::parse(record.line, nullptr, false);
    RecordFields fields(json);
    RankSummary read;
    read.device = record.device;
    SummaryMoment moment;
    if (record.kind == "rank")
        readRank(json, fields, read);
    else if (record.kind == "ooms")
        readFailures(fields, read);
    else if (record.kind == "steps")
        readSteps(fields, read.steps);
    else if (record.kind == "sites")
        moment = readSites(fields);
    else if (record.kind == "active")
        readActive(json, fields, read);
    else if (record.kind == "reserved")
        readCurve(fields, read.reserved);
    if (Result<void> outcome = fields.outcome(); !outcome)
        return outcome;

    if (record.kind == "rank") {
        read.source.path = record.source;
        read.source.stamp = record.stamp;
        into = std::move(read); // first of all records of a device: the others follow
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
    const Json json = Json::parse(record.line, nullptr, false);
    RecordFields fields(json);
    const SiteId site = fields.siteOrNull("site").value_or(SiteId{});
    std::vector<SiteFrame> frames;
    for (const Json &value : fields.array("frames")) {
        const Json *row = fields.row(value, "frames", 3);
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

std::string fileLine()
{
    return lineOf({{"kind", "file"},
                   {"format", kFormat},
                   {"version", kVersion},
                   {"writer", "VRAMscope"},
                   {"analysis", kSummaryAnalysis}});
}

Result<void> checkFileLine(std::string_view line)
{
    const Result<Json> json = parsedRecord(line);
    if (!json)
        return json.error();
    RecordFields fields(*json);
    const std::string format = fields.text("format");
    const std::int64_t version = fields.integer("version", 1);
    if (!fields.outcome() || format != kFormat)
        return Error{ErrorCode::NotRecognized, "These are no summaries of ranks."};
    if (version > kVersion)
        return Error{ErrorCode::Unsupported,
                     "The summaries were written by a later version of VRAMscope (format " +
                         std::to_string(version) + "); update this one to read them."};
    return {};
}

std::string endLine(const std::map<std::string, std::int64_t> &counts)
{
    return lineOf({{"kind", "end"}, {"records", counts}});
}

Result<std::map<std::string, std::int64_t>> countsOfEnd(std::string_view line)
{
    const Result<Json> json = parsedRecord(line);
    if (!json)
        return json.error();
    std::map<std::string, std::int64_t> counts;
    const auto records = json->find("records");
    if (records == json->end() || !records->is_object())
        return invalid("Its \"records\" should be an object.");
    RecordFields fields(*records);
    for (const auto &[kind, count] : records->items())
        counts[kind] = fields.integer(kind.c_str(), 0);
    if (const Result<void> outcome = fields.outcome(); !outcome)
        return outcome.error();
    return counts;
}

} // namespace vramscope
