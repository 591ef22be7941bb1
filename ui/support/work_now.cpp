// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/work_now.h"

#include <QWidget>

namespace vramscope {

void workNow(QWidget &page)
{
    QList<QWidget *> widgets = page.findChildren<QWidget *>();
    widgets.prepend(&page);
    for (QWidget *widget : widgets) {
        if (auto *late = dynamic_cast<LateView *>(widget); late && widget->isVisible())
            late->workNow();
    }
}

} // namespace vramscope
