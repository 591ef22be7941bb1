// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/reconcile_report.h"

#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/base/sentence.h"
#include "core/describe/reconcile_tables.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/plan_report.h"
#include "core/table/json_rows.h"

#include <array>
#include <cstdlib>
#include <string_view>

namespace vramscope {

namespace {

std::string moreOrLess(Bytes difference, ByteUnit unit)
{
    if (difference == 0)
        return "the same";
    return formatBytes(std::abs(difference), unit) + (difference > 0 ? " more" : " less");
}

std::string section(std::string_view title, const std::string &table)
{
    return "\n" + std::string(title) + "\n" + table;
}

std::string failedText(const FailedRequest &failed, ByteUnit unit)
{
    std::string text = "The allocation that failed, " + formatBytes(failed.bytes, unit) + " (" +
                       counted(failed.bytes, "byte") + ") at event " + formatCount(failed.event) +
                       " in " + failed.place + ", ";
    if (failed.names.empty())
        return paragraph(text + "has the size of no tensor that the plan knows.");
    text = paragraph(text + "is as large as");
    for (const SizeName &name : failed.names)
        text += wrapped(name.text, kTableWidth) + ":  " + name.formula + "\n";
    return text;
}

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
            {"predicted_at", textOrNull(moment.predictedAt)},
            {"event", orNull(moment.found, moment.event)},
            {"how", moment.how},
            {"cut_off", moment.cutOff},
            {"predicted", moment.predictedAt.empty() ? Json() : sideBytesJson(moment.predicted)},
            {"recorded", moment.found ? sideBytesJson(moment.recorded) : Json()}};
}

Json reasonJson(const Reason &reason)
{
    return {{"kind", kKinds[static_cast<std::size_t>(reason.kind)]},
            {"text", reason.text},
            {"bytes", reason.bytes},
            {"explains", reason.explains},
            {"settings", fieldsJson(reason.settings)}};
}

Json failedJson(const std::optional<FailedRequest> &failed)
{
    if (!failed)
        return {};
    const auto nameJson = [](const SizeName &name) -> Json {
        return {{"text", name.text},
                {"formula", name.formula},
                {"category", categoryName(name.category)},
                {"bytes", name.bytes}};
    };
    return {{"event", failed->event},
            {"bytes", failed->bytes},
            {"place", failed->place},
            {"names", listJson(failed->names, nameJson)}};
}

} // namespace

DataTable reconcileWay(const Reconciliation &it, ByteUnit unit)
{
    RowTable table({}, {{"size", "Size", DataTable::Kind::SizeChange}, {"text", ""}});
    const auto whole = [&](const SideBytes &side, const char *name) {
        table.add({DataTable::Cell(formatBytes(side.total(), unit)), name});
    };
    whole(it.comparedMoment().predicted, "predicted");
    for (const Reason &reason : it.reasons)
        table.add({reason.bytes, reason.text});
    table.add({it.unexplained, "unexplained"});
    whole(it.comparedMoment().recorded, "recorded");
    return std::move(table).table();
}

std::string reconcileVerdict(const Reconciliation &it, ByteUnit unit)
{
    if (it.moments.empty())
        return it.remarks.empty() ? std::string() : it.remarks.front();
    const MatchedMoment &moment = it.comparedMoment();
    const Bytes predicted = moment.predicted.total();
    const Bytes recorded = moment.recorded.total();
    std::string text = capitalized(momentPhrase(moment.name)) + ": " +
                       formatBytes(predicted, unit) + " predicted, " + formatBytes(recorded, unit) +
                       (it.failed && moment.cutOff ? " asked for: " : " recorded: ") +
                       moreOrLess(recorded - predicted, unit);
    if (!it.reasons.empty() || recorded != predicted)
        text += ", " + formatBytes(std::abs(it.unexplained), unit) + " unexplained";
    return text;
}

std::string reconcileText(const ReconcileSubject &findings, ByteUnit unit)
{
    const Reconciliation &it = findings.reconciliation;
    std::string text = printable(findings.plan) + " against " + printable(findings.trace) +
                       ", device " + std::to_string(findings.device) + "\n";
    text += paragraph(reconcileVerdict(it, unit));
    if (it.moments.empty())
        return text;
    text += paragraph("Of the recording: " + it.step + ". " + it.whyThisStep);
    if (it.failed)
        text += "\n" + failedText(*it.failed, unit);
    text += section("The moments of the step", terminalText(matchedMomentsTable(it), unit));
    const std::string at = momentPhrase(it.comparedMoment().name);
    text += section("The parts " + at, terminalText(matchedPartsTable(it.comparedMoment()), unit));
    text +=
        section("From predicted to recorded, " + at, textRows(reconcileWay(it, unit), unit).text());
    const std::string parts = textRows(candidatesTable(it, Reason::Kind::Part), unit).text();
    if (!parts.empty())
        text += section("What is unexplained, by part", parts);
    const std::string others = textRows(candidatesTable(it, Reason::Kind::Setting), unit).text();
    if (!others.empty())
        text +=
            section("Other settings that alone would bring the plan closer, all moments summed, by",
                    others);
    text +=
        section("The levels", terminalText(pickedColumns(levelPairsTable(it.levels),
                                                         {"name", "predicted", "recorded", "how"}),
                                           unit));
    if (!it.calibrations.empty())
        text += section("Constants that the recording determines",
                        terminalText(pickedColumns(calibrationsTable(it.calibrations),
                                                   {"field", "planned", "recorded", "how"}),
                                     unit));
    if (!it.remarks.empty())
        text += "\n";
    for (const std::string &remark : it.remarks)
        text += paragraph("Note: " + remark);
    return text;
}

std::string reconcileJson(const ReconcileSubject &findings)
{
    const Reconciliation &it = findings.reconciliation;
    return jsonText(
        {{"plan", findings.plan},
         {"trace", findings.trace},
         {"device", findings.device},
         {"step", it.step},
         {"why_this_step", it.whyThisStep},
         {"first_step", it.firstStep},
         {"moments", listJson(it.moments, momentJson)},
         {"compared", orNull(!it.moments.empty(), it.compared)},
         {"failed", failedJson(it.failed)},
         {"reasons", listJson(it.reasons, reasonJson)},
         {"unexplained", it.unexplained},
         {"candidates", listJson(it.candidates, reasonJson)},
         {"levels", rowsJson(levelPairsTable(it.levels), {"name", "predicted", "recorded", "how"})},
         {"calibrations", rowsJson(calibrationsTable(it.calibrations),
                                   {"field", "label", "planned", "recorded", "how"})},
         {"remarks", it.remarks}});
}

} // namespace vramscope
