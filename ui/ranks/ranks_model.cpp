// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/ranks_model.h"

#include "core/base/durations.h"
#include "core/base/folder.h"
#include "ui/ranks/ranks_text.h"
#include "ui/support/exact_role.h"
#include "ui/support/signed_text.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

bool isSizeColumn(int column)
{
    return column == RanksModel::Peak || column == RanksModel::ToMedian ||
           column == RanksModel::Reserved || column == RanksModel::Growth;
}

/// Of profiler traces.
bool isTimeColumn(int column)
{
    return column >= RanksModel::StepTime && column <= RanksModel::Wait;
}

bool isWordColumn(int column)
{
    return column == RanksModel::Node || column == RanksModel::Remark || column == RanksModel::File;
}

} // namespace

RanksModel::RanksModel(RunStudyPointer study, QObject *parent)
    : QAbstractTableModel(parent)
    , m_study(std::move(study))
{
    arrange();
}

void RanksModel::setUnit(ByteUnit unit)
{
    m_unit = unit;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void RanksModel::setKept(std::vector<std::uint8_t> kept)
{
    beginResetModel();
    m_kept = std::move(kept);
    arrange();
    endResetModel();
}

void RanksModel::arrange()
{
    m_rows.clear();
    for (std::size_t rank = 0; rank < m_study->count(); ++rank) {
        if (m_kept.empty() || m_kept[rank] != 0)
            m_rows.push_back(rank);
    }
    // Once each: a median may be behind one.
    std::vector<std::optional<std::int64_t>> numbers(m_study->count());
    for (const std::size_t rank : m_rows)
        numbers[rank] = number(rank, m_column);
    const auto before = [&](std::size_t a, std::size_t b) {
        if (m_column == Node)
            return naturallyBefore(m_study->rank(a).source.node, m_study->rank(b).source.node);
        if (m_column == File)
            return naturallyBefore(m_study->rank(a).source.path, m_study->rank(b).source.path);
        if (m_column == Remark)
            return text(a, Remark) < text(b, Remark);
        return numbers[a] < numbers[b];
    };
    if (m_direction == Qt::AscendingOrder)
        std::ranges::stable_sort(m_rows, before);
    else
        std::ranges::stable_sort(m_rows,
                                 [&](std::size_t a, std::size_t b) { return before(b, a); });
    m_rowOf.assign(m_study->count(), -1);
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        m_rowOf[m_rows[row]] = static_cast<int>(row);
}

bool RanksModel::isKnown(Column column) const
{
    for (std::size_t rank = 0; rank < m_study->count(); ++rank) {
        if (number(rank, column))
            return true;
    }
    return false;
}

int RanksModel::rowOf(std::size_t rank) const
{
    return m_rowOf[rank];
}

int RanksModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RanksModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

std::optional<std::int64_t> RanksModel::number(std::size_t rank, int column) const
{
    const RankSummary &of = m_study->rank(rank);
    if (isTimeColumn(column))
        return timeFigure(m_study->run, m_study->findings.activity, rank,
                          static_cast<TimeFigure>(column - StepTime));
    switch (column) {
    case Number:
        return m_study->number(rank);
    case Device:
        return of.device;
    case Peak:
        return of.figures.peakActive;
    case ToMedian:
        return m_study->deviation(rank);
    case Reserved:
        return of.figures.isReservedKnown ? std::optional(of.figures.peakReserved) : std::nullopt;
    case Growth:
        return figureOf(of, RankFigure::Growth);
    case Group:
        return static_cast<std::int64_t>(m_study->findings.groupOf[rank]) + 1;
    default:
        return {};
    }
}

QString RanksModel::text(std::size_t rank, int column) const
{
    const RankSummary &of = m_study->rank(rank);
    if (column == Node)
        return foreignText(of.source.node);
    if (column == Remark)
        return remarkOf(*m_study, rank, m_unit);
    if (column == File)
        return foreignText(of.source.path);
    const auto value = number(rank, column);
    if (!value)
        return {};
    if (column == ToMedian)
        return signedBytesText(*value, m_unit);
    if (isTimeColumn(column))
        return toQString(formatNanoseconds(*value));
    return isSizeColumn(column) ? bytesText(*value, m_unit) : QString::number(*value);
}

QVariant RanksModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const std::size_t rank = this->rank(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(rank, column);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (isWordColumn(column) ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ToolTipRole:
        if (const auto value = number(rank, column); value && isSizeColumn(column))
            return column == ToMedian ? signedExactBytesText(*value, m_unit)
                                      : exactBytesText(*value, m_unit);
        return text(rank, column);
    case kExactRole:
        if (const auto value = number(rank, column); value && !isWordColumn(column))
            return static_cast<qint64>(*value);
        return {};
    default:
        return {};
    }
}

QVariant RanksModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == kUnitRole)
        return isSizeColumn(section)   ? QVariant(u"bytes"_s)
               : isTimeColumn(section) ? QVariant(u"ns"_s)
                                       : QVariant();
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter |
                        (isWordColumn(section) ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case ToMedian:
            return u"The peak less the median of the rank's group"_s;
        case Growth:
            return u"Active memory at the end of the last complete step, less that at the begin of "
                   "the second one"_s;
        case StepTime:
            return u"The median time of a step, by the rank's profiler trace"_s;
        case Compute:
            return u"While the first GPU of the profiler trace computed"_s;
        case ExposedCommunication:
            return u"Communication while nothing computed"_s;
        case Idle:
            return u"While the GPU did nothing"_s;
        case Wait:
            return u"In collectives that all ranks wait for, for the last of them"_s;
        case Group:
            return u"Ranks that hold the same kinds of things at their peak"_s;
        default:
            return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    static const QStringList titles{u"Rank"_s,   u"Peak"_s,     u"To median"_s, u"Node"_s,
                                    u"Remark"_s, u"Reserved"_s, u"Group"_s,     u"Growth"_s,
                                    u"Step"_s,   u"Compute"_s,  u"Exposed"_s,   u"Idle"_s,
                                    u"Wait"_s,   u"Device"_s,   u"File"_s};
    return titles.value(section);
}

void RanksModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_column = column < 0 ? static_cast<int>(Number) : column;
    m_direction = order;
    arrange();
    endResetModel();
}

} // namespace vramscope
