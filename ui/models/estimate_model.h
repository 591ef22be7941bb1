// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "ui/support/parts.h"

#include <QStandardItemModel>

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
class EstimateModel : public QStandardItemModel
{
    Q_OBJECT

public:
    enum Column { PartColumn, SizeColumn, ShareColumn, SplitColumn, ColumnCount };

    explicit EstimateModel(QObject *parent = nullptr);

    /// Shows a moment of an estimate; no rows where nothing was computed.
    void setEstimate(const Estimate &estimate, std::size_t moment);
    void setUnit(ByteUnit unit);

    [[nodiscard]] std::optional<PartKey> keyAt(const QModelIndex &index) const;
    /// The row of a key, or of its part where the component is gone; invalid where both are.
    [[nodiscard]] QModelIndex indexOf(const PartKey &key) const;
    /// The components that a row stands for: one, or all of a part.
    [[nodiscard]] std::vector<Component> componentsAt(const QModelIndex &index) const;
    /// A size without its unit, for a column that names it: to a tenth, or to a hundredth where all
    /// is small.
    [[nodiscard]] QString sizeText(Bytes bytes) const;

private:
    struct PartRow
    {
        std::size_t part = 0;
        Bytes bytes = 0;
        std::vector<Component> components;
        [[nodiscard]] bool sameRows(const PartRow &other) const;
    };

    void addRows();
    void fillRows();
    void fillRow(const QStandardItem *parent, int row, const QString &name, Bytes bytes,
                 const QString &split);

    std::vector<PartRow> m_rows;
    Bytes m_total = 0; ///< shares are of this
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
