// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/comparison/compare.h"
#include "core/analysis/costs/costs.h"

#include <memory>
#include <span>
#include <vector>

namespace vramscope {

/// The sites of two recordings as stacks of one, ready for a CallTree. A place found in both has
/// the stack of A. Among the costs, `live` is A's memory, `peak` is B's, and `total` the absolute
/// difference of each site with the number of sites that differ: it adds up to the width of a box,
/// and differenceOf() to its growth.
struct SiteStacks
{
    std::shared_ptr<const Trace> trace; ///< stacks alone, without devices
    std::vector<Costs> byStack;
};

[[nodiscard]] SiteStacks stacksOfSites(std::span<const ComparedSite> sites, const Trace &a,
                                       const Trace &b);

/// B less A.
[[nodiscard]] inline Bytes differenceOf(const Costs &costs)
{
    return wrappingDifference(costs.peak.bytes, costs.live.bytes);
}

} // namespace vramscope
