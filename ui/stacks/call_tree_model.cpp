// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stacks/call_tree_model.h"

#include "core/analysis/costs/frame_rules.h"
#include "ui/support/exact_role.h"
#include "ui/support/text.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <functional>

namespace vramscope {

using namespace Qt::StringLiterals;

void CallTreeModel::setTree(std::shared_ptr<const StackTree> tree, const CostStyle &style)
{
    if (!tree || !m_tree || !tree->hasNodesOf(*m_tree)) {
        beginResetModel();
        m_tree = std::move(tree);
        m_style = style;
        m_children.clear();
        endResetModel();
        return;
    }
    Q_EMIT layoutAboutToBeChanged();
    m_tree = std::move(tree);
    m_style = style;
    m_children.clear();
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    for (const QModelIndex &index : before)
        after.push_back(indexOf(nodeAt(index), index.column()));
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
}

void CallTreeModel::setMatching(std::vector<bool> matching)
{
    m_matching = std::move(matching);
    if (rowCount() > 0) // views ask all rows in sight again, whichever changed
        Q_EMIT dataChanged(index(0, 0), index(0, ColumnCount - 1),
                           {Qt::FontRole, Qt::ForegroundRole});
}

bool CallTreeModel::isShown(NodeIndex node) const
{
    return m_tree->tree.total(node).amount(m_style.cost) > 0;
}

const std::vector<CallTreeModel::NodeIndex> &CallTreeModel::children(NodeIndex node) const
{
    const auto [place, isNew] = m_children.try_emplace(node);
    std::vector<NodeIndex> &found = place->second;
    if (!isNew)
        return found;
    std::vector<std::pair<Wide, NodeIndex>> order;
    for (const NodeIndex child : m_tree->tree.children(node)) {
        if (isShown(child))
            order.emplace_back(m_tree->tree.total(child).amount(m_style.cost), child);
    }
    std::ranges::stable_sort(order, std::greater(), &std::pair<Wide, NodeIndex>::first);
    for (const auto &[amount, child] : order)
        found.push_back(child);
    return found;
}

QModelIndex CallTreeModel::indexOf(NodeIndex node, int column) const
{
    if (!m_tree || !isShown(node))
        return {};
    if (node == CallTree::kRoot)
        return createIndex(0, column, quintptr(node));
    const std::vector<NodeIndex> &siblings = children(m_tree->tree.node(node).parent);
    const auto row = std::ranges::find(siblings, node) - siblings.begin();
    return createIndex(static_cast<int>(row), column, quintptr(node));
}

QModelIndex CallTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    const NodeIndex node = parent.isValid()
                               ? children(nodeAt(parent))[static_cast<std::size_t>(row)]
                               : CallTree::kRoot;
    return createIndex(row, column, quintptr(node));
}

QModelIndex CallTreeModel::parent(const QModelIndex &index) const
{
    const NodeIndex node = nodeAt(index);
    if (!index.isValid() || node == CallTree::kRoot)
        return {};
    return indexOf(m_tree->tree.node(node).parent);
}

int CallTreeModel::rowCount(const QModelIndex &parent) const
{
    if (!m_tree || parent.column() > 0)
        return 0;
    if (!parent.isValid())
        return isShown(CallTree::kRoot) ? 1 : 0;
    return static_cast<int>(children(nodeAt(parent)).size());
}

int CallTreeModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

// Without making the rows.
bool CallTreeModel::hasChildren(const QModelIndex &parent) const
{
    if (!m_tree || !parent.isValid())
        return rowCount() > 0;
    if (parent.column() > 0)
        return false;
    const NodeIndex node = nodeAt(parent);
    const CallTree &tree = m_tree->tree;
    return tree.total(node).amount(m_style.cost) > tree.self(node).amount(m_style.cost);
}

QVariant CallTreeModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const NodeIndex node = nodeAt(index);
    const FrameId frame = m_tree->tree.node(node).frame;
    const bool matches = node != CallTree::kRoot && !m_matching.empty() &&
                         m_matching[static_cast<std::size_t>(frame)];
    const QPalette palette = QGuiApplication::palette();
    switch (role) {
    case Qt::DisplayRole:
        return text(node, index.column());
    case Qt::ToolTipRole:
        return nodeToolTip(*m_tree, node, m_style);
    case kExactRole:
        return number(node, index.column());
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (index.column() >= Total ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::FontRole:
        if (matches && index.column() == Function) {
            QFont font = QGuiApplication::font();
            font.setBold(true);
            return font;
        }
        return {};
    case Qt::ForegroundRole:
        if (matches && index.column() == Function)
            return palette.color(QPalette::Link);
        if (index.column() == Place ||
            (node != CallTree::kRoot && frameOrigin(*m_tree->trace, frame) != FrameOrigin::User))
            return palette.color(QPalette::PlaceholderText);
        return {};
    case ShareRole:
        return static_cast<double>(m_tree->tree.total(node).amount(m_style.cost)) /
               static_cast<double>(m_tree->tree.total(CallTree::kRoot).amount(m_style.cost));
    default:
        return {};
    }
}

QVariant CallTreeModel::number(NodeIndex node, int column) const
{
    const CallTree &tree = m_tree->tree;
    if (column == Count)
        return QVariant::fromValue<qint64>(tree.total(node).count(m_style.cost));
    const bool bytes = m_style.cost != Cost::ByteTime;
    if (bytes && (column == Total || column == Self)) {
        const Costs &costs = column == Total ? tree.total(node) : tree.self(node);
        return QVariant::fromValue(static_cast<qint64>(costs.amount(m_style.cost)));
    }
    return {};
}

QString CallTreeModel::text(NodeIndex node, int column) const
{
    const CallTree &tree = m_tree->tree;
    switch (column) {
    case Function:
        return nodeName(*m_tree, node);
    case Place:
        return nodePlace(*m_tree, node);
    case Total:
        return m_style.text(tree.total(node));
    case Self:
        return tree.self(node).amount(m_style.cost) > 0 ? m_style.text(tree.self(node)) : QString();
    case Count:
        return countText(tree.total(node).count(m_style.cost));
    case Share:
        return m_style.shareText(tree.total(node), tree.total(CallTree::kRoot));
    default:
        return {};
    }
}

QVariant CallTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == kUnitRole) // bytes × time are exported as shown
        return m_style.cost != Cost::ByteTime && (section == Total || section == Self)
                   ? QVariant(u"bytes"_s)
                   : QVariant();
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section >= Total ? Qt::AlignRight : Qt::AlignLeft));
    const std::array<std::pair<QString, QString>, ColumnCount> texts{{
        {u"Function"_s, u"What the frame runs"_s},
        {u"Place"_s, u"File and line of the frame"_s},
        {u"Total"_s, u"The cost of the frame and of all that lies under it"_s},
        {u"Self"_s, u"The cost of what this frame allocates itself"_s},
        {u"Allocations"_s, u"How many allocations the total is made of"_s},
        {u"Share"_s, u"The total, of all that the tree holds"_s},
    }};
    const auto &[title, tip] = texts[static_cast<std::size_t>(section)];
    return role == Qt::DisplayRole   ? QVariant(title)
           : role == Qt::ToolTipRole ? QVariant(tip)
                                     : QVariant();
}

} // namespace vramscope
