// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reconcile/opened_reconciliation.h"

#include "core/trace/redaction.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/planner/opened_plan.h"
#include "ui/reconcile/reconcile_items.h"
#include "ui/reconcile/reconcile_page.h"
#include "ui/reconcile/reconcile_study.h"
#include "ui/support/fact_table.h"
#include "ui/trace/opened_trace.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kMoment = u"moment"_s; ///< of the state of a page

/// The page as the window sees it.
class ReconcileDocumentPage : public DocumentPage, private PlansBeside
{
public:
    ReconcileDocumentPage(DocumentPointer document,
                          std::shared_ptr<const ReconcileDocument> recording, QWidget *parent)
        : DocumentPage(std::move(document))
        , m_page(new ReconcilePage(std::move(recording), parent))
    {
        connect(m_page, &ReconcilePage::statusChanged, this, &DocumentPage::statusChanged);
        connect(m_page, &ReconcilePage::editWanted, this, &DocumentPage::editWanted);
    }

    [[nodiscard]] QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    [[nodiscard]] QString statusText() const override { return m_page->statusText(); }
    [[nodiscard]] QString helpTopic() const override { return u"reconcile"_s; }
    [[nodiscard]] Table table(qsizetype) const override
    {
        return tableOf(*m_page->parts()->model(),
                       u"%1 against %2"_s.arg(m_page->planTitle(), m_page->recording().title));
    }
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() const override
    {
        if (!m_page->reconciliation())
            m_page->workNow();
        const Reconciliation *found = m_page->reconciliation();
        return reconcileItems({found ? *found : Reconciliation(),
                               m_page->bars()->content().capacity, m_page->emptyText(),
                               m_page->unit()});
    }
    [[nodiscard]] std::vector<ReportSource> reportSources(const QString &,
                                                          const QDateTime &) const override
    {
        std::vector<ReportSource> sources;
        if (m_page->plan())
            sources.push_back({m_page->planTitle(), opened(*m_page->plan())});
        sources.push_back(reportSource(m_page->recording()));
        return sources;
    }
    [[nodiscard]] QVariantMap state(const Redaction *) const override
    {
        return {{kMoment, QVariant::fromValue(m_page->moment())}};
    }
    void restore(const QVariantMap &state) override
    {
        m_page->workNow();
        m_page->selectMoment(state[kMoment].value<std::size_t>());
    }
    void showDevice(std::size_t device) override { m_page->setDevice(device); }
    void workNow() override { m_page->workNow(); }
    [[nodiscard]] PlansBeside *plansBeside() override { return this; }

private:
    [[nodiscard]] std::vector<NamedPlan> plans() const override
    {
        if (!m_page->plan())
            return {};
        return {{*m_page->plan(), m_page->planTitle()}};
    }
    void addPlan(const NamedPlan &plan) override { m_page->setPlan(plan.plan, plan.name); }
    void setPlanMissing(const QString &why) override { m_page->setPlanMissing(why); }

    ReconcilePage *m_page;
};

class OpenedReconciliation : public Document
{
public:
    explicit OpenedReconciliation(std::shared_ptr<const ReconcileDocument> recording)
        : m_recording(std::move(recording))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<ReconcileDocumentPage>(shared_from_this(), m_recording, parent);
    }
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit) const override
    {
        return captionOf(title, file, u"compared with %1"_s.arg(m_recording->recording.title));
    }
    [[nodiscard]] QString unfitText(RenderView) const override { return {}; }
    [[nodiscard]] std::optional<std::size_t> deviceIndex(int ordinal) const override
    {
        return vramscope::deviceIndex(*m_recording->recording.document, ordinal);
    }
    [[nodiscard]] QStringList files() const override { return {m_recording->recording.path}; }
    void gatherNames(Redaction &redaction) const override
    {
        redaction.gather(*m_recording->recording.document->trace);
    }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override
    {
        return std::make_shared<const OpenedReconciliation>(
            std::make_shared<const ReconcileDocument>(ReconcileDocument{
                vramscope::withoutNames(m_recording->recording, redaction, progress)}));
    }
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override
    {
        return changedTexts(*m_recording->recording.document, redaction);
    }

private:
    std::shared_ptr<const ReconcileDocument> m_recording;
};

} // namespace

DocumentPointer opened(std::shared_ptr<const ReconcileDocument> recording)
{
    return std::make_shared<const OpenedReconciliation>(std::move(recording));
}

} // namespace vramscope
