// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace vramscope {

/// A number that a row does not hold.
inline constexpr std::int64_t kNoNumber = std::numeric_limits<std::int64_t>::min();

/// What stands in a column of a row; by default NULL.
struct SqliteValue
{
    std::int64_t number = kNoNumber; ///< where it is a whole number
    std::string_view text;           ///< where it is text or bytes; lives as long as its row
    bool isNull = true;
};

/// A row, by the numbers of the columns that were asked for. Columns that the table lacks are NULL.
class SqliteRow
{
public:
    explicit SqliteRow(const SqliteValue *values)
        : m_values(values)
    {
    }
    /// kNoNumber where there is no whole number.
    [[nodiscard]] std::int64_t number(std::size_t column) const { return m_values[column].number; }
    /// Text or bytes; empty where there are none.
    [[nodiscard]] std::string_view text(std::size_t column) const { return m_values[column].text; }
    [[nodiscard]] bool isNull(std::size_t column) const { return m_values[column].isNull; }

private:
    const SqliteValue *m_values;
};

/// Rows of a table that follow each other.
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
    /// Values for so many rows more. Those of columns that nobody writes stay NULL.
    void makeRoom(std::size_t rows)
    {
        if (m_values.size() < (m_count + rows) * m_columns)
            m_values.resize((m_count + rows) * m_columns);
    }
    /// The values of a further row, for which there must be room.
    [[nodiscard]] SqliteValue *add() { return m_values.data() + m_columns * m_count++; }

    /// What is made of these rows before they are taken (SqliteFile::read()): room that those after
    /// them use again.
    template<class Made>
    [[nodiscard]] Made &made()
    {
        if (!m_made.has_value())
            m_made.emplace<Made>();
        return *std::any_cast<Made>(&m_made);
    }

private:
    std::size_t m_columns;
    std::size_t m_count = 0;
    std::vector<SqliteValue> m_values;
    std::any m_made;
};

} // namespace vramscope
