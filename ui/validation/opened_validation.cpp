// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/opened_validation.h"

#include "core/validation/measured.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/validation/validation_page.h"

#include <QTableView>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The page as the window sees it.
class ValidationDocumentPage : public DocumentPage
{
public:
    ValidationDocumentPage(DocumentPointer document, std::shared_ptr<const Validation> validation,
                           QWidget *parent)
        : DocumentPage(std::move(document))
        , m_page(new ValidationPage(std::move(validation), parent))
    {
        connect(m_page, &ValidationPage::statusChanged, this, &DocumentPage::statusChanged);
        connect(m_page, &ValidationPage::planWanted, this, &DocumentPage::planWanted);
    }

    [[nodiscard]] QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    [[nodiscard]] QString statusText() const override { return m_page->statusText(); }
    [[nodiscard]] QString helpTopic() const override { return u"plan#the-band"_s; }
    [[nodiscard]] Table table(qsizetype) const override
    {
        return tableOf(*m_page->rowsView()->model(), u"Predicted against measured"_s);
    }
    void goTo(const QString &run) override { m_page->showRuns(run.toStdString()); }

private:
    ValidationPage *m_page;
};

class OpenedValidation : public Document
{
public:
    explicit OpenedValidation(std::shared_ptr<const Validation> validation)
        : m_validation(std::move(validation))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<ValidationDocumentPage>(shared_from_this(), m_validation, parent);
    }
    [[nodiscard]] Caption caption(const QString &title, const QString &, ByteUnit) const override
    {
        return captionOf(title, {}, u"Measured figures of VRAMscope"_s);
    }
    [[nodiscard]] QString unfitText(RenderView view) const override
    {
        return view == RenderView::Trust
                   ? QString()
                   : u"These are the measured figures; their view is trust."_s;
    }

private:
    std::shared_ptr<const Validation> m_validation;
};

} // namespace

DocumentPointer opened(std::shared_ptr<const Validation> validation)
{
    return std::make_shared<const OpenedValidation>(std::move(validation));
}

} // namespace vramscope
