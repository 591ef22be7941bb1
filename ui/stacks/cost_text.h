// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stacks/stack_tree.h"

#include <QString>

namespace vramscope {

/// "Live at the cursor", …: a choice in a list.
[[nodiscard]] QString costTitle(Cost cost);
/// What the cost counts, in one sentence.
[[nodiscard]] QString costExplanation(Cost cost);
/// Shown if nothing has the cost.
[[nodiscard]] QString nothingText(Cost cost);

/// The format of costs.
struct CostStyle
{
    Cost cost = Cost::Peak;
    ByteUnit unit = ByteUnit::Binary;
    bool isTimed = true; ///< Cost::ByteTime in seconds; else in events
    /// The tree is that of two recordings, like core's SiteStacks; `cost` must be Cost::Total then.
    bool isDifference = false;

    /// "12.4 GiB", "310 GiB·s"; for differences "+1.2 GiB".
    [[nodiscard]] QString text(const Costs &costs) const;
    /// "12.4 GiB (13,314,398,617 bytes)"; the same as text() for bytes × time; for differences with
    /// the bytes of each recording.
    [[nodiscard]] QString exactText(const Costs &costs) const;
    /// For differences "+ " or "- ", written before the name; otherwise empty.
    [[nodiscard]] QString sign(const Costs &costs) const;
    /// "34 %", "< 0.1 %" of the whole.
    [[nodiscard]] QString shareText(const Costs &part, const Costs &whole) const;
};

/// A node of a tree in one line: function, place, cost, allocations, shares of the total and of its
/// caller.
[[nodiscard]] QString nodeText(const StackTree &tree, CallTree::NodeIndex node,
                               const CostStyle &style);
/// The same on several lines, with the whole path: for tooltips, as plain text.
[[nodiscard]] QString nodeToolTip(const StackTree &tree, CallTree::NodeIndex node,
                                  const CostStyle &style);

/// The readable function name of a node; "All" for the root.
[[nodiscard]] QString nodeName(const StackTree &tree, CallTree::NodeIndex node);
/// "model.py:214"; empty if unknown.
[[nodiscard]] QString nodePlace(const StackTree &tree, CallTree::NodeIndex node);

} // namespace vramscope
