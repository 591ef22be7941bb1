// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/seed_facts.h"

#include <string>
#include <string_view>

namespace vramscope {

/// One claim of a seed document, in our words: a row of resources/measured/claims/rows.csv.
struct SeedClaim
{
    std::string document; ///< "000"
    std::string point;
    double low = 0; ///< what the document writes, in the unit: one figure or a range
    double high = 0;
    std::string unit;
    std::string plan;    ///< an example, which the recomputed figure is from
    std::string value;   ///< the name of the formula over its figures, counts and settings
    std::string of;      ///< the path of a figure, or a GPU
    double number = 0;   ///< that the formula reckons with
    std::string change;  ///< JSON merge patch of the plan
    std::string formula; ///< as it is shown; empty: the figure itself
    std::string reason;
};

/// The recomputed value in bytes or ones; 0 with a failure in `facts`.
[[nodiscard]] double recomputedBy(const SeedClaim &claim, SeedFacts &facts);

} // namespace vramscope
