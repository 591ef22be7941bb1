// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/card.h"

#include "ui/page/labels.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>

namespace vramscope {

using namespace Qt::StringLiterals;

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

SidePanel::SidePanel(const QString &title, const QString &name, QWidget *parent)
    : QScrollArea(parent)
    , m_title(new QLabel(title))
    , m_copy(new QPushButton(u"Copy"_s))
{
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(name);
    setBold(*m_title, Type::Lead);
    m_copy->setToolTip(u"Copy everything here as text"_s);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(text()); });
}

void SidePanel::setTitle(const QString &title)
{
    m_title->setText(title);
}

void SidePanel::setParts(std::initializer_list<LaidOut> parts, int spacing)
{
    QVBoxLayout *layout = column(parts, spacing, {16, 12, 16, 12});
    layout->insertLayout(0, row({{m_title, 1}, m_copy}, kStyleSpacing));
    setWidget(panel(layout, u"side"_s));
}

} // namespace vramscope
