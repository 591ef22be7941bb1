// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTableWidget>

#include <optional>
#include <utility>
#include <vector>

namespace vramscope {

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

/// A small table that is as high as its rows, for pages that scroll as a whole: words to the left
/// and wrapped, figures to the right. Ctrl+C copies the chosen rows.
class FactTable : public QTableWidget
{
    Q_OBJECT

public:
    /// `columns`: their titles; `words`: the columns with words.
    FactTable(const QString &name, const QStringList &columns, std::vector<int> words,
              QWidget *parent = nullptr);

    void setRows(std::vector<FactRow> rows);
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
