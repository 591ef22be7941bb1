// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/text_table.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <algorithm>
#include <cassert>

namespace vramscope {

TextTable::TextTable(std::vector<Align> columns)
    : m_columns(std::move(columns))
{
}

void TextTable::addRow(std::vector<std::string> cells)
{
    assert(cells.size() == m_columns.size());
    std::ranges::transform(cells, cells.begin(), [](const std::string &cell) {
        return shortened(printable(cell), kWidestCell);
    });
    m_rows.push_back(std::move(cells));
}

std::vector<std::string> TextTable::lines() const
{
    std::vector<std::size_t> widths(m_columns.size());
    for (const auto &row : m_rows) {
        for (std::size_t column = 0; column < row.size(); ++column)
            widths[column] = std::max(widths[column], characters(row[column]));
    }
    std::vector<std::string> lines;
    for (const auto &row : m_rows) {
        std::string &line = lines.emplace_back();
        for (std::size_t column = 0; column < row.size(); ++column) {
            const std::string padding(widths[column] - characters(row[column]), ' ');
            line += "  ";
            line +=
                m_columns[column] == Align::Left ? row[column] + padding : padding + row[column];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        line += '\n';
    }
    return lines;
}

std::string TextTable::text() const
{
    std::string text;
    for (const std::string &line : lines())
        text += line;
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
