// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/what_if_model.h"

#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

void WhatIfModel::setFindings(std::shared_ptr<const WhatIfFindings> findings)
{
    m_findings = std::move(findings);
    setTable(whatIfsTable(m_findings));
}

QString WhatIfModel::nameOf(std::size_t setting) const
{
    return toQString(settingName(*m_findings, setting));
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
        if (m_findings->row(at).simulated && m_drawn.contains(nameOf(at)))
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
        const bool isDrawn = m_drawn.contains(nameOf(rowAt(index.row())));
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
    setDrawn(nameOf(rowAt(index.row())), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags WhatIfModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = DataTableModel::flags(index);
    return canDraw(index) ? flags | Qt::ItemIsUserCheckable : flags;
}

} // namespace vramscope
