// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/finding_chips.h"

#include "ui/support/text.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>

namespace vramscope {

using namespace Qt::StringLiterals;

FindingChips::FindingChips(QWidget *parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins({});
    m_row->setSpacing(8);
}

void FindingChips::setFindings(const std::vector<Finding> &findings)
{
    while (QLayoutItem *item = m_row->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_chips.clear();
    m_more = new QPushButton;
    m_more->setProperty("role", u"chip"_s);
    m_more->setMenu(new QMenu(m_more));
    m_more->menu()->setToolTipsVisible(true);
    for (const Finding &finding : findings) {
        const QString sentence = toQString(finding.sentence);
        auto *chip = new QPushButton(toQString(finding.title));
        chip->setProperty("role", finding.isBad() ? u"bad-chip"_s : u"chip"_s);
        chip->setToolTip(tipHtml(sentence));
        chip->setAccessibleDescription(sentence);
        chip->setCursor(Qt::PointingHandCursor);
        connect(chip, &QPushButton::clicked, this,
                [this, chip, finding] { Q_EMIT chosen(finding, chip); });
        QAction *action = m_more->menu()->addAction(chip->text());
        action->setToolTip(chip->toolTip());
        connect(action, &QAction::triggered, this,
                [this, finding] { Q_EMIT chosen(finding, m_more); });
        chip->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        m_row->addWidget(chip);
        m_chips.push_back(chip);
    }
    m_more->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_row->addWidget(m_more);
    m_row->addStretch(1);
}

int FindingChips::wholeWidth() const
{
    int width = 0;
    for (const QPushButton *chip : m_chips)
        width += chip->sizeHint().width() + m_row->spacing();
    return width;
}

void FindingChips::fit(int room)
{
    if (!m_more)
        return;
    const int reserve = m_more->sizeHint().width() + m_row->spacing();
    int used = 0;
    std::size_t shown = 0;
    for (; shown < m_chips.size(); ++shown) {
        const int wanted = m_chips[shown]->sizeHint().width() + m_row->spacing();
        const bool last = shown + 1 == m_chips.size();
        if (used + wanted + (last ? 0 : reserve) > room + m_row->spacing())
            break;
        used += wanted;
    }
    const auto actions = m_more->menu()->actions();
    for (std::size_t at = 0; at < m_chips.size(); ++at) {
        m_chips[at]->setVisible(at < shown);
        actions[static_cast<qsizetype>(at)]->setVisible(at >= shown);
    }
    m_more->setVisible(shown < m_chips.size());
    m_more->setText(u"%1 more"_s.arg(m_chips.size() - shown));
}

} // namespace vramscope
