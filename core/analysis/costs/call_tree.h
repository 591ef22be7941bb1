// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/analysis/costs/frame_filter.h"
#include "core/base/progress.h"

#include <span>
#include <vector>

namespace vramscope {

/// A tree of calls with the costs of their allocations, for flame graphs and tree views. Nodes are
/// stored depth first in one vector, so that the subtree of a node is a range and its total cost
/// the difference of two sums: 16 bytes per node, all costs of any node in constant time, and no
/// recursion however deep the stacks are. Siblings are ordered by name, file and line, so that the
/// same stacks give the same tree. Immutable once built.
class CallTree
{
public:
    enum class Direction {
        TopDown, ///< the outermost frame at the root
        BottomUp ///< the innermost frame, where the memory was requested, at the root
    };
    using NodeIndex = std::uint32_t;
    static constexpr NodeIndex kRoot = 0;
    static constexpr FrameId kNoFrame{std::numeric_limits<std::uint32_t>::max()};

    struct Node
    {
        FrameId frame = kNoFrame;
        NodeIndex parent = kRoot;
        NodeIndex end = 0;          ///< one past the last node of the subtree
        std::uint32_t firstSum = 0; ///< into m_sums: before the stacks that end here
    };

    /// A tree with only its root.
    CallTree();
    /// The tree of all stacks with costs; `byStack` comes from costsByStack(). Stacks that are
    /// empty or have only hidden frames belong to the root itself. Takes time n log n in the stacks
    /// and linear in their frames. Has only its root if `progress` cancels.
    CallTree(const Trace &trace, std::span<const Costs> byStack, Direction direction,
             const FrameFilter &filter = defaultFrameFilter(), const Progress &progress = {});

    [[nodiscard]] std::size_t size() const { return m_nodes.size(); }
    /// The root, 0, has no frame.
    [[nodiscard]] const Node &node(NodeIndex index) const { return m_nodes[index]; }
    [[nodiscard]] bool isLeaf(NodeIndex index) const { return m_nodes[index].end == index + 1; }
    /// The first child is index + 1 unless it is a leaf; the next sibling of a child is its end,
    /// unless that is the parent's end.
    [[nodiscard]] std::vector<NodeIndex> children(NodeIndex index) const;

    /// The costs of the node and everything below it.
    [[nodiscard]] Costs total(NodeIndex index) const;
    /// The costs of the stacks that end at the node.
    [[nodiscard]] Costs self(NodeIndex index) const;
    /// The stacks of the node and everything below it.
    [[nodiscard]] std::span<const StackId> stacks(NodeIndex index) const;

    /// The tree with this node as the only child of the root.
    [[nodiscard]] CallTree focusedOn(NodeIndex index) const;

private:
    // Adds a stack; paths come sorted. `open` has the nodes of the previous one.
    void insert(std::span<const std::uint32_t> path, std::span<const FrameId> frames, StackId stack,
                const Costs &costs, std::vector<NodeIndex> &open);
    void close(std::vector<NodeIndex> &open, std::size_t depth);
    [[nodiscard]] std::size_t lastSum(NodeIndex index) const;

    std::vector<Node> m_nodes;
    std::vector<Costs> m_sums;     // running sums over stacks in the order of their nodes; [0] is 0
    std::vector<StackId> m_stacks; // in that order
};

} // namespace vramscope
