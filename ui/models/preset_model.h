// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QStringList>

namespace vramscope {

/// "dense", "MoE" or "dense, MLA": the two things in which transformers differ most.
[[nodiscard]] QString architectureKind(const Architecture &architecture);

/// The built-in architectures, one a row: name, kind, parameters, active ones, layers × hidden,
/// heads / KV heads, context. Numbers stand to the right; the tooltip has them exact. A name is
/// spoken with what its row says.
class PresetModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Kind, Parameters, Active, Shape, Heads, Context, ColumnCount };
    static constexpr int kValueRole = Qt::UserRole;      ///< the name that plans use
    static constexpr int kSearchRole = Qt::UserRole + 1; ///< all that a search looks through

    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation side, int role) const override;
};

/// The rows of a PresetModel that have every one of some words: "qwen moe", "70b".
class PresetFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setText(const QString &text);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    QStringList m_words;
};

} // namespace vramscope
