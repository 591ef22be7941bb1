// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text_table.h"

#include "core/base/format.h"

#include <algorithm>
#include <cassert>

namespace vramscope {

namespace {

std::string cut(std::string text)
{
    std::size_t count = 0;
    std::size_t end = 0; // of what stays where the text is too long
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (characters({&text[at], 1}) == 0)
            continue;
        if (count == TextTable::kWidestCell - 1)
            end = at;
        if (++count > TextTable::kWidestCell)
            return text.substr(0, end) + "…";
    }
    return text;
}

} // namespace

// Every byte but those that continue a character.
std::size_t characters(std::string_view text)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }));
}

TextTable::TextTable(std::vector<Align> columns)
    : m_columns(std::move(columns))
{
}

void TextTable::addRow(std::vector<std::string> cells)
{
    assert(cells.size() == m_columns.size());
    std::ranges::transform(cells, cells.begin(),
                           [](const std::string &cell) { return cut(printable(cell)); });
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

std::string wrapped(std::string_view text, std::size_t width)
{
    std::string lines;
    std::size_t used = 0;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        const std::size_t length = characters(word);
        const bool fits = used + 1 + length <= width;
        if (!lines.empty())
            lines += fits ? ' ' : '\n';
        used = lines.empty() || !fits ? length : used + 1 + length;
        lines += word;
    }
    return lines;
}

} // namespace vramscope
