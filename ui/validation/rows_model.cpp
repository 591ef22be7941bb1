// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/rows_model.h"

#include "ui/support/text.h"
#include "ui/validation/heading.h"
#include "ui/validation/validation_text.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

bool isNumber(int column)
{
    return column == RowsModel::Measured || column == RowsModel::Predicted ||
           column == RowsModel::ErrorColumn;
}

constexpr ColumnHeading kRowHeadings[RowsModel::ColumnCount] = {
    {u"row", u"Name of the measured figure"},
    {u"figure", u"Its path in the answer of vramscope-cli plan --json"},
    {u"family", u"What it was published in, or what the recording is about"},
    {u"measured", u"What was measured"},
    {u"predicted", u"What the planner says"},
    {u"error", u"(predicted − measured) / measured; above 0: too much predicted"},
    {u"quality", u"A: the whole configuration is known; B: one setting is not stated; C: nor is "
                 u"what decides the figure"},
    {u"covered", u"Whether the formulas are meant to reach it, within 3 %"},
    {u"source", u"Where it was published or recorded"},
    {u"note", u"What was assumed"},
};

} // namespace

RowsModel::RowsModel(std::shared_ptr<const Validation> validation, QObject *parent)
    : QAbstractTableModel(parent)
    , m_validation(std::move(validation))
{
}

void RowsModel::setRows(std::vector<std::size_t> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    arrange();
    endResetModel();
}

void RowsModel::setUnit(ByteUnit unit)
{
    m_unit = unit;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

std::optional<int> RowsModel::placeOf(std::size_t row) const
{
    const auto found = std::ranges::find(m_rows, row);
    return found == m_rows.end() ? std::nullopt
                                 : std::optional(static_cast<int>(found - m_rows.begin()));
}

void RowsModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_column = column;
    m_order = order;
    arrange();
    endResetModel();
}

void RowsModel::arrange()
{
    std::ranges::sort(m_rows); // equal ones stand in the order of their table
    const auto sortBy = [&](auto &&key) {
        const std::vector<ComparedFigure> &rows = m_validation->rows;
        std::ranges::stable_sort(m_rows, [&](std::size_t a, std::size_t b) {
            return m_order == Qt::AscendingOrder ? key(rows[a]) < key(rows[b])
                                                 : key(rows[b]) < key(rows[a]);
        });
    };
    switch (m_column) {
    case Measured:
        return sortBy([](const ComparedFigure &row) { return row.row.value; });
    case Predicted:
        return sortBy([](const ComparedFigure &row) { return row.predicted; });
    case ErrorColumn:
        return sortBy([](const ComparedFigure &row) { return std::abs(row.errorPercent); });
    case -1:
        return;
    default:
        return sortBy([&](const ComparedFigure &row) { return text(row, m_column); });
    }
}

int RowsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RowsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RowsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const ComparedFigure &row = m_validation->rows[rowAt(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::ToolTipRole:
        return rowToolTip(row, m_unit);
    case Qt::TextAlignmentRole:
        return static_cast<int>((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    if (role == Qt::DisplayRole)
        return kRowHeadings[section].title.toString();
    if (role == Qt::ToolTipRole)
        return kRowHeadings[section].tip.toString();
    return {};
}

QString RowsModel::text(const ComparedFigure &compared, int column) const
{
    const MeasuredRow &row = compared.row;
    switch (column) {
    case Id:
        return toQString(row.id);
    case Figure:
        return toQString(row.figure);
    case Family:
        return toQString(row.family);
    case Measured:
        return valueText(row, row.value, m_unit);
    case Predicted:
        return valueText(row, compared.predicted, m_unit);
    case ErrorColumn:
        return errorText(compared.errorPercent);
    case Quality:
        return toQString(row.quality);
    case Covered:
        return row.covered ? u"yes"_s : u"no"_s;
    case Source:
        return toQString(row.source);
    case Note:
        return toQString(row.note);
    default:
        return {};
    }
}

} // namespace vramscope
