// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/count_text.h"

#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

QString shortCountText(std::int64_t count)
{
    return toQString(formatShortCount(count));
}

QString shareText(std::int64_t part, std::int64_t whole)
{
    if (whole <= 0)
        return {};
    const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
    if (part > 0 && percent < 0.1)
        return u"under 0.1 %"_s;
    return u"%1 %"_s.arg(percent, 0, 'f', percent < 9.95 && part > 0 ? 1 : 0);
}

} // namespace vramscope
