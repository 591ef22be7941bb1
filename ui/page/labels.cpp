// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/labels.h"

#include "ui/page/layout.h"
#include "ui/support/theme.h"
#include "ui/support/wrapped_label.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr QMargins kAroundReason(48, 18, 48, 18);

void setPlain(QLabel &label, const QString &role)
{
    label.setTextFormat(Qt::PlainText);
    if (!role.isEmpty())
        label.setProperty("role", role);
}

} // namespace

QLabel *textLabel(const QString &text, const QString &role)
{
    auto *label = new QLabel(text);
    setPlain(*label, role);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel *wideLabel(const QString &text, const QString &role)
{
    auto *label = new WrappedLabel(text);
    setPlain(*label, role);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->ignoreWidth();
    return label;
}

QLabel *noteLabel(const QString &text)
{
    auto *label = new QLabel(text);
    setPlain(*label, u"dim"_s);
    return label;
}

QLabel *sectionLabel(const QString &title)
{
    auto *label = new QLabel(title);
    label->setProperty("role", u"section"_s);
    return label;
}

QLabel *headlineLabel(const QString &text)
{
    QLabel *label = textLabel(text);
    setBold(*label, Type::Head);
    return label;
}

QLabel *emptyLabel()
{
    QLabel *label = textLabel({}, u"dim"_s);
    label->setAlignment(Qt::AlignCenter);
    label->setContentsMargins(kAroundReason);
    return label;
}

QLabel *explanation(const QString &title, const QString &text)
{
    auto *label =
        new QLabel(u"<h3>%1</h3><p>%2</p>"_s.arg(title.toHtmlEscaped(), text.toHtmlEscaped()));
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setProperty("role", u"dim"_s);
    label->setAlignment(Qt::AlignCenter);
    label->setContentsMargins(kAroundReason);
    return label;
}

void setBold(QWidget &widget, Type type)
{
    widget.setFont(typeFont(type, true));
}

QLineEdit *searchField(const QString &placeholder, int width, const QString &name)
{
    auto *field = new QLineEdit;
    field->setPlaceholderText(placeholder);
    field->setAccessibleName(name.isEmpty() ? placeholder : name);
    field->setClearButtonEnabled(true);
    field->setFixedWidth(width * field->fontMetrics().averageCharWidth());
    return field;
}

QPushButton *linkButton(const QString &text)
{
    auto *button = new QPushButton(text);
    button->setProperty("role", u"link"_s);
    return button;
}

QPushButton *tabButton(const QString &text, const QString &tip)
{
    auto *button = new QPushButton(text);
    button->setCheckable(true);
    button->setProperty("role", u"tab"_s);
    button->setToolTip(tip);
    return button;
}

QHBoxLayout *tabButtons(QButtonGroup &group, const QStringList &titles, const QMargins &margins,
                        int spacing)
{
    QHBoxLayout *buttons = row({}, spacing, margins);
    for (qsizetype at = 0; at < titles.size(); ++at) {
        QPushButton *button = tabButton(titles[at]);
        button->setChecked(at == 0);
        group.addButton(button, static_cast<int>(at));
        buttons->addWidget(button);
    }
    return buttons;
}

QTabBar *viewTabs(const QString &name)
{
    auto *tabs = new QTabBar;
    tabs->setProperty("role", u"views"_s);
    tabs->setDrawBase(false);
    tabs->setExpanding(false);
    tabs->setAccessibleName(name);
    return tabs;
}

} // namespace vramscope
