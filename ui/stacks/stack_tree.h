// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/call_tree.h"
#include "core/base/format.h"

#include <QString>

#include <memory>

namespace vramscope {

/// A call tree with the trace that its frames belong to: constant, made off the GUI thread, then
/// shared by the views that show it.
struct StackTree
{
    std::shared_ptr<const Trace> trace;
    CallTree tree;
    bool isTimed = true; ///< whether byteTime counts microseconds; else events

    /// Whether a node means the same in both: the same frames, whatever they cost.
    [[nodiscard]] bool hasNodesOf(const StackTree &other) const;
    /// The node with the same frames from the root as `node` of `other`; if there is no such node,
    /// the innermost of its callers that still exists.
    [[nodiscard]] CallTree::NodeIndex sameAs(const StackTree &other,
                                             CallTree::NodeIndex node) const;
    /// The nodes from the root to this one, both included.
    [[nodiscard]] std::vector<CallTree::NodeIndex> pathTo(CallTree::NodeIndex node) const;
};

/// The frames whose function or file contains `text`, ignoring case, by FrameId; empty for an empty
/// text.
[[nodiscard]] std::vector<bool> matchingFrames(const Trace &trace, const QString &text);

/// What the stacks cost that a matching frame is on, each counted once.
[[nodiscard]] Costs matchedCosts(const CallTree &tree, const std::vector<bool> &matching);

/// The outermost matching nodes, those of most cost first; none without cost.
[[nodiscard]] std::vector<CallTree::NodeIndex>
matchedNodes(const CallTree &tree, const std::vector<bool> &matching, Cost cost);

} // namespace vramscope
