// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/what_if_text.h"

#include <QAbstractTableModel>
#include <QIcon>

#include <memory>
#include <set>

namespace vramscope {

/// A row for each setting that a recording was simulated under, in any order of its columns. Rows
/// that are checked are drawn; by their names they stay checked when others come and go.
class WhatIfModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Setting, Reserved, Delta, Stranded, Calls, Retries, Failure, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setFindings(std::shared_ptr<const WhatIfFindings> findings);
    void setUnit(ByteUnit unit);
    /// What stands before the name of a setting: how its curve is drawn.
    void setSamples(std::vector<QIcon> samples);
    /// Draws a setting, or does not, when it comes.
    void setDrawn(const QString &setting, bool drawn);

    /// The settings that are drawn, as WhatIfFindings::row counts them, ascending.
    [[nodiscard]] std::vector<std::size_t> drawn() const;
    /// The setting of a row, as WhatIfFindings::row counts them, and the other way round.
    [[nodiscard]] std::size_t setting(int row) const { return m_order[std::size_t(row)]; }
    [[nodiscard]] int rowOf(std::size_t setting) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    void sort(int column, Qt::SortOrder order) override;

Q_SIGNALS:
    void drawnChanged();

private:
    /// What the column of a setting counts; 0 for text.
    [[nodiscard]] std::int64_t number(std::size_t setting, int column) const;
    [[nodiscard]] QString text(std::size_t setting, int column) const;
    [[nodiscard]] QString toolTip(std::size_t setting, int column) const;
    void arrange();

    std::shared_ptr<const WhatIfFindings> m_findings;
    std::vector<std::size_t> m_order; // by row
    std::set<QString> m_drawn;        // names
    std::vector<QIcon> m_samples;     // by setting
    int m_column = -1;                // as they come
    Qt::SortOrder m_direction = Qt::AscendingOrder;
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
