// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/what_if_model.h"

#include "core/print/replay_report.h"
#include "ui/support/text.h"

#include <limits>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

using Cell = DataTable::Cell;

/// Sorted by when memory runs out, the earlier the worse, then by failures.
Cell failureCell(const WhatIf &asked)
{
    const SimulationResult &result = asked.result;
    Cell cell;
    if (asked.simulated)
        cell.value = static_cast<std::int64_t>(
            result.runsOut() ? std::numeric_limits<std::int64_t>::max() - *result.outOfMemoryEvent
                             : static_cast<std::int64_t>(result.failed));
    cell.text = failureText(asked);
    return cell;
}

std::string settingTip(const WhatIfFindings &findings, std::size_t setting)
{
    const WhatIf &asked = findings.row(setting);
    std::string lines = settingName(findings, setting).toStdString();
    if (setting == 0 && !asked.configuration.empty())
        lines += '\n' + asked.configuration;
    for (const SettingIssue &issue : asked.issues)
        lines += '\n' + std::string(issue.text);
    return lines;
}

DataTable settingsTable(const std::shared_ptr<const WhatIfFindings> &findings)
{
    using enum DataTable::Kind;
    std::vector<std::size_t> settings(findings ? findings->rowCount() : 0);
    std::iota(settings.begin(), settings.end(), std::size_t(0));
    // Figures of a setting that was not simulated are unknown.
    const auto of = [findings](auto figure) {
        return [findings, figure](std::size_t setting) {
            const WhatIf &asked = findings->row(setting);
            return asked.simulated ? Cell(figure(asked.result)) : Cell();
        };
    };
    TableOf<std::size_t> table("Settings", std::move(settings));
    table
        .add({"setting", "setting", Text, "PYTORCH_CUDA_ALLOC_CONF; checked rows are drawn"},
             [findings](std::size_t setting) {
                 Cell cell(setting);
                 cell.text = settingName(*findings, setting).toStdString();
                 return cell;
             })
        .tips([findings](std::size_t setting) { return settingTip(*findings, setting); })
        .add({"reserved", "reserved", Size, "The most bytes reserved"},
             of([](const SimulationResult &result) { return result.figures.peakReserved; }))
        .add({"delta", "Δ recorded", SizeChange,
              "The most bytes reserved against those under the recorded settings"},
             of([findings](const SimulationResult &result) {
                 return result.figures.peakReserved -
                        findings->whatIfs.recorded.result.figures.peakReserved;
             }))
        .add({"stranded", "stranded", Size,
              "Bytes that were free between blocks in use when most was reserved"},
             of([](const SimulationResult &result) { return result.strandedAtPeak; }))
        .add({"calls", "calls", Count,
              "Calls of the driver: cudaMalloc and cudaFree, or pages mapped and unmapped"},
             of([](const SimulationResult &result) {
                 return result.figures.driverAllocations + result.figures.driverFrees;
             }))
        .add({"retries", "retries", Count, "Allocations that first gave back all that was cached"},
             of([](const SimulationResult &result) { return result.figures.retries; }))
        .add({"failure", "out of memory", Text, "Whether memory suffices, and where it does not"},
             [findings](std::size_t setting) { return failureCell(findings->row(setting)); })
        .strong([findings](std::size_t setting) {
            return findings->whatIfs.best && setting == *findings->whatIfs.best + 1;
        });
    return std::move(table).table();
}

} // namespace

void WhatIfModel::setFindings(std::shared_ptr<const WhatIfFindings> findings)
{
    m_findings = std::move(findings);
    setTable(settingsTable(m_findings));
}

void WhatIfModel::setSamples(std::vector<QIcon> samples)
{
    m_samples = std::move(samples);
    showDrawn();
}

void WhatIfModel::setDrawn(const QString &setting, bool drawn)
{
    const bool changed = drawn ? m_drawn.insert(setting).second : m_drawn.erase(setting) > 0;
    if (!changed)
        return;
    showDrawn();
    Q_EMIT drawnChanged();
}

void WhatIfModel::showDrawn()
{
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Setting), index(rowCount() - 1, Setting));
}

std::vector<std::size_t> WhatIfModel::drawn() const
{
    std::vector<std::size_t> settings;
    for (std::size_t at = 0; m_findings && at < m_findings->rowCount(); ++at) {
        if (m_findings->row(at).simulated && m_drawn.contains(settingName(*m_findings, at)))
            settings.push_back(at);
    }
    return settings;
}

bool WhatIfModel::canDraw(const QModelIndex &index) const
{
    return index.isValid() && index.column() == Setting &&
           m_findings->row(rowAt(index.row())).simulated;
}

QVariant WhatIfModel::data(const QModelIndex &index, int role) const
{
    if (role == Qt::CheckStateRole) {
        if (!canDraw(index))
            return {};
        const bool isDrawn = m_drawn.contains(settingName(*m_findings, rowAt(index.row())));
        return isDrawn ? Qt::Checked : Qt::Unchecked;
    }
    if (role != Qt::DecorationRole || !index.isValid() || index.column() != Setting)
        return DataTableModel::data(index, role);
    const std::size_t at = rowAt(index.row());
    return at < m_samples.size() ? QVariant(m_samples[at]) : QVariant();
}

bool WhatIfModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || !canDraw(index))
        return false;
    setDrawn(settingName(*m_findings, rowAt(index.row())), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags WhatIfModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = DataTableModel::flags(index);
    return canDraw(index) ? flags | Qt::ItemIsUserCheckable : flags;
}

} // namespace vramscope
