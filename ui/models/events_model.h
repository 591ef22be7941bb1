// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/event_order.h"
#include "core/base/format.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>

namespace vramscope {

/// The events of one device as rows, in an order and choice that is given; texts are made for the
/// rows that are looked at only. Four bytes a row.
class EventsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Event, Time, Kind, Size, Address, Stream, Site, ColumnCount };

    explicit EventsModel(std::shared_ptr<const Trace> trace, QObject *parent = nullptr);

    /// Shows these events of a device of the trace; its `times` are ascending or empty.
    void setRows(const DeviceTrace *device, std::span<const std::int64_t> times,
                 std::vector<EventIndex> rows);
    void setUnit(ByteUnit unit);

    [[nodiscard]] EventIndex eventAt(int row) const
    {
        return m_rows[static_cast<std::size_t>(row)];
    }
    /// The row of an event; the next one after it where it is not shown. Linear unless in order.
    [[nodiscard]] int rowOf(EventIndex event) const;
    /// What a click on a column's heading sorts by; none for the time, which is the event's order.
    [[nodiscard]] static EventOrder orderOf(int column);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString text(EventIndex event, int column) const;
    [[nodiscard]] QString tip(EventIndex event, int column) const;

    std::shared_ptr<const Trace> m_trace;
    const DeviceTrace *m_device = nullptr;
    std::span<const std::int64_t> m_times;
    std::vector<EventIndex> m_rows;
    bool m_isAscending = true; // m_rows
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
