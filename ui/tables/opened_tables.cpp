// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/opened_tables.h"

#include "core/profile/profile_redaction.h"
#include "core/trace/redaction.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/profile/profile_table_view.h"
#include "ui/support/text.h"
#include "ui/tables/tables_document.h"
#include "ui/tables/tables_page.h"

#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kTab = u"tab"_s; ///< of the state of a page

/// The page as the window sees it.
class TablesDocumentPage : public DocumentPage
{
public:
    TablesDocumentPage(DocumentPointer document, std::shared_ptr<const TablesDocument> tables,
                       QWidget *parent)
        : DocumentPage(std::move(document))
        , m_page(new TablesPage(std::move(tables), parent))
    {
        connect(m_page, &TablesPage::statusChanged, this, &DocumentPage::statusChanged);
    }

    [[nodiscard]] QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit) override {} // sizes are as the tool wrote them
    [[nodiscard]] QString statusText() const override { return m_page->statusText(); }
    [[nodiscard]] QString helpTopic() const override { return u"profile#tables-of-nsight"_s; }
    [[nodiscard]] Table table(qsizetype most) const override
    {
        return m_page->view()->exported(most);
    }
    [[nodiscard]] bool isPresentable() const override { return false; }
    [[nodiscard]] std::vector<StageItem> stageItems() const override { return {}; }
    [[nodiscard]] QVariantMap state(const Redaction *) const override
    {
        return {{kTab, m_page->tab()}};
    }
    void restore(const QVariantMap &state) override { m_page->setTab(state[kTab].toInt()); }

private:
    TablesPage *m_page;
};

class OpenedTables : public Document
{
public:
    explicit OpenedTables(std::shared_ptr<const TablesDocument> document)
        : m_document(std::move(document))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<TablesDocumentPage>(shared_from_this(), m_document, parent);
    }
    [[nodiscard]] std::shared_ptr<const ProfilerTables> tables() const override
    {
        return m_document->tables;
    }
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit) const override
    {
        return captionOf(title, file, toQString(textOf(m_document->tables->tool)));
    }
    [[nodiscard]] QString unfitText(RenderView view) const override
    {
        return view == RenderView::Profile
                   ? QString()
                   : u"These are tables of a profiler; their view is profile."_s;
    }
    void gatherNames(Redaction &redaction) const override
    {
        vramscope::gatherNames(redaction, *m_document->tables);
    }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override
    {
        const auto made = analyse(redacted(*m_document->tables, redaction), progress);
        return opened(made ? made : m_document);
    }

private:
    std::shared_ptr<const TablesDocument> m_document;
};

} // namespace

DocumentPointer opened(std::shared_ptr<const TablesDocument> document)
{
    return std::make_shared<const OpenedTables>(std::move(document));
}

} // namespace vramscope
