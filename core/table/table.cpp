// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/table.h"

#include "core/base/counted.h"
#include "core/base/durations.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vramscope {

namespace {

using Cell = DataTable::Cell;
using Column = DataTable::Column;
using Kind = DataTable::Kind;

constexpr std::string_view kUnknown = "–";

std::string textOfWhole(Kind kind, std::int64_t value, ByteUnit unit)
{
    switch (kind) {
    case Kind::Size:
        return formatBytes(value, unit);
    case Kind::SizeChange:
        return formatChange(value, unit);
    case Kind::Time:
        return formatNanoseconds(value);
    case Kind::TimeChange:
        return (value > 0 ? "+" : "") + formatNanoseconds(value);
    default:
        return formatCount(value);
    }
}

std::string textOfFraction(Kind kind, double value)
{
    switch (kind) {
    case Kind::Share:
        return formatFraction(value);
    case Kind::Percent:
        return formatDecimals(value, 1) + " %";
    case Kind::Bandwidth:
        return formatNumber(value, 3) + " GB/s";
    case Kind::LeastBandwidth:
        return "≥ " + formatNumber(value, 3) + " GB/s";
    case Kind::Seconds:
        return formatSeconds(value);
    case Kind::Rounded:
        return formatRounded(value);
    case Kind::SignedError:
        return formatError(value);
    case Kind::ErrorSize:
        return formatErrorSize(value);
    default:
        return formatNumber(value, 3);
    }
}

} // namespace

std::optional<std::size_t> DataTable::columnOf(std::string_view key) const
{
    const auto found = std::ranges::find(columns, key, &Column::key);
    if (found == columns.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - columns.begin());
}

RowTable::RowTable(std::string title, std::vector<DataTable::Column> columns)
{
    m_table.title = std::move(title);
    m_table.columns = std::move(columns);
}

void RowTable::add(std::vector<DataTable::Cell> cells, DataTable::Target target, bool isStrong)
{
    assert(cells.size() == m_table.columns.size());
    m_rows.push_back({std::move(cells), target, isStrong});
}

DataTable RowTable::table() &&
{
    const auto rows = std::make_shared<const std::vector<Row>>(std::move(m_rows));
    m_table.rows = rows->size();
    for (std::size_t at = 0; at < m_table.columns.size(); ++at)
        m_table.columns[at].cell = [rows, at](std::size_t row) { return (*rows)[row].cells[at]; };
    m_table.target = [rows](std::size_t row) { return (*rows)[row].target; };
    m_table.isStrong = [rows](std::size_t row) { return (*rows)[row].isStrong; };
    return std::move(m_table);
}

DataTable keptWith(DataTable table, std::shared_ptr<const void> owner)
{
    using Owners = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
    table.owner = std::make_shared<const Owners>(std::move(owner), std::move(table.owner));
    return table;
}

DataTable madeTable(std::string title, std::vector<Column> columns,
                    std::vector<std::vector<Cell>> rows)
{
    RowTable table(std::move(title), std::move(columns));
    for (std::vector<Cell> &row : rows)
        table.add(std::move(row));
    return std::move(table).table();
}

DataTable shownColumns(DataTable table)
{
    const auto saysAnything = [rows = table.rows](const Column &column) {
        for (std::size_t row = 0; row < rows; ++row) {
            const std::string text = cellText(column, column.cell(row));
            if (!text.empty() && text != kUnknown)
                return true;
        }
        return rows == 0;
    };
    std::vector<Column> kept;
    for (Column &column : table.columns)
        if (column.isShown && (kept.empty() || saysAnything(column)))
            kept.push_back(std::move(column));
    table.columns = std::move(kept);
    return table;
}

DataTable pickedColumns(DataTable table, std::initializer_list<std::string_view> keys)
{
    std::vector<Column> picked;
    for (const std::string_view key : keys)
        if (const auto at = table.columnOf(key))
            picked.push_back(table.columns[*at]);
    table.columns = std::move(picked);
    return table;
}

std::string cellText(const DataTable::Column &column, const DataTable::Cell &cell, ByteUnit unit)
{
    if (!cell.isKnown)
        return std::string(kUnknown);
    if (!cell.text.empty())
        return cell.text;
    if (const auto *whole = std::get_if<std::int64_t>(&cell.value))
        return textOfWhole(column.kind, *whole, unit);
    const auto *fraction = std::get_if<double>(&cell.value);
    if (fraction && !unitOf(column.kind).empty()) // a mean
        return textOfWhole(column.kind, static_cast<std::int64_t>(*fraction), unit);
    if (fraction)
        return textOfFraction(column.kind, *fraction);
    const auto *words = std::get_if<std::string>(&cell.value);
    return words ? *words : std::string(kUnknown);
}

std::string exactText(const DataTable::Column &column, const DataTable::Cell &cell, ByteUnit unit)
{
    const auto *whole = std::get_if<std::int64_t>(&cell.value);
    const std::string_view of = unitOf(column.kind);
    if (!whole || !cell.isKnown || !cell.text.empty() || of.empty())
        return {};
    std::string exact = of == "ns" ? formatCount(*whole) + " ns" : counted(*whole, "byte");
    constexpr std::int64_t kRounded = 1000; // smaller ones are written out
    if (*whole > -kRounded && *whole < kRounded)
        return exact;
    const bool isGain =
        *whole > 0 && (column.kind == Kind::SizeChange || column.kind == Kind::TimeChange);
    return cellText(column, cell, unit) + " (" + (isGain ? "+" : "") + exact + ')';
}

std::string formatError(double percent)
{
    return (percent > 0 ? "+" : percent < 0 ? "-" : "") + formatErrorSize(percent);
}

std::string formatErrorSize(double percent)
{
    const double size = std::abs(percent);
    if (size == 0)
        return "0 %";
    return size < 0.0005 ? "<0.001 %"
                         : formatDecimals(size, size < 0.1  ? 3
                                                : size < 10 ? 2
                                                            : 1) +
                               " %";
}

std::string_view unitOf(DataTable::Kind kind)
{
    switch (kind) {
    case Kind::Size:
    case Kind::SizeChange:
        return "bytes";
    case Kind::Time:
    case Kind::TimeChange:
        return "ns";
    default:
        return {};
    }
}

} // namespace vramscope
