// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_document_page.h"

#include "core/validation/measured.h"

#include "ui/planner/lower_card.h"
#include "ui/planner/opened_plan.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_items.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/plan_tables.h"
#include "ui/planner/plans_compare_view.h"
#include "ui/planner/scenario_list.h"
#include "ui/planner/sweep_view.h"
#include "ui/support/text.h"

#include <QComboBox>
#include <QTabBar>
#include <QUndoStack>

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// Of the state of a page.
const QString kView = u"view"_s;
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
    const auto differ = differingFields(scenarios.baselinePlan(), page.plan(), page.unit()).size();
    if (!scenarios.baseline() && differ == 0)
        return {};
    return u"baseline: %1, %2"_s.arg(scenarios.baseline() ? scenarios.baselineName()
                                                          : u"as opened"_s,
                                     differ == 0   ? u"no setting differs"_s
                                     : differ == 1 ? u"1 setting differs"_s
                                                   : u"%1 settings differ"_s.arg(differ));
}

} // namespace

PlanDocumentPage::PlanDocumentPage(DocumentPointer document, const QString &title, QWidget *parent)
    : DocumentPage(document)
    , m_page(new PlanPage(parent))
{
    m_page->setPlan(*document->plan(), title);
    connect(m_page, &PlanPage::changed, this, &DocumentPage::edited);
    connect(m_page, &PlanPage::modifiedChanged, this, &DocumentPage::edited);
    connect(m_page->scenarios(), &ScenarioList::changed, this, &DocumentPage::statusChanged);
    connect(m_page->undoStack(), &QUndoStack::indexChanged, this, &DocumentPage::edited);
    connect(m_page, &PlanPage::trustWanted, this,
            [this] { Q_EMIT trustWanted(toQString(runKind(m_page->plan()))); });
}

QWidget *PlanDocumentPage::widget() const
{
    return m_page;
}

void PlanDocumentPage::setUnit(ByteUnit unit)
{
    m_page->setUnit(unit);
}

QString PlanDocumentPage::statusText() const
{
    const QString time = toQString(formatMicroseconds(m_page->estimateMicroseconds()));
    QStringList parts{u"estimate %1"_s.arg(time)};
    parts += baselineText(*m_page);
    parts += issuesText(m_page->estimate().issues);
    parts.removeAll(QString());
    return parts.join(u"     "_s);
}

DocumentPointer PlanDocumentPage::document() const
{
    return std::make_shared<const OpenedPlan>(m_page->plan());
}

Table PlanDocumentPage::table(qsizetype) const
{
    return planTable(*m_page);
}

std::vector<StageItem> PlanDocumentPage::stageItems() const
{
    return planItems(
        {m_page->plan(), m_page->estimate(), m_page->scenarios()->all(), m_page->unit()});
}

// The plan, and those that are pinned beside it, each once.
std::vector<ReportSource> PlanDocumentPage::reportSources(const QString &file,
                                                          const QDateTime &date) const
{
    std::vector<ReportSource> sources{{file, document(), 0, date}};
    for (const Scenario &scenario : m_page->scenarios()->all()) {
        if (scenario.plan == m_page->plan())
            continue;
        Plan plan = scenario.plan;
        plan.name = scenario.title().toStdString(); // else all had one
        sources.push_back({file, std::make_shared<const OpenedPlan>(std::move(plan))});
    }
    return sources;
}

QVariantMap PlanDocumentPage::state(const Redaction *) const
{
    const LowerCard &card = *m_page->charts()->lower();
    const SweepView &sweep = *m_page->sweepView();
    const PlansCompareView &compare = *m_page->compareView();
    QVariantMap state{{kView, card.tabs()->currentIndex()}};
    if (card.currentPage() == &sweep && sweep.field() && !sweep.points().empty()) {
        state[kSweepField] = toQString(sweep.field()->path);
        state[kSweepFrom] = sweep.points().front().value;
        state[kSweepTo] = sweep.points().back().value;
    }
    if (card.currentPage() == &compare) {
        state[kCompareFrom] = compare.from()->currentIndex();
        state[kCompareTo] = compare.to()->currentIndex();
    }
    return state;
}

void PlanDocumentPage::restore(const QVariantMap &state)
{
    m_page->charts()->lower()->tabs()->setCurrentIndex(state[kView].toInt());
    if (const Field *field = findField(state[kSweepField].toString().toStdString())) {
        m_page->sweepView()->setField(*field);
        m_page->sweepView()->setRange(state[kSweepFrom].toDouble(), state[kSweepTo].toDouble());
    }
    if (state.contains(kCompareFrom)) {
        m_page->compareView()->from()->setCurrentIndex(state[kCompareFrom].toInt());
        m_page->compareView()->to()->setCurrentIndex(state[kCompareTo].toInt());
    }
}

void PlanDocumentPage::workNow()
{
    m_page->workNow();
}

QUndoStack *PlanDocumentPage::undoStack() const
{
    return m_page->undoStack();
}

const Plan &PlanDocumentPage::plan() const
{
    return m_page->plan();
}

const Plan &PlanDocumentPage::openedPlan() const
{
    return m_page->scenarios()->opened();
}

void PlanDocumentPage::replacePlan(const Plan &plan, const QString &name)
{
    m_page->replacePlan(plan, name);
}

void PlanDocumentPage::showPlanView(PlanView view)
{
    m_page->showView(view);
}

bool PlanDocumentPage::isModified() const
{
    return m_page->isModified();
}

void PlanDocumentPage::markSaved()
{
    m_page->setSaved();
}

void PlanDocumentPage::markUnsaved()
{
    m_page->undoStack()->resetClean();
}

std::vector<NamedPlan> PlanDocumentPage::plans() const
{
    std::vector<NamedPlan> plans;
    for (const Scenario &scenario : m_page->scenarios()->all())
        plans.push_back({scenario.plan, scenario.title()});
    return plans;
}

void PlanDocumentPage::addPlan(const NamedPlan &plan)
{
    m_page->pinPlan(plan.plan, plan.name);
}

} // namespace vramscope
