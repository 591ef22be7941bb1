// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/lower_card.h"

#include "ui/page/labels.h"
#include "ui/page/layout.h"

#include <QStackedLayout>
#include <QTabBar>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

LowerCard::LowerCard(QWidget *parent)
    : QFrame(parent)
    , m_tabs(viewTabs(u"Views of the plan"_s))
    , m_pages(new QStackedLayout)
{
    setProperty("role", u"card"_s);
    m_tabs->setUsesScrollButtons(true);
    setLayout(column({m_tabs, {m_pages, 1}}, 6, {10, 6, 10, 8}));
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        if (index < 0 || index >= m_pages->count())
            return; // the first tab is there before its page
        m_pages->setCurrentIndex(index);
        Q_EMIT pageShown(m_pages->widget(index));
    });
}

void LowerCard::addPage(const QString &title, QWidget *page)
{
    if (page->accessibleName().isEmpty())
        page->setAccessibleName(title);
    // The widest page does not decide how narrow the others may be.
    page->setSizePolicy(QSizePolicy::Ignored, page->sizePolicy().verticalPolicy());
    m_pages->addWidget(page);
    m_tabs->addTab(title);
    m_tabs->setVisible(m_tabs->count() > 1); // one page needs no choice
}

int LowerCard::indexOf(const QWidget *page) const
{
    return m_pages->indexOf(page);
}

void LowerCard::setPageTitle(QWidget *page, const QString &title)
{
    if (const int index = indexOf(page); index >= 0 && m_tabs->tabText(index) != title)
        m_tabs->setTabText(index, title);
}

void LowerCard::setCurrentPage(QWidget *page)
{
    if (const int index = indexOf(page); index >= 0)
        m_tabs->setCurrentIndex(index);
}

QWidget *LowerCard::currentPage() const
{
    return m_pages->currentWidget();
}

} // namespace vramscope
