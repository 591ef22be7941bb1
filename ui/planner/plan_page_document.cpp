// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "ui/planner/layouts_view.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_document.h"
#include "ui/planner/plan_items.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/plan_slides.h"
#include "ui/planner/plan_tables.h"
#include "ui/planner/plans_compare_view.h"
#include "ui/planner/scenario_list.h"
#include "ui/planner/sweep_view.h"
#include "ui/support/text.h"

#include <QComboBox>
#include <QTabBar>
#include <QUndoStack>

#include <array>

// The page as a document: its status, table, presentation and report, and what it keeps.

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// In what a page keeps.
const QString kView = u"view"_s;
const QString kQuestion = u"question"_s;
const QString kSweepField = u"sweepField"_s;
const QString kSweepFrom = u"sweepFrom"_s;
const QString kSweepTo = u"sweepTo"_s;
const QString kCompareFrom = u"compareFrom"_s;
const QString kCompareTo = u"compareTo"_s;

/// "1 error, 2 notes": what the answer lists.
QString issuesText(const std::vector<Issue> &issues)
{
    struct Counted
    {
        QString one;
        qsizetype count = 0;
    };
    std::array<Counted, 3> kinds{{{u"error"_s}, {u"warning"_s}, {u"note"_s}}};
    for (const Issue &issue : issues)
        ++kinds[issue.severity == Issue::Severity::Note      ? 2
                : issue.severity == Issue::Severity::Warning ? 1
                                                             : 0]
              .count;
    QStringList parts;
    for (const auto &[one, count] : kinds) {
        if (count > 0)
            parts += u"%1 %2%3"_s.arg(count).arg(one, count == 1 ? QString() : u"s"_s);
    }
    return parts.join(u", "_s);
}

/// "baseline: A, 2 settings differ"; nothing where the plan is as it was opened.
QString baselineText(const PlanPage &page)
{
    const ScenarioList &scenarios = *page.scenarios();
    const auto differ =
        differingFields(scenarios.baselinePlan(), *scenarios.baselineEstimate().settings,
                        page.plan(), *page.estimate().settings, page.unit())
            .size();
    if (!scenarios.baseline() && differ == 0)
        return {};
    return u"baseline: %1, %2"_s.arg(scenarios.baseline() ? scenarios.baselineName()
                                                          : u"as opened"_s,
                                     differ == 0   ? u"no setting differs"_s
                                     : differ == 1 ? u"1 setting differs"_s
                                                   : u"%1 settings differ"_s.arg(differ));
}

} // namespace

QString PlanPage::statusText() const
{
    QStringList parts{u"estimate %1"_s.arg(toQString(formatMicroseconds(m_estimateMicroseconds))),
                      baselineText(*this), issuesText(m_estimate.issues)};
    parts.removeAll(QString());
    return parts.join(u"     "_s);
}

DocumentPointer PlanPage::document() const
{
    return planDocument(m_plan);
}

Table PlanPage::table(qsizetype) const
{
    return planTable(*this);
}

std::vector<StageItem> PlanPage::stageItems()
{
    return planItems({m_plan, m_estimate, m_scenarios->all(), unit()});
}

std::vector<ReportSource> PlanPage::reportSources(const QString &file, const QDateTime &date) const
{
    std::vector<ReportSource> sources{{file, document(), 0, date}};
    const StagedPlan staged{m_plan, m_estimate, m_scenarios->all(), unit()};
    for (const PlanSide &side : planSides(staged)) {
        if (*side.plan == staged.plan)
            continue;
        Plan plan = *side.plan;
        // Else all had one.
        plan.name = (side.pinned.isEmpty() ? side.job : side.pinned).toStdString();
        sources.push_back({file, planDocument(std::move(plan))});
    }
    return sources;
}

QVariantMap PlanPage::chosen(const Redaction *) const
{
    const LowerCard &card = *m_cards->lower();
    QVariantMap chosen{{kView, card.tabs()->currentIndex()}};
    if (card.currentPage() == m_sweep && m_sweep->field() && !m_sweep->points().empty()) {
        chosen[kSweepField] = toQString(m_sweep->field()->path);
        chosen[kSweepFrom] = m_sweep->points().front().value;
        chosen[kSweepTo] = m_sweep->points().back().value;
    }
    if (card.currentPage() == m_layouts)
        chosen[kQuestion] = m_layouts->question();
    if (card.currentPage() == m_compare) {
        chosen[kCompareFrom] = m_compare->from()->currentIndex();
        chosen[kCompareTo] = m_compare->to()->currentIndex();
    }
    return chosen;
}

void PlanPage::restore(const QVariantMap &chosen)
{
    if (chosen.contains(kQuestion))
        m_layouts->ask(static_cast<LayoutsView::Question>(chosen[kQuestion].toInt()));
    m_cards->lower()->tabs()->setCurrentIndex(chosen[kView].toInt());
    if (const Field *field = findField(chosen[kSweepField].toString().toStdString())) {
        m_sweep->setField(*field);
        m_sweep->setRange(chosen[kSweepFrom].toDouble(), chosen[kSweepTo].toDouble());
    }
    if (chosen.contains(kCompareFrom)) {
        m_compare->from()->setCurrentIndex(chosen[kCompareFrom].toInt());
        m_compare->to()->setCurrentIndex(chosen[kCompareTo].toInt());
    }
}

const Plan &PlanPage::openedPlan() const
{
    return m_scenarios->opened();
}

void PlanPage::markUnsaved()
{
    m_undo->resetClean();
}

std::vector<NamedPlan> PlanPage::plans() const
{
    std::vector<NamedPlan> plans;
    for (const Scenario &scenario : m_scenarios->all())
        plans.push_back({scenario.plan, scenario.title()});
    return plans;
}

} // namespace vramscope
