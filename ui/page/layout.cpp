// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/layout.h"

#include "ui/support/elided_label.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLayout>
#include <QScrollArea>
#include <QSplitter>
#include <QStyle>
#include <QWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

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

QVBoxLayout *centred(QWidget *content, int width)
{
    constexpr int kMargin = 16;
    content->setMaximumWidth(width);
    QHBoxLayout *middle = row({EmptyRoom{1}, {content, 1000}, EmptyRoom{1}});
    return column({EmptyRoom{1}, middle, EmptyRoom{2}}, 0, {kMargin, kMargin, kMargin, kMargin});
}

ElidedLabel *elidedLabel(Qt::TextElideMode mode)
{
    auto *label = new ElidedLabel(mode);
    label->setProperty("role", u"dim"_s);
    return label;
}

QComboBox *choiceBox(const QString &name, const QStringList &items)
{
    auto *box = new QComboBox;
    box->setAccessibleName(name);
    box->addItems(items);
    return box;
}

void setStyled(QWidget &widget, const QString &role)
{
    widget.setProperty("role", role);
    widget.setAttribute(Qt::WA_StyledBackground);
}

void clear(QLayout &layout)
{
    while (QLayoutItem *item = layout.takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace vramscope
