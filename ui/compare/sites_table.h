// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/comparison.h"
#include "ui/support/in_unit.h"

#include <QWidget>

class QBoxLayout;
class QLineEdit;
class QScrollArea;
class QTableView;

namespace vramscope {

class DataTableModel;
class ElidedLabel;

/// The sites of a pair as a table with a filter and a line of totals, and beside it both stacks of
/// the selected one, every frame.
class SitesTable : public QWidget, public InUnit
{
    Q_OBJECT

public:
    explicit SitesTable(QWidget *parent = nullptr);

    void setPair(std::shared_ptr<const TracePair> pair);

    [[nodiscard]] DataTableModel *model() const { return m_model; }
    /// The site of a shown row.
    [[nodiscard]] const ComparedSite &site(int row) const;
    [[nodiscard]] QTableView *view() const { return m_view; }
    /// "12 of 340 sites: A 3.1 GiB, B 3.4 GiB, difference +0.3 GiB": of the rows that are shown.
    [[nodiscard]] QString totalText() const;
    [[nodiscard]] QString totalToolTip() const;

private:
    void takeUnit() override;
    struct Sums
    {
        Bytes a = 0;
        Bytes b = 0;
    };
    [[nodiscard]] Sums sums() const;
    void setUpView();
    void fitColumns();
    /// Keeps the sites one of whose frames has the text of the filter in its function or file.
    void showSites();
    void showTotals();
    void showStacks();
    void addStack(QBoxLayout *layout, const PairSide &side, StackId stack, Bytes bytes,
                  std::int64_t count) const;

    std::shared_ptr<const TracePair> m_pair;
    std::vector<ComparedSite> m_sites; ///< the rows of the model: those that the filter keeps
    DataTableModel *m_model;
    QTableView *m_view;
    QLineEdit *m_filter;
    ElidedLabel *m_totals;
    QScrollArea *m_stacks;
};

} // namespace vramscope
