// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/series.h"

#include <algorithm>

namespace vramscope {

const ByteCurve *SeriesDevice::curve(CurveRole role) const
{
    const auto found = std::ranges::find(bytes, role, &ByteCurve::role);
    return found == bytes.end() ? nullptr : &*found;
}

std::string_view spanKindName(SpanKind kind)
{
    constexpr std::string_view kNames[] = {"kernel", "copy", "fill", "annotation",
                                           "device annotation"};
    static_assert(std::size(kNames) == kSpanKindCount);
    return kNames[static_cast<std::size_t>(kind)];
}

} // namespace vramscope
