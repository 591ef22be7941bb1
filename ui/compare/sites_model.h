// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/frame_text.h"
#include "core/base/format.h"
#include "ui/compare/trace_pair.h"

#include <QAbstractTableModel>

namespace vramscope {

/// The sites of a pair, a row each: where, what A and B hold, the difference, how many allocations,
/// how the stacks agree. Sorted and filtered by itself; texts are made for the rows that are looked
/// at only. Unsorted the largest difference comes first, whatever its sign.
class SitesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Site, BytesA, BytesB, Delta, CountA, CountB, Match, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setPair(std::shared_ptr<const TracePair> pair);
    void setUnit(ByteUnit unit);
    /// Keeps the sites one of whose frames has the text in its function or file; empty: all.
    void setFilter(const QString &text);

    [[nodiscard]] const std::shared_ptr<const TracePair> &pair() const { return m_pair; }
    [[nodiscard]] const ComparedSite &site(int row) const
    {
        return m_pair->sites[m_rows[static_cast<std::size_t>(row)]];
    }
    /// The function that a site is in; without a stack, that none was recorded.
    [[nodiscard]] QString siteName(int row) const;
    /// "12 of 340 sites: A 3.1 GiB, B 3.4 GiB, B - A +0.3 GiB": of the rows that are kept.
    [[nodiscard]] QString totalText() const;
    [[nodiscard]] QString totalToolTip() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    struct Sums
    {
        Bytes a = 0;
        Bytes b = 0;
    };
    [[nodiscard]] Sums sums() const;
    void arrange();
    [[nodiscard]] static QVariant number(const ComparedSite &site, int column);
    [[nodiscard]] QString text(const ComparedSite &site, int column) const;
    [[nodiscard]] QString tip(const ComparedSite &site, int column) const;
    [[nodiscard]] QString title(int column) const;
    [[nodiscard]] QString explanation(int column) const;

    std::shared_ptr<const TracePair> m_pair;
    std::vector<std::size_t> m_rows; ///< into the sites
    mutable std::optional<FrameOrigins> m_originsA;
    mutable std::optional<FrameOrigins> m_originsB;
    QString m_filter;
    int m_column = -1;
    Qt::SortOrder m_order = Qt::DescendingOrder;
    ByteUnit m_unit = ByteUnit::Binary;
};

/// "+1.2 GiB", "-300 MiB", "0 B".
[[nodiscard]] QString changeText(Bytes bytes, ByteUnit unit);
/// The same with its bytes in full.
[[nodiscard]] QString exactChangeText(Bytes bytes, ByteUnit unit);

} // namespace vramscope
