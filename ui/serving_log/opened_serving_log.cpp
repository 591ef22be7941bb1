// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving_log/opened_serving_log.h"

#include "core/print/serving_log_report.h"
#include "core/report/redacted_plan.h"
#include "core/report/serving_log_section.h"
#include "core/report/tables.h"
#include "core/serving_logs/log_redaction.h"
#include "ui/charts/segment_bars.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/export/report_figure.h"
#include "ui/serving_log/log_budget_bars.h"
#include "ui/serving_log/serving_log_document.h"
#include "ui/serving_log/serving_log_items.h"
#include "ui/serving_log/serving_log_page.h"
#include "ui/serving_log/serving_log_rows.h"
#include "ui/support/text.h"

#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The page as the window sees it.
class ServingLogDocumentPage : public DocumentPage, private PlansBeside
{
public:
    ServingLogDocumentPage(DocumentPointer document, std::shared_ptr<const ServingLogDocument> log,
                           const QString &title, QWidget *parent)
        : DocumentPage(std::move(document))
        , m_log(std::move(log))
        , m_page(new ServingLogPage(m_log, title, parent))
    {
        connect(m_page, &ServingLogPage::planWanted, this, &DocumentPage::planWanted);
        connect(m_page, &ServingLogPage::editWanted, this, &DocumentPage::editWanted);
    }

    [[nodiscard]] QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    [[nodiscard]] QString statusText() const override { return m_page->statusText(); }
    [[nodiscard]] QString helpTopic() const override
    {
        return u"recording#logs-of-serving-engines"_s;
    }
    [[nodiscard]] Table table(qsizetype most) const override
    {
        return figuresTable(m_log->log, most);
    }
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() const override
    {
        return servingLogItems(m_page->shown(), m_page->unit());
    }
    [[nodiscard]] std::vector<ReportSource> reportSources(const QString &file,
                                                          const QDateTime &date) const override
    {
        return {{file, opened(m_page->shown()), 0, date}};
    }
    [[nodiscard]] PlansBeside *plansBeside() override { return this; }
    [[nodiscard]] bool takesPlan() const override { return true; }

private:
    [[nodiscard]] std::vector<NamedPlan> plans() const override
    {
        if (!m_page->plan())
            return {};
        return {{*m_page->plan(), m_page->planTitle()}};
    }
    void addPlan(const NamedPlan &plan) override { m_page->setPlan(plan.plan, plan.name); }
    void setPlanMissing(const QString &why) override { m_page->setPlanMissing(why); }

    std::shared_ptr<const ServingLogDocument> m_log;
    ServingLogPage *m_page;
};

class OpenedServingLog : public Document
{
public:
    explicit OpenedServingLog(std::shared_ptr<const ServingLogDocument> document)
        : m_document(std::move(document))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<ServingLogDocumentPage>(shared_from_this(), m_document, title,
                                                        parent);
    }
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit) const override
    {
        return captionOf(title, file, foreignText(servingLogTitle(m_document->log)));
    }
    [[nodiscard]] QString unfitText(RenderView view) const override
    {
        return view == RenderView::ServingLog
                   ? QString()
                   : u"This is the log of a serving engine; its view is serving-log."_s;
    }
    void gatherNames(Redaction &redaction) const override
    {
        vramscope::gatherNames(redaction, m_document->log);
        gatherPlan(redaction, m_document->implied.plan.plan);
    }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &) const override
    {
        return opened(vramscope::withoutNames(*m_document, redaction));
    }

    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override
    {
        return std::vector<ReportSource>{{file, shared_from_this()}};
    }
    void addReportSection(Report &report, const std::string &name, std::size_t number,
                          ByteUnit unit) const override
    {
        const auto &[log, planned] = *m_document;
        const bool isDrawn = !budgetBars(log, unit).empty();
        addServingLogSection(report,
                             {log, planned.plan, planned.comparison, name, number,
                              isDrawn ? budgetNote(log).toStdString() : std::string()},
                             unit);
    }
    [[nodiscard]] std::vector<ReportFigure> reportFigures(std::size_t number,
                                                          ByteUnit unit) const override
    {
        if (budgetBars(m_document->log, unit).empty())
            return {};
        return {{figureId("budget", number),
                 [document = m_document, unit](int width, const Theme &theme) {
                     SegmentBars bars;
                     bars.setUnit(unit);
                     bars.setBars(budgetBars(document->log, unit));
                     return widgetDrawing(bars, {width, bars.heightForWidth(width)}, theme);
                 }}};
    }

private:
    std::shared_ptr<const ServingLogDocument> m_document;
};

} // namespace

DocumentPointer opened(std::shared_ptr<const ServingLogDocument> document)
{
    return std::make_shared<const OpenedServingLog>(std::move(document));
}

} // namespace vramscope
