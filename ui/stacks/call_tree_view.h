// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stacks/call_tree_model.h"

#include <QTreeView>

namespace vramscope {

/// A call tree in columns, with its heaviest path open at first, and the share of each row as a bar
/// behind the number. Right and Left open and close.
class CallTreeView : public QTreeView
{
    Q_OBJECT

public:
    explicit CallTreeView(QWidget *parent = nullptr);

    [[nodiscard]] CallTreeModel *rows() const { return m_rows; }
    /// Opens the most expensive child, then its most expensive child, as long as one child accounts
    /// for most of its parent's cost.
    void expandHeavyPath();
    /// Makes a node visible and current.
    void reveal(CallTree::NodeIndex node);

Q_SIGNALS:
    void nodeActivated(CallTree::NodeIndex node);

private:
    CallTreeModel *m_rows;
};

} // namespace vramscope
