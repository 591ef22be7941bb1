// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/call_tree.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

namespace {

// The shown frames of each stack from the root on, as ranks in the order of siblings.
struct Paths
{
    std::vector<std::uint32_t> ranks;
    std::vector<std::size_t> starts{0};
    std::vector<StackId> stacks;

    [[nodiscard]] std::span<const std::uint32_t> path(std::size_t at) const
    {
        return {ranks.data() + starts[at], starts[at + 1] - starts[at]};
    }
};

// Frames by name, file and line.
std::vector<FrameId> sortedFrames(const Trace &trace, const std::vector<bool> &used)
{
    std::vector<FrameId> frames;
    for (std::size_t at = 0; at < used.size(); ++at) {
        if (used[at])
            frames.push_back(static_cast<FrameId>(at));
    }
    std::ranges::sort(frames, [&trace](FrameId a, FrameId b) {
        const Frame &first = trace.frame(a);
        const Frame &second = trace.frame(b);
        if (first.name != second.name)
            return trace.text(first.name) < trace.text(second.name);
        if (first.file != second.file)
            return trace.text(first.file) < trace.text(second.file);
        return first.line < second.line;
    });
    return frames;
}

bool isSameFunction(const Trace &trace, FrameId a, FrameId b)
{
    const Frame &first = trace.frame(a);
    const Frame &second = trace.frame(b);
    return first.name == second.name && first.file == second.file;
}

void append(Paths &paths, const Trace &trace, StackId stack, CallTree::Direction direction,
            const std::vector<bool> &shown, const std::vector<std::uint32_t> &ranks, bool fold)
{
    const std::span<const FrameId> frames = trace.stack(stack);
    const bool topDown = direction == CallTree::Direction::TopDown;
    FrameId last = CallTree::kNoFrame;
    for (std::size_t at = 0; at < frames.size(); ++at) {
        const FrameId frame = frames[topDown ? frames.size() - 1 - at : at];
        const auto id = static_cast<std::size_t>(frame);
        if (!shown[id])
            continue;
        if (fold && last != CallTree::kNoFrame && isSameFunction(trace, last, frame))
            continue;
        paths.ranks.push_back(ranks[id]);
        last = frame;
    }
    paths.starts.push_back(paths.ranks.size());
    paths.stacks.push_back(stack);
}

} // namespace

CallTree::CallTree()
    : m_nodes{{.end = 1}}
    , m_sums(1)
{
}

CallTree::CallTree(const Trace &trace, std::span<const Costs> byStack, Direction direction,
                   const FrameFilter &filter, const Progress &progress)
    : CallTree()
{
    const auto isWanted = [](const Progress &part, std::size_t at, std::size_t count) {
        constexpr std::int64_t kStacks = 1024; // a millisecond of work
        return goesOn(part, std::int64_t(at), std::int64_t(count), kStacks);
    };
    const Progress reading = partOf(progress, 0, 0.5);
    const Progress inserting = partOf(progress, 0.5, 1);
    const std::vector<bool> shown = shownFrames(trace, filter);
    std::vector<StackId> stacks;
    std::vector<bool> used(trace.frameCount());
    for (std::size_t at = 0; at < byStack.size(); ++at) {
        if (byStack[at] == Costs{})
            continue;
        stacks.push_back(static_cast<StackId>(at));
        for (const FrameId frame : trace.stack(stacks.back()))
            used[static_cast<std::size_t>(frame)] = true;
    }
    const std::vector<FrameId> frames = sortedFrames(trace, used);
    std::vector<std::uint32_t> ranks(trace.frameCount());
    for (std::size_t at = 0; at < frames.size(); ++at)
        ranks[static_cast<std::size_t>(frames[at])] = static_cast<std::uint32_t>(at);

    Paths paths;
    for (std::size_t at = 0; at < stacks.size(); ++at) {
        if (!isWanted(reading, at, stacks.size()))
            return;
        append(paths, trace, stacks[at], direction, shown, ranks, filter.foldRecursion);
    }
    std::vector<std::size_t> order(stacks.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, [&paths](std::size_t a, std::size_t b) {
        return std::ranges::lexicographical_compare(paths.path(a), paths.path(b));
    });

    std::vector<NodeIndex> open;
    for (std::size_t place = 0; place < order.size(); ++place) {
        if (!isWanted(inserting, place, order.size())) {
            *this = CallTree();
            return;
        }
        const std::size_t at = order[place];
        const StackId stack = paths.stacks[at];
        insert(paths.path(at), frames, stack, byStack[static_cast<std::size_t>(stack)], open);
    }
    close(open, 0);
    m_nodes[kRoot].end = static_cast<NodeIndex>(m_nodes.size());
}

void CallTree::close(std::vector<NodeIndex> &open, std::size_t depth)
{
    for (; open.size() > depth; open.pop_back())
        m_nodes[open.back()].end = static_cast<NodeIndex>(m_nodes.size());
}

void CallTree::insert(std::span<const std::uint32_t> path, std::span<const FrameId> frames,
                      StackId stack, const Costs &costs, std::vector<NodeIndex> &open)
{
    std::size_t common = 0;
    while (common < open.size() && common < path.size() &&
           m_nodes[open[common]].frame == frames[path[common]])
        ++common;
    close(open, common);
    for (; common < path.size(); ++common) {
        const NodeIndex parent = open.empty() ? kRoot : open.back();
        open.push_back(static_cast<NodeIndex>(m_nodes.size()));
        m_nodes.push_back(
            {frames[path[common]], parent, 0, static_cast<std::uint32_t>(m_sums.size() - 1)});
    }
    m_sums.push_back(m_sums.back() + costs);
    m_stacks.push_back(stack);
}

std::vector<CallTree::NodeIndex> CallTree::children(NodeIndex index) const
{
    std::vector<NodeIndex> found;
    for (NodeIndex child = index + 1; child < m_nodes[index].end; child = m_nodes[child].end)
        found.push_back(child);
    return found;
}

std::size_t CallTree::lastSum(NodeIndex index) const
{
    const NodeIndex end = m_nodes[index].end;
    return end < m_nodes.size() ? m_nodes[end].firstSum : m_sums.size() - 1;
}

Costs CallTree::total(NodeIndex index) const
{
    return m_sums[lastSum(index)] - m_sums[m_nodes[index].firstSum];
}

std::span<const StackId> CallTree::stacks(NodeIndex index) const
{
    const std::size_t first = m_nodes[index].firstSum;
    return {m_stacks.data() + first, lastSum(index) - first};
}

Costs CallTree::self(NodeIndex index) const
{
    const NodeIndex next = index + 1; // the first child, or the next subtree
    const std::size_t last = next < m_nodes.size() ? m_nodes[next].firstSum : m_sums.size() - 1;
    return m_sums[last] - m_sums[m_nodes[index].firstSum];
}

CallTree CallTree::focusedOn(NodeIndex index) const
{
    if (index == kRoot)
        return *this;
    CallTree tree;
    const std::uint32_t firstSum = m_nodes[index].firstSum;
    for (NodeIndex at = index; at < m_nodes[index].end; ++at) {
        Node node = m_nodes[at];
        node.parent = at == index ? kRoot : node.parent - index + 1;
        node.end = node.end - index + 1;
        node.firstSum -= firstSum;
        tree.m_nodes.push_back(node);
    }
    tree.m_nodes[kRoot].end = static_cast<NodeIndex>(tree.m_nodes.size());
    for (std::size_t at = firstSum + 1; at <= lastSum(index); ++at)
        tree.m_sums.push_back(m_sums[at] - m_sums[firstSum]);
    const std::span<const StackId> below = stacks(index);
    tree.m_stacks.assign(below.begin(), below.end());
    return tree;
}

} // namespace vramscope
