// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/describe/validation_tables.h"
#include "core/plan/plan.h"
#include "ui/validation/row_filter.h"

#include <QWidget>

#include <memory>
#include <optional>

class QButtonGroup;
class QCheckBox;
class QComboBox;
class QLineEdit;
class QPushButton;
class QTableView;

namespace vramscope {

class DataTableModel;
class ElidedLabel;
class PageHead;
class ScatterChart;

/// How far to trust the planner: what it predicts against the measured figures that ship. A
/// sentence, the figures as a scatter, the errors of each family or kind of run, and every row with
/// its source; one filter and one selection for all of them. Draws from a finished validation.
class ValidationPage : public QWidget
{
    Q_OBJECT

public:
    explicit ValidationPage(std::shared_ptr<const Validation> validation,
                            QWidget *parent = nullptr);

    void setUnit(ByteUnit unit);
    void setFilter(const RowFilter &filter);
    [[nodiscard]] const RowFilter &filter() const { return m_filter; }
    /// Shows the rows of one kind of run, as runKind() names it, be there any or none.
    void showRuns(const std::string &run);
    /// By its index in the validation.
    void selectRow(std::optional<std::size_t> row);
    [[nodiscard]] std::optional<std::size_t> selectedRow() const { return m_selected; }
    /// Asks for the plan of a row's run as a document of its own.
    void openRow(std::size_t row);

    [[nodiscard]] QString headline() const;
    /// The selected row in one line.
    [[nodiscard]] QString statusText() const;
    [[nodiscard]] const Validation &validation() const { return *m_validation; }
    [[nodiscard]] ScatterChart *chart() const { return m_chart; }
    /// The row of the validation that a point of the chart stands for.
    [[nodiscard]] std::size_t rowOfPoint(std::size_t point) const { return m_plotted[point]; }
    [[nodiscard]] QTableView *groupsView() const { return m_groupsView; }
    [[nodiscard]] QTableView *rowsView() const { return m_rowsView; }

Q_SIGNALS:
    void statusChanged();
    /// The plan of a row, named after it, and what was measured in its run.
    void planWanted(const vramscope::Plan &plan, const QString &notice);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    [[nodiscard]] QWidget *makeFigures();
    [[nodiscard]] QWidget *makeGroups();
    [[nodiscard]] QWidget *makeRows();
    void setUpRowsView();
    void wireFilter();
    void wireSelection();
    void showRows();
    void showGroups();
    void showChart();
    [[nodiscard]] int placeOfGroup() const;
    void showGroup();
    void showSelection();
    [[nodiscard]] QString emptyText() const;

    std::shared_ptr<const Validation> m_validation;
    RowFilter m_filter;
    std::vector<std::size_t> m_kept;
    std::vector<std::size_t> m_plotted; ///< of m_kept, those in bytes
    std::optional<std::size_t> m_selected;
    ByteUnit m_unit = ByteUnit::Binary;

    std::vector<ErrorGroup> m_errorGroups; ///< the rows of m_groups
    DataTableModel *m_groups;
    DataTableModel *m_rows; ///< of m_kept
    PageHead *m_head;
    ScatterChart *m_chart;
    QButtonGroup *m_grouping;
    QTableView *m_groupsView;
    QTableView *m_rowsView;
    QComboBox *m_kind;
    QLineEdit *m_text;
    QCheckBox *m_onlyMissed;
    ElidedLabel *m_shown;
    QPushButton *m_open;
};

} // namespace vramscope
