// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/document_page.h"

#include "ui/planner/plan_page.h"
#include "ui/trace/trace_page.h"

#include <QUndoStack>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

class PlanDocumentPage : public DocumentPage
{
public:
    PlanDocumentPage(const Plan &plan, const QString &title, QWidget *parent)
        : m_page(new PlanPage(parent))
    {
        m_page->setPlan(plan, title);
        connect(m_page, &PlanPage::changed, this, &DocumentPage::edited);
        connect(m_page, &PlanPage::modifiedChanged, this, &DocumentPage::edited);
        connect(m_page->undoStack(), &QUndoStack::indexChanged, this, &DocumentPage::edited);
    }

    QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    QString statusText() const override
    {
        const qsizetype notes = static_cast<qsizetype>(m_page->estimate().issues.size());
        return notes == 0 ? QString() : notes == 1 ? u"1 note"_s : u"%1 notes"_s.arg(notes);
    }
    const Plan *plan() const override { return &m_page->plan(); }
    QUndoStack *undoStack() const override { return m_page->undoStack(); }
    bool isModified() const override { return m_page->isModified(); }
    void markSaved() override { m_page->setSaved(); }

private:
    PlanPage *m_page;
};

class TraceDocumentPage : public DocumentPage
{
public:
    TraceDocumentPage(std::shared_ptr<const TraceDocument> document, QWidget *parent)
        : m_page(new TracePage(std::move(document), parent))
    {
        connect(m_page, &TracePage::statusChanged, this, &DocumentPage::statusChanged);
    }

    QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    QString statusText() const override { return m_page->statusText(); }
    void showDevice(std::size_t device) override { m_page->showDevice(device); }
    TimelineState *timeline() const override { return m_page->state(); }

private:
    TracePage *m_page;
};

} // namespace

std::unique_ptr<DocumentPage> DocumentPage::make(Document document, const QString &title,
                                                 QWidget *parent)
{
    if (const Plan *plan = std::get_if<Plan>(&document))
        return std::make_unique<PlanDocumentPage>(*plan, title, parent);
    return std::make_unique<TraceDocumentPage>(
        std::get<std::shared_ptr<const TraceDocument>>(std::move(document)), parent);
}

QImage DocumentPage::picture() const
{
    return widget()->grab().toImage();
}

} // namespace vramscope
