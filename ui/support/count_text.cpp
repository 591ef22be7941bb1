// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/count_text.h"

#include "ui/support/text.h"

namespace vramscope {

QString shortCountText(std::int64_t count)
{
    return toQString(formatShortCount(count));
}

QString shareText(std::int64_t part, std::int64_t whole)
{
    if (whole <= 0)
        return {};
    return toQString(formatFraction(static_cast<double>(part) / static_cast<double>(whole)));
}

} // namespace vramscope
