// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/styled.h"

#include "ui/support/elided_label.h"

#include <QComboBox>
#include <QLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

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
