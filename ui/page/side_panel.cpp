// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/side_panel.h"

#include "ui/page/labels.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>

namespace vramscope {

using namespace Qt::StringLiterals;

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
