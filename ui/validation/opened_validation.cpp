// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/opened_validation.h"

#include "core/validation/measured.h"
#include "core/validation/throughput.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/validation/measured_tabs.h"
#include "ui/validation/validation_page.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The page as the window sees it.
class ValidationDocumentPage : public DocumentPage
{
public:
    ValidationDocumentPage(DocumentPointer document, std::shared_ptr<const Validation> validation,
                           std::shared_ptr<const SpeedValidation> speeds, QWidget *parent)
        : DocumentPage(std::move(document))
        , m_tabs(new MeasuredTabs(std::move(validation), std::move(speeds), parent))
    {
        connect(m_tabs, &MeasuredTabs::statusChanged, this, &DocumentPage::statusChanged);
        connect(m_tabs, &MeasuredTabs::planWanted, this, &DocumentPage::planWanted);
    }

    [[nodiscard]] QWidget *widget() const override { return m_tabs; }
    void setUnit(ByteUnit unit) override { m_tabs->setUnit(unit); }
    [[nodiscard]] QString statusText() const override { return m_tabs->statusText(); }
    [[nodiscard]] QString helpTopic() const override { return u"plan#the-band"_s; }
    [[nodiscard]] Table table(qsizetype) const override
    {
        return tableOf(m_tabs->rows(), m_tabs->tableTitle());
    }
    /// A tab, or a kind of run in that of memory.
    void goTo(const QString &place) override
    {
        if (const auto tab = measuredTabNamed(place))
            return m_tabs->showTab(*tab);
        m_tabs->showTab(MeasuredTab::Memory);
        m_tabs->memory()->showRuns(place.toStdString());
    }

private:
    MeasuredTabs *m_tabs;
};

class OpenedValidation : public Document
{
public:
    OpenedValidation(std::shared_ptr<const Validation> validation,
                     std::shared_ptr<const SpeedValidation> speeds)
        : m_validation(std::move(validation))
        , m_speeds(std::move(speeds))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<ValidationDocumentPage>(shared_from_this(), m_validation, m_speeds,
                                                        parent);
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
    std::shared_ptr<const SpeedValidation> m_speeds;
};

} // namespace

DocumentPointer opened(std::shared_ptr<const Validation> validation,
                       std::shared_ptr<const SpeedValidation> speeds)
{
    return std::make_shared<const OpenedValidation>(std::move(validation), std::move(speeds));
}

} // namespace vramscope
