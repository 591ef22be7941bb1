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
    setLayout(column({{m_tabs, 0, Qt::AlignLeft}, {m_pages, 1}}, 8, {16, 12, 16, 8}));
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        if (index < 0 || index >= m_pages->count())
            return; // the first tab is there before its page
        m_pages->setCurrentIndex(index);
        giveRoom();
        Q_EMIT pageShown(m_pages->widget(index));
    });
}

void LowerCard::addPage(const QString &title, QWidget *page)
{
    if (page->accessibleName().isEmpty())
        page->setAccessibleName(title);
    m_pages->addWidget(page);
    giveRoom();
    m_tabs->addTab(title);
    m_tabs->setVisible(m_tabs->count() > 1); // one page needs no choice
}

void LowerCard::giveRoom()
{
    for (int at = 0; at < m_pages->count(); ++at)
        m_pages->widget(at)->setSizePolicy(QSizePolicy::Ignored, at == m_pages->currentIndex()
                                                                     ? QSizePolicy::Preferred
                                                                     : QSizePolicy::Ignored);
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
