// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/reserve_model.h"

#include "ui/support/setting_text.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <QFont>

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// What a column counts; 0 for text.
std::int64_t number(const PlannedReserve &reserve, int column)
{
    const AllocatorFigures &figures = reserve.result.figures;
    switch (column) {
    case ReserveModel::Reserved:
        return figures.peakReserved;
    case ReserveModel::Likely:
        return reserve.high;
    case ReserveModel::Word:
        return reserve.verdict ? std::int64_t(*reserve.verdict) : -1;
    case ReserveModel::Stranded:
        return reserve.result.strandedAtPeak;
    case ReserveModel::Segments:
        return reserve.segments();
    case ReserveModel::Retries:
        return figures.retries;
    default:
        return 0;
    }
}

bool isBytes(int column)
{
    return column == ReserveModel::Reserved || column == ReserveModel::Stranded;
}

int alignment(int column)
{
    const bool isText = column == ReserveModel::Setting || column == ReserveModel::Word ||
                        column == ReserveModel::Where;
    return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

} // namespace

QString whereText(const PlannedReserve &reserve)
{
    if (!reserve.result.runsOut())
        return toQString(reserve.peakAt);
    const QString when = toQString(reserve.outOfMemoryAt);
    const bool fits = when.startsWith(u"after "_s) || when.startsWith(u"at "_s);
    return u"out of memory %1"_s.arg(fits ? when : u"at the %1"_s.arg(when));
}

void ReserveModel::setReserves(PlanReserves reserves)
{
    beginResetModel();
    m_found = std::move(reserves);
    endResetModel();
}

void ReserveModel::setUnit(ByteUnit unit)
{
    m_unit = unit;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Reserved), index(rowCount() - 1, Stranded));
}

int ReserveModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_found.reserves.size());
}

int ReserveModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant ReserveModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const PlannedReserve &reserve = m_found.reserves[row];
    switch (role) {
    case Qt::DisplayRole:
        return text(reserve, index.column());
    case Qt::ToolTipRole:
        return toolTip(reserve, index.column());
    case Qt::TextAlignmentRole:
        return alignment(index.column());
    case SortRole:
        return sortKey(index.row(), index.column());
    case ConfigurationRole:
        return toQString(reserve.configuration);
    case ShareRole:
        return index.column() == Reserved ? share(reserve) : QVariant();
    case VerdictRole:
        return reserve.verdict ? QVariant(int(*reserve.verdict)) : QVariant();
    case Qt::FontRole: {
        QFont font;
        font.setBold(m_found.best == row);
        return font.bold() ? QVariant(font) : QVariant();
    }
    default:
        return {};
    }
}

QVariant ReserveModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignment(section);
    const std::array<std::pair<QString, QString>, ColumnCount> texts{{
        {u"setting"_s, u"PYTORCH_CUDA_ALLOC_CONF"_s},
        {u"reserved"_s, u"The most bytes reserved, by the plan's factor; the bar: of what the "
                        "device has for the allocator"_s},
        {u"likely"_s, u"The range in which it is likely to lie"_s},
        {u"verdict"_s, u"How the plan stands against its card under the setting"_s},
        {u"stranded"_s, u"Simulated: bytes that are free between blocks in use when most is "
                        "reserved"_s},
        {u"segments"_s, u"Simulated: segments held at the end, of expandable ones the mapped "
                        "ranges"_s},
        {u"retries"_s, u"Simulated, where the plan does not fit well within the device: "
                       "allocations that first gave back all that was cached"_s},
        {u"most reserved"_s, u"Simulated: when most is reserved for the first time, or where "
                             "memory does not suffice"_s},
    }};
    if (role == Qt::ToolTipRole)
        return texts[std::size_t(section)].second;
    return role == Qt::DisplayRole ? QVariant(texts[std::size_t(section)].first) : QVariant();
}

QString ReserveModel::text(const PlannedReserve &reserve, int column) const
{
    if (column == Setting)
        return configurationName(reserve.configuration);
    if (column == Where)
        return whereText(reserve);
    if (column == Likely)
        return u"%1 to %2"_s.arg(bytesText(reserve.low, m_unit), bytesText(reserve.high, m_unit));
    if (column == Word)
        return reserve.verdict ? verdictText(*reserve.verdict) : QString();
    const std::int64_t value = number(reserve, column);
    return isBytes(column) ? bytesText(value, m_unit) : countText(value);
}

QString ReserveModel::toolTip(const PlannedReserve &reserve, int column) const
{
    QStringList lines{isBytes(column) ? exactBytesText(number(reserve, column), m_unit)
                                      : text(reserve, column)};
    if (const QVariant part = share(reserve); column == Reserved && part.isValid())
        lines << u"%1 % of what the device has for the allocator"_s.arg(
            toQString(formatNumber(100 * part.toDouble(), 3)));
    if (column == Reserved && reserve.result.runsOut())
        lines << u"simulated: %1"_s.arg(whereText(reserve));
    if (column == Setting) {
        for (const SettingIssue &issue : reserve.issues)
            lines << toQString(issue.text);
    }
    return lines.join(u'\n');
}

QVariant ReserveModel::sortKey(int row, int column) const
{
    const PlannedReserve &reserve = m_found.reserves[static_cast<std::size_t>(row)];
    if (column == Where)
        return whereText(reserve);
    return column == Setting ? QVariant(row) : QVariant(qlonglong(number(reserve, column)));
}

QVariant ReserveModel::share(const PlannedReserve &reserve) const
{
    if (m_found.capacity.value_or(0) <= 0)
        return {};
    return static_cast<double>(number(reserve, Reserved)) / static_cast<double>(*m_found.capacity);
}

} // namespace vramscope
