// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/call_tree.h"

#include <vector>

namespace vramscope {

/// One frame of a flame graph.
struct FlameBox
{
    CallTree::NodeIndex node = CallTree::kRoot;
    int row = 0; ///< 0: the root
    double x = 0;
    double width = 0;
};

/// Places the boxes of a call tree. The focused node and its callers take the whole width, a row
/// each; below it every child has its share of the parent's width, in the order of the tree, which
/// does not change with the costs, so that boxes keep their places while the cursor moves. Only
/// boxes of half a pixel or more are made, and nothing below narrower ones is visited: the work
/// follows pixels, not stacks.
class FlameGeometry
{
public:
    static constexpr double kNarrowest = 0.5;

    FlameGeometry() = default;
    /// Makes no boxes if the focused node costs nothing.
    FlameGeometry(const CallTree &tree, Cost cost, CallTree::NodeIndex focus, double width);

    /// Row by row from the root, from left to right.
    [[nodiscard]] const std::vector<FlameBox> &boxes() const { return m_boxes; }
    [[nodiscard]] std::span<const FlameBox> row(int row) const;
    [[nodiscard]] int rowCount() const { return static_cast<int>(m_starts.size()) - 1; }
    /// The row of the focused node.
    [[nodiscard]] int focusRow() const { return m_focusRow; }

    /// The box that covers x in a row, or null.
    [[nodiscard]] const FlameBox *boxAt(int row, double x) const;
    /// The box of a node; null if it is too narrow or not below the focus.
    [[nodiscard]] const FlameBox *boxOf(CallTree::NodeIndex node) const;

private:
    std::vector<FlameBox> m_boxes;
    std::vector<std::size_t> m_starts{0}; // start of each row in m_boxes
    int m_focusRow = 0;
};

} // namespace vramscope
