// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/describe/validation_tables.h"
#include "ui/support/in_unit.h"
#include "ui/validation/measured_view.h"
#include "ui/validation/row_filter.h"

#include <memory>

class QButtonGroup;
class QCheckBox;

namespace vramscope {

class ScatterChart;

/// How far to trust the planner: what it predicts against the measured figures that ship. A
/// sentence, the figures as a scatter, the errors of each family or kind of run, and every row with
/// its source.
class ValidationPage : public MeasuredView, public InUnit
{
    Q_OBJECT

public:
    explicit ValidationPage(std::shared_ptr<const Validation> validation,
                            QWidget *parent = nullptr);

    void setFilter(const RowFilter &filter);
    [[nodiscard]] const RowFilter &filter() const { return m_filter; }
    /// Shows the rows of one kind of run, as runKind() names it, be there any or none.
    void showRuns(const std::string &run);
    void openRow(std::size_t row) override;
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] const Validation &validation() const { return *m_validation; }
    [[nodiscard]] ScatterChart *chart() const { return m_chart; }
    /// The row of the validation that a point of the chart stands for.
    [[nodiscard]] std::size_t rowOfPoint(std::size_t point) const { return m_plotted[point]; }
    [[nodiscard]] QTableView *groupsView() const { return m_groupsView; }

protected:
    void showSelection() override;

private:
    void takeUnit() override;
    [[nodiscard]] QWidget *makeFigures();
    [[nodiscard]] QWidget *makeGroups();
    [[nodiscard]] QWidget *makeMeasured();
    void wireFilter();
    void showRows();
    void showGroups();
    void showChart();
    [[nodiscard]] int placeOfGroup() const;
    void showGroup();
    [[nodiscard]] QString emptyText() const;

    std::shared_ptr<const Validation> m_validation;
    RowFilter m_filter;
    std::vector<std::size_t> m_plotted; ///< of m_kept, those in bytes

    std::vector<ErrorGroup> m_errorGroups; ///< the rows of m_groups
    DataTableModel *m_groups;
    ScatterChart *m_chart;
    QButtonGroup *m_grouping;
    QTableView *m_groupsView;
    QCheckBox *m_onlyMissed;
};

} // namespace vramscope
