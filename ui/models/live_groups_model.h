// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/frame_text.h"
#include "core/analysis/costs/live_groups.h"
#include "core/base/format.h"

#include <QAbstractTableModel>

#include <memory>

namespace vramscope {

/// What is live at one event, a row a stack, most bytes first: where, bytes, count, share.
/// Texts are made for the rows that are looked at only.
class LiveGroupsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Site, Size, Count, Share, ColumnCount };

    explicit LiveGroupsModel(std::shared_ptr<const Trace> trace, QObject *parent = nullptr);

    void setGroups(std::vector<LiveGroup> groups);
    void setUnit(ByteUnit unit);

    [[nodiscard]] const LiveGroup &group(int row) const
    {
        return m_groups[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] Bytes total() const { return m_total; }
    [[nodiscard]] std::int64_t allocations() const { return m_allocations; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString text(const LiveGroup &group, int column) const;
    [[nodiscard]] QString tip(const LiveGroup &group, int column) const;

    std::shared_ptr<const Trace> m_trace;
    mutable FrameOrigins m_origins;
    std::vector<LiveGroup> m_groups;
    Bytes m_total = 0;
    std::int64_t m_allocations = 0;
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
