// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/row_order.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

using Value = decltype(DataTable::Cell::value);

double numberOfValue(const Value &value)
{
    const auto *whole = std::get_if<std::int64_t>(&value);
    return whole ? static_cast<double>(*whole) : std::get<double>(value);
}

/// Whether `a` comes before `b` in ascending order; texts come after numbers.
bool isBefore(const Value &a, const Value &b)
{
    if (a.index() == b.index())
        return a < b;
    if (std::holds_alternative<std::string>(a) || std::holds_alternative<std::string>(b))
        return a.index() < b.index();
    return numberOfValue(a) < numberOfValue(b);
}

struct KeyedRow
{
    std::uint32_t row = 0;
    Value value;
};

} // namespace

void sortRows(std::vector<std::uint32_t> &rows, const DataTable &table, std::size_t column,
              bool descending)
{
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> unknown;
    std::vector<KeyedRow> known;
    for (const std::uint32_t row : rows) {
        if (row < table.pinned) {
            order.push_back(row);
            continue;
        }
        DataTable::Cell cell = table.cell(row, column);
        if (auto *error = std::get_if<double>(&cell.value);
            error && table.columns[column].kind == DataTable::Kind::SignedError)
            *error = std::abs(*error);
        if (!cell.isKnown || std::holds_alternative<std::monostate>(cell.value))
            unknown.push_back(row);
        else
            known.push_back({row, std::move(cell.value)});
    }
    std::ranges::stable_sort(known, [descending](const KeyedRow &a, const KeyedRow &b) {
        return descending ? isBefore(b.value, a.value) : isBefore(a.value, b.value);
    });
    order.reserve(rows.size());
    for (const KeyedRow &each : known)
        order.push_back(each.row);
    order.insert(order.end(), unknown.begin(), unknown.end());
    rows = std::move(order);
}

} // namespace vramscope
