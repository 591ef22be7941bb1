// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"

#include "core/base/counted.h"

#include <algorithm>

namespace vramscope {

namespace {

/// Walks through the text, one row at a time.
class CsvCursor
{
public:
    explicit CsvCursor(std::string_view text)
        : m_text(text)
    {
    }

    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] std::int64_t line() const { return m_line; }

    /// The cells up to the end of the line; one empty cell for an empty line.
    Result<std::vector<std::string>> row()
    {
        std::vector<std::string> cells;
        do {
            Result<std::string> cell = peek() == '"' ? quotedCell() : plainCell();
            if (!cell)
                return cell.error();
            cells.push_back(std::move(*cell));
        } while (take(','));
        take('\r');
        if (!atEnd() && !take('\n'))
            return csvError(m_line, "text follows a closing quote; put a comma between cells");
        ++m_line;
        return cells;
    }

private:
    [[nodiscard]] char peek() const { return atEnd() ? '\0' : m_text[m_at]; }

    bool take(char wanted)
    {
        if (atEnd() || m_text[m_at] != wanted)
            return false;
        ++m_at;
        return true;
    }

    Result<std::string> plainCell()
    {
        const std::size_t end = std::min(m_text.find_first_of(",\r\n", m_at), m_text.size());
        const std::string_view cell = m_text.substr(m_at, end - m_at);
        if (cell.find('"') != std::string_view::npos)
            return csvError(m_line, "a quote stands inside a cell that does not begin with one; "
                                    "put the cell in quotes and double those inside");
        m_at = end;
        return std::string(cell);
    }

    Result<std::string> quotedCell()
    {
        const std::int64_t first = m_line;
        std::string cell;
        ++m_at;
        while (!atEnd()) {
            const char character = m_text[m_at++];
            if (character == '"' && !take('"'))
                return cell;
            m_line += character == '\n' ? 1 : 0;
            cell.push_back(character);
        }
        return csvError(first, "a quote is opened and not closed; close it");
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::int64_t m_line = 1;
};

bool empty(const std::vector<std::string> &cells)
{
    return cells.size() == 1 && cells.front().empty();
}

} // namespace

Error csvError(std::int64_t line, std::string_view text)
{
    return {ErrorCode::Malformed, "Line " + std::to_string(line) + ": " + std::string(text) + '.'};
}

Result<std::size_t> CsvTable::column(std::string_view name) const
{
    const auto found = std::ranges::find(columns, name);
    if (found != columns.end())
        return static_cast<std::size_t>(found - columns.begin());
    std::string known;
    for (const std::string &column : columns)
        known += (known.empty() ? "" : ", ") + column;
    return csvError(1,
                    "there is no column \"" + std::string(name) + "\"; the columns are: " + known);
}

Result<CsvTable> parseCsv(std::string_view text)
{
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark))
        text.remove_prefix(kByteOrderMark.size());
    CsvCursor cursor(text);
    CsvTable table;
    while (!cursor.atEnd()) {
        const std::int64_t line = cursor.line();
        Result<std::vector<std::string>> cells = cursor.row();
        if (!cells)
            return cells.error();
        if (empty(*cells))
            continue;
        if (table.columns.empty()) {
            table.columns = std::move(*cells);
            continue;
        }
        if (cells->size() != table.columns.size())
            return csvError(line, "it has " + counted(std::ssize(*cells), "cell") +
                                      ", and the header " +
                                      counted(std::ssize(table.columns), "column"));
        table.rows.push_back({line, std::move(*cells)});
    }
    if (table.columns.empty())
        return Error{ErrorCode::Empty, "The file holds no table: it has no header line."};
    return table;
}

} // namespace vramscope
