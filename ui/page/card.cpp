// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/card.h"

#include "ui/page/labels.h"

#include <QLabel>

namespace vramscope {

Card::Card(const QString &title, std::initializer_list<LaidOut> parts)
    : m_title(wideLabel(title))
{
    setProperty("role", QStringLiteral("card"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setBold(*m_title);
    QVBoxLayout *layout = column(parts, 6, {14, 10, 14, 10});
    layout->insertWidget(0, m_title);
    setLayout(layout);
}

void Card::setTitle(const QString &title)
{
    m_title->setText(title);
}

CardColumns::CardColumns(std::initializer_list<LaidOut> left, std::initializer_list<LaidOut> right)
    : QBoxLayout(LeftToRight)
{
    setSpacing(12);
    for (const auto &parts : {left, right}) {
        QVBoxLayout *cards = column(parts, 12);
        cards->addStretch(1);
        addLayout(cards, 1);
    }
}

void CardColumns::fitTo(int width)
{
    constexpr int kLeastBeside = 900;
    const bool isNarrow = width < kLeastBeside;
    setDirection(isNarrow ? TopToBottom : LeftToRight);
    setStretch(0, isNarrow ? 0 : 1); // the height that is left stays below the last card
}

} // namespace vramscope
