// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/parts.h"

#include "ui/support/text.h"
#include "ui/support/theme.h"

namespace vramscope {

using namespace Qt::StringLiterals;

QString partName(std::size_t part)
{
    return part == kOutsidePart   ? u"Allocator and driver"_s
           : part == kUnknownPart ? u"Unknown"_s
                                  : toQString(categoryName(static_cast<Category>(part)));
}

QColor partColor(std::size_t part)
{
    return part == kOutsidePart   ? QColor::fromRgb(0x6b7482)
           : part == kUnknownPart ? QColor::fromRgb(0x8f98a6)
                                  : categoryColor(static_cast<Category>(part));
}

PartBytes partBytes(const Estimate &estimate, std::size_t moment)
{
    PartBytes bytes{};
    if (!estimate.computed || moment >= estimate.moments.size())
        return bytes;
    for (const Component &component : estimate.moments[moment].components)
        bytes[static_cast<std::size_t>(component.category)] += component.bytes;
    if (moment == estimate.peakMoment) {
        for (const Component &component : estimate.outside)
            bytes[kOutsidePart] += component.bytes;
    }
    return bytes;
}

} // namespace vramscope
