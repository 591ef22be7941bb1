// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/tabbed_tables.h"

#include "ui/page/labels.h"
#include "ui/page/layout.h"

#include <QBoxLayout>
#include <QLabel>
#include <QTabBar>

namespace vramscope {

using namespace Qt::StringLiterals;

TabbedTables::TabbedTables(const QStringList &titles, QWidget *view, const QString &role)
    : m_tabs(viewTabs(u"Tables"_s))
    , m_note(noteLabel())
    , m_top(row({m_tabs, {m_note, 1}}, 12))
{
    for (const QString &title : titles)
        m_tabs->addTab(title);
    setProperty("role", role);
    setAttribute(Qt::WA_StyledBackground, !role.isEmpty());
    setLayout(column({m_top, {view, 1}}, 4, {12, 6, 12, 6}));
    connect(m_tabs, &QTabBar::currentChanged, this, &TabbedTables::tabChanged);
}

int TabbedTables::tab() const
{
    return m_tabs->currentIndex();
}

void TabbedTables::setTab(int tab)
{
    m_tabs->setCurrentIndex(tab);
}

void TabbedTables::setNote(const QString &note)
{
    m_note->setText(note);
}

void TabbedTables::addBeforeNote(QWidget *control)
{
    m_top->insertWidget(m_top->indexOf(m_note), control);
}

void TabbedTables::addAfterNote(QWidget *control)
{
    m_top->addWidget(control);
}

} // namespace vramscope
