// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include "core/base/format.h"

namespace vramscope {

// Details quote files and command lines.
std::string Error::text() const
{
    const std::string said = printable(detail);
    return offset < 0 ? said : said + " (at byte " + formatCount(offset) + ")";
}

} // namespace vramscope
