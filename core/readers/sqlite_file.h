// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/readers/byte_source.h"
#include "core/readers/sqlite_access.h"
#include "core/readers/sqlite_pages.h"
#include "core/readers/sqlite_rows.h"

#include <any>
#include <cstddef>
#include <cstdint>
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

/// An SQLite database that somebody else wrote, read through a SeekableSource and never changed.
/// Nothing that the file defines is run: only plain tables are read, no views, virtual tables,
/// generated columns or functions, and no other file beside it is opened. Rows and texts are
/// counted against the size of the file, so pages that refer to each other in circles end soon.
/// SQLite says what the file defines; the rows of plain tables are read by their pages, on all
/// threads, and only those of other tables by SQLite.
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
    using Take = std::function<void(const SqliteRows &)>;
    /// Calls take(rows) on this thread for the rows of a table, in the order in which they are
    /// stored, some at a time, with these of its columns, found by name. Fails where anything but a
    /// plain table has that name. A table that does not exist has no rows.
    [[nodiscard]] Result<void> read(std::string_view table,
                                    std::span<const std::string_view> columns, const Take &take);
    /// The same rows through SQLite, one after the other.
    [[nodiscard]] Result<void> readBySqlite(std::string_view table,
                                            std::span<const std::string_view> columns,
                                            const Take &take);
    /// Reads the same rows, and makes of them what is taken: make(rows, made) is called on any
    /// thread, several times for rows that follow each other, for several `made` at once; then
    /// take(made) on this thread, in the order of the table, and made.clear(). Nothing that `made`
    /// keeps may point to the rows. Where the table turns out to be damaged some of it was taken.
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
    /// About how many rows a table has, and never more than the file has room for; 0 where it does
    /// not exist.
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
        bool hasDefault = false; // of rows that are older than it
        bool isKey = false;
    };
    template<class Thing>
    class Spares;

    SqliteFile(SeekableSource &source, const Progress &progress);
    Result<void> begin();
    Result<void> listTables();
    [[nodiscard]] const Table *find(std::string_view table) const;
    [[nodiscard]] Error failure(int code, std::string_view table) const;
    /// Whether the file has room for so many bytes more than were read.
    [[nodiscard]] bool spend(std::size_t bytes);
    [[nodiscard]] bool goesOn();
    Result<std::vector<Column>> columnsOf(std::string_view table);
    Result<bool> hasKeyIndex(std::string_view table);
    /// The table of this name and its columns; none where there is none.
    Result<const Table *> plainTable(std::string_view table, std::vector<Column> &columns);
    /// Where the columns of a table go; nothing where its pages do not say all that SQLite does.
    Result<std::optional<std::vector<SqliteColumnPlace>>>
    placesOf(std::string_view table, std::span<const Column> columns,
             std::span<const std::string_view> wanted);
    /// What becomes of rows: either they are taken, or what was made of them.
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

} // namespace vramscope
