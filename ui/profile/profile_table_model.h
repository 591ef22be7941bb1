// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/timeline_rows.h"
#include "core/table/table.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <optional>
#include <vector>

namespace vramscope {

/// A cell of a table of a profile: its text, the number by which it is sorted, and that number
/// exactly where the text rounds it.
struct ProfileCell
{
    QString text;
    double order = 0;                 ///< of words unused
    std::optional<qint64> exact = {}; ///< as the column's unit counts
    QString tip = {};
};

/// A row, and what it leads to.
struct ProfileTableRow
{
    std::vector<ProfileCell> cells;
    ProfileEventId event = {};           ///< to be selected; none: the row leads to no event
    std::optional<EventKind> named = {}; ///< its first cell is the name of events of this kind
    StringId name = StringId::Empty;
};

struct ProfileColumn
{
    QString title;
    QString tip = {};
    bool isWord = false;
    QString unit = {}; ///< of the exact numbers: "ns", "bytes"
};

/// A table of a profile as it is shown: made off the GUI thread, then shown.
struct ProfileTable
{
    QString title;
    QString note;         ///< what the rows are of, or why there are none
    QString noteTip = {}; ///< more of it, in sentences
    std::vector<ProfileColumn> columns;
    std::vector<ProfileTableRow> rows;
};

/// A table as it is described once, with every cell made.
[[nodiscard]] ProfileTable profileTableOf(const DataTable &table, ByteUnit unit);

/// The item model of one table.
class ProfileTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// By which rows are sorted: a number, or the text.
    static constexpr int kOrderRole = Qt::UserRole + 50;

    using QAbstractTableModel::QAbstractTableModel;

    void setTable(ProfileTable table);
    [[nodiscard]] const ProfileTable &table() const { return m_table; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    ProfileTable m_table;
};

} // namespace vramscope
