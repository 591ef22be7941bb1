// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/opened_plan.h"

#include "core/catalog/gpus.h"
#include "core/planner/estimate.h"
#include "core/planner/plan_json.h"
#include "core/report/redacted_plan.h"
#include "core/validation/measured.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/planner/layouts_view.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
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

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// Of the state of a page.
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

/// "H100 SXM5 80 GB, 79.2 GiB".
QString capacityText(const Plan &plan, ByteUnit unit)
{
    const std::optional<Bytes> capacity = estimate(plan).capacity;
    if (!capacity)
        return {};
    const auto &name = plan.hardware.gpu;
    const GpuPreset *gpu = name ? findGpuPreset(*name) : nullptr;
    const QString size = bytesText(*capacity, unit);
    return gpu ? u"%1, %2"_s.arg(toQString(gpu->title), size) : size;
}

/// The page of a plan as the window sees it.
class PlanDocumentPage : public DocumentPage, private PlanEditing, private PlansBeside
{
public:
    /// `document` is a plan.
    PlanDocumentPage(const DocumentPointer &document, const QString &title, QWidget *parent)
        : DocumentPage(document)
        , m_page(new PlanPage(parent))
    {
        m_page->setPlan(*document->plan(), title);
        connect(m_page, &PlanPage::changed, this, &DocumentPage::edited);
        connect(m_page, &PlanPage::modifiedChanged, this, &DocumentPage::edited);
        connect(m_page->scenarios(), &ScenarioList::changed, this, &DocumentPage::statusChanged);
        connect(m_page->undoStack(), &QUndoStack::indexChanged, this, &DocumentPage::edited);
        connect(m_page, &PlanPage::settingsWanted, this, &DocumentPage::settingsWanted);
        connect(m_page, &PlanPage::trustWanted, this,
                [this] { Q_EMIT trustWanted(toQString(runKind(m_page->plan()))); });
    }

    [[nodiscard]] QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    [[nodiscard]] QString statusText() const override
    {
        const QString time = toQString(formatMicroseconds(m_page->estimateMicroseconds()));
        QStringList parts{u"estimate %1"_s.arg(time)};
        parts += baselineText(*m_page);
        parts += issuesText(m_page->estimate().issues);
        parts.removeAll(QString());
        return parts.join(u"     "_s);
    }
    [[nodiscard]] DocumentPointer document() const override { return opened(m_page->plan()); }
    [[nodiscard]] Table table(qsizetype) const override { return planTable(*m_page); }
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("plan"); }
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() const override
    {
        return planItems(
            {m_page->plan(), m_page->estimate(), m_page->scenarios()->all(), m_page->unit()});
    }
    // The plan, and those that are pinned beside it, each once.
    [[nodiscard]] std::vector<ReportSource> reportSources(const QString &file,
                                                          const QDateTime &date) const override
    {
        std::vector<ReportSource> sources{{file, document(), 0, date}};
        const StagedPlan staged{m_page->plan(), m_page->estimate(), m_page->scenarios()->all(),
                                m_page->unit()};
        for (const PlanSide &side : planSides(staged)) {
            if (*side.plan == staged.plan)
                continue;
            Plan plan = *side.plan;
            // Else all had one.
            plan.name = (side.pinned.isEmpty() ? side.job : side.pinned).toStdString();
            sources.push_back({file, opened(std::move(plan))});
        }
        return sources;
    }
    [[nodiscard]] QVariantMap state(const Redaction *) const override
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
        if (card.currentPage() == m_page->layoutsView())
            state[kQuestion] = m_page->layoutsView()->question();
        if (card.currentPage() == &compare) {
            state[kCompareFrom] = compare.from()->currentIndex();
            state[kCompareTo] = compare.to()->currentIndex();
        }
        return state;
    }
    void restore(const QVariantMap &state) override
    {
        if (state.contains(kQuestion))
            m_page->layoutsView()->ask(
                static_cast<LayoutsView::Question>(state[kQuestion].toInt()));
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
    void workNow() override { m_page->workNow(); }
    [[nodiscard]] QUndoStack *undoStack() const override { return m_page->undoStack(); }
    [[nodiscard]] PlanEditing *planEditing() override { return this; }
    [[nodiscard]] PlansBeside *plansBeside() override { return this; }

private:
    [[nodiscard]] const Plan &plan() const override { return m_page->plan(); }
    [[nodiscard]] const Plan &openedPlan() const override { return m_page->scenarios()->opened(); }
    void replacePlan(const Plan &plan, const QString &name) override
    {
        m_page->replacePlan(plan, name);
    }
    void showPlanView(PlanView view) override { m_page->showView(view); }
    [[nodiscard]] bool isModified() const override { return m_page->isModified(); }
    void markSaved() override { m_page->setSaved(); }
    void markUnsaved() override { m_page->undoStack()->resetClean(); }
    [[nodiscard]] std::vector<NamedPlan> plans() const override
    {
        std::vector<NamedPlan> plans;
        for (const Scenario &scenario : m_page->scenarios()->all())
            plans.push_back({scenario.plan, scenario.title()});
        return plans;
    }
    void addPlan(const NamedPlan &plan) override { m_page->pinPlan(plan.plan, plan.name); }
    void setPlanMissing(const QString &) override {}

    PlanPage *m_page;
};

class OpenedPlan : public Document
{
public:
    explicit OpenedPlan(Plan plan)
        : m_made{std::move(plan), {}, {}}
    {
    }
    explicit OpenedPlan(Imported imported)
        : m_made(std::move(imported))
        , m_isImported(true)
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<PlanDocumentPage>(shared_from_this(), title, parent);
    }
    [[nodiscard]] const Plan *plan() const override { return &m_made.plan; }
    [[nodiscard]] const Imported *imported() const override
    {
        return m_isImported ? &m_made : nullptr;
    }
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit unit) const override
    {
        const auto &name = m_made.plan.name;
        Caption caption = captionOf(name && !name->empty() ? toQString(*name) : title, file,
                                    u"Plan of VRAMscope"_s);
        caption.capacity = capacityText(m_made.plan, unit);
        return caption;
    }
    [[nodiscard]] QString unfitText(RenderView view) const override
    {
        return view == RenderView::Plan || view == RenderView::Breakdown
                   ? QString()
                   : u"This is a plan; its views are plan, plan/VIEW and breakdown."_s;
    }
    void gatherNames(Redaction &redaction) const override { gatherPlan(redaction, m_made.plan); }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &) const override
    {
        auto result = std::make_shared<OpenedPlan>(*this);
        result->m_made.plan = redactedPlan(redaction, m_made.plan);
        return result;
    }
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override
    {
        return changedLines(m_made.plan, redaction);
    }
    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override
    {
        return std::vector<ReportSource>{{file, shared_from_this()}};
    }

private:
    Imported m_made;
    bool m_isImported = false;
};

} // namespace

DocumentPointer opened(Plan plan)
{
    return std::make_shared<const OpenedPlan>(std::move(plan));
}

DocumentPointer opened(Imported imported)
{
    return std::make_shared<const OpenedPlan>(std::move(imported));
}

std::vector<Replaced> changedLines(const Plan &plan, const Redaction &redaction)
{
    const QStringList before = toQString(planJson(plan)).split(u'\n');
    const QStringList after = toQString(planJson(redactedPlan(redaction, plan))).split(u'\n');
    std::vector<Replaced> lines;
    for (qsizetype at = 0; at < std::min(before.size(), after.size()); ++at) {
        if (before[at] != after[at])
            lines.emplace_back(before[at].trimmed(), after[at].trimmed());
    }
    return lines;
}

} // namespace vramscope
