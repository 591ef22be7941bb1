// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"
#include "core/readers/decimal.h"

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
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

// The pages of an SQLite database with the rows of plain tables (sqlite.org/fileformat2.html,
// sections 1.3, 1.6 and 2.1), read without the library: it goes through a table row by row on one
// thread, and an export is mostly rows.

/// The layout of a file's pages, from its header.
struct SqlitePageLayout
{
    std::uint32_t pageSize = 0; ///< bytes
    std::uint32_t usable = 0;   ///< bytes of each page
    std::uint32_t count = 0;    ///< whole pages in the file, numbered from 1

    /// Nothing if this is not the header of a UTF-8 database.
    [[nodiscard]] static std::optional<SqlitePageLayout> of(std::span<const std::byte> header,
                                                            std::int64_t fileSize);
    /// The file size in a complete header; nothing if it has none, as in old versions.
    [[nodiscard]] static std::optional<std::int64_t> statedSize(std::span<const std::byte> header);
};

/// Where a column of a table goes among the requested ones.
struct SqliteColumnPlace
{
    static constexpr std::size_t kNowhere = SIZE_MAX;
    std::size_t to = kNowhere;
    bool isRowId = false; ///< INTEGER PRIMARY KEY: the row's number, stored as NULL
};

/// Whether pages could be read and made sense.
enum class SqlitePagesState : std::uint8_t { Sound, Damaged, OtherTree, Stopped };

/// The pages with the rows of the table that begins at page `root`, in order: at most as many as
/// the file has. OtherTree: it is not a table with row numbers. Stopped: `goesOn`, which is called
/// now and then, returned false. Errors come from the source.
[[nodiscard]] Result<SqlitePagesState>
findLeaves(SeekableSource &source, const SqlitePageLayout &layout, std::uint32_t root,
           const std::function<bool()> &goesOn, std::vector<std::uint32_t> &leaves);

/// Rows read from some leaves of a table. Several readers may work at once, each on its own leaves.
class SqliteLeafReader
{
public:
    /// `columns`: by their order in the table. `longTexts`: the bytes of values that continue on
    /// further pages, for all readers together, which the file has room for.
    SqliteLeafReader(SeekableSource &source, const SqlitePageLayout &layout,
                     std::span<const SqliteColumnPlace> columns, std::size_t wanted,
                     std::atomic<std::int64_t> &longTexts);

    /// Reads the rows of these pages, replacing the previous ones. Errors come from the source.
    [[nodiscard]] Result<SqlitePagesState> read(std::span<const std::uint32_t> leaves);
    [[nodiscard]] const SqliteRows &rows() const { return m_rows; }
    /// The size of all texts in the rows.
    [[nodiscard]] std::size_t textBytes() const { return m_textBytes; }

private:
    struct Record;
    /// The places and types of the values in a record, from its header. Few headers of a table
    /// differ, and each is parsed once.
    struct Layout
    {
        struct Number // or none
        {
            std::uint32_t begin;
            std::uint16_t to; // among the requested columns
            std::uint8_t shift;
            std::uint8_t type;
        };
        struct Text
        {
            std::uint64_t begin;
            std::uint64_t size;
            std::size_t to;
        };
        static constexpr std::size_t kWords = 8;
        std::array<std::uint64_t, kWords> header{}; // all of it
        std::uint64_t headerSize = 0;               // bytes; 0: of no header
        std::uint64_t atHand = 0;                   // bytes of the record up to the last value
        std::uint64_t size = 0; // the fewest bytes of a record that has all values
        std::vector<Number> numbers;
        std::vector<Text> texts;
        std::size_t textBytes = 0;
    };
    // False after an error: of the source (m_status), else of the pages.
    [[nodiscard]] bool readPages(std::span<const std::uint32_t> leaves);
    [[nodiscard]] bool readLeaf(const std::uint8_t *page, std::uint32_t number);
    [[nodiscard]] bool readRecord(Record record, SqliteValue *values);
    [[nodiscard]] const Layout *layoutOf(const std::uint8_t *header, std::uint64_t size);
    [[nodiscard]] bool takeApart(const std::uint8_t *header, std::uint64_t size, Layout &layout);
    [[nodiscard]] bool joinPages(Record &record);

    SeekableSource &m_source;
    const SqlitePageLayout m_layout;
    std::span<const SqliteColumnPlace> m_columns;
    std::size_t m_rowIdTo = SqliteColumnPlace::kNowhere;
    std::atomic<std::int64_t> &m_longTexts;
    SqliteRows m_rows;
    std::vector<std::byte> m_bytes;
    std::vector<std::size_t> m_places; // of pages in m_bytes
    std::deque<std::string> m_joined;  // records that go on in further pages
    std::array<Layout, 64> m_layouts;  // by a glance at the header
    Layout m_longLayout;               // of the last header that was too long to keep
    std::size_t m_textBytes = 0;
    Result<void> m_status; // of the source
};

} // namespace vramscope
