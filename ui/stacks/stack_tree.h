// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/call_tree.h"
#include "core/base/format.h"

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

} // namespace vramscope
