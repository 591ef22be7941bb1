// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stacks/stack_tree.h"

#include <QString>

namespace vramscope {

/// The frames whose function or file contains `text`, ignoring case, by FrameId; empty for an empty
/// text.
[[nodiscard]] std::vector<bool> matchingFrames(const Trace &trace, const QString &text);

/// What the stacks cost that a matching frame is on, each counted once.
[[nodiscard]] Costs matchedCosts(const CallTree &tree, const std::vector<bool> &matching);

/// The outermost matching nodes, those of most cost first; none without cost.
[[nodiscard]] std::vector<CallTree::NodeIndex>
matchedNodes(const CallTree &tree, const std::vector<bool> &matching, Cost cost);

} // namespace vramscope
