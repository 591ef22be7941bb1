// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stacks/flame_geometry.h"

#include <algorithm>

namespace vramscope {

using NodeIndex = CallTree::NodeIndex;

FlameGeometry::FlameGeometry(const CallTree &tree, Cost cost, NodeIndex focus, double width)
{
    const Wide whole = tree.total(focus).amount(cost);
    if (whole <= 0 || width < kNarrowest)
        return;
    std::vector<NodeIndex> callers;
    for (NodeIndex at = focus; at != CallTree::kRoot;)
        callers.push_back(at = tree.node(at).parent);
    for (auto at = callers.rbegin(); at != callers.rend(); ++at) {
        m_boxes.push_back({*at, rowCount(), 0, width});
        m_starts.push_back(m_boxes.size());
    }
    m_focusRow = rowCount();

    // The left edge of each box of the last row, in the unit of the cost: exact, so that boxes of
    // the same node meet at the same x in every row.
    std::vector<Wide> edges{0};
    const double scale = width / static_cast<double>(whole);
    m_boxes.push_back({focus, m_focusRow, 0, width});
    m_starts.push_back(m_boxes.size());
    while (!edges.empty()) {
        const int row = rowCount();
        std::vector<Wide> next;
        const std::size_t first = m_starts[static_cast<std::size_t>(row) - 1];
        for (std::size_t at = 0; at < edges.size(); ++at) {
            const NodeIndex parent = m_boxes[first + at].node;
            Wide edge = edges[at];
            const NodeIndex end = tree.node(parent).end;
            for (NodeIndex child = parent + 1; child < end; child = tree.node(child).end) {
                const Wide amount = std::max(tree.total(child).amount(cost), Wide(0));
                const double across = static_cast<double>(amount) * scale;
                if (across >= kNarrowest) {
                    m_boxes.push_back({child, row, static_cast<double>(edge) * scale, across});
                    next.push_back(edge);
                }
                edge += amount;
            }
        }
        if (!next.empty())
            m_starts.push_back(m_boxes.size());
        edges = std::move(next);
    }
}

std::span<const FlameBox> FlameGeometry::row(int row) const
{
    if (row < 0 || row >= rowCount())
        return {};
    const auto at = static_cast<std::size_t>(row);
    return {m_boxes.data() + m_starts[at], m_starts[at + 1] - m_starts[at]};
}

const FlameBox *FlameGeometry::boxAt(int row, double x) const
{
    const std::span<const FlameBox> boxes = this->row(row);
    const auto after = std::ranges::upper_bound(boxes, x, {}, &FlameBox::x);
    if (after == boxes.begin())
        return nullptr;
    const FlameBox &box = *(after - 1);
    return x < box.x + box.width ? &box : nullptr;
}

const FlameBox *FlameGeometry::boxOf(NodeIndex node) const
{
    const auto found = std::ranges::find(m_boxes, node, &FlameBox::node);
    return found == m_boxes.end() ? nullptr : &*found;
}

} // namespace vramscope
