// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/sqlite_file.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/memory.h"
#include "core/base/ordered_jobs.h"
#include "core/readers/cancel_guard.h"

#include <sqlite3.h>

#include <algorithm>
#include <any>
#include <array>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace vramscope {

namespace {

constexpr std::size_t kHeader = 100; // bytes
// A row takes at least the bytes of its cell pointer, its length, its number and an empty header.
constexpr std::size_t kLeastRow = 5;
constexpr Bytes kWorkingMemory = 64 << 20; // SQLite's own, in addition to the file, at most

std::string quotedName(std::string_view name)
{
    std::string text = "\"";
    for (const char c : name) {
        text += c;
        if (c == '"')
            text += c;
    }
    return text + '"';
}

bool isSameName(std::string_view a, std::string_view b)
{
    return a.size() == b.size() &&
           sqlite3_strnicmp(a.data(), b.data(), static_cast<int>(a.size())) == 0;
}

std::string_view columnText(sqlite3_stmt *statement, int column)
{
    const bool isText = sqlite3_column_type(statement, column) == SQLITE_TEXT;
    const void *const bytes = isText ? sqlite3_column_text(statement, column) // in UTF-8
                                     : sqlite3_column_blob(statement, column);
    const auto *const text = static_cast<const char *>(bytes);
    const int size = sqlite3_column_bytes(statement, column);
    return text == nullptr || size <= 0 ? std::string_view()
                                        : std::string_view(text, static_cast<std::size_t>(size));
}

SqliteValue columnValue(sqlite3_stmt *statement, int column)
{
    constexpr std::uint64_t kWhole = 6; // of eight bytes
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        return {sqlite3_column_int64(statement, column), kWhole};
    case SQLITE_FLOAT:
        return SqliteValue::ofReal(sqlite3_column_double(statement, column));
    case SQLITE_TEXT:
    case SQLITE_BLOB:
        return SqliteValue(columnText(statement, column));
    default:
        return {};
    }
}

/// The rows of an SQLite statement.
class Answer
{
public:
    Answer(sqlite3 *database, const std::string &question)
        : m_code(sqlite3_prepare_v2(database, question.c_str(), -1, &m_statement, nullptr))
    {
    }
    Answer(const Answer &) = delete;
    Answer &operator=(const Answer &) = delete;
    ~Answer() { sqlite3_finalize(m_statement); }

    /// Goes to the next row; false at the end.
    bool next()
    {
        if (m_code == SQLITE_OK || m_code == SQLITE_ROW)
            m_code = sqlite3_step(m_statement);
        return m_code == SQLITE_ROW;
    }
    /// SQLITE_DONE after the last row, else the error.
    [[nodiscard]] int code() const { return m_code; }
    [[nodiscard]] sqlite3_stmt *row() const { return m_statement; }

private:
    sqlite3_stmt *m_statement = nullptr;
    int m_code;
};

/// Whether `text` contains `word`, ignoring case.
bool holdsWord(std::string_view text, std::string_view word)
{
    for (std::size_t at = 0; at + word.size() <= text.size(); ++at) {
        if (isSameName(text.substr(at, word.size()), word))
            return true;
    }
    return false;
}

} // namespace

SqliteFile::SqliteFile(SeekableSource &source, const Progress &progress)
    : m_access(std::make_unique<SqliteAccess>(source))
    , m_progress(progress)
    , m_size(m_access->size())
{
}

SqliteFile::~SqliteFile()
{
    sqlite3_close(m_database);
}

Result<std::unique_ptr<SqliteFile>> SqliteFile::open(SeekableSource &source,
                                                     const Progress &progress)
{
    std::array<std::byte, kHeader> header{};
    const auto count = source.readAt(0, header);
    if (!count.ok())
        return count.error();
    if (*count < kHeader)
        return Error{ErrorCode::Truncated,
                     "The database ends within its header; copy or export it again."};
    const std::int64_t size = source.size().value_or(0);
    if (const auto stated = SqlitePageLayout::statedSize(header); stated && *stated > size)
        return Error{ErrorCode::Truncated, "The database is cut off: it says that it has " +
                                               counted(*stated, "byte") + ", and there are " +
                                               formatCount(size) + "; copy or export it again."};
    std::unique_ptr<SqliteFile> file(new SqliteFile(source, progress));
    file->m_pages = SqlitePageLayout::of(header, size);
    if (const auto begun = file->begin(); !begun.ok())
        return begun.error();
    return file;
}

Result<void> SqliteFile::begin()
{
    constexpr int kFlags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (m_access->name() == nullptr)
        throw std::bad_alloc();
    if (const int code = sqlite3_open_v2("recording", &m_database, kFlags, m_access->name());
        code != SQLITE_OK)
        return failure(code, {});
    constexpr std::pair<int, int> kLimits[] = {{SQLITE_LIMIT_LENGTH, 1 << 28},
                                               {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
                                               {SQLITE_LIMIT_COLUMN, 500},
                                               {SQLITE_LIMIT_EXPR_DEPTH, 20},
                                               {SQLITE_LIMIT_COMPOUND_SELECT, 2},
                                               {SQLITE_LIMIT_VDBE_OP, 25'000},
                                               {SQLITE_LIMIT_FUNCTION_ARG, 8},
                                               {SQLITE_LIMIT_ATTACHED, 0},
                                               {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50},
                                               {SQLITE_LIMIT_VARIABLE_NUMBER, 10},
                                               {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                               {SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (const auto &[limit, value] : kLimits)
        sqlite3_limit(m_database, limit, value);
    for (const int setting : {SQLITE_DBCONFIG_DEFENSIVE})
        sqlite3_db_config(m_database, setting, 1, nullptr);
    for (const int setting : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                              SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION})
        sqlite3_db_config(m_database, setting, 0, nullptr);
    constexpr int kOperations = 200'000; // some milliseconds
    sqlite3_progress_handler(
        m_database, kOperations,
        [](void *of) { return static_cast<SqliteFile *>(of)->goesOn() ? 0 : 1; }, this);
    if (const int code = sqlite3_exec(
            m_database, "PRAGMA cell_size_check=ON; PRAGMA query_only=ON; PRAGMA temp_store=MEMORY",
            nullptr, nullptr, nullptr);
        code != SQLITE_OK)
        return failure(code, {});
    return listTables();
}

double SqliteFile::share() const
{
    return m_size > 0
               ? std::min(static_cast<double>(m_access->bytesRead()) / static_cast<double>(m_size),
                          1.0)
               : 1.0;
}

bool SqliteFile::goesOn()
{
    m_isCancelled = m_isCancelled || (m_progress && !m_progress(share()));
    return !m_isCancelled;
}

bool SqliteFile::spend(std::size_t bytes)
{
    m_spent += static_cast<std::int64_t>(bytes);
    return m_spent <= m_size;
}

Error SqliteFile::failure(int code, std::string_view table) const
{
    if (m_isCancelled)
        return readingCancelled();
    if (!m_access->status().ok())
        return m_access->status().error();
    // SQLite also reports this for a record that claims more than a page can hold.
    const bool isShort = freeMemory().value_or(0) < m_size + kWorkingMemory;
    if ((code & 0xFF) == SQLITE_NOMEM && isShort)
        throw std::bad_alloc();
    const std::string where = table.empty() ? std::string() : " in table " + std::string(table);
    return {ErrorCode::Malformed, "The database is damaged" + where +
                                      " (SQLite: " + sqlite3_errstr(code) +
                                      "); export the report again with nsys."};
}

Result<void> SqliteFile::listTables()
{
    constexpr std::string_view kVirtual = "CREATE VIRTUAL";
    Answer answer(m_database, "SELECT type, name, sql, rootpage FROM sqlite_schema");
    while (answer.next()) {
        const std::string_view type = columnText(answer.row(), 0);
        const std::string_view name = columnText(answer.row(), 1);
        const std::string_view sql = columnText(answer.row(), 2);
        if (!spend(kLeastRow + type.size() + name.size() + sql.size()))
            return failure(SQLITE_CORRUPT, {});
        if (type == "table" || type == "view")
            m_tables.push_back(
                {std::string(name),
                 type == "table" && !isSameName(sql.substr(0, kVirtual.size()), kVirtual),
                 static_cast<std::uint32_t>(sqlite3_column_int64(answer.row(), 3))});
    }
    return answer.code() == SQLITE_DONE ? Result<void>() : failure(answer.code(), {});
}

const SqliteFile::Table *SqliteFile::find(std::string_view table) const
{
    const auto found = std::ranges::find_if(
        m_tables, [&](const Table &each) { return isSameName(each.name, table); });
    return found == m_tables.end() ? nullptr : &*found;
}

bool SqliteFile::has(std::string_view table) const
{
    const Table *const found = find(table);
    return found != nullptr && found->isPlain;
}

/// Fails if a column is computed when it is read.
Result<std::vector<SqliteFile::Column>> SqliteFile::columnsOf(std::string_view table)
{
    enum : int { Name = 1, Type = 2, Default = 4, Key = 5, Hidden = 6 };
    Answer answer(m_database, "PRAGMA table_xinfo(" + quotedName(table) + ")");
    std::vector<Column> columns;
    bool isComputed = false;
    while (answer.next()) {
        columns.push_back({std::string(columnText(answer.row(), Name)),
                           std::string(columnText(answer.row(), Type)),
                           sqlite3_column_type(answer.row(), Default) != SQLITE_NULL,
                           sqlite3_column_int(answer.row(), Key) != 0});
        isComputed = isComputed || sqlite3_column_int(answer.row(), Hidden) != 0;
    }
    if (answer.code() != SQLITE_DONE)
        return failure(answer.code(), table);
    if (isComputed)
        return Error{ErrorCode::Refused,
                     "The table " + std::string(table) +
                         " computes some of its columns, which Nsight Systems never writes; "
                         "nothing of it was run. Export the report again with nsys."};
    return columns;
}

/// Whether the primary key of a table has an index: without one it is the row's number.
Result<bool> SqliteFile::hasKeyIndex(std::string_view table)
{
    constexpr int kOrigin = 3;
    Answer answer(m_database, "PRAGMA index_list(" + quotedName(table) + ")");
    bool hasOne = false;
    while (answer.next())
        hasOne = hasOne || columnText(answer.row(), kOrigin) == "pk";
    if (answer.code() != SQLITE_DONE)
        return failure(answer.code(), table);
    return hasOne;
}

Result<const SqliteFile::Table *> SqliteFile::plainTable(std::string_view table,
                                                         std::vector<Column> &columns)
{
    const Table *const found = find(table);
    if (found == nullptr)
        return found;
    if (!found->isPlain)
        return Error{ErrorCode::Refused,
                     std::string(table) +
                         " is a view or virtual table in this file, where Nsight Systems writes a "
                         "table; nothing of it was run. Export the report again with nsys."};
    auto existing = columnsOf(table);
    if (!existing.ok())
        return existing.error();
    columns = std::move(*existing);
    return found;
}

Result<std::optional<std::vector<SqliteColumnPlace>>>
SqliteFile::placesOf(std::string_view table, std::span<const Column> columns,
                     std::span<const std::string_view> wanted)
{
    // SQLite converts whole numbers in such columns.
    constexpr std::array<std::string_view, 3> kReals{"REAL", "FLOA", "DOUB"};
    std::vector<SqliteColumnPlace> places;
    for (std::size_t at = 0; at < columns.size(); ++at) {
        const Column &column = columns[at];
        const auto to = std::ranges::find_if(
            wanted, [&](std::string_view name) { return isSameName(name, column.name); });
        if (to == wanted.end())
            continue;
        const bool isReal = std::ranges::any_of(
            kReals, [&](std::string_view word) { return holdsWord(column.type, word); });
        if (column.hasDefault || isReal)
            return std::optional<std::vector<SqliteColumnPlace>>();
        places.resize(at + 1);
        places[at].to = static_cast<std::size_t>(to - wanted.begin());
        if (!column.isKey || std::ranges::count(columns, true, &Column::isKey) != 1 ||
            !isSameName(column.type, "INTEGER"))
            continue;
        const auto hasIndex = hasKeyIndex(table);
        if (!hasIndex.ok())
            return hasIndex.error();
        places[at].isRowId = !*hasIndex;
    }
    return std::optional(std::move(places));
}

Result<void> SqliteFile::read(std::string_view table, std::span<const std::string_view> columns,
                              const Take &take)
{
    return readTable(table, columns, {{}, {}, take});
}

Result<void> SqliteFile::readTable(std::string_view table,
                                   std::span<const std::string_view> columns, const Making &making)
{
    std::vector<Column> existing;
    const auto found = plainTable(table, existing);
    if (!found.ok())
        return found.error();
    if (*found == nullptr)
        return {};
    const auto places = placesOf(table, existing, columns);
    if (!places.ok())
        return places.error();
    if (!m_pages || !*places)
        return readRows(**found, existing, columns, making);
    std::vector<std::uint32_t> leaves;
    const auto state = findLeaves(
        m_access->source(), *m_pages, (*found)->root, [this] { return goesOn(); }, leaves);
    if (!state.ok())
        return state.error();
    switch (*state) {
    case SqlitePagesState::Sound:
        return readLeaves(table, leaves, **places, columns.size(), making);
    case SqlitePagesState::OtherTree:
        return readRows(**found, existing, columns, making);
    case SqlitePagesState::Damaged:
    case SqlitePagesState::Stopped:
        break;
    }
    return failure(SQLITE_CORRUPT, table);
}

Result<void> SqliteFile::readBySqlite(std::string_view table,
                                      std::span<const std::string_view> columns, const Take &take)
{
    std::vector<Column> existing;
    const auto found = plainTable(table, existing);
    if (!found.ok())
        return found.error();
    return *found == nullptr ? Result<void>()
                             : readRows(**found, existing, columns, {{}, {}, take});
}

Result<void> SqliteFile::readRows(const Table &table, std::span<const Column> columns,
                                  std::span<const std::string_view> wanted, const Making &making)
{
    std::string list;
    std::vector<std::size_t> places; // by column of the statement: the requested one
    for (std::size_t at = 0; at < wanted.size(); ++at) {
        const bool exists = std::ranges::any_of(
            columns, [&](const Column &column) { return isSameName(column.name, wanted[at]); });
        if (!exists)
            continue;
        list += (places.empty() ? "" : ", ") + quotedName(wanted[at]);
        places.push_back(at);
    }
    if (places.empty())
        return {};
    // NOT INDEXED: an index would give another order, and need not agree with its table.
    Answer answer(m_database,
                  "SELECT " + list + " FROM " + quotedName(table.name) + " NOT INDEXED");
    SqliteRows rows(wanted.size());
    std::any made;
    while (answer.next()) {
        rows.clear();
        rows.makeRoom(1);
        SqliteValue *const values = rows.add();
        std::size_t bytes = kLeastRow;
        for (std::size_t column = 0; column < places.size(); ++column) {
            values[places[column]] = columnValue(answer.row(), static_cast<int>(column));
            bytes += values[places[column]].text().size();
        }
        if (!spend(bytes))
            return failure(SQLITE_CORRUPT, table.name);
        if (making.make) {
            making.make(rows, made);
            making.takeMade(made);
        } else {
            making.takeRows(rows);
        }
    }
    return answer.code() == SQLITE_DONE ? Result<void>() : failure(answer.code(), table.name);
}

/// A pool shared by the jobs that read the leaves of a table, for objects that they use again.
template<class Thing>
class SqliteFile::Spares
{
public:
    explicit Spares(std::function<Thing()> make)
        : m_make(std::move(make))
    {
    }
    /// The one returned last, which is most likely still in a cache.
    Thing get()
    {
        const std::lock_guard lock(m_mutex);
        if (m_free.empty())
            return m_make();
        Thing one = std::move(m_free.back());
        m_free.pop_back();
        return one;
    }
    void giveBack(Thing one)
    {
        const std::lock_guard lock(m_mutex);
        m_free.push_back(std::move(one));
    }

private:
    std::mutex m_mutex;
    std::function<Thing()> m_make;
    std::vector<Thing> m_free;
};

Result<void> SqliteFile::readLeaves(std::string_view table, std::span<const std::uint32_t> leaves,
                                    std::span<const SqliteColumnPlace> places, std::size_t wanted,
                                    const Making &making)
{
    constexpr std::size_t kPiece = std::size_t(256) << 10; // bytes that one job reads
    constexpr std::size_t kBlock = std::size_t(32) << 10;  // rows fit into a core's own cache
    struct Piece
    {
        std::unique_ptr<SqliteLeafReader> reader; // if its rows are taken directly
        std::unique_ptr<std::any> made;
        Result<SqlitePagesState> state = SqlitePagesState::Sound;
        std::size_t bytes = 0; // of its rows
    };
    if (places.empty())
        return {};
    const auto pagesOf = [&](std::size_t bytes) {
        return std::max<std::size_t>(1, bytes / m_pages->pageSize);
    };
    const std::size_t each = pagesOf(kPiece);
    const std::size_t block = making.make ? pagesOf(kBlock) : each;
    std::vector<Piece> pieces((leaves.size() + each - 1) / each);
    std::atomic<std::int64_t> longTexts = m_size;
    Spares<std::unique_ptr<SqliteLeafReader>> readers([&] {
        return std::make_unique<SqliteLeafReader>(m_access->source(), *m_pages, places, wanted,
                                                  longTexts);
    });
    Spares<std::unique_ptr<std::any>> mades([] { return std::make_unique<std::any>(); });
    const auto leavesOf = [&](std::size_t piece) {
        return leaves.subspan(piece * each, std::min(each, leaves.size() - piece * each));
    };
    const auto isSound = [](const Piece &piece) {
        return piece.state.ok() && *piece.state == SqlitePagesState::Sound;
    };
    const auto job = [&](std::size_t at) {
        Piece &piece = pieces[at];
        const auto own = leavesOf(at);
        auto reader = readers.get();
        if (making.make)
            piece.made = mades.get();
        for (std::size_t first = 0; first < own.size() && isSound(piece); first += block) {
            piece.state = reader->read(own.subspan(first, std::min(block, own.size() - first)));
            piece.bytes += reader->rows().count() * kLeastRow + reader->textBytes();
            if (making.make && isSound(piece))
                making.make(reader->rows(), *piece.made);
        }
        if (making.make)
            readers.giveBack(std::move(reader));
        else
            piece.reader = std::move(reader);
    };
    Result<void> status;
    const auto finished = [&](std::size_t at) {
        Piece &piece = pieces[at];
        m_access->addBytesRead(static_cast<std::int64_t>(leavesOf(at).size() * m_pages->pageSize));
        if (!piece.state.ok()) {
            status = piece.state.error();
        } else if (!isSound(piece) || !spend(piece.bytes)) {
            status = failure(SQLITE_CORRUPT, table);
        } else if (making.make) {
            making.takeMade(*piece.made);
            mades.giveBack(std::move(piece.made));
        } else {
            making.takeRows(piece.reader->rows());
            readers.giveBack(std::move(piece.reader));
        }
        if (status.ok() && !goesOn())
            status = failure(SQLITE_INTERRUPT, table);
        return status.ok();
    };
    runInOrder(pieces.size(), job, finished);
    return status;
}

std::size_t SqliteFile::mostRows(std::string_view table)
{
    if (!has(table))
        return 0;
    // Gives no row for a table without a rowid.
    Answer answer(m_database, "SELECT max(rowid) FROM " + quotedName(table) + " NOT INDEXED");
    const std::int64_t rows = answer.next() ? sqlite3_column_int64(answer.row(), 0) : 0;
    constexpr std::int64_t kUsualRow = 64; // bytes, of tables with times
    return static_cast<std::size_t>(std::clamp<std::int64_t>(rows, 0, m_size / kUsualRow));
}

} // namespace vramscope
