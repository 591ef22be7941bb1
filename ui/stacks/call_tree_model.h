// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stacks/cost_text.h"

#include <QAbstractItemModel>

#include <unordered_map>

namespace vramscope {

/// A call tree as rows: the root alone on top, under each node its children, the most expensive
/// first and those without cost omitted. Rows of a node are made at the first request. Another tree
/// with the same nodes, and another cost, change the order of rows and keep the expanded and
/// selected ones.
class CallTreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { Function, Place, Total, Self, Count, Share, ColumnCount };
    using NodeIndex = CallTree::NodeIndex;
    /// The share of a row's total in the root's, 0 to 1: for Share.
    static constexpr int ShareRole = Qt::UserRole;

    using QAbstractItemModel::QAbstractItemModel;

    /// Null: no rows.
    void setTree(std::shared_ptr<const StackTree> tree, const CostStyle &style);
    void setStyle(const CostStyle &style) { setTree(m_tree, style); }
    /// Highlights rows of these frames; empty: no search. By FrameId.
    void setMatching(std::vector<bool> matching);

    [[nodiscard]] NodeIndex nodeAt(const QModelIndex &index) const
    {
        return static_cast<NodeIndex>(index.internalId());
    }
    /// Invalid where the node has no cost.
    [[nodiscard]] QModelIndex indexOf(NodeIndex node, int column = 0) const;

    [[nodiscard]] QModelIndex index(int row, int column,
                                    const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &index) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] bool hasChildren(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] bool isShown(NodeIndex node) const;
    [[nodiscard]] const std::vector<NodeIndex> &children(NodeIndex node) const;
    /// The number in a cell, if it is bytes or a count.
    [[nodiscard]] QVariant number(NodeIndex node, int column) const;
    [[nodiscard]] QString text(NodeIndex node, int column) const;

    std::shared_ptr<const StackTree> m_tree;
    CostStyle m_style;
    std::vector<bool> m_matching;
    mutable std::unordered_map<NodeIndex, std::vector<NodeIndex>> m_children;
};

} // namespace vramscope
