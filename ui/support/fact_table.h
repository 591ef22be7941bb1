// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

#include <QString>
#include <QTableWidget>

#include <optional>
#include <utility>
#include <vector>

namespace vramscope {

struct DataTable;

struct FactCell
{
    QString text;
    QString tip;                      ///< exact bytes, or the full text if it is cut off
    std::optional<qint64> exact = {}; ///< bytes, where the text rounds them
    bool operator==(const FactCell &) const = default;
};

/// A row of a FactTable; a row with a button's text ends in that button.
struct FactRow
{
    std::vector<FactCell> cells;
    QString button;
    bool strong = false;
    bool operator==(const FactRow &) const = default;
};

/// The rows of a table that is described once, as it has them.
[[nodiscard]] std::vector<FactRow> plainRows(const DataTable &table, ByteUnit unit);
/// The same for people: words begin with a capital letter, and rows that lead somewhere end in
/// `button`.
[[nodiscard]] std::vector<FactRow> factRows(const DataTable &table, ByteUnit unit,
                                            const QString &button = {});

/// A small table that is as high as its rows, for pages that scroll as a whole: words to the left
/// and wrapped, figures to the right. Ctrl+C copies the chosen rows.
class FactTable : public QTableWidget
{
    Q_OBJECT

public:
    explicit FactTable(const QString &name, QWidget *parent = nullptr);

    /// The columns and the factRows() of a table.
    void setTable(const DataTable &table, ByteUnit unit, const QString &button = {});
    [[nodiscard]] const std::vector<FactRow> &rows() const { return m_rows; }
    /// Buttons can be pressed, or say in their tooltip why not.
    void setButtonsEnabled(bool enabled, const QString &why = {});

Q_SIGNALS:
    void buttonPressed(int row);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void setRows(std::vector<FactRow> rows);
    void fitColumns();
    void fitHeight();
    /// The widest word and the widest text of a column, in pixels.
    [[nodiscard]] std::pair<int, int> wordsOf(int column) const;
    void addButton(int row);

    std::vector<int> m_words;
    std::vector<FactRow> m_rows;
    bool m_enabled = true;
    QString m_why;
};

} // namespace vramscope
