// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vramscope {

/// The result of a command: an exit status and one sentence. With status 0, the sentence is empty
/// unless there is something to report.
struct Outcome
{
    int status = 0;
    QString message;
};

} // namespace vramscope
