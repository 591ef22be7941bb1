// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/decimal.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace vramscope {

/// A number that a row does not have.
inline constexpr std::int64_t kNoNumber = std::numeric_limits<std::int64_t>::min();

/// The value in a column of a row; by default NULL.
class SqliteValue
{
public:
    /// Types as stored in a record (sqlite.org/fileformat2.html, section 2.1): from kFirstText on a
    /// text or bytes, two types for each length.
    static constexpr std::uint64_t kNull = 0;
    static constexpr std::uint64_t kReal = 7;
    static constexpr std::uint64_t kFirstText = 12;

    SqliteValue() = default;
    /// A real, rounded to the nearest integer: kNoNumber if that has more than 64 bits.
    [[nodiscard]] static SqliteValue ofReal(double real)
    {
        constexpr double kEnd = 9'223'372'036'854'775'808.0; // 2^63
        const bool isWithin = real > -kEnd && real < kEnd - 1;
        return {isWithin ? std::llround(real) : kNoNumber, kReal};
    }
    /// A value of a type below kFirstText. `number`: kNoNumber if it is not a number.
    SqliteValue(std::int64_t number, std::uint64_t type)
        : m_number(number)
        , m_type(type)
    {
    }
    /// Text or bytes, which live as long as the row.
    explicit SqliteValue(std::string_view text)
        : m_text(text.data())
        , m_type(kFirstText + 2 * text.size())
    {
    }

    [[nodiscard]] std::int64_t number() const { return m_type < kFirstText ? m_number : kNoNumber; }
    [[nodiscard]] std::string_view text() const
    {
        return m_type < kFirstText
                   ? std::string_view()
                   : std::string_view(m_text, static_cast<std::size_t>((m_type - kFirstText) / 2));
    }
    [[nodiscard]] bool isNull() const { return m_type == kNull; }

private:
    union {
        std::int64_t m_number = kNoNumber;
        const char *m_text; // from kFirstText on
    };
    std::uint64_t m_type = kNull;
};

/// The columns to read from a table. A row is indexed by the number of a column, which the compiler
/// finds by the name.
template<std::size_t count>
struct SqliteColumns
{
    template<class... Names>
    explicit consteval SqliteColumns(Names... columns)
        : names{columns...}
    {
    }
    [[nodiscard]] consteval std::size_t operator[](std::string_view name) const
    {
        std::size_t at = 0;
        while (names[at] != name) // past the end: no constant
            ++at;
        return at;
    }
    std::array<std::string_view, count> names;
};
template<class... Names>
SqliteColumns(Names...) -> SqliteColumns<sizeof...(Names)>;

/// A row, by the numbers of the requested columns. Columns that the table lacks are NULL.
class SqliteRow
{
public:
    explicit SqliteRow(const SqliteValue *values)
        : m_values(values)
    {
    }
    /// A whole number, or a rounded real; otherwise kNoNumber.
    [[nodiscard]] std::int64_t number(std::size_t column) const
    {
        return m_values[column].number();
    }
    /// The number in a column that other tools fill with text: "1949099896".
    [[nodiscard]] std::int64_t time(std::size_t column) const
    {
        const SqliteValue &value = m_values[column];
        return value.text().empty() ? value.number()
                                    : scaledDecimal(value.text(), 0).value_or(kNoNumber);
    }
    /// Text or bytes; empty if the column has neither.
    [[nodiscard]] std::string_view text(std::size_t column) const
    {
        return m_values[column].text();
    }
    [[nodiscard]] bool isNull(std::size_t column) const { return m_values[column].isNull(); }

private:
    const SqliteValue *m_values;
};

/// Consecutive rows of a table.
class SqliteRows
{
public:
    explicit SqliteRows(std::size_t columns)
        : m_columns(columns)
    {
    }

    [[nodiscard]] std::size_t count() const { return m_count; }
    [[nodiscard]] SqliteRow operator[](std::size_t row) const
    {
        return SqliteRow(m_values.data() + row * m_columns);
    }

    void clear() { m_count = 0; }
    /// Makes room for this many more rows. Columns that nobody writes stay NULL.
    void makeRoom(std::size_t rows)
    {
        if (m_values.size() < (m_count + rows) * m_columns)
            m_values.resize((m_count + rows) * m_columns);
    }
    /// The values of another row, which must have room.
    [[nodiscard]] SqliteValue *add() { return m_values.data() + m_columns * m_count++; }

private:
    std::size_t m_columns;
    std::size_t m_count = 0;
    std::vector<SqliteValue> m_values;
};

} // namespace vramscope
