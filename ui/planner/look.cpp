// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/look.h"

#include "ui/support/wrapped_label.h"

#include <QStyle>
#include <QVariant>

namespace vramscope {

using namespace Qt::StringLiterals;

void setLook(QWidget *widget, const char *property, const QString &value)
{
    if (widget->property(property).toString() == value)
        return;
    widget->setProperty(property, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

void setBoxLook(QWidget *box, BoxState state, bool isDefault)
{
    const QString name = state == BoxState::Error     ? u"bad"_s
                         : state == BoxState::Warning ? u"warn"_s
                         : isDefault                  ? u"default"_s
                                                      : QString();
    setLook(box, "state", name);
}

QLabel *headingLabel(const QString &text)
{
    auto *label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    QFont font = scaledFont(label, 0.86, true);
    font.setCapitalization(QFont::AllUppercase);
    font.setLetterSpacing(QFont::PercentageSpacing, 105);
    label->setFont(font);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

WrappedLabel *dimLabel(const QString &text)
{
    auto *label = new WrappedLabel(text);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

QToolButton *quietButton(const QString &text)
{
    auto *button = new QToolButton;
    button->setText(text);
    button->setProperty("role", u"quiet"_s);
    button->setFont(scaledFont(button, 0.88));
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

QFont scaledFont(const QWidget *widget, double factor, bool bold)
{
    QFont font = widget->font();
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setBold(bold);
    return font;
}

} // namespace vramscope
