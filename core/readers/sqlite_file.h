// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/readers/byte_source.h"
#include "core/readers/sqlite_access.h"
#include "core/readers/sqlite_pages.h"

#include <any>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace vramscope {

/// An SQLite database that another program wrote, read through a SeekableSource and never changed.
/// Nothing that the file defines is run: only plain tables are read, no views, virtual tables,
/// generated columns or functions, and no other file is opened. Rows and texts are counted against
/// the size of the file, so circular pages end soon. SQLite parses the file's definitions; the rows
/// of plain tables are read from their pages, on all threads, and only those of other tables by
/// SQLite.
class SqliteFile
{
public:
    /// The first bytes of every such file.
    static constexpr std::string_view kSignature{"SQLite format 3\0", 16};

    /// `source` must outlive the file. `progress` is asked while rows are read, with the share of
    /// the file already read. Errors: Truncated, Malformed.
    [[nodiscard]] static Result<std::unique_ptr<SqliteFile>> open(SeekableSource &source,
                                                                  const Progress &progress);
    SqliteFile(const SqliteFile &) = delete;
    SqliteFile &operator=(const SqliteFile &) = delete;
    ~SqliteFile();

    /// Whether there is a plain table of this name.
    [[nodiscard]] bool has(std::string_view table) const;
    using Take = std::function<void(const SqliteRows &)>;
    /// Calls take(rows) on this thread for the rows of a table, in stored order, a batch at a time,
    /// with these of its columns, found by name. Fails if anything but a plain table has that name.
    /// A table that does not exist has no rows.
    [[nodiscard]] Result<void> read(std::string_view table,
                                    std::span<const std::string_view> columns, const Take &take);
    /// The same rows through SQLite, one after the other.
    [[nodiscard]] Result<void> readBySqlite(std::string_view table,
                                            std::span<const std::string_view> columns,
                                            const Take &take);
    /// Reads the same rows and converts them: make(rows, made) is called on any thread, several
    /// times for consecutive rows, for several `made` at once; then take(made) on this thread, in
    /// table order, and made.clear(). Nothing in `made` may point to the rows. If the table turns
    /// out to be damaged, part of it was taken.
    template<class Made, class Make, class TakeMade>
    [[nodiscard]] Result<void> readMade(std::string_view table,
                                        std::span<const std::string_view> columns, Make make,
                                        TakeMade take)
    {
        const auto of = [](std::any &any) -> Made & {
            if (!any.has_value())
                any.emplace<Made>();
            return *std::any_cast<Made>(&any);
        };
        const Making making{
            [&](const SqliteRows &rows, std::any &made) { make(rows, of(made)); },
            [&](std::any &made) {
                take(of(made));
                of(made).clear();
            },
        };
        return readTable(table, columns, making);
    }
    /// Calls visit(row) for each row of a table, in their order.
    template<class Visit>
    [[nodiscard]] Result<void> forEachRow(std::string_view table,
                                          std::span<const std::string_view> columns, Visit visit)
    {
        return read(table, columns, [&](const SqliteRows &rows) {
            for (std::size_t at = 0; at < rows.count(); ++at)
                visit(rows[at]);
        });
    }

    /// How much of the file was read, from 0 to 1.
    [[nodiscard]] double share() const;
    /// The approximate number of rows of a table, at most as many as the file has room for; 0 if it
    /// does not exist.
    [[nodiscard]] std::size_t mostRows(std::string_view table);

private:
    struct Table
    {
        std::string name;
        bool isPlain = true;
        std::uint32_t root = 0; // page
    };
    struct Column
    {
        std::string name;
        std::string type;
        bool hasDefault = false; // for rows that are older than the column
        bool isKey = false;
    };
    template<class Thing>
    class Spares;

    SqliteFile(SeekableSource &source, const Progress &progress);
    Result<void> begin();
    Result<void> listTables();
    [[nodiscard]] const Table *find(std::string_view table) const;
    [[nodiscard]] Error failure(int code, std::string_view table) const;
    /// Whether the file has room for this many bytes more than were read.
    [[nodiscard]] bool spend(std::size_t bytes);
    [[nodiscard]] bool goesOn();
    Result<std::vector<Column>> columnsOf(std::string_view table);
    Result<bool> hasKeyIndex(std::string_view table);
    /// The table of this name and its columns; null if it does not exist.
    Result<const Table *> plainTable(std::string_view table, std::vector<Column> &columns);
    /// Where the columns of a table go; nothing if its pages do not give all that SQLite does.
    Result<std::optional<std::vector<SqliteColumnPlace>>>
    placesOf(std::string_view table, std::span<const Column> columns,
             std::span<const std::string_view> wanted);
    /// How rows are used: taken directly, or converted first.
    struct Making
    {
        std::function<void(const SqliteRows &, std::any &)> make; // none: the rows are taken
        std::function<void(std::any &)> takeMade;
        Take takeRows{};
    };
    Result<void> readTable(std::string_view table, std::span<const std::string_view> columns,
                           const Making &making);
    Result<void> readRows(const Table &table, std::span<const Column> columns,
                          std::span<const std::string_view> wanted, const Making &making);
    Result<void> readLeaves(std::string_view table, std::span<const std::uint32_t> leaves,
                            std::span<const SqliteColumnPlace> places, std::size_t wanted,
                            const Making &making);

    std::unique_ptr<SqliteAccess> m_access;
    const Progress m_progress;
    sqlite3 *m_database = nullptr;
    std::vector<Table> m_tables;
    std::optional<SqlitePageLayout> m_pages;
    std::int64_t m_size = 0;
    std::int64_t m_spent = 0;
    bool m_isCancelled = false;
};

/// Whether an SQLite database is complete without the files that SQLite keeps next to it. Fails,
/// and explains how to merge them, if the write-ahead log (-wal) has pages that are newer than the
/// database, or a rollback journal (-journal) shows that a change was interrupted
/// (sqlite.org/fileformat2.html, sections 3 and 4). Neither file is merged here: a recording is
/// never written.
[[nodiscard]] Result<void> holdsAllRows(const std::filesystem::path &database);

} // namespace vramscope
