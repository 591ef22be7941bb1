// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving_log/serving_log_document.h"

#include "core/print/serving_log_report.h"
#include "core/report/redacted_plan.h"
#include "core/report/serving_log_section.h"
#include "core/report/tables.h"
#include "core/serving_logs/log_redaction.h"
#include "ui/charts/segment_bars.h"
#include "ui/export/report_figure.h"
#include "ui/serving_log/log_budget_bars.h"
#include "ui/serving_log/serving_log_page.h"
#include "ui/support/text.h"

#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

PlannedLog plannedLog(const ServingLog &log, const Plan &given)
{
    PlannedLog made;
    made.plan = planOfServingLog(log, given);
    made.comparison = compareWithLog(made.plan.plan, log);
    made.takeOver = takeOverLog(made.plan.plan, log);
    return made;
}

std::shared_ptr<const ServingLogDocument> analyse(ServingLog log)
{
    auto document = std::make_shared<ServingLogDocument>();
    document->log = std::move(log);
    document->implied = plannedLog(document->log);
    return document;
}

std::unique_ptr<DocumentPage> ServingLogDocument::makePage(const QString &title, const QString &,
                                                           QWidget *parent) const
{
    return std::make_unique<ServingLogPage>(shared<ServingLogDocument>(), title, parent);
}

DocumentKind ServingLogDocument::kind() const
{
    return {foreignText(servingLogTitle(log)), u"serving-log"_s,
            u"This is the log of a serving engine; its view is serving-log."_s, true};
}

void ServingLogDocument::gatherNames(Redaction &redaction) const
{
    vramscope::gatherNames(redaction, log);
    gatherPlan(redaction, implied.plan.plan);
}

DocumentPointer ServingLogDocument::withoutNames(const Redaction &redaction, const Progress &) const
{
    auto made = std::make_shared<ServingLogDocument>(*this);
    made->log = redacted(log, redaction);
    LogAgainstPlan shown =
        redactedAgainst(redaction, {implied.plan, implied.comparison, implied.takeOver});
    made->implied = {std::move(shown.plan), std::move(shown.comparison),
                     *std::move(shown.takeOver)};
    return made;
}

void ServingLogDocument::addReportSection(Report &report, const std::string &name,
                                          std::size_t number, ByteUnit unit) const
{
    const bool isDrawn = !budgetBars(log, unit).empty();
    addServingLogSection(report,
                         {log, implied.plan, implied.comparison, name, number,
                          isDrawn ? budgetNote(log).toStdString() : std::string()},
                         unit);
}

std::vector<ReportFigure> ServingLogDocument::reportFigures(std::size_t number,
                                                            const FigureOptions &options) const
{
    if (budgetBars(log, options.unit).empty())
        return {};
    return {{figureId("budget", number), [document = shared<ServingLogDocument>(),
                                          unit = options.unit](int width, const Theme &theme) {
                 SegmentBars bars;
                 bars.setUnit(unit);
                 bars.setBars(budgetBars(document->log, unit));
                 return widgetDrawing(bars, {width, bars.heightForWidth(width)}, theme);
             }}};
}

} // namespace vramscope
