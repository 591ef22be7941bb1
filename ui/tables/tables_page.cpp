// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/tables_page.h"

#include "ui/profile/profile_table_view.h"
#include "ui/support/text.h"
#include "ui/support/tip_html.h"

#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QLabel *textLabel(const QString &text)
{
    auto *label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

/// "CUDA API Summary" of "CUDA API Summary (cuda_api_sum)".
QString tabTitle(const QString &title)
{
    const qsizetype report = title.endsWith(u')') ? title.lastIndexOf(u" ("_s) : -1;
    QString shown = report > 0 ? title.first(report) : title;
    return shown.replace(u'&', u"&&"_s);
}

} // namespace

TablesPage::TablesPage(std::shared_ptr<const TablesDocument> document, QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHead());
    layout->addWidget(makeTables(), 1);
    showTable();
}

QWidget *TablesPage::makeHead()
{
    auto *headline = textLabel(tablesHeadline(*m_document->tables));
    QFont larger = headline->font();
    larger.setPointSizeF(larger.pointSizeF() * 1.15);
    larger.setBold(true);
    headline->setFont(larger);
    auto *head = new QWidget;
    head->setProperty("role", u"strip"_s);
    head->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QVBoxLayout(head);
    layout->setContentsMargins(18, 10, 18, 10);
    layout->setSpacing(4);
    layout->addWidget(headline);
    auto *notes = textLabel(tablesNotes(*m_document->tables).join(u'\n'));
    notes->setProperty("role", u"dim"_s);
    layout->addWidget(notes);
    return head;
}

QWidget *TablesPage::makeTables()
{
    m_tabs = new QTabBar;
    m_tabs->setProperty("role", u"views"_s);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setElideMode(Qt::ElideRight);
    m_tabs->setAccessibleName(u"Tables"_s);
    for (const ProfileTable &table : m_document->shown) {
        const int tab = m_tabs->addTab(tabTitle(table.title));
        m_tabs->setTabToolTip(tab, tipHtml(table.title));
    }
    m_note = new QLabel;
    m_note->setProperty("role", u"dim"_s);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setMinimumWidth(1); // the names of tables come first
    m_view = new ProfileTableView(u"Table of the profiler"_s);
    auto *search = new QLineEdit;
    search->setPlaceholderText(u"Find by name"_s);
    search->setClearButtonEnabled(true);
    search->setFixedWidth(180);
    search->setAccessibleName(u"Rows by their name"_s);
    connect(search, &QLineEdit::textChanged, m_view, &ProfileTableView::setSearch);
    auto *top = new QHBoxLayout;
    top->setSpacing(12);
    top->addWidget(m_tabs);
    top->addWidget(m_note, 1);
    top->addWidget(search);
    auto *tables = new QWidget;
    tables->setProperty("role", u"side-below"_s);
    tables->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QVBoxLayout(tables);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(4);
    layout->addLayout(top);
    layout->addWidget(m_view, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &TablesPage::showTable);
    return tables;
}

int TablesPage::tab() const
{
    return m_tabs->currentIndex();
}

void TablesPage::setTab(int tab)
{
    m_tabs->setCurrentIndex(tab);
}

void TablesPage::showTable()
{
    const ProfileTable &table = m_document->shown[static_cast<std::size_t>(tab())];
    m_note->setText(table.note);
    m_view->setTable(table);
    Q_EMIT statusChanged();
}

QString TablesPage::statusText() const
{
    const ProfileTable &table = m_document->shown[static_cast<std::size_t>(tab())];
    const auto rows = static_cast<std::int64_t>(table.rows.size());
    const auto columns = static_cast<std::int64_t>(table.columns.size());
    return countedText(rows, "row") + u" · "_s + countedText(columns, "column");
}

} // namespace vramscope
