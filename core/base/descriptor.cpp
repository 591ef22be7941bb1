// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/descriptor.h"

#include "core/base/platform.h"

#include <cerrno>

namespace vramscope {

Error unreadable(int number)
{
    if (number == ENOENT || number == ENOTDIR)
        return {ErrorCode::NotFound, "There is no such file; check the path."};
    return {ErrorCode::Unreadable, "The file cannot be read (" + systemErrorText(number) +
                                       "); check its permissions and the disk."};
}

} // namespace vramscope
