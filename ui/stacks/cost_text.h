// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stacks/stack_tree.h"

#include <QString>

namespace vramscope {

/// "Live at the cursor", …: a choice.
[[nodiscard]] QString costTitle(Cost cost);
/// What the cost counts, in one sentence.
[[nodiscard]] QString costExplanation(Cost cost);
/// Said where nothing has the cost.
[[nodiscard]] QString nothingText(Cost cost);

/// How costs are written.
struct CostStyle
{
    Cost cost = Cost::Peak;
    ByteUnit unit = ByteUnit::Binary;
    bool isTimed = true; ///< Cost::ByteTime in seconds; else in events
    /// The tree is that of two recordings, as core's SiteStacks; `cost` must be Cost::Total then.
    bool isDifference = false;

    /// "12.4 GiB", "310 GiB·s"; of differences "+1.2 GiB".
    [[nodiscard]] QString text(const Costs &costs) const;
    /// "12.4 GiB (13,314,398,617 bytes)"; of bytes × time as text(); of differences with what each
    /// of the two holds.
    [[nodiscard]] QString exactText(const Costs &costs) const;
    /// Of differences "+ " or "- ", which stands before the name; else empty.
    [[nodiscard]] QString sign(const Costs &costs) const;
    /// "34 %", "< 0.1 %" of the whole.
    [[nodiscard]] QString shareText(const Costs &part, const Costs &whole) const;
};

/// A node of a tree in one line: function, place, cost, allocations, shares of all and of its
/// caller.
[[nodiscard]] QString nodeText(const StackTree &tree, CallTree::NodeIndex node,
                               const CostStyle &style);
/// The same on several lines, with the whole path: for tooltips, as plain text.
[[nodiscard]] QString nodeToolTip(const StackTree &tree, CallTree::NodeIndex node,
                                  const CostStyle &style);

/// The function of a node for people; of the root "All".
[[nodiscard]] QString nodeName(const StackTree &tree, CallTree::NodeIndex node);
/// "model.py:214"; empty where unknown.
[[nodiscard]] QString nodePlace(const StackTree &tree, CallTree::NodeIndex node);

} // namespace vramscope
