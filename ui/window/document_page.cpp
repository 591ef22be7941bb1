// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/document_page.h"

#include "ui/compare/compare_page.h"
#include "ui/compare/rank_page.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/scenario_list.h"
#include "ui/reconcile/reconcile_page.h"
#include "ui/series/series_page.h"
#include "ui/support/rows_text.h"
#include "ui/support/text.h"
#include "ui/timeline/timeline_view.h"
#include "ui/trace/bookmark_model.h"
#include "ui/trace/trace_page.h"
#include "ui/validation/validation_page.h"

#include <QApplication>
#include <QTableView>
#include <QUndoStack>

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

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

class PlanDocumentPage : public DocumentPage
{
public:
    PlanDocumentPage(const Plan &plan, const QString &title, QWidget *parent)
        : m_page(new PlanPage(parent))
    {
        m_page->setPlan(plan, title);
        connect(m_page, &PlanPage::changed, this, &DocumentPage::edited);
        connect(m_page, &PlanPage::modifiedChanged, this, &DocumentPage::edited);
        connect(m_page->scenarios(), &ScenarioList::changed, this, &DocumentPage::statusChanged);
        connect(m_page->undoStack(), &QUndoStack::indexChanged, this, &DocumentPage::edited);
        connect(m_page, &PlanPage::trustWanted, this,
                [this] { Q_EMIT trustWanted(toQString(runKind(m_page->plan()))); });
    }

    QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    QString statusText() const override
    {
        const QString time = toQString(formatMicroseconds(m_page->estimateMicroseconds()));
        QStringList parts{u"estimate %1"_s.arg(time)};
        parts += baselineText(*m_page);
        parts += issuesText(m_page->estimate().issues);
        parts.removeAll(QString());
        return parts.join(u"     "_s);
    }
    const Plan *plan() const override { return &m_page->plan(); }
    const Plan *openedPlan() const override { return &m_page->scenarios()->opened(); }
    void replacePlan(const Plan &plan, const QString &name) override
    {
        m_page->replacePlan(plan, name);
    }
    void showPlanView(PlanView view) override { m_page->showView(view); }
    void workNow() override { m_page->workNow(); }
    void pinPlan(const Plan &plan, const QString &name) override { m_page->pinPlan(plan, name); }
    QUndoStack *undoStack() const override { return m_page->undoStack(); }
    bool isModified() const override { return m_page->isModified(); }
    void markSaved() override { m_page->setSaved(); }
    void markUnsaved() override { m_page->undoStack()->resetClean(); }

private:
    PlanPage *m_page;
};

class TraceDocumentPage : public DocumentPage
{
public:
    TraceDocumentPage(std::shared_ptr<const TraceDocument> document, const QString &title,
                      const QString &path, QWidget *parent)
        : m_trace{title, path, document}
        , m_page(new TracePage(std::move(document), parent))
    {
        connect(m_page, &TracePage::statusChanged, this, &DocumentPage::statusChanged);
        if (bookmarks())
            connect(undoStack(), &QUndoStack::indexChanged, this, &DocumentPage::edited);
    }

    QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    QString statusText() const override { return m_page->statusText(); }
    void showDevice(std::size_t device) override { m_page->showDevice(device); }
    void showTraceView(TraceView view, ColorBy colorBy) override
    {
        m_page->studyNow();
        m_page->setColorBy(colorBy);
        m_page->setView(view);
    }
    TimelineState *timeline() const override { return m_page->state(); }
    BookmarkModel *bookmarks() const final { return m_page->bookmarks(); }
    QUndoStack *undoStack() const final { return bookmarks() ? bookmarks()->undoStack() : nullptr; }
    void addBookmark() override { m_page->addBookmark(); }
    void stepBookmark(bool forward) override { m_page->stepBookmark(forward); }
    void goToPeak() override
    {
        auto *view = m_page->findChild<TimelineView *>();
        if (view && view->isVisible()) // no history, no timeline
            view->goToPeak();
    }
    bool takesLog() const override { return m_page->takesLog(); }
    QString takeLog(std::shared_ptr<const Series> log) override
    {
        return m_page->takeLog(std::move(log));
    }
    QString selectedText() const override
    {
        const QString rows = DocumentPage::selectedText();
        return rows.isEmpty() ? m_page->selectedText() : rows;
    }
    std::vector<ComparedTrace> compared() const override
    {
        if (m_trace.document->devices.empty())
            return {};
        ComparedTrace shown = m_trace;
        shown.device = m_page->device();
        return {shown};
    }

private:
    ComparedTrace m_trace;
    TracePage *m_page;
};

class SeriesDocumentPage : public DocumentPage
{
public:
    SeriesDocumentPage(std::shared_ptr<const SeriesDocument> document, QWidget *parent)
        : m_page(new SeriesPage(std::move(document), parent))
    {
        connect(m_page, &SeriesPage::statusChanged, this, &DocumentPage::statusChanged);
    }

    QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    QString statusText() const override { return m_page->statusText(); }
    void showDevice(std::size_t device) override { m_page->showDevice(device); }
    TimelineState *timeline() const override { return m_page->state(); }
    void goToPeak() override { m_page->goToPeak(); }

private:
    SeriesPage *m_page;
};

class ComparisonDocumentPage : public DocumentPage
{
public:
    ComparisonDocumentPage(std::shared_ptr<const ComparisonDocument> document, QWidget *parent)
        : m_page(new ComparePage(std::move(document), parent))
    {
        connect(m_page, &ComparePage::statusChanged, this, &DocumentPage::statusChanged);
    }

    QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    QString statusText() const override { return m_page->statusText(); }
    TimelineState *timeline() const override { return m_page->state(); }
    void goToPeak() override { m_page->goToPeak(); }
    void workNow() override { m_page->workNow(); }
    std::vector<ComparedTrace> compared() const override { return m_page->document().traces; }

private:
    ComparePage *m_page;
};

class RankFolderPage : public DocumentPage
{
public:
    RankFolderPage(std::shared_ptr<const RankFolder> folder, QWidget *parent)
        : m_page(new RankPage(std::move(folder), parent))
    {
        connect(m_page, &RankPage::statusChanged, this, &DocumentPage::statusChanged);
        connect(m_page, &RankPage::openWanted, this, &DocumentPage::openWanted);
        connect(m_page, &RankPage::comparisonWanted, this, &DocumentPage::comparisonWanted);
    }

    QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    QString statusText() const override { return m_page->statusText(); }

private:
    RankPage *m_page;
};

class ReconcileDocumentPage : public DocumentPage
{
public:
    ReconcileDocumentPage(std::shared_ptr<const ReconcileDocument> recording, QWidget *parent)
        : m_page(new ReconcilePage(std::move(recording), parent))
    {
        connect(m_page, &ReconcilePage::statusChanged, this, &DocumentPage::statusChanged);
        connect(m_page, &ReconcilePage::editWanted, this, &DocumentPage::editWanted);
    }

    QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    QString statusText() const override { return m_page->statusText(); }
    void showDevice(std::size_t device) override { m_page->setDevice(device); }
    void workNow() override { m_page->workNow(); }
    void setComparedPlan(const Plan *plan, const QString &title, const QString &why) override
    {
        if (plan)
            m_page->setPlan(*plan, title);
        else
            m_page->setPlanMissing(why);
    }

private:
    ReconcilePage *m_page;
};

class TrustDocumentPage : public DocumentPage
{
public:
    TrustDocumentPage(std::shared_ptr<const Validation> validation, QWidget *parent)
        : m_page(new ValidationPage(std::move(validation), parent))
    {
        connect(m_page, &ValidationPage::statusChanged, this, &DocumentPage::statusChanged);
        connect(m_page, &ValidationPage::planWanted, this, &DocumentPage::planWanted);
    }

    QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    QString statusText() const override { return m_page->statusText(); }
    void showRuns(const QString &run) override { m_page->showRuns(run.toStdString()); }

private:
    ValidationPage *m_page;
};

std::unique_ptr<DocumentPage> pageOf(Document document, const QString &title, const QString &path,
                                     QWidget *parent)
{
    if (auto *validation = std::get_if<std::shared_ptr<const Validation>>(&document))
        return std::make_unique<TrustDocumentPage>(std::move(*validation), parent);
    if (auto *folder = std::get_if<std::shared_ptr<const RankFolder>>(&document))
        return std::make_unique<RankFolderPage>(std::move(*folder), parent);
    if (auto *held = std::get_if<std::shared_ptr<const ReconcileDocument>>(&document))
        return std::make_unique<ReconcileDocumentPage>(std::move(*held), parent);
    if (auto *traces = std::get_if<std::shared_ptr<const ComparisonDocument>>(&document))
        return std::make_unique<ComparisonDocumentPage>(std::move(*traces), parent);
    if (const Imported *imported = std::get_if<Imported>(&document))
        return std::make_unique<PlanDocumentPage>(imported->plan, title, parent);
    if (const Plan *plan = std::get_if<Plan>(&document))
        return std::make_unique<PlanDocumentPage>(*plan, title, parent);
    if (auto *series = std::get_if<std::shared_ptr<const SeriesDocument>>(&document))
        return std::make_unique<SeriesDocumentPage>(std::move(*series), parent);
    return std::make_unique<TraceDocumentPage>(
        std::get<std::shared_ptr<const TraceDocument>>(std::move(document)), title, path, parent);
}

} // namespace

std::unique_ptr<DocumentPage> DocumentPage::make(Document document, const QString &title,
                                                 const QString &path, QWidget *parent)
{
    auto page = pageOf(document, title, path, parent);
    page->m_document = std::move(document);
    return page;
}

QString DocumentPage::selectedText() const
{
    const auto *table = qobject_cast<const QTableView *>(QApplication::focusWidget());
    return table && widget()->isAncestorOf(table) ? rowsText(*table) : QString();
}

QImage DocumentPage::picture() const
{
    return widget()->grab().toImage();
}

} // namespace vramscope
