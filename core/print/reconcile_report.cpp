// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/reconcile_report.h"

#include "core/base/counted.h"
#include "core/base/sentence.h"
#include "core/describe/reconcile_tables.h"
#include "core/print/cells.h"
#include "core/print/plan_report.h"

#include <algorithm>
#include <cstdlib>

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
        return wrapped(text + "has the size of no tensor that the plan knows.", kTableWidth) + "\n";
    text = wrapped(text + "is as large as", kTableWidth) + "\n";
    for (const SizeName &name : failed.names)
        text += wrapped(name.text, kTableWidth) + ":  " + name.formula + "\n";
    return text;
}

} // namespace

TextTable reconcileWay(const Reconciliation &it, ByteUnit unit)
{
    TextTable table({Align::Right, Align::Left});
    table.addRow({formatBytes(it.comparedMoment().predicted.total(), unit), "predicted"});
    for (const Reason &reason : it.reasons)
        table.addRow({formatChange(reason.bytes, unit), reason.text});
    table.addRow({formatChange(it.unexplained, unit), "unexplained"});
    table.addRow({formatBytes(it.comparedMoment().recorded.total(), unit), "recorded"});
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
    text += section("The moments of the step", terminalText(matchedMomentsTable(it), unit));
    const std::string at = momentPhrase(it.comparedMoment().name);
    text += section("The parts " + at, terminalText(matchedPartsTable(it.comparedMoment()), unit));
    text += section("From predicted to recorded, " + at, reconcileWay(it, unit).text());
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
        text += wrapped("Note: " + remark, kTableWidth) + "\n";
    return text;
}

} // namespace vramscope
