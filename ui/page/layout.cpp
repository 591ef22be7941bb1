// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/layout.h"

#include <QBoxLayout>
#include <QScrollArea>
#include <QSplitter>
#include <QStyle>

namespace vramscope {

namespace {

template<class Box>
Box *boxOf(std::initializer_list<LaidOut> parts, int spacing, const QMargins &margins)
{
    auto *box = new Box;
    box->setContentsMargins(margins);
    box->setSpacing(spacing);
    for (const LaidOut &part : parts) {
        if (part.widget)
            box->addWidget(part.widget, part.stretch, part.alignment);
        else if (part.layout)
            box->addLayout(part.layout, part.stretch);
        else if (part.isRoom)
            box->addStretch(part.stretch);
        else if (part.gap > 0)
            box->addSpacing(part.gap);
    }
    return box;
}

} // namespace

QVBoxLayout *column(std::initializer_list<LaidOut> parts, int spacing, const QMargins &margins)
{
    return boxOf<QVBoxLayout>(parts, spacing, margins);
}

QHBoxLayout *row(std::initializer_list<LaidOut> parts, int spacing, const QMargins &margins)
{
    return boxOf<QHBoxLayout>(parts, spacing, margins);
}

QWidget *panel(QLayout *layout, const QString &role)
{
    auto *widget = new QWidget;
    if (!role.isEmpty()) {
        widget->setProperty("role", role);
        widget->setAttribute(Qt::WA_StyledBackground);
    }
    widget->setLayout(layout);
    return widget;
}

QSplitter *splitter(Qt::Orientation orientation, std::initializer_list<LaidOut> parts,
                    std::initializer_list<int> sizes)
{
    auto *made = new QSplitter(orientation);
    made->setChildrenCollapsible(false);
    for (const LaidOut &part : parts) {
        made->addWidget(part.widget);
        made->setStretchFactor(made->count() - 1, part.stretch);
    }
    if (sizes.size() > 0)
        made->setSizes(sizes);
    return made;
}

QScrollArea *scrolled(QWidget *content, const QString &name)
{
    auto *area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setAccessibleName(name);
    area->setWidget(content);
    return area;
}

void setRole(QWidget &widget, const QString &role)
{
    if (widget.property("role").toString() == role)
        return;
    widget.setProperty("role", role);
    widget.style()->unpolish(&widget); // the style sheet reads the role
    widget.style()->polish(&widget);
}

} // namespace vramscope
