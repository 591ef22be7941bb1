// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stage/stage_item.h"

#include <QStringList>

namespace vramscope::test {

/// The keys of what is shown, in order.
inline QString shownKeys(const std::vector<StageItem> &items)
{
    QStringList keys;
    for (const StageItem &item : items) {
        if (item.shown)
            keys += QString::fromStdString(item.key);
    }
    return keys.join(u' ');
}

} // namespace vramscope::test
