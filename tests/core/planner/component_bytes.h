// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"

#include <string_view>

namespace vramscope::test {

/// Bytes of the components of this name at a moment of a step.
[[nodiscard]] inline Bytes bytesAt(const Estimate &it, std::string_view moment,
                                   std::string_view name)
{
    Bytes sum = 0;
    for (const Moment &each : it.moments)
        for (const Component &component : each.components)
            if (each.name == moment && component.name == name)
                sum += component.bytes;
    return sum;
}

} // namespace vramscope::test
