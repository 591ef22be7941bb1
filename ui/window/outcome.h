// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vramscope {

/// How a command ended: an exit status and, unless it is 0, one sentence.
struct Outcome
{
    int status = 0;
    QString message;
};

} // namespace vramscope
