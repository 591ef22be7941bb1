// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/serving_log_section.h"

#include "core/describe/serving_log_tables.h"
#include "core/print/cells.h"
#include "core/print/serving_log_report.h"
#include "core/report/tables.h"
#include "core/serving_logs/log_diagnosis.h"
#include "core/serving_logs/log_verdict.h"

namespace vramscope {

namespace {

void addRefusals(Report &report, const ServingLog &log, ByteUnit unit)
{
    if (const auto verdict = verdictOf(log, unit))
        addParagraph(report, printable(verdictText(*verdict, unit)), Tone::Bad);
    for (const LogRefusal &refusal : log.refusals)
        addParagraph(report,
                     "Line " + formatCount(refusal.line) + ": " + printable(refusal.sentence),
                     Tone::Bad);
    for (const std::string &problem : log.problems)
        addParagraph(report, printable(problem), Tone::Warning);
}

void addDiagnosis(Report &report, const ServingLogSubject &subject, ByteUnit unit)
{
    const std::vector<Finding> findings = findingsOf(subject.log, &subject.plan.plan, unit);
    if (findings.empty())
        return;
    addHeading(report, 2, "Diagnosis");
    for (const Finding &finding : findings)
        addParagraph(report, finding.title + ". " + printable(finding.sentence), finding.tone);
}

void addPlan(Report &report, const ServingLogSubject &subject, ByteUnit unit)
{
    if (!subject.comparison.whyNot.empty() && subject.plan.hasModel)
        addParagraph(report,
                     "The plan inferred from this log gives no figures: " +
                         printable(subject.comparison.whyNot),
                     Tone::Warning);
    if (subject.comparison.whyNot.empty())
        addTable(report, "The log next to its plan", logDifferencesTable(subject.comparison), unit);
    addTable(report, "Plan inferred from this log", planSettingsTable(subject.plan.settings), unit);
    for (const std::string &sentence : subject.plan.notTold)
        addParagraph(report, "Not in the log: " + printable(sentence), Tone::Note);
}

} // namespace

void addServingLogSection(Report &report, const ServingLogSubject &subject, ByteUnit unit)
{
    const ServingLog &log = subject.log;
    addHeading(report, 1, printable(subject.file));
    addAnswer(report, printable(servingLogAnswer(log, unit)),
              log.refusals.empty() ? Tone::Plain : Tone::Bad);
    addParagraph(report, printable(servingLogTitle(log)) + ".");
    addRefusals(report, log, unit);
    if (!log.stages.empty())
        addTable(report, "Stages of the start",
                 pickedColumns(logStagesTable(log), {"name", "bytes", "seconds", "state"}), unit);
    if (!subject.drawn.empty())
        addFigure(report, "budget", subject.number, subject.drawn);
    addDiagnosis(report, subject, unit);
    addPlan(report, subject, unit);
    addTable(report, "Figures of the log",
             pickedColumns(logFiguresTable(log), {"figure", "value", "meaning"}), unit);
}

} // namespace vramscope
