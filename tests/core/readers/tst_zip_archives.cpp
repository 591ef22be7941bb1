// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deck/zip_writer.h"
#include "core/readers/file_kind.h"
#include "core/readers/read_trace.h"
#include "core/readers/sources.h"
#include "tests/support/compress.h"
#include "tests/support/process.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/test.h"
#include "tests/support/trace_text.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace std::string_literals;

namespace vramscope {

namespace {

/// The two records that an archive has of each file, by their first bytes.
constexpr std::string_view kLocalRecord = "PK\x03\x04";
constexpr std::string_view kListedRecord = "PK\x01\x02";

std::string zippedSnapshot()
{
    return test::pickled(test::sampleSnapshot());
}

std::string archived(const std::vector<ZipPart> &parts)
{
    return *zipped(parts);
}

/// Puts a number of `width` bytes, the least first, `at` bytes into the first record of a kind.
void putNumber(std::string &archive, std::string_view record, std::size_t at, std::size_t width,
               std::uint64_t value)
{
    const std::size_t from = archive.find(record) + at;
    for (std::size_t byte = 0; byte < width; ++byte)
        archive[from + byte] = static_cast<char>(value >> (8 * byte));
}

Result<std::shared_ptr<const Trace>> readArchive(const std::string &bytes)
{
    return readTrace(test::bytesOf(bytes));
}

QString saidOfArchive(const std::string &bytes)
{
    const auto trace = readArchive(bytes);
    return trace.ok() ? QStringLiteral("read") : QString::fromStdString(trace.error().detail);
}

} // namespace

class TestZipArchives : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theRecordingInsideIsRead();
    void whatIsWrongIsSaidInASentence_data();
    void whatIsWrongIsSaidInASentence();
    void everyPrefixIsToldWithoutHarm();
    void whatUnfoldsTooFarIsRefusedWithoutMemory();
    void aListLongerThanTheFileTakesNoMemory();
    void nothingIsWritten();
};

void TestZipArchives::theRecordingInsideIsRead()
{
    const auto plain = readArchive(zippedSnapshot());
    QVERIFY(plain.ok());
    // Beside it what people and systems pack along; packed twice, as profilers do.
    for (const std::string &inside : {zippedSnapshot(), test::gzipped(zippedSnapshot())}) {
        const auto trace = readArchive(archived({{"run/", ""},
                                                 {"run/notes.txt", "It failed at step 3.\n"},
                                                 {"__MACOSX/run/._a.pickle", zippedSnapshot()},
                                                 {"run/a.pickle", inside}}));
        QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().detail.c_str());
        QCOMPARE(test::traceText(**trace), test::traceText(**plain));
    }
    const auto beside = readArchive(archived(
        {{"a.pickle", zippedSnapshot()}, {"a.html", "<html></html>"}, {"b.xml", "<?xml?>"}}));
    QVERIFY(beside.ok());
    const std::string archive = archived({{"a.pickle", zippedSnapshot()}});
    QCOMPARE(identify(archive, true), FileKind::Packed);
}

void TestZipArchives::whatIsWrongIsSaidInASentence_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const std::string &bytes, const char *says) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromUtf8(says);
    };
    const std::string one = archived({{"a.pickle", zippedSnapshot()}});
    row("no files", archived({{"run/", ""}}), "is empty");
    row("two recordings",
        archived({{"a.pickle", zippedSnapshot()}, {"other.pickle", zippedSnapshot()}}),
        "holds 2 recordings, a.pickle and other.pickle; unpack it and open the one");
    row("ranks",
        archived({{"rank_0.pickle", zippedSnapshot()},
                  {"rank_1.pickle", zippedSnapshot()},
                  {"rank_2.pickle", zippedSnapshot()},
                  {"rank_10.pickle", zippedSnapshot()}}),
        "4 recordings, rank_0.pickle, rank_1.pickle, rank_2.pickle and 1 more, which look like the "
        "ranks of one run; unpack it and open the folder.");
    row("no recording", archived({{"a.txt", "words"}, {"b.txt", "more words"}}),
        "holds no recording, but a.txt and b.txt");
    row("a document", archived({{"a.xml", "<?xml?>"}, {"b.xml", "<?xml?>"}}),
        "holds no recording, but a.xml and b.xml");
    row("one text", archived({{"a.txt", "words"}}), "In the zip archive, a.txt: This is a text");
    row("an archive inside", archived({{"a.zip", one}}), "another archive, a.zip; unpack it once");
    row("under gzip", test::gzipped(one), "compressed once more");
    row("upwards", archived({{"run/../../a.pickle", zippedSnapshot()}}), "outside of its folder");
    row("absolute", archived({{"/etc/a.pickle", zippedSnapshot()}}), "outside of its folder");
    row("of Windows", archived({{"C:\\a.pickle", zippedSnapshot()}}), "outside of its folder");
    row("cut short", one.substr(0, one.size() / 2), "ends before its list of files");
    std::string encrypted = one;
    putNumber(encrypted, kLocalRecord, 6, 2, 1);
    putNumber(encrypted, kListedRecord, 8, 2, 1);
    row("encrypted", encrypted, "is encrypted");
    std::string rare = one;
    putNumber(rare, kLocalRecord, 8, 2, 14); // LZMA
    putNumber(rare, kListedRecord, 10, 2, 14);
    row("rarely packed", rare, "in a way that few programs read");
    std::string damaged = one;
    damaged[one.size() / 3] = static_cast<char>(damaged[one.size() / 3] ^ 0x55);
    row("damaged", damaged, "damaged");
    std::string longer = one;
    putNumber(longer, kListedRecord, 24, 4, zippedSnapshot().size() / 2);
    row("longer than it says", longer, "damaged");
    std::string shorter = one;
    putNumber(shorter, kListedRecord, 24, 4, zippedSnapshot().size() * 2);
    row("shorter than it says", shorter, "damaged");
    std::string beyond = one;
    putNumber(beyond, kListedRecord, 20, 4, one.size() * 2);
    row("packed beyond the end", beyond, "damaged");
}

void TestZipArchives::whatIsWrongIsSaidInASentence()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const QString detail = saidOfArchive(bytes.toStdString());
    QVERIFY2(detail.contains(says), qPrintable(detail));
    QVERIFY(detail.endsWith(u'.'));
}

void TestZipArchives::everyPrefixIsToldWithoutHarm()
{
    const std::string whole = archived({{"a.pickle", zippedSnapshot()}, {"b.txt", "words"}});
    for (std::size_t size = 4; size < whole.size(); size += whole.size() < 4000 ? 1U : 37U)
        QVERIFY(!saidOfArchive(whole.substr(0, size)).isEmpty());
    for (std::size_t at = 4; at < whole.size(); at += 29) {
        std::string flipped = whole;
        flipped[at] = static_cast<char>(~flipped[at]);
        QVERIFY(!saidOfArchive(flipped).isEmpty());
    }
}

void TestZipArchives::whatUnfoldsTooFarIsRefusedWithoutMemory()
{
    // A pickle that puts None on its stack and takes it off again, without end.
    std::string pickle = "\x80\x04"s;
    for (int at = 0; at < (40 << 20); ++at)
        pickle += "N0";
    const std::string archive = archived({{"a.pickle", pickle}});
    QVERIFY(archive.size() < pickle.size() / 400);
    pickle = {};
    const Bytes before = test::peakMemory();
    const QString detail = saidOfArchive(archive);
    QVERIFY2(detail.contains(u"unfolds to more than 400 times"), qPrintable(detail));
    QVERIFY(test::peakMemory() - before < 32 * kMiB);
}

void TestZipArchives::aListLongerThanTheFileTakesNoMemory()
{
    // The end of an archive of 64 bits, which says that 2³² files are listed in 46 bytes.
    const auto number = [](std::uint64_t value, std::size_t width) {
        std::string bytes;
        for (std::size_t byte = 0; byte < width; ++byte)
            bytes += static_cast<char>(value >> (8 * byte));
        return bytes;
    };
    const std::uint64_t files = std::uint64_t(1) << 32;
    const std::string local = std::string(kLocalRecord) + std::string(26, '\0');
    const std::string list = std::string(kListedRecord) + std::string(42, '\0');
    const std::string end = "PK\x06\x06"s + number(44, 8) + number(45, 2) + number(45, 2) +
                            number(0, 4) + number(0, 4) + number(files, 8) + number(files, 8) +
                            number(list.size(), 8) + number(local.size(), 8);
    const std::string locator =
        "PK\x06\x07"s + number(0, 4) + number(local.size() + list.size(), 8) + number(1, 4);
    const std::string last = "PK\x05\x06"s + number(0, 4) + number(0xFFFF, 2) + number(0xFFFF, 2) +
                             number(0xFFFFFFFF, 4) + number(0xFFFFFFFF, 4) + number(0, 2);
    const Bytes before = test::peakMemory();
    const auto trace = readArchive(local + list + end + locator + last);
    QVERIFY(!trace.ok());
    QVERIFY(test::peakMemory() - before < 32 * kMiB);
    // And one that really is that long.
    std::vector<ZipPart> many;
    for (int at = 0; at < 20'000; ++at)
        many.push_back({"files/with/a/long/name/of/a/file/" + std::to_string(at), "x"});
    QVERIFY(saidOfArchive(archived(many)).contains(u"more files than"));
}

void TestZipArchives::nothingIsWritten()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("run.zip"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(archived({{"a.pickle", zippedSnapshot()}})));
    file.close();
    QVERIFY(readTrace(path.toStdString()).ok());
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
             QStringList(QStringLiteral("run.zip")));
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::TestZipArchives)
#include "tst_zip_archives.moc"
