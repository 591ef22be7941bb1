// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stacks/call_tree_model.h"

#include <QTreeView>

namespace vramscope {

/// A call tree in columns, its heaviest path open at first; the share of each row as a bar behind
/// the number. Right and Left open and close.
class CallTreeView : public QTreeView
{
    Q_OBJECT

public:
    explicit CallTreeView(QWidget *parent = nullptr);

    [[nodiscard]] CallTreeModel *rows() const { return m_rows; }
    /// Opens the most expensive child, and its most expensive child, as far as one of them tells
    /// most of its parent's cost.
    void expandHeavyPath();
    /// Makes a node visible and current.
    void reveal(CallTree::NodeIndex node);

Q_SIGNALS:
    void nodeActivated(CallTree::NodeIndex node);

private:
    CallTreeModel *m_rows;
};

} // namespace vramscope
