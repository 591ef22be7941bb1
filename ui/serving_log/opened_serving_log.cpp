// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving_log/opened_serving_log.h"

#include "core/print/serving_log_report.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/serving_log/serving_log_document.h"
#include "ui/serving_log/serving_log_page.h"
#include "ui/serving_log/serving_log_rows.h"
#include "ui/support/text.h"

#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The page as the window sees it.
class ServingLogDocumentPage : public DocumentPage
{
public:
    ServingLogDocumentPage(DocumentPointer document, std::shared_ptr<const ServingLogDocument> log,
                           QWidget *parent)
        : DocumentPage(std::move(document))
        , m_log(std::move(log))
        , m_page(new ServingLogPage(m_log, parent))
    {
        connect(m_page, &ServingLogPage::planWanted, this, &DocumentPage::planWanted);
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

private:
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

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<ServingLogDocumentPage>(shared_from_this(), m_document, parent);
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
    }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &) const override
    {
        return opened(analyse(redacted(m_document->log, redaction)));
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
