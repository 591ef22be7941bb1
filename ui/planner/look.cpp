// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/look.h"

#include "ui/page/labels.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QStyle>
#include <QVBoxLayout>
#include <QVariant>

namespace vramscope {

using namespace Qt::StringLiterals;

void setBoxLook(QWidget *box, BoxState state, bool isDefault)
{
    const QString name = state == BoxState::Error     ? u"bad"_s
                         : state == BoxState::Warning ? u"warn"_s
                         : isDefault                  ? u"default"_s
                                                      : QString();
    if (box->property("state").toString() == name)
        return;
    box->setProperty("state", name);
    box->style()->unpolish(box); // the style sheet reads the state
    box->style()->polish(box);
}

QLabel *headingLabel(const QString &text)
{
    auto *label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setFont(typeFont(Type::Small, true));
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

WrappedLabel *dimLabel(const QString &text)
{
    auto *label = new WrappedLabel(text);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

void showDetails(QWidget *parent, const QString &title, const QString &heading,
                 const std::vector<QWidget *> &parts, QSize size)
{
    auto *dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    QLabel *label = textLabel(heading, u"heading"_s);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto *layout = new QVBoxLayout(dialog);
    layout->setSpacing(12);
    layout->addWidget(label);
    for (QWidget *part : parts)
        layout->addWidget(part, part == parts.back() ? 1 : 0);
    layout->addWidget(buttons);
    dialog->resize(size);
    dialog->open();
}

QToolButton *quietButton(const QString &text)
{
    auto *button = new QToolButton;
    button->setText(text);
    button->setProperty("role", u"quiet"_s);
    button->setFont(typeFont(button, Type::Small));
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

} // namespace vramscope
