// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/readers/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace vramscope {

class SqliteFile;

/// A number that a row does not hold.
inline constexpr std::int64_t kNoNumber = std::numeric_limits<std::int64_t>::min();

/// The rows of a plain table in the order in which they are stored, so that each page is read once.
class SqliteRows
{
public:
    SqliteRows(SqliteRows &&other) noexcept;
    SqliteRows(const SqliteRows &) = delete;
    SqliteRows &operator=(const SqliteRows &) = delete;
    ~SqliteRows();

    /// Goes to the next row; false after the last one, and when reading ends early (status()).
    [[nodiscard]] bool next();
    /// Why there are no more rows: a success after the last one.
    [[nodiscard]] const Result<void> &status() const { return m_status; }

    /// The value of column number `column` of those that were asked for; kNoNumber where there is
    /// no such column or no whole number in it.
    [[nodiscard]] std::int64_t number(std::size_t column) const;
    /// Text or bytes, valid until next(); empty where there are none.
    [[nodiscard]] std::string_view text(std::size_t column) const;
    [[nodiscard]] bool isNull(std::size_t column) const;

private:
    friend class SqliteFile;
    SqliteRows(SqliteFile &file, std::string_view table, std::vector<int> places)
        : m_file(&file)
        , m_table(table)
        , m_places(std::move(places))
    {
    }

    SqliteFile *m_file;
    std::string m_table;
    std::vector<int> m_places; // by column asked for: of the statement; -1: the table has none
    sqlite3_stmt *m_statement = nullptr;
    Result<void> m_status;
};

/// An SQLite database that somebody else wrote, read through a SeekableSource and never changed.
/// Nothing that the file defines is run: only plain tables are read, no views, virtual tables,
/// generated columns or functions, and no other file beside it is opened. Rows and texts are
/// counted against the size of the file, so pages that refer to each other in circles end soon.
class SqliteFile
{
public:
    /// The first bytes of every such file.
    static constexpr std::string_view kSignature{"SQLite format 3\0", 16};

    /// `source` must outlive the file. `progress` is asked while rows are read, with the share of
    /// the file that was. Errors: Truncated, Malformed.
    [[nodiscard]] static Result<std::unique_ptr<SqliteFile>> open(SeekableSource &source,
                                                                  const Progress &progress);
    SqliteFile(const SqliteFile &) = delete;
    SqliteFile &operator=(const SqliteFile &) = delete;
    ~SqliteFile();

    /// Whether there is a plain table of this name.
    [[nodiscard]] bool has(std::string_view table) const;
    /// The rows of a table with these of its columns, found by name. Fails where anything else has
    /// that name. A table that does not exist has no rows.
    [[nodiscard]] Result<SqliteRows> rows(std::string_view table,
                                          std::span<const std::string_view> columns);

    /// About how many rows a table has, and never more than the file has room for; 0 where it does
    /// not exist.
    [[nodiscard]] std::size_t mostRows(std::string_view table);

private:
    friend class SqliteRows;
    struct Access; // the functions by which SQLite reads the source
    struct Table
    {
        std::string name;
        bool isPlain = true;
    };

    SqliteFile(SeekableSource &source, const Progress &progress);
    Result<void> begin();
    Result<void> listTables();
    [[nodiscard]] const Table *find(std::string_view table) const;
    [[nodiscard]] Error failure(int code, std::string_view table) const;
    /// Whether the file has room for so many bytes more than were read.
    [[nodiscard]] bool spend(std::size_t bytes);
    [[nodiscard]] bool goesOn();
    Result<std::vector<std::string>> columnsOf(std::string_view table);

    std::unique_ptr<Access> m_access;
    const Progress &m_progress;
    sqlite3 *m_database = nullptr;
    std::vector<Table> m_tables;
    std::int64_t m_size = 0;
    std::int64_t m_spent = 0;
    bool m_isCancelled = false;
};

} // namespace vramscope
