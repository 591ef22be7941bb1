// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/throughput.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>

namespace vramscope {

/// The families of published speeds and how well they are predicted, after a first row for all
/// runs, which stays first. Sorted by itself, the worst first unless asked otherwise.
class SpeedFamiliesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Family, Kind, CalibratedOn, Predicted, Worst, Target, ColumnCount };

    explicit SpeedFamiliesModel(std::shared_ptr<const SpeedValidation> speeds,
                                QObject *parent = nullptr);

    /// The family of a row; empty for that of all runs.
    [[nodiscard]] std::string familyAt(int row) const;
    [[nodiscard]] std::optional<int> placeOf(const std::string &family) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();
    [[nodiscard]] QString text(int row, int column) const;

    std::shared_ptr<const SpeedValidation> m_speeds;
    std::vector<SpeedFamily> m_families;
    int m_column = Worst;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

} // namespace vramscope
