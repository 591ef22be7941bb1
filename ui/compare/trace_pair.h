// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/comparison/compare.h"
#include "core/base/progress.h"
#include "ui/compare/comparison.h"
#include "ui/stacks/stack_tree.h"

#include <array>

namespace vramscope {

/// One of the two recordings compared, at one of its events.
struct PairSide
{
    ComparedTrace trace;
    std::size_t at = 0; ///< in the comparison: its letter
    EventIndex event = -1;

    [[nodiscard]] const Trace &recorded() const { return *trace.document->trace; }
};

/// Two recordings compared: A, the base, and B. Constant; made off the GUI thread.
struct TracePair
{
    PairSide a;
    PairSide b;
    Bytes bytesA = 0; ///< active at the moment: the sites add up to it
    Bytes bytesB = 0;
    std::int64_t countA = 0;
    std::int64_t countB = 0;
    std::vector<ComparedSite> sites;
    std::vector<SettingDifference> settings;
    std::shared_ptr<const StackTree> tree; ///< costs as in core's SiteStacks
};

[[nodiscard]] std::shared_ptr<const TracePair> compare(const PairSide &a, const PairSide &b,
                                                       const Progress &progress = {});

/// What the two are called: "A", "B".
[[nodiscard]] std::array<std::string, 2> lettersOf(const TracePair &pair);

} // namespace vramscope
