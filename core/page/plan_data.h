// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"

#include <string>
#include <vector>

namespace vramscope {

/// A part of the memory as a page shows it.
struct NamedColor
{
    std::string name;
    std::string color; ///< "#2767d3"
};

struct PlanDataOptions
{
    ByteUnit unit = ByteUnit::Binary;
    std::vector<NamedColor> parts; ///< in the order of Category, then what is outside the tensors
};

/// The moments of a plan's step, each part with its formula, as the document that a page draws bars
/// from. README.md describes it. Needs figures.
[[nodiscard]] std::string planData(const Estimate &estimate, const PlanDataOptions &options);

} // namespace vramscope
