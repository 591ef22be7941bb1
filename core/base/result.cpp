// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include "core/base/format.h"

namespace vramscope {

std::string Error::text() const
{
    if (offset < 0)
        return detail;
    return detail + " (at byte " + formatCount(offset) + ")";
}

} // namespace vramscope
