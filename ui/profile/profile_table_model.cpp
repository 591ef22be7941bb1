// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_table_model.h"

#include "core/base/parts.h"
#include "ui/support/exact_role.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// By which rows are sorted: what is not known comes before everything.
double orderOf(const DataTable::Cell &cell)
{
    if (!cell.isKnown)
        return -1;
    if (const auto *whole = std::get_if<std::int64_t>(&cell.value))
        return static_cast<double>(*whole);
    const auto *fraction = std::get_if<double>(&cell.value);
    return fraction ? *fraction : -1;
}

/// The sign of a number is no hyphen.
QString numberText(const std::string &text)
{
    return foreignText(text).replace(u'-', u'−');
}

/// Each line as text of a file.
QString foreignLines(const std::string &text)
{
    QStringList lines;
    for (const std::string_view line : partsOf(text, '\n'))
        lines << foreignText(line);
    return lines.join(u'\n');
}

ProfileCell shownCell(const DataTable::Column &column, const DataTable::Cell &cell, ByteUnit unit)
{
    const auto *whole = std::get_if<std::int64_t>(&cell.value);
    const std::string text = cellText(column, cell, unit);
    return {column.isText() ? foreignText(text) : numberText(text), orderOf(cell),
            whole && cell.isKnown ? std::optional<qint64>(*whole) : std::nullopt,
            cell.tip.empty() ? numberText(exactText(column, cell, unit)) : foreignLines(cell.tip)};
}

} // namespace

ProfileTable profileTableOf(const DataTable &table, ByteUnit unit)
{
    ProfileTable shown{.title = toQString(table.title),
                       .note = toQString(table.note),
                       .noteTip = toQString(table.noteTip),
                       .columns = {},
                       .rows = {}};
    for (const DataTable::Column &column : table.columns)
        shown.columns.push_back({toQString(column.title), toQString(column.tip), column.isText(),
                                 toQString(unitOf(column.kind))});
    for (std::size_t row = 0; row < table.rows; ++row) {
        ProfileTableRow &made = shown.rows.emplace_back();
        for (const DataTable::Column &column : table.columns)
            made.cells.push_back(shownCell(column, column.cell(row), unit));
        const DataTable::Target target = table.target ? table.target(row) : DataTable::Target();
        if (target.kind >= 0)
            made.event = {static_cast<EventKind>(target.kind),
                          static_cast<std::uint32_t>(target.at)};
        if (target.named >= 0) {
            made.named = static_cast<EventKind>(target.named);
            made.name = static_cast<StringId>(target.name);
        }
    }
    return shown;
}

void ProfileTableModel::setTable(ProfileTable table)
{
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int ProfileTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int ProfileTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant ProfileTableModel::data(const QModelIndex &index, int role) const
{
    const auto column = static_cast<std::size_t>(index.column());
    const ProfileCell &cell = m_table.rows[static_cast<std::size_t>(index.row())].cells[column];
    const bool isWord = m_table.columns[column].isWord;
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::TextAlignmentRole:
        return static_cast<int>((isWord ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole: // what looks like markup is text of a file
        return u"<p>%1</p>"_s.arg((cell.tip.isEmpty() ? cell.text : cell.tip).toHtmlEscaped());
    case kExactRole:
        return cell.exact ? QVariant(*cell.exact) : QVariant();
    case kOrderRole:
        return isWord ? QVariant(cell.text) : QVariant(cell.order);
    default:
        return {};
    }
}

QVariant ProfileTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const ProfileColumn &column = m_table.columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return column.title;
    case Qt::ToolTipRole:
        return column.tip;
    case Qt::TextAlignmentRole:
        return static_cast<int>((column.isWord ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    case kUnitRole:
        return column.unit;
    default:
        return {};
    }
}

} // namespace vramscope
