// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "ui/support/parts.h"

#include <QAbstractItemModel>

#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// Names a row of a breakdown so that it can be found again after a recomputation.
struct PartKey
{
    std::size_t part = 0;  ///< a category, or kOutsidePart
    std::string component; ///< empty: the whole part
    bool operator==(const PartKey &) const = default;
};

/// The breakdown of one moment as a tree: parts (those above zero), below them their components.
/// A recomputation that keeps the rows only changes data, so that views keep selection and folding.
class EstimateModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { PartColumn, SizeColumn, ShareColumn, SplitColumn, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    /// Shows a moment of an estimate; no rows where nothing was computed.
    void setEstimate(const Estimate &estimate, std::size_t moment);
    void setUnit(ByteUnit unit);

    [[nodiscard]] std::optional<PartKey> keyAt(const QModelIndex &index) const;
    /// The row of a key, or of its part where the component is gone; invalid where both are.
    [[nodiscard]] QModelIndex indexOf(const PartKey &key) const;
    /// The components that a row stands for: one, or all of a part.
    [[nodiscard]] std::vector<Component> componentsAt(const QModelIndex &index) const;

    [[nodiscard]] QModelIndex index(int row, int column,
                                    const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &child) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct PartRow
    {
        std::size_t part = 0;
        Bytes bytes = 0;
        std::vector<Component> components;
        [[nodiscard]] bool sameRows(const PartRow &other) const;
    };

    [[nodiscard]] QString cellText(const QModelIndex &index) const;
    [[nodiscard]] const Component *componentAt(const QModelIndex &index) const;
    [[nodiscard]] const PartRow &partRow(const QModelIndex &index) const;
    void emitAllChanged();

    std::vector<PartRow> m_rows;
    Bytes m_total = 0; ///< shares are of this
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
