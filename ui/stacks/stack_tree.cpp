// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stacks/stack_tree.h"

#include "ui/support/text.h"

#include <algorithm>
#include <functional>

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

using NodeIndex = CallTree::NodeIndex;

namespace {

std::vector<NodeIndex> outermost(const CallTree &tree, const std::vector<bool> &matching)
{
    std::vector<NodeIndex> found;
    if (matching.empty())
        return found;
    for (NodeIndex at = 1; at < tree.size();) {
        const CallTree::Node &node = tree.node(at);
        const bool matches = matching[static_cast<std::size_t>(node.frame)];
        if (matches)
            found.push_back(at);
        at = matches ? node.end : at + 1;
    }
    return found;
}

} // namespace

std::vector<bool> matchingFrames(const Trace &trace, const QString &text)
{
    if (text.isEmpty())
        return {};
    std::vector<bool> matching(trace.frameCount());
    for (std::size_t at = 0; at < matching.size(); ++at) {
        const Frame &frame = trace.frame(static_cast<FrameId>(at));
        matching[at] = toQString(trace.text(frame.name)).contains(text, Qt::CaseInsensitive) ||
                       toQString(trace.text(frame.file)).contains(text, Qt::CaseInsensitive);
    }
    return matching;
}

Costs matchedCosts(const CallTree &tree, const std::vector<bool> &matching)
{
    Costs sum;
    for (const NodeIndex at : outermost(tree, matching))
        sum += tree.total(at);
    return sum;
}

std::vector<NodeIndex> matchedNodes(const CallTree &tree, const std::vector<bool> &matching,
                                    Cost cost)
{
    std::vector<NodeIndex> found = outermost(tree, matching);
    const auto amount = [&](NodeIndex at) { return tree.total(at).amount(cost); };
    std::erase_if(found, [&](NodeIndex at) { return amount(at) <= 0; });
    std::ranges::stable_sort(found, std::greater(), amount);
    return found;
}

} // namespace vramscope
