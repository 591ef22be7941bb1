// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/sqlite_file.h"
#include "tests/support/test.h"

#include <random>
#include <tuple>

#include <sqlite3.h>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// A database in memory.
class Database
{
public:
    explicit Database(int pageSize = 512)
    {
        sqlite3_open(":memory:", &m_database);
        run("PRAGMA page_size=" + std::to_string(pageSize));
    }
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;
    ~Database() { sqlite3_close(m_database); }

    void run(const std::string &sql)
    {
        if (sqlite3_exec(m_database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
            qFatal("%s: %s", sql.c_str(), sqlite3_errmsg(m_database));
    }
    [[nodiscard]] std::vector<std::byte> bytes() const
    {
        sqlite3_int64 size = 0;
        unsigned char *data = sqlite3_serialize(m_database, "main", &size, 0);
        const auto *from = reinterpret_cast<const std::byte *>(data);
        std::vector<std::byte> all(from, from + size);
        sqlite3_free(data);
        return all;
    }

private:
    sqlite3 *m_database = nullptr;
};

/// Rows with every kind of value: short and long numbers and texts, and such as go on in further
/// pages.
void fill(Database &database, int rows, unsigned seed)
{
    std::mt19937 random(seed);
    const auto below = [&](int most) { return int(random() % unsigned(most)); };
    const auto value = [&]() -> std::string {
        switch (below(9)) {
        case 0:
            return "NULL";
        case 1:
            return std::to_string(below(3));
        case 2:
            return "-" + std::to_string(below(40'000));
        case 3:
            return std::to_string((std::int64_t(random()) << 31 | std::int64_t(random())) >>
                                  below(60));
        case 4:
            return "-9223372036854775807 - " + std::to_string(below(2));
        case 5:
            return "'" + std::string(std::size_t(below(30)), 'a') + "'";
        case 6:
            return "'" + std::string(std::size_t(below(9'000)), char('b' + below(20))) + "'";
        case 7:
            return "x'00ff41'";
        default:
            return std::to_string(below(1'000)) + ".5";
        }
    };
    for (int row = 0; row < rows; ++row)
        database.run("INSERT INTO t (a, b, c, d, e) VALUES (" + value() + ", " + value() + ", " +
                     value() + ", " + value() + ", " + value() + ")");
}

using Value = std::tuple<std::int64_t, std::string, bool>;
constexpr std::array<std::string_view, 7> kColumns{"e", "A", "c", "missing", "d", "f", "id"};

struct Outcome
{
    std::vector<Value> values;
    std::optional<ErrorCode> error;
};

enum class Way { Pages, MadeOfPages, Sqlite };

/// What is read of table t.
Outcome outcomeOf(const std::vector<std::byte> &bytes, Way way)
{
    Outcome outcome;
    const auto source = memorySource(bytes);
    const auto file = SqliteFile::open(*source, {});
    if (!file.ok()) {
        outcome.error = file.error().code;
        return outcome;
    }
    const auto addTo = [](std::vector<Value> &values, const SqliteRows &rows) {
        for (std::size_t row = 0; row < rows.count(); ++row) {
            for (std::size_t column = 0; column < kColumns.size(); ++column)
                values.emplace_back(rows[row].number(column), std::string(rows[row].text(column)),
                                    rows[row].isNull(column));
        }
    };
    const auto take = [&](const SqliteRows &rows) { addTo(outcome.values, rows); };
    const auto make = [&](const SqliteRows &rows, std::vector<Value> &made) { addTo(made, rows); };
    const auto takeMade = [&](const std::vector<Value> &made) {
        outcome.values.insert(outcome.values.end(), made.begin(), made.end());
    };
    const auto read = way == Way::Sqlite ? (*file)->readBySqlite("T", kColumns, take)
                      : way == Way::Pages
                          ? (*file)->read("T", kColumns, take)
                          : (*file)->readMade<std::vector<Value>>("T", kColumns, make, takeMade);
    if (!read.ok())
        outcome.error = read.error().code;
    return outcome;
}

constexpr const char *kPlain = "CREATE TABLE t (a, b INTEGER, c TEXT, d BLOB, e)";

} // namespace

class TestSqliteFile : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void pagesSayWhatSqliteSays_data();
    void pagesSayWhatSqliteSays();
    void damagedPagesGiveNoMoreThanTheFileHolds();
    void pagesInACircleAreDamage();
};

void TestSqliteFile::pagesSayWhatSqliteSays_data()
{
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("change");
    QTest::addColumn<int>("pageSize");
    const QString plain = QString::fromLatin1(kPlain);
    for (const int pageSize : {512, 1'024, 4'096, 65'536})
        QTest::addRow("pages of %d bytes", pageSize) << plain << u""_s << pageSize;
    QTest::newRow("deleted rows") << plain << u"DELETE FROM t WHERE rowid % 3 = 1"_s << 512;
    QTest::newRow("no rows") << plain << u"DELETE FROM t"_s << 512;
    QTest::newRow("column added later") << plain << u"ALTER TABLE t ADD COLUMN f INTEGER"_s << 512;
    QTest::newRow("column added with a value")
        << plain << u"ALTER TABLE t ADD COLUMN f INTEGER DEFAULT 7"_s << 512;
    QTest::newRow("column taken out") << plain << u"ALTER TABLE t DROP COLUMN b"_s << 512;
    QTest::newRow("row number as a column")
        << u"CREATE TABLE t (a, id INTEGER PRIMARY KEY, b, c, d, e)"_s << u""_s << 512;
    QTest::newRow("negative row numbers")
        << u"CREATE TABLE t (a, id INTEGER PRIMARY KEY, b, c, d, e)"_s
        << u"UPDATE t SET id = -5000000000 * id"_s << 512;
    QTest::newRow("key that is no row number")
        << u"CREATE TABLE t (a, id INTEGER PRIMARY KEY DESC, b, c, d, e)"_s
        << u"UPDATE t SET id = 7 * rowid"_s << 512;
    QTest::newRow("key of two columns")
        << u"CREATE TABLE t (a, id INTEGER, b, c, d, e, PRIMARY KEY (id, a))"_s << u""_s << 512;
    QTest::newRow("without row numbers") << u"CREATE TABLE t (a, b, c, d, e, f INTEGER DEFAULT 1, "
                                            u"id TEXT DEFAULT (hex(randomblob(9))) "
                                            "PRIMARY KEY) WITHOUT ROWID"_s
                                         << u""_s << 512;
    QTest::newRow("numbers with fractions")
        << u"CREATE TABLE t (a DOUBLE PRECISION, b, c Real, d, e)"_s << u""_s << 512;
    QTest::newRow("other letters")
        << u"PRAGMA encoding='UTF-16le'; CREATE TABLE t (a, b, c, d, e)"_s << u""_s << 512;
    QString many = u"CREATE TABLE t (a"_s;
    for (int column = 0; column < 90; ++column)
        many += u", further%1"_s.arg(column);
    QTest::newRow("long headers") << many + u", b, c, d, e)"_s << u""_s << 512;
    QTest::newRow("an index") << plain
                              << u"CREATE INDEX i ON t (e DESC); DELETE FROM t WHERE a IS NULL"_s
                              << 512;
}

void TestSqliteFile::pagesSayWhatSqliteSays()
{
    QFETCH(QString, table);
    QFETCH(QString, change);
    QFETCH(int, pageSize);
    Database database(pageSize);
    database.run(table.toStdString());
    fill(database, 700, 1);
    database.run(change.toStdString());
    fill(database, change.startsWith(u"ALTER TABLE t ADD"_s) ? 50 : 0, 2);
    const std::vector<std::byte> bytes = database.bytes();
    const Outcome expected = outcomeOf(bytes, Way::Sqlite);
    const Outcome outcome = outcomeOf(bytes, Way::Pages);
    QVERIFY(!expected.error);
    QVERIFY(!outcome.error);
    QVERIFY(expected.values.size() > kColumns.size() * 400 || change == u"DELETE FROM t"_s);
    QCOMPARE(outcome.values.size(), expected.values.size());
    for (std::size_t at = 0; at < expected.values.size(); ++at)
        QVERIFY2(outcome.values[at] == expected.values[at], qPrintable(QString::number(at)));
    const Outcome made = outcomeOf(bytes, Way::MadeOfPages);
    QVERIFY(!made.error);
    QVERIFY(made.values == expected.values);
}

/// Any byte may be any other: the outcome is an error, or rows for which there is room.
void TestSqliteFile::damagedPagesGiveNoMoreThanTheFileHolds()
{
    Database database;
    database.run(kPlain);
    fill(database, 60, 3);
    const std::vector<std::byte> whole = database.bytes();
    std::mt19937 random(4);
    std::size_t errors = 0;
    constexpr int kFiles = 4'000;
    for (int file = 0; file < kFiles; ++file) {
        std::vector<std::byte> damaged = whole;
        const unsigned bytes = 1 + random() % 8;
        for (unsigned at = 0; at < bytes; ++at) {
            // Half of them in the first bytes of a page, which say where all others lie.
            const std::size_t page = 512 * (random() % (whole.size() / 512));
            const std::size_t within = random() % (at % 2 == 0 ? 24 : 512);
            damaged[std::max<std::size_t>(page + within, 100)] = std::byte(random() % 256);
        }
        const Outcome outcome = outcomeOf(damaged, file % 2 == 0 ? Way::Pages : Way::MadeOfPages);
        errors += outcome.error ? 1U : 0U;
        std::size_t size = 0;
        for (const auto &[number, text, isNull] : outcome.values)
            size += text.size();
        QVERIFY(size <= whole.size());
        QVERIFY(outcome.values.size() / kColumns.size() <= whole.size() / 5);
    }
    QVERIFY(errors > 400);
    QVERIFY(errors < kFiles);
}

void TestSqliteFile::pagesInACircleAreDamage()
{
    Database database;
    database.run(kPlain);
    fill(database, 400, 5);
    std::vector<std::byte> bytes = database.bytes();
    constexpr std::size_t kPage = 512;
    constexpr std::byte kInterior{5};
    std::size_t changed = 0;
    for (std::size_t page = kPage; page < bytes.size(); page += kPage) {
        if (bytes[page] != kInterior)
            continue;
        const std::size_t number = page / kPage + 1; // the page itself, right of all
        bytes[page + 10] = std::byte(number >> 8);
        bytes[page + 11] = std::byte(number & 0xFF);
        ++changed;
    }
    QVERIFY(changed > 0);
    const Outcome outcome = outcomeOf(bytes, Way::Pages);
    QVERIFY(outcome.error.has_value());
    QCOMPARE(*outcome.error, ErrorCode::Malformed);
}

VRAMSCOPE_TEST(TestSqliteFile)

#include "tst_sqlite_file.moc"
