// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vramscope {

/// How a command ended: an exit status and one sentence, where that is 0 only if there is something
/// to tell.
struct Outcome
{
    int status = 0;
    QString message;
};

} // namespace vramscope
