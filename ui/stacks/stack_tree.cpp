// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stacks/stack_tree.h"

#include <algorithm>

namespace vramscope {

using NodeIndex = CallTree::NodeIndex;

bool StackTree::hasNodesOf(const StackTree &other) const
{
    if (trace != other.trace || tree.size() != other.tree.size())
        return false;
    for (NodeIndex at = 0; at < tree.size(); ++at) {
        const CallTree::Node &mine = tree.node(at);
        const CallTree::Node &theirs = other.tree.node(at);
        if (mine.frame != theirs.frame || mine.end != theirs.end)
            return false;
    }
    return true;
}

NodeIndex StackTree::sameAs(const StackTree &other, NodeIndex node) const
{
    if (trace != other.trace)
        return CallTree::kRoot;
    NodeIndex found = CallTree::kRoot;
    for (const NodeIndex step : other.pathTo(node)) {
        if (step == CallTree::kRoot)
            continue;
        const std::vector<NodeIndex> children = tree.children(found);
        const auto next = std::ranges::find(children, other.tree.node(step).frame,
                                            [this](NodeIndex at) { return tree.node(at).frame; });
        if (next == children.end())
            break;
        found = *next;
    }
    return found;
}

std::vector<NodeIndex> StackTree::pathTo(NodeIndex node) const
{
    std::vector<NodeIndex> path{node};
    while (path.back() != CallTree::kRoot)
        path.push_back(tree.node(path.back()).parent);
    std::ranges::reverse(path);
    return path;
}

} // namespace vramscope
