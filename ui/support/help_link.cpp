// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/help_link.h"

#include <QCoreApplication>
#include <QPushButton>
#include <QWhatsThisClickedEvent>

namespace vramscope {

using namespace Qt::StringLiterals;

QPushButton *helpLink(const QString &page)
{
    auto *link = new QPushButton(u"How to read this"_s);
    link->setProperty("role", u"link"_s);
    link->setCursor(Qt::PointingHandCursor);
    link->setToolTip(u"What these figures mean, and how far to trust them"_s);
    QObject::connect(link, &QPushButton::clicked, link, [link, page] { askForHelp(link, page); });
    return link;
}

void askForHelp(QWidget *widget, const QString &page)
{
    QWhatsThisClickedEvent wanted(page);
    QCoreApplication::sendEvent(widget, &wanted);
}

} // namespace vramscope
