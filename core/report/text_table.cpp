// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text_table.h"

#include "core/base/format.h"

#include <algorithm>
#include <cassert>

namespace vramscope {

namespace {

// Every byte but those that continue a character.
std::size_t characters(const std::string &text)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }));
}

} // namespace

TextTable::TextTable(std::vector<Align> columns)
    : m_columns(std::move(columns))
{
}

void TextTable::addRow(std::vector<std::string> cells)
{
    assert(cells.size() == m_columns.size());
    std::ranges::transform(cells, cells.begin(), printable);
    m_rows.push_back(std::move(cells));
}

std::string TextTable::text() const
{
    std::vector<std::size_t> widths(m_columns.size());
    for (const auto &row : m_rows) {
        for (std::size_t column = 0; column < row.size(); ++column)
            widths[column] = std::max(widths[column], characters(row[column]));
    }
    std::string text;
    for (const auto &row : m_rows) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            const std::string padding(widths[column] - characters(row[column]), ' ');
            text += "  ";
            text +=
                m_columns[column] == Align::Left ? row[column] + padding : padding + row[column];
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

} // namespace vramscope
