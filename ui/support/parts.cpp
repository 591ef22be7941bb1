// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/parts.h"

#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

Bytes totalOf(const PartBytes &parts)
{
    return std::accumulate(parts.begin(), parts.end(), Bytes(0));
}

QString partName(std::size_t part)
{
    return part == kOutsidePart   ? u"Allocator and driver"_s
           : part == kUnknownPart ? toQString(categoryName(Category::Unknown))
                                  : toQString(categoryName(static_cast<Category>(part)));
}

QColor partColor(std::size_t part)
{
    return part == kOutsidePart   ? QColor::fromRgb(0x6b7689)
           : part == kUnknownPart ? categoryColor(Category::Unknown)
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

PartBytes allocatedParts(const Estimate &estimate, std::size_t moment)
{
    PartBytes bytes = partBytes(estimate, moment);
    bytes[kOutsidePart] = 0;
    return bytes;
}

} // namespace vramscope
