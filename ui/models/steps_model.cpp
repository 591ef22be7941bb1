// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/steps_model.h"

#include "ui/support/exact_role.h"
#include "ui/support/text.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

void StepsModel::setSteps(const StepsData &steps)
{
    beginResetModel();
    m_data = steps;
    arrange();
    endResetModel();
}

void StepsModel::setUnit(ByteUnit unit)
{
    m_unit = unit;
    if (!m_order.empty())
        Q_EMIT dataChanged(index(0, Peak), index(rowCount() - 1, Delta));
}

int StepsModel::rowOf(std::size_t step) const
{
    return static_cast<int>(std::ranges::find(m_order, step) - m_order.begin());
}

int StepsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int StepsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant StepsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const std::size_t at = step(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(at, index.column());
    case Qt::ToolTipRole:
        return stepLines(m_data, at, m_unit).join(u'\n');
    case kExactRole:
        return index.column() == Name   ? QVariant::fromValue<qint64>(m_data.step(at).number)
               : index.column() == Peak ? QVariant::fromValue<qint64>(m_data.step(at).peakActive)
                                        : QVariant();
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == Remark ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant StepsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == kUnitRole)
        return section == Peak ? QVariant(u"bytes"_s) : QVariant();
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Remark ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        const std::array tips = {
            u"N of ProfilerStep#N; else counted from 1"_s,
            u"Most bytes in live allocations after any event of the step"_s,
            u"The peak against the median of the whole steps after the first"_s,
            m_data.times.empty() ? u"Events from its first to its last"_s
                                 : u"From its first event to its last"_s};
        return section < std::ssize(tips) ? QVariant(tips[static_cast<std::size_t>(section)])
                                          : QVariant();
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return u"step"_s;
    case Peak:
        return u"peak"_s;
    case Delta:
        return u"Δ median"_s;
    case Length:
        return m_data.times.empty() ? u"events"_s : u"duration"_s;
    default:
        return QString();
    }
}

QString StepsModel::text(std::size_t step, int column) const
{
    switch (column) {
    case Name:
        return countText(m_data.step(step).number);
    case Peak:
        return bytesText(m_data.step(step).peakActive, m_unit);
    case Delta:
        return stepDeltaText(m_data, step, m_unit);
    case Length:
        return m_data.times.empty() ? countText(lengthOf(m_data.step(step), m_data.times))
                                    : stepLengthText(m_data, step);
    default:
        return stepRemark(m_data, step);
    }
}

void StepsModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_column = column;
    m_direction = order;
    arrange();
    endResetModel();
}

void StepsModel::arrange()
{
    m_order.resize(m_data.count());
    std::iota(m_order.begin(), m_order.end(), std::size_t(0));
    const auto by = [this](const auto &key) {
        if (m_direction == Qt::AscendingOrder)
            std::ranges::stable_sort(m_order, std::less(), key);
        else
            std::ranges::stable_sort(m_order, std::greater(), key);
    };
    if (m_column == Peak || m_column == Delta)
        by([this](std::size_t at) { return m_data.step(at).peakActive; });
    else if (m_column == Length)
        by([this](std::size_t at) { return lengthOf(m_data.step(at), m_data.times); });
    else if (m_column == Remark)
        by([this](std::size_t at) { return stepRemark(m_data, at); });
    else
        by(std::identity());
}

} // namespace vramscope
