// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/centred.h"

#include "ui/page/layout.h"

#include <QBoxLayout>
#include <QWidget>

namespace vramscope {

QVBoxLayout *centred(QWidget *content, int width)
{
    constexpr int kMargin = 16;
    content->setMaximumWidth(width);
    QHBoxLayout *middle = row({EmptyRoom{1}, {content, 1000}, EmptyRoom{1}});
    return column({EmptyRoom{1}, middle, EmptyRoom{2}}, 0, {kMargin, kMargin, kMargin, kMargin});
}

} // namespace vramscope
