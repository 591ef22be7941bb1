// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/tables_page.h"

#include "ui/models/data_table_view.h"
#include "ui/page/head.h"
#include "ui/page/labels.h"
#include "ui/page/tabbed_tables.h"
#include "ui/support/text.h"
#include "ui/support/tip_html.h"

#include <QBoxLayout>
#include <QLineEdit>
#include <QTabBar>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kTab = u"tab"_s; ///< in what a page keeps

/// "CUDA API Summary" of "CUDA API Summary (cuda_api_sum)".
QString tabTitle(const QString &title)
{
    const qsizetype report = title.endsWith(u')') ? title.lastIndexOf(u" ("_s) : -1;
    QString shown = report > 0 ? title.first(report) : title;
    return shown.replace(u'&', u"&&"_s);
}

} // namespace

TablesPage::TablesPage(std::shared_ptr<const TablesDocument> document, QWidget *parent)
    : DocumentPage(document, parent)
    , m_document(std::move(document))
    , m_view(new DataTableView(u"Table of the profiler"_s))
    , m_tables(new TabbedTables({}, m_view))
{
    QTabBar &tabs = *m_tables->tabs();
    tabs.setUsesScrollButtons(true);
    tabs.setElideMode(Qt::ElideRight);
    for (const DataTable &table : m_document->shown) {
        const QString title = foreignText(table.title);
        tabs.setTabToolTip(tabs.addTab(tabTitle(title)), tipHtml(title));
    }
    m_tables->note()->setMinimumWidth(1); // the names of tables come first
    QLineEdit *search = searchField(u"Find by name"_s, 30, u"Rows by their name"_s);
    search->setFixedWidth(180);
    m_tables->addAfterNote(search);
    setLayout(column({new PageHead({tablesHeadline(*m_document->tables),
                                    {{tablesNotes(*m_document->tables).join(u'\n')}}}),
                      {m_tables, 1}}));
    connect(search, &QLineEdit::textChanged, m_view, &DataTableView::setSearch);
    connect(m_tables, &TabbedTables::tabChanged, this, &TablesPage::showTable);
    showTable();
}

const DataTable &TablesPage::shown() const
{
    return m_document->shown[static_cast<std::size_t>(m_tables->tab())];
}

void TablesPage::showTable()
{
    m_tables->setNote(foreignText(shown().note));
    m_view->setTable(shown(), unit());
    Q_EMIT statusChanged();
}

QString TablesPage::statusText() const
{
    return countedText(static_cast<std::int64_t>(shown().rows), "row") + u" · "_s +
           countedText(std::ssize(shown().columns), "column");
}

Table TablesPage::table(qsizetype most) const
{
    return tableOf(*m_view->model(), foreignText(shown().title), most);
}

QVariantMap TablesPage::chosen(const Redaction *) const
{
    return {{kTab, m_tables->tab()}};
}

void TablesPage::restore(const QVariantMap &chosen)
{
    m_tables->setTab(chosen[kTab].toInt());
}

} // namespace vramscope
