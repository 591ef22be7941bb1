// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace vramscope {

/// A part of a whole, 0 … 1, for a column of shares; nothing of an empty whole.
[[nodiscard]] inline std::optional<double> shareOf(std::int64_t part, std::int64_t whole)
{
    if (whole == 0)
        return std::nullopt;
    return static_cast<double>(part) / static_cast<double>(whole);
}

/// A subject described once: each column with its meaning and its cells. The terminal, documents,
/// pages, reports and slides are written from it. Cells are made when somebody asks, so that a
/// table of a million rows costs nothing that is not shown.
struct DataTable
{
    /// How the values of a column read, everywhere alike: their text, side, order and unit follow.
    enum class Kind : std::uint8_t {
        Text,
        Count,          ///< "1,234"
        Number,         ///< "97.3"
        Size,           ///< "71.3 GiB"
        SizeChange,     ///< "+16 KiB"
        Time,           ///< ns: "12.34 µs"
        Seconds,        ///< "12.4 ms", "3 min 20 s"
        TimeChange,     ///< ns: "+12.34 µs"
        Share,          ///< a part of 1: "12.3 %"
        Percent,        ///< of 100: "62.4 %"
        Bandwidth,      ///< GB/s: "97.3 GB/s"
        LeastBandwidth, ///< GB/s, a lower bound: "≥ 97.3 GB/s"
        Figure,         ///< words of a figure: "46,368 tokens", "0.9764"
        Rounded,        ///< three digits: "41,200"
        SignedError,    ///< of 100, signed: "+0.35 %"; rows sort by its size
        ErrorSize,      ///< of 100: "0.35 %"
    };

    /// What a cell means to its reader. Its text says it too.
    enum class Tone : std::uint8_t { Plain, Good, Warning, Bad };

    struct Cell
    {
        /// Exact: bytes and nanoseconds as integers. Nothing where it is not known.
        std::variant<std::monostate, std::int64_t, double, std::string> value;
        std::string text = {}; ///< where the kind does not make it: "4?" of the rank 4
        std::string tip = {};  ///< where the exact value is not all that there is to say
        bool isKnown = true;   ///< false: not recorded, though documents have the value
        Tone tone = Tone::Plain;

        Cell() = default;
        template<std::integral T>
        Cell(T number)
            : value(static_cast<std::int64_t>(number))
        {
        }
        Cell(double number)
            : value(number)
        {
        }
        Cell(std::string words, std::string tipOfThem = {})
            : value(std::move(words))
            , tip(std::move(tipOfThem))
        {
        }
        Cell(std::string_view words)
            : value(std::string(words))
        {
        }
        Cell(const char *words)
            : value(std::string(words))
        {
        }
        template<class T>
        Cell(const std::optional<T> &maybe)
            : Cell(maybe ? Cell(*maybe) : Cell())
        {
        }

        /// The same value with a text that the kind of its column does not make.
        [[nodiscard]] Cell as(std::string words) const
        {
            Cell cell = *this;
            cell.text = std::move(words);
            return cell;
        }
        [[nodiscard]] Cell with(std::string tipOfIt) const
        {
            Cell cell = *this;
            cell.tip = std::move(tipOfIt);
            return cell;
        }
        bool operator==(const Cell &) const = default;
    };

    struct Column
    {
        std::string key = {}; ///< in documents; a dot divides the names of nested objects
        std::string title = {};
        Kind kind = Kind::Text;
        std::string tip = {};
        std::string brief = {}; ///< its title in a terminal; empty: `title` in lower case
        bool isShown = true;    ///< false: of documents alone
        bool isExact = false;   ///< documents have all digits of its fractions, not six
        std::function<Cell(std::size_t row)> cell = {};
        /// The tip of a cell, where that costs too much to be made with each cell.
        std::function<std::string(std::size_t row)> tipOf = {};

        [[nodiscard]] bool isText() const { return kind == Kind::Text; }
    };

    /// What a row leads to, and the name that it stands for, in the numbers of its subject.
    struct Target
    {
        int kind = -1; ///< -1: the row leads nowhere
        std::uint64_t at = 0;
        int named = -1; ///< what the name in the first column is of; -1: no name to search for
        std::uint64_t name = 0;
    };

    std::string title;
    std::string note;    ///< what the rows are, or why there are none
    std::string noteTip; ///< more of it, in sentences
    std::vector<Column> columns;
    std::size_t rows = 0;
    std::size_t pinned = 0; ///< first rows that stay first in any order, as the sum of all others
    std::function<Target(std::size_t row)> target; ///< none: rows lead nowhere
    std::function<bool(std::size_t row)>
        isStrong;                      ///< rows set in bold, such as a sum; none: no row
    std::shared_ptr<const void> owner; ///< of what the cells are made of

    [[nodiscard]] Cell cell(std::size_t row, std::size_t column) const
    {
        return columns[column].cell(row);
    }
    [[nodiscard]] Target targetOf(std::size_t row) const { return target ? target(row) : Target(); }
    [[nodiscard]] std::optional<std::size_t> columnOf(std::string_view key) const;
};

/// Builds a table over rows of one type, which `owner` keeps alive:
/// `table.add({"total", "Total", Kind::Time}, &KernelRow::total)`.
template<class Row>
class TableOf
{
public:
    TableOf(std::string title, std::span<const Row> rows, std::shared_ptr<const void> owner = {})
        : m_rows(rows)
    {
        m_table.title = std::move(title);
        m_table.rows = rows.size();
        m_table.owner = std::move(owner);
    }
    /// Takes the rows.
    TableOf(std::string title, std::vector<Row> rows)
        : TableOf(std::move(title), std::make_shared<const std::vector<Row>>(std::move(rows)))
    {
    }

    /// `get` makes a cell, or what becomes one, of a row.
    template<class Get>
    TableOf &add(DataTable::Column column, Get get)
    {
        column.cell = [rows = m_rows, get](std::size_t at) {
            return DataTable::Cell(std::invoke(get, rows[at]));
        };
        m_table.columns.push_back(std::move(column));
        return *this;
    }
    /// The tips of the column added last.
    template<class Get>
    TableOf &tips(Get get)
    {
        m_table.columns.back().tipOf = [rows = m_rows, get](std::size_t at) {
            return std::string(std::invoke(get, rows[at]));
        };
        return *this;
    }
    template<class Get>
    TableOf &strong(Get get)
    {
        m_table.isStrong = [rows = m_rows, get](std::size_t at) {
            return static_cast<bool>(std::invoke(get, rows[at]));
        };
        return *this;
    }
    template<class Get>
    TableOf &target(Get get)
    {
        m_table.target = [rows = m_rows, get](std::size_t at) {
            return DataTable::Target(std::invoke(get, rows[at]));
        };
        return *this;
    }
    TableOf &note(std::string text)
    {
        m_table.note = std::move(text);
        return *this;
    }
    /// Instead of the rows that are not there.
    TableOf &noteIfEmpty(std::string text)
    {
        return m_table.rows == 0 ? note(std::move(text)) : *this;
    }

    [[nodiscard]] DataTable table() && { return std::move(m_table); }

private:
    TableOf(std::string title, std::shared_ptr<const std::vector<Row>> rows)
        : TableOf(std::move(title), std::span<const Row>(*rows), rows)
    {
    }

    std::span<const Row> m_rows;
    DataTable m_table;
};

/// Builds a small table row by row.
class RowTable
{
public:
    RowTable(std::string title, std::vector<DataTable::Column> columns);

    /// Adds a row: a cell a column, where it leads to, and whether it is set in bold.
    void add(std::vector<DataTable::Cell> cells, DataTable::Target target = {},
             bool isStrong = false);
    [[nodiscard]] DataTable table() &&;

private:
    struct Row
    {
        std::vector<DataTable::Cell> cells;
        DataTable::Target target;
        bool isStrong = false;
    };
    DataTable m_table;
    std::vector<Row> m_rows;
};
/// The table, which keeps alive what its cells are made of.
[[nodiscard]] DataTable keptWith(DataTable table, std::shared_ptr<const void> owner);

/// A small table whose cells are made already, a row of one cell a column.
[[nodiscard]] DataTable madeTable(std::string title, std::vector<DataTable::Column> columns,
                                  std::vector<std::vector<DataTable::Cell>> rows);

/// For readers: without the columns of documents, and those after the first of which no row has
/// anything to say.
[[nodiscard]] DataTable shownColumns(DataTable table);
/// The columns of `keys` in that order; those that the table lacks are left out.
[[nodiscard]] DataTable pickedColumns(DataTable table,
                                      std::initializer_list<std::string_view> keys);

/// The cell as everybody reads it; "–" where its value is not known. Texts are as they are: whoever
/// shows them takes out what no line can hold.
[[nodiscard]] std::string cellText(const DataTable::Column &column, const DataTable::Cell &cell,
                                   ByteUnit unit = ByteUnit::Binary);
/// What the text rounds, exactly: "71.3 GiB (76,557,291,520 bytes)"; empty where nothing is rounded
/// or known.
[[nodiscard]] std::string exactText(const DataTable::Column &column, const DataTable::Cell &cell,
                                    ByteUnit unit = ByteUnit::Binary);
/// An error in per cent: "+0.35 %", "-12.5 %", "-<0.001 %", "0 %".
[[nodiscard]] std::string formatError(double percent);
/// Its size, without the sign.
[[nodiscard]] std::string formatErrorSize(double percent);
/// The unit of a kind's exact values, "bytes" or "ns"; empty where they are counts.
[[nodiscard]] std::string_view unitOf(DataTable::Kind kind);

} // namespace vramscope
