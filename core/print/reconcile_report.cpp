// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/reconcile_report.h"

#include "core/base/counted.h"
#include "core/base/sentence.h"
#include "core/print/cells.h"
#include "core/print/plan_report.h"
#include "core/print/reconcile_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace vramscope {

namespace {

constexpr std::string_view kNone = "-";

std::string moreOrLess(Bytes difference, ByteUnit unit)
{
    if (difference == 0)
        return "the same";
    return formatBytes(std::abs(difference), unit) + (difference > 0 ? " more" : " less");
}

std::string amount(const Calibration &constant, double value, ByteUnit unit)
{
    return constant.isBytes ? formatBytes(static_cast<Bytes>(std::llround(value)), unit)
                            : formatDecimals(value, 4);
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
        return wrapped(text + "has the size of no tensor that the plan knows.", kTableWidth) + "\n";
    text = wrapped(text + "is as large as", kTableWidth) + "\n";
    for (const SizeName &name : failed.names)
        text += wrapped(name.text, kTableWidth) + ":  " + name.formula + "\n";
    return text;
}

} // namespace

TextTable matchedMomentsTable(const Reconciliation &it, ByteUnit unit)
{
    TextTable table(
        {Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Left});
    table.addRow({"", "moment", "predicted", "recorded", "difference", "found in the recording"});
    for (std::size_t at = 0; at < it.moments.size(); ++at) {
        const MatchedMoment &moment = it.moments[at];
        const Bytes predicted = moment.predicted.total();
        const Bytes recorded = moment.recorded.total();
        table.addRow(
            {at == it.compared ? ">" : "", moment.name,
             moment.predictedAt.empty() ? std::string(kNone) : formatBytes(predicted, unit),
             moment.found ? formatBytes(recorded, unit) : std::string(kNone),
             moment.found ? formatChange(recorded - predicted, unit) : std::string(),
             moment.how + (moment.cutOff ? "; cut off" : "")});
    }
    return table;
}

TextTable matchedPartsTable(const MatchedMoment &moment, ByteUnit unit)
{
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right});
    table.addRow({"", "predicted", "recorded", "difference"});
    const auto row = [&](std::string_view name, Bytes predicted, Bytes recorded) {
        if (predicted != 0 || recorded != 0)
            table.addRow({std::string(name), formatBytes(predicted, unit),
                          formatBytes(recorded, unit), formatChange(recorded - predicted, unit)});
    };
    for (std::size_t at = 0; at < kCategoryCount; ++at)
        row(categoryName(static_cast<Category>(at)), moment.predicted.byCategory[at],
            moment.recorded.byCategory[at]);
    row("In no part of a plan", moment.predicted.unknown, moment.recorded.unknown);
    row("Total", moment.predicted.total(), moment.recorded.total());
    return table;
}

TextTable reasonsTable(const Reconciliation &it, ByteUnit unit)
{
    TextTable table({Align::Right, Align::Left});
    table.addRow({formatBytes(it.comparedMoment().predicted.total(), unit), "predicted"});
    for (const Reason &reason : it.reasons)
        table.addRow({formatChange(reason.bytes, unit), reason.text});
    table.addRow({formatChange(it.unexplained, unit), "unexplained"});
    table.addRow({formatBytes(it.comparedMoment().recorded.total(), unit), "recorded"});
    return table;
}

TextTable candidatesTable(const std::vector<Reason> &candidates, Reason::Kind kind, ByteUnit unit)
{
    TextTable table({Align::Right, Align::Left});
    for (const Reason &reason : candidates) {
        if (reason.kind == kind)
            table.addRow({kind == Reason::Kind::Part ? formatChange(reason.bytes, unit)
                                                     : formatBytes(reason.explains, unit),
                          reason.text});
    }
    return table;
}

TextTable levelPairsTable(const std::vector<LevelPair> &levels, ByteUnit unit)
{
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Left});
    table.addRow({"", "predicted", "recorded", "from"});
    for (const LevelPair &level : levels)
        table.addRow({level.name, formatBytes(level.predicted, unit),
                      level.recorded ? formatBytes(*level.recorded, unit) : std::string(kNone),
                      level.how});
    return table;
}

TextTable calibrationsTable(const std::vector<Calibration> &constants, ByteUnit unit)
{
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Left});
    table.addRow({"", "plan", "recorded", "from"});
    for (const Calibration &constant : constants)
        table.addRow({std::string(constant.field), amount(constant, constant.planned, unit),
                      amount(constant, constant.recorded, unit), constant.how});
    return table;
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
                       " recorded: " + moreOrLess(recorded - predicted, unit);
    if (!it.reasons.empty() || recorded != predicted)
        text += ", " + formatBytes(std::abs(it.unexplained), unit) + " unexplained";
    return text;
}

std::string reconcileText(const ReconcileFindings &findings, ByteUnit unit)
{
    const Reconciliation &it = findings.reconciliation;
    std::string text = printable(findings.plan) + " against " + printable(findings.trace) +
                       ", device " + std::to_string(findings.device) + "\n";
    text += wrapped(reconcileVerdict(it, unit), kTableWidth) + "\n";
    if (it.moments.empty())
        return text;
    text += wrapped("Of the recording: " + it.step + ". " + it.whyThisStep, kTableWidth) + "\n";
    if (it.failed)
        text += "\n" + failedText(*it.failed, unit);
    text += section("The moments of the step", matchedMomentsTable(it, unit).text());
    const std::string at = momentPhrase(it.comparedMoment().name);
    text += section("The parts " + at, matchedPartsTable(it.comparedMoment(), unit).text());
    text += section("From predicted to recorded, " + at, reasonsTable(it, unit).text());
    const std::string parts = candidatesTable(it.candidates, Reason::Kind::Part, unit).text();
    if (!parts.empty())
        text += section("What is unexplained, by part", parts);
    const std::string others = candidatesTable(it.candidates, Reason::Kind::Setting, unit).text();
    if (!others.empty())
        text +=
            section("Other settings that alone would bring the plan closer, all moments summed, by",
                    others);
    text += section("The levels", levelPairsTable(it.levels, unit).text());
    if (!it.calibrations.empty())
        text += section("Constants that the recording determines",
                        calibrationsTable(it.calibrations, unit).text());
    if (!it.remarks.empty())
        text += "\n";
    for (const std::string &remark : it.remarks)
        text += wrapped("Note: " + remark, kTableWidth) + "\n";
    return text;
}

} // namespace vramscope
