// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/events_model.h"

#include "ui/models/stack_text.h"
#include "ui/support/exact_role.h"
#include "ui/support/text.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

bool isNumber(int column)
{
    return column == EventsModel::Event || column == EventsModel::Time ||
           column == EventsModel::Size;
}

} // namespace

EventsModel::EventsModel(std::shared_ptr<const Trace> trace, QObject *parent)
    : QAbstractTableModel(parent)
    , m_trace(std::move(trace))
{
}

void EventsModel::setRows(const DeviceTrace *device, std::span<const std::int64_t> times,
                          std::vector<EventIndex> rows)
{
    beginResetModel();
    m_device = device;
    m_times = times;
    m_rows = std::move(rows);
    m_isAscending = std::ranges::is_sorted(m_rows);
    endResetModel();
}

void EventsModel::setUnit(ByteUnit unit)
{
    m_unit = unit;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, Size), index(rowCount() - 1, Size));
}

int EventsModel::rowOf(EventIndex event) const
{
    const auto found =
        m_isAscending ? std::ranges::lower_bound(m_rows, event) : std::ranges::find(m_rows, event);
    return static_cast<int>(found - m_rows.begin());
}

EventOrder EventsModel::orderOf(int column)
{
    switch (column) {
    case Kind:
        return EventOrder::Action;
    case Size:
        return EventOrder::Size;
    case Address:
        return EventOrder::Address;
    case Stream:
        return EventOrder::Stream;
    case Site:
        return EventOrder::Stack;
    default:
        return EventOrder::Event;
    }
}

int EventsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int EventsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EventsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const EventIndex at = eventAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(at, index.column());
    case Qt::ToolTipRole:
        return tip(at, index.column());
    case kExactRole:
        return index.column() == Event  ? QVariant::fromValue<qint64>(at)
               : index.column() == Size ? QVariant::fromValue<qint64>(
                                              m_device->events.size[static_cast<std::size_t>(at)])
                                        : QVariant();
    case Qt::TextAlignmentRole:
        return static_cast<int>((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    const std::array<std::pair<QString, QString>, ColumnCount> texts{{
        {u"event"_s, u"Number of the event, from 0"_s},
        {u"time"_s, u"Since the first event"_s},
        {u"action"_s, u"What the allocator did"_s},
        {u"bytes"_s, u"As the event states them: asked for by an allocation, held by a "
                     "segment"_s},
        {u"address"_s, u"Where the block or segment begins"_s},
        {u"stream"_s, u"The CUDA stream that it serves; 0 is the default one"_s},
        {u"where"_s, u"The innermost frames of the stack"_s},
    }};
    const auto &[title, tip] = texts[static_cast<std::size_t>(section)];
    return role == Qt::DisplayRole   ? QVariant(title)
           : role == Qt::ToolTipRole ? QVariant(tip)
                                     : QVariant();
}

QString EventsModel::text(EventIndex event, int column) const
{
    const auto at = static_cast<std::size_t>(event);
    const EventColumns &events = m_device->events;
    switch (column) {
    case Event:
        return countText(event);
    case Time:
        return m_times.empty() ? QString()
                               : toQString(formatMicroseconds(m_times[at] - m_times[0]));
    case Kind:
        return toQString(actionName(events.action[at])).replace(u'_', u' ');
    case Size:
        return bytesText(events.size[at], m_unit);
    case Address:
        return events.address[at] == 0 ? QString() : u"0x%1"_s.arg(events.address[at], 0, 16);
    case Stream:
        return QString::number(m_trace->streams()[static_cast<std::size_t>(events.stream[at])]);
    case Site:
        return siteText(*m_trace, events.stack[at]);
    default:
        return {};
    }
}

QString EventsModel::tip(EventIndex event, int column) const
{
    const auto at = static_cast<std::size_t>(event);
    if (column == Size)
        return exactBytesText(m_device->events.size[at], m_unit);
    return column == Site ? stackTip(*m_trace, m_device->events.stack[at]) : QString();
}

} // namespace vramscope
