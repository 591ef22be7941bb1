// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stacks/call_tree_view.h"

#include "ui/support/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Paints the share as a bar under the text.
class ShareDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const double share = index.data(CallTreeModel::ShareRole).toDouble();
        const Theme &theme = themeOf(option.widget);
        const QRectF track = QRectF(option.rect).adjusted(8, option.rect.height() - 4, -2, -2);
        painter->fillRect(track, theme.line);
        painter->fillRect(QRectF(track.left(), track.top(), track.width() * share, track.height()),
                          theme.accent);
    }
};

} // namespace

CallTreeView::CallTreeView(QWidget *parent)
    : QTreeView(parent)
    , m_rows(new CallTreeModel(this))
{
    setModel(m_rows);
    setAccessibleName(u"Call tree"_s);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setTextElideMode(Qt::ElideMiddle);
    setAllColumnsShowFocus(true);
    setItemDelegateForColumn(CallTreeModel::Share, new ShareDelegate(this));
    header()->setStretchLastSection(false);
    header()->setSectionsMovable(false);
    header()->setSectionResizeMode(CallTreeModel::Function, QHeaderView::Stretch);
    const int digit = fontMetrics().averageCharWidth();
    setIndentation(2 * digit);
    for (const auto &[column, width] :
         {std::pair(CallTreeModel::Place, 26), std::pair(CallTreeModel::Total, 14),
          std::pair(CallTreeModel::Self, 14), std::pair(CallTreeModel::Count, 15),
          std::pair(CallTreeModel::Share, 11)})
        header()->resizeSection(column, width * digit);
    connect(m_rows, &QAbstractItemModel::modelReset, this, &CallTreeView::expandHeavyPath);
    connect(this, &QTreeView::activated, this,
            [this](const QModelIndex &index) { Q_EMIT nodeActivated(m_rows->nodeAt(index)); });
}

void CallTreeView::expandHeavyPath()
{
    constexpr double kMost = 0.5; // of the parent's
    constexpr int kDeepest = 40;
    QModelIndex at = m_rows->index(0, 0);
    for (int depth = 0; at.isValid() && depth < kDeepest; ++depth) {
        expand(at);
        const QModelIndex child = m_rows->index(0, 0, at);
        const auto share = [](const QModelIndex &index) {
            return index.data(CallTreeModel::ShareRole).toDouble();
        };
        if (!child.isValid() || share(child) < kMost * share(at))
            break;
        at = child;
    }
    setCurrentIndex(m_rows->index(0, 0));
    scrollToTop();
}

void CallTreeView::reveal(CallTree::NodeIndex node)
{
    const QModelIndex index = m_rows->indexOf(node);
    if (!index.isValid())
        return;
    setCurrentIndex(index);
    scrollTo(index, QAbstractItemView::PositionAtCenter);
}

} // namespace vramscope
