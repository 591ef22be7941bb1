// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

class QComboBox;
class QLineEdit;
class QPushButton;
class QTableView;

namespace vramscope {

class DataTableModel;
class ElidedLabel;
class PageHead;

/// Measured figures next to what the planner says of them: an answer in the head, and below what
/// sums them up every row with its source. One filter and one selection for all of it; Enter, a
/// double click and a button open the plan of the selected row. Draws from a finished validation.
class MeasuredView : public QWidget
{
    Q_OBJECT

public:
    /// By its index in the validation.
    void selectRow(std::optional<std::size_t> row);
    [[nodiscard]] std::optional<std::size_t> selectedRow() const { return m_selected; }
    /// Asks for the plan of a row's run as a document of its own; one without a plan has none.
    virtual void openRow(std::size_t row) = 0;

    [[nodiscard]] QString headline() const;
    /// The selected row in one line.
    [[nodiscard]] virtual QString statusText() const = 0;
    [[nodiscard]] QTableView *rowsView() const { return m_rowsView; }
    [[nodiscard]] QPushButton *openButton() const { return m_open; }

Q_SIGNALS:
    void statusChanged();
    /// The plan of a row, named after it, and what was measured in its run.
    void planWanted(const vramscope::Plan &plan, const QString &notice);

protected:
    /// What the rows and the filter above them are called.
    struct RowsWords
    {
        QStringList kinds; ///< of rows, to choose one from
        QString which;
        QString filter;
        QString table;
        QString openTip;
    };

    MeasuredView(PageHead *head, QWidget *parent);
    bool eventFilter(QObject *watched, QEvent *event) override;

    /// The table of the rows, which `m_rows` has by now, sorted by a column; above it
    /// the filter, with one more part or none.
    [[nodiscard]] QWidget *makeRows(const RowsWords &words, int sortedBy, QWidget *more = nullptr);
    /// Shows what the filter is, as if nobody had touched it.
    void showFilter(int kind, const QString &text);
    virtual void showSelection();

    std::vector<std::size_t> m_kept; ///< the rows of m_rows
    std::optional<std::size_t> m_selected;
    DataTableModel *m_rows;
    PageHead *m_head;
    QTableView *m_rowsView = nullptr;
    QComboBox *m_kind = nullptr;
    QLineEdit *m_text = nullptr;
    ElidedLabel *m_shown = nullptr;
    QPushButton *m_open = nullptr;
};

/// A table of plain rows over a model that sorts itself, sorted by a column, the largest first.
[[nodiscard]] QTableView *makeSortedTable(DataTableModel *model, const QString &name, int sortedBy);

/// Makes columns, by their keys, wide enough for such texts.
void fitColumns(QTableView *view, const DataTableModel &model,
                std::initializer_list<std::pair<std::string_view, QString>> widest);

/// Chooses a row of a table and brings it into sight; -1: none.
void chooseRow(QTableView *view, int row);

} // namespace vramscope
