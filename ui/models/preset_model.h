// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/catalogue_search.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace vramscope {

/// The models that plans know by name, one a row: name, year, kind, parameters, active ones, layers
/// × hidden, heads / KV heads, context. Numbers stand to the right; the tooltip has them exact. A
/// model that is not computed has a name, a year, and the reason in the tooltip. A name is spoken
/// with what its row says.
class PresetModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Year, Kind, Parameters, Active, Shape, Heads, Context, ColumnCount };
    static constexpr int kValueRole = Qt::UserRole;    ///< the name that plans use
    static constexpr int kSortRole = Qt::UserRole + 1; ///< what a column sorts by; invalid: unknown
    static constexpr int kWhyNotRole = Qt::UserRole + 2; ///< a sentence; empty where it is computed
    static constexpr int kAboutRole = Qt::UserRole + 3;  ///< in a line, what no column says

    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation side, int role) const override;
};

/// The rows of a PresetModel that match every one of some words: "qwen moe", "2025", "8B". Sorted
/// by a column or, by none, in the order of the catalogue; what is unknown stands last.
class PresetFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit PresetFilter(QObject *parent = nullptr);

    void setText(const QString &text);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    CatalogueSearch m_search;
};

} // namespace vramscope
