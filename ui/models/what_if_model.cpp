// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/what_if_model.h"

#include "ui/support/exact_role.h"
#include "ui/support/signed_text.h"
#include "ui/support/text.h"

#include <QFont>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

void WhatIfModel::setFindings(std::shared_ptr<const WhatIfFindings> findings)
{
    beginResetModel();
    m_findings = std::move(findings);
    arrange();
    endResetModel();
}

void WhatIfModel::setUnit(ByteUnit unit)
{
    m_unit = unit;
    if (!m_order.empty())
        Q_EMIT dataChanged(index(0, Reserved), index(rowCount() - 1, Stranded));
}

void WhatIfModel::setSamples(std::vector<QIcon> samples)
{
    m_samples = std::move(samples);
    if (!m_order.empty())
        Q_EMIT dataChanged(index(0, Setting), index(rowCount() - 1, Setting));
}

void WhatIfModel::setDrawn(const QString &setting, bool drawn)
{
    const bool changed = drawn ? m_drawn.insert(setting).second : m_drawn.erase(setting) > 0;
    if (!changed)
        return;
    if (!m_order.empty())
        Q_EMIT dataChanged(index(0, Setting), index(rowCount() - 1, Setting));
    Q_EMIT drawnChanged();
}

std::vector<std::size_t> WhatIfModel::drawn() const
{
    std::vector<std::size_t> settings;
    for (std::size_t at = 0; at < m_order.size(); ++at) {
        if (m_findings->row(at).simulated && m_drawn.contains(settingName(*m_findings, at)))
            settings.push_back(at);
    }
    return settings;
}

int WhatIfModel::rowOf(std::size_t setting) const
{
    return static_cast<int>(std::ranges::find(m_order, setting) - m_order.begin());
}

int WhatIfModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int WhatIfModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant WhatIfModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const std::size_t at = setting(index.row());
    const bool first = index.column() == Setting;
    switch (role) {
    case Qt::DisplayRole:
        return text(at, index.column());
    case Qt::ToolTipRole:
        return toolTip(at, index.column());
    case kExactRole:
        return first || index.column() == Failure || !m_findings->row(at).simulated
                   ? QVariant()
                   : QVariant::fromValue<qint64>(number(at, index.column()));
    case Qt::TextAlignmentRole:
        return static_cast<int>(
            (first || index.column() == Failure ? Qt::AlignLeft : Qt::AlignRight) |
            Qt::AlignVCenter);
    case Qt::DecorationRole:
        return first && at < m_samples.size() ? QVariant(m_samples[at]) : QVariant();
    case Qt::CheckStateRole:
        if (!first || !m_findings->row(at).simulated)
            return {};
        return m_drawn.contains(settingName(*m_findings, at)) ? Qt::Checked : Qt::Unchecked;
    case Qt::FontRole:
        if (m_findings->whatIfs.best && at == *m_findings->whatIfs.best + 1) {
            QFont font;
            font.setBold(true);
            return font;
        }
        return {};
    default:
        return {};
    }
}

bool WhatIfModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || !(flags(index) & Qt::ItemIsUserCheckable))
        return false;
    setDrawn(settingName(*m_findings, setting(index.row())), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags WhatIfModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    const bool draws = index.isValid() && index.column() == Setting &&
                       m_findings->row(setting(index.row())).simulated;
    return draws ? flags | Qt::ItemIsUserCheckable : flags;
}

QVariant WhatIfModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == kUnitRole)
        return section == Reserved || section == Delta || section == Stranded ? QVariant(u"bytes"_s)
                                                                              : QVariant();
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(
            (section == Setting || section == Failure ? Qt::AlignLeft : Qt::AlignRight) |
            Qt::AlignVCenter);
    const std::array<std::pair<QString, QString>, ColumnCount> texts{{
        {u"setting"_s, u"PYTORCH_CUDA_ALLOC_CONF; checked rows are drawn"_s},
        {u"reserved"_s, u"The most bytes reserved"_s},
        {u"Δ recorded"_s, u"The most bytes reserved against those under the recorded settings"_s},
        {u"stranded"_s, u"Bytes that were free between blocks in use when most was reserved"_s},
        {u"calls"_s, u"Calls of the driver: cudaMalloc and cudaFree, or pages mapped and "
                     "unmapped"_s},
        {u"retries"_s, u"Allocations that first gave back all that was cached"_s},
        {u"out of memory"_s, u"Whether memory suffices, and where it does not"_s},
    }};
    if (role == Qt::ToolTipRole)
        return texts[std::size_t(section)].second;
    return role == Qt::DisplayRole ? QVariant(texts[std::size_t(section)].first) : QVariant();
}

std::int64_t WhatIfModel::number(std::size_t setting, int column) const
{
    const SimulationResult &result = m_findings->row(setting).result;
    const AllocatorFigures &figures = result.figures;
    switch (column) {
    case Reserved:
        return figures.peakReserved;
    case Delta:
        return figures.peakReserved - m_findings->whatIfs.recorded.result.figures.peakReserved;
    case Stranded:
        return result.strandedAtPeak;
    case Calls:
        return figures.driverAllocations + figures.driverFrees;
    case Retries:
        return figures.retries;
    case Failure: // the earlier the worse
        return result.runsOut()
                   ? std::numeric_limits<std::int64_t>::max() - *result.outOfMemoryEvent
                   : result.failed;
    default:
        return 0;
    }
}

QString WhatIfModel::text(std::size_t setting, int column) const
{
    if (column == Setting)
        return settingName(*m_findings, setting);
    if (column == Failure)
        return failureText(m_findings->row(setting));
    if (!m_findings->row(setting).simulated)
        return u"–"_s;
    const std::int64_t value = number(setting, column);
    if (column == Calls || column == Retries)
        return countText(value);
    if (column == Delta && setting == 0)
        return {};
    return column == Delta ? signedBytesText(value, m_unit) : bytesText(value, m_unit);
}

QString WhatIfModel::toolTip(std::size_t setting, int column) const
{
    const WhatIf &asked = m_findings->row(setting);
    if (column == Delta && asked.simulated)
        return signedExactBytesText(number(setting, column), m_unit);
    if ((column == Reserved || column == Stranded) && asked.simulated)
        return exactBytesText(number(setting, column), m_unit);
    QStringList lines{text(setting, column)};
    if (column == Setting) {
        if (setting == 0 && !asked.configuration.empty())
            lines << toQString(printable(asked.configuration));
        for (const SettingIssue &issue : asked.issues)
            lines << toQString(issue.text);
    }
    return lines.join(u'\n');
}

void WhatIfModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_column = column;
    m_direction = order;
    arrange();
    endResetModel();
}

// Names keep the order in which the settings were asked for; what is not simulated comes last.
void WhatIfModel::arrange()
{
    m_order.resize(m_findings ? m_findings->rowCount() : 0);
    std::iota(m_order.begin(), m_order.end(), std::size_t(0));
    const bool descending = m_direction == Qt::DescendingOrder;
    if (m_column == Setting && descending)
        std::ranges::reverse(m_order);
    if (m_column <= Setting)
        return;
    std::ranges::stable_sort(m_order, [&](std::size_t a, std::size_t b) {
        const bool first = m_findings->row(a).simulated;
        if (first != m_findings->row(b).simulated)
            return first;
        const std::int64_t left = number(a, m_column);
        const std::int64_t right = number(b, m_column);
        return descending ? left > right : left < right;
    });
}

} // namespace vramscope
