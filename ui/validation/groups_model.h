// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/validation/row_filter.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>

namespace vramscope {

/// The errors of each family of rows, or of each kind of run, after a first row for all of them,
/// which stays first. Sorted by itself, the worst median first unless asked otherwise.
class GroupsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Group, Rows, Median, Percentile95, Worst, Bias, Strip, ColumnCount };
    enum Role { ErrorsRole = Qt::UserRole }; ///< signed errors in percent, of Strip

    explicit GroupsModel(std::shared_ptr<const Validation> validation, QObject *parent = nullptr);

    /// Sums up the rows of this kind alone.
    void setKind(RowKind kind, Grouping grouping);

    /// The group of a row; empty for that of all.
    [[nodiscard]] const std::string &groupAt(int row) const;
    [[nodiscard]] std::optional<int> placeOf(const std::string &group) const;
    /// The largest error of all, in percent: the strips reach as far to both sides.
    [[nodiscard]] double range() const { return m_range; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    struct Row
    {
        std::string group;
        ErrorSummary summary;
        QList<double> errors;
    };

    void arrange();
    [[nodiscard]] static QString text(const Row &row, int column);

    std::shared_ptr<const Validation> m_validation;
    std::vector<Row> m_rows; ///< that of all first
    Grouping m_grouping = Grouping::Family;
    double m_range = 0;
    int m_column = Median;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

} // namespace vramscope
