// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stacks/frame_search.h"

#include "ui/support/text.h"

#include <algorithm>
#include <functional>

namespace vramscope {

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
