// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/json_rows.h"

#include "core/table/terminal_table.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>

namespace vramscope {

namespace {

using RowJson = nlohmann::ordered_json;

RowJson cellJson(const DataTable::Column &column, const DataTable::Cell &cell)
{
    if (const auto *whole = std::get_if<std::int64_t>(&cell.value))
        return *whole;
    if (const auto *fraction = std::get_if<double>(&cell.value))
        return column.isExact ? RowJson(*fraction) : rateJson(*fraction);
    const auto *words = std::get_if<std::string>(&cell.value);
    return words ? RowJson(*words) : RowJson();
}

/// The place of "counters.launches" in the object of a row.
RowJson &placeOf(RowJson &row, std::string_view key)
{
    const std::size_t dot = key.find('.');
    RowJson &place = row[std::string(key.substr(0, dot))];
    return dot == key.npos ? place : placeOf(place, key.substr(dot + 1));
}

} // namespace

nlohmann::ordered_json rateJson(std::optional<double> value)
{
    if (!value)
        return {};
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), *value,
                                   std::chars_format::general, 6);
    double rounded = *value;
    std::from_chars(text.data(), end.ptr, rounded);
    return rounded;
}

nlohmann::ordered_json rowsJson(const DataTable &table,
                                std::initializer_list<std::string_view> keys, std::size_t most)
{
    RowJson rows = RowJson::array();
    for (std::size_t row = 0; row < shownRows(table.rows, most); ++row) {
        RowJson object = RowJson::object();
        for (const std::string_view key : keys)
            if (const auto column = table.columnOf(key))
                placeOf(object, key) = cellJson(table.columns[*column], table.cell(row, *column));
        rows.push_back(std::move(object));
    }
    return rows;
}

} // namespace vramscope
