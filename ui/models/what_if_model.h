// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/describe/allocator_tables.h"
#include "ui/models/data_table_model.h"

#include <QIcon>

#include <memory>
#include <set>

namespace vramscope {

/// A row for each setting that a recording was simulated under. Rows that are checked are drawn; by
/// their names they stay checked when others come and go.
class WhatIfModel : public DataTableModel
{
    Q_OBJECT

public:
    /// The columns of the table, in their order.
    enum Column { Setting, Reserved, Delta, Stranded, Calls, Retries, Failure };

    using DataTableModel::DataTableModel;

    /// Rows of the table are as WhatIfFindings::row counts them.
    void setFindings(std::shared_ptr<const WhatIfFindings> findings);
    /// How the curve of each setting is drawn, before its name.
    void setSamples(std::vector<QIcon> samples);
    /// Draws a setting, or does not, when it comes.
    void setDrawn(const QString &setting, bool drawn);

    /// The setting by which it is known.
    [[nodiscard]] QString nameOf(std::size_t setting) const;
    /// The settings that are drawn, ascending.
    [[nodiscard]] std::vector<std::size_t> drawn() const;

    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    void drawnChanged();

private:
    [[nodiscard]] bool canDraw(const QModelIndex &index) const;
    void showDrawn();

    std::shared_ptr<const WhatIfFindings> m_findings;
    std::set<QString> m_drawn;    // names
    std::vector<QIcon> m_samples; // by setting
};

} // namespace vramscope
