// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/run_records.h"

#include "core/base/text.h"
#include "core/ranks/record_json.h"

namespace vramscope {

namespace {

using Json = RecordJson;

constexpr std::string_view kFormat = "vramranks";
constexpr std::int64_t kVersion = 1;

Result<Json> parsedRecord(std::string_view line)
{
    if (const Result<void> checked = checkJson(line, kLongestRecord); !checked)
        return checked.error();
    Json json = Json::parse(line, nullptr, false);
    if (!json.is_object())
        return invalid("It is no JSON object.");
    return json;
}

SourceStamp stampOf(RecordFields &fields)
{
    SourceStamp stamp;
    stamp.modified = fields.integer("mtime_us");
    stamp.size = fields.integer("size", 0);
    stamp.analysis = fields.integer("analysis", 0);
    stamp.usable = !fields.has("error");
    return stamp;
}

constexpr std::array<std::string_view, 8> kSourceKinds{"rank",   "ooms",     "steps",   "sites",
                                                       "active", "reserved", "profile", "calls"};

/// A line that is in its only form and right, without building what it holds; nothing of any other,
/// which reading it in full tells about.
std::optional<RunRecord> canonicalRecord(std::string_view line)
{
    if (line.size() >= kLongestRecord)
        return {};
    const auto canonical = canonicalLine(line);
    if (!canonical)
        return {};
    const auto kind = canonical->textOf("kind");
    if (!kind || !isOneOf(*kind, kSourceKinds) || !canonical->valueOf("error").empty())
        return {};
    const auto source = canonical->textOf("source");
    const auto device = canonical->integerOf("device");
    const auto modified = canonical->integerOf("mtime_us");
    const auto size = canonical->integerOf("size");
    const auto analysis = canonical->integerOf("analysis");
    const bool hasMoment = !canonical->valueOf("moment").empty();
    const auto moment = canonical->textOf("moment");
    if (!source || source->empty() || !device || *device < 0 || *device > kMostDevice ||
        !modified || !size || *size < 0 || !analysis || *analysis < 0 || (hasMoment && !moment) ||
        (*kind == "sites" && !moment))
        return {};
    RunRecord record;
    record.kind = *kind;
    record.moment = moment.value_or("");
    record.source = *source;
    record.device = *device;
    record.stamp = {*modified, *size, true, *analysis};
    record.key = recordKey(record.kind, record.device, record.moment);
    record.line = line;
    return record;
}

} // namespace

/// What tells records of one source apart; sorts by device.
std::string recordKey(std::string_view kind, std::int64_t device, std::string_view moment)
{
    std::string number = device < 0 ? "" : std::to_string(device);
    constexpr std::size_t kDigits = 20;
    number.insert(0, kDigits - std::min(number.size(), kDigits), '0');
    return std::string(kind) + '\0' + (device < 0 ? "" : number) + '\0' + std::string(moment);
}

RunRecord recordWithSource(const Json &json, const SourceStamp &stamp, std::int64_t device)
{
    RunRecord record;
    record.kind = json.at("kind").get<std::string>();
    record.moment = json.value("moment", "");
    record.source = json.at("source").get<std::string>();
    record.device = device;
    record.stamp = stamp;
    record.key = recordKey(record.kind, device, record.moment);
    record.line = recordLine(json);
    return record;
}

RunRecord recordWithoutSource(const Json &json)
{
    RunRecord record;
    record.kind = json.at("kind").get<std::string>();
    record.line = recordLine(json);
    record.key = record.line;
    return record;
}

namespace {

/// A record as it is written, whatever its numbers mean.
Result<RunRecord> writtenRecord(std::string_view line)
{
    if (auto record = canonicalRecord(line))
        return std::move(*record);
    const Result<Json> json = parsedRecord(line);
    if (!json)
        return json.error();
    const std::string whole = recordLine(*json);
    RecordFields fields{RecordValue(whole)};
    const std::string kind = fields.text("kind");
    if (kind.empty() || kind.size() > 32 ||
        kind.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != kind.npos)
        return invalid("Its \"kind\" should be a word of small letters.");
    if (!isOneOf(kind, kSourceKinds))
        return recordWithoutSource(*json);
    const SourceStamp stamp = stampOf(fields);
    const auto device = fields.maybe("device", 0);
    if (device.value_or(0) > kMostDevice)
        fields.wrong("device", "the number of a GPU");
    if (fields.text("source").empty())
        fields.wrong("source", "a path");
    if (fields.has("moment") || kind == "sites")
        (void)fields.text("moment");
    if (device.has_value() == fields.has("error") || (!device && kind != "rank"))
        fields.wrong("device", "a number, of a file that could not be used null");
    if (const Result<void> outcome = fields.outcome(); !outcome)
        return outcome.error();
    RunRecord record = recordWithSource(*json, stamp, device.value_or(-1));
    if (record.line.size() >= kLongestRecord)
        return invalid("It is too long.");
    return record;
}

} // namespace

Result<RunRecord> recordOf(std::string_view line)
{
    Result<RunRecord> record = writtenRecord(line);
    if (record && record->kind == "part") {
        if (const Result<SummaryPart> part = partOfRecord(*record); !part)
            return part.error();
    }
    return record;
}

RunRecord recordOf(const SummaryPart &part)
{
    return recordWithoutSource({{"kind", "part"},
                                {"part", part.part},
                                {"parts", part.parts},
                                {"ranks", jsonOrNull(part.ranks)},
                                {"folder", part.folder.empty() ? Json() : Json(part.folder)},
                                {"redacted", part.isRedacted}});
}

Result<SummaryPart> partOfRecord(const RunRecord &record)
{
    RecordFields fields{RecordValue(record.line)};
    SummaryPart part;
    part.parts = fields.integer("parts", 1);
    if (part.parts > kMostParts)
        fields.wrong("parts", "no more than " + std::to_string(kMostParts));
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

std::string fileLine()
{
    return recordLine({{"kind", "file"},
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
    const std::string whole = recordLine(*json);
    RecordFields fields{RecordValue(whole)};
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
    return recordLine({{"kind", "end"}, {"records", counts}});
}

Result<std::map<std::string, std::int64_t>> countsOfEnd(std::string_view line)
{
    const Result<Json> json = parsedRecord(line);
    if (!json)
        return json.error();
    std::map<std::string, std::int64_t> counts;
    const std::string whole = recordLine(*json);
    RecordFields fields{RecordValue(whole)};
    RecordFields records = fields.object("records");
    for (const auto &[kind, count] : fields.value("records").members())
        counts[kind.text().value_or("")] = records.integerIn(count, "records", 0);
    fields.take(records);
    if (const Result<void> outcome = fields.outcome(); !outcome)
        return outcome.error();
    return counts;
}

} // namespace vramscope
