// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving_log/serving_log_items.h"

#include "core/describe/serving_log_tables.h"
#include "core/print/serving_log_report.h"
#include "core/serving_logs/log_diagnosis.h"
#include "ui/charts/segment_bars.h"
#include "ui/serving_log/log_budget_bars.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

StageScene answerOf(const ServingLogDocument &document, ByteUnit unit)
{
    StageScene scene{foreignText(servingLogAnswer(document.log, unit)), nullptr};
    std::vector<SegmentBar> bars = budgetBars(document.log, unit);
    if (bars.empty())
        return scene;
    auto view = std::make_shared<SegmentBars>();
    view->setUnit(unit);
    view->setBars(std::move(bars));
    scene.view = std::move(view);
    return scene;
}

StageScene besidePlan(const ServingLogDocument &document, ByteUnit unit)
{
    return {u"The log beside its plan."_s,
            tableView(logDifferencesTable(document.implied.comparison), unit)};
}

StageScene findingOf(const LogFinding &finding)
{
    return {foreignText(finding.title + ". " + finding.sentence), nullptr};
}

StageScene figuresOf(const ServingLogDocument &document, ByteUnit unit)
{
    return {u"The figures of the log."_s,
            tableView(pickedColumns(logFiguresTable(document.log), {"meaning", "amount"}), unit)};
}

} // namespace

std::vector<StageItem> servingLogItems(const std::shared_ptr<const ServingLogDocument> &document,
                                       ByteUnit unit)
{
    std::vector<StageItem> items;
    items.push_back({"answer", u"The answer"_s, {}, true, [document, unit] {
                         return onCard(answerOf(*document, unit));
                     }});
    const LogComparison &comparison = document->implied.comparison;
    if (comparison.whyNot.empty() && !comparison.rows.empty())
        items.push_back({"plan", u"The log beside its plan"_s, {}, true, [document, unit] {
                             return onCard(besidePlan(*document, unit));
                         }});
    for (const LogFinding &finding : findingsOf(document->log, &document->implied.plan.plan, unit))
        items.push_back(
            {"finding:" + finding.title, foreignText(finding.title), {}, true, [finding] {
                 return findingOf(finding);
             }});
    items.push_back({"figures", u"The figures of the log"_s, {}, false, [document, unit] {
                         return onCard(figuresOf(*document, unit));
                     }});
    return items;
}

} // namespace vramscope
