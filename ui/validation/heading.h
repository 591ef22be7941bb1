// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringView>

namespace vramscope {

/// What stands above a column, and what its tip says.
struct ColumnHeading
{
    QStringView title;
    QStringView tip;
};

} // namespace vramscope
