// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/sites_model.h"

#include <QWidget>

class QBoxLayout;
class QLineEdit;
class QScrollArea;
class QTableView;

namespace vramscope {

class ElidedLabel;

/// The sites of a pair as a table with a filter and a line of totals, and beside it both stacks of
/// the selected one, every frame.
class SitesTable : public QWidget
{
    Q_OBJECT

public:
    explicit SitesTable(QWidget *parent = nullptr);

    void setPair(std::shared_ptr<const TracePair> pair);
    void setUnit(ByteUnit unit);

    [[nodiscard]] SitesModel *model() const { return m_model; }
    [[nodiscard]] QTableView *view() const { return m_view; }
    [[nodiscard]] QString totalText() const;

private:
    void setUpView();
    void showTotals();
    void showStacks();
    void addStack(QBoxLayout *layout, const PairSide &side, StackId stack, Bytes bytes,
                  std::int64_t count) const;

    SitesModel *m_model;
    QTableView *m_view;
    QLineEdit *m_filter;
    ElidedLabel *m_totals;
    QScrollArea *m_stacks;
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
