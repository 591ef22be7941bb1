// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

enum class Align { Left, Right };

/// Rows of text in aligned columns, two blanks before each, for reports that people read. Widths
/// are counted in characters of UTF-8.
class TextTable
{
public:
    /// Longer cells are cut, with an ellipsis: all rows are as wide as the widest.
    static constexpr std::size_t kWidestCell = 400;

    explicit TextTable(std::vector<Align> columns);

    /// One cell a column; the rows of a table have all cells.
    void addRow(std::vector<std::string> cells);

    [[nodiscard]] const std::vector<Align> &columns() const { return m_columns; }
    [[nodiscard]] const std::vector<std::vector<std::string>> &rows() const { return m_rows; }

    /// The rows in aligned columns, each ended by a line feed, without blanks at the ends of lines.
    [[nodiscard]] std::vector<std::string> lines() const;
    /// All lines().
    [[nodiscard]] std::string text() const;

private:
    std::vector<Align> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// `text` with line feeds instead of blanks, so that lines have at most `width` characters of UTF-8
/// where words allow it.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width);

} // namespace vramscope
