// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/output_file.h"
#include "core/ranks/collect_runs.h"
#include "tests/core/ranks/summarized_run.h"
#include "tests/support/compress.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/test.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <random>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

std::size_t recordsIn(const RunSummary &run)
{
    std::size_t count = 0;
    for (const auto &[kind, lines] : run.linesByKind())
        count += lines.size();
    return count;
}

/// Where the members of a file begin, as its headers tell, and where it ends.
std::vector<std::size_t> memberPlaces(const std::string &bytes)
{
    std::vector<std::size_t> places{0};
    const auto byteAt = [&](std::size_t at) {
        return std::size_t(static_cast<unsigned char>(bytes[at]));
    };
    while (places.back() < bytes.size()) {
        const std::size_t at = places.back() + 16;
        places.push_back(places.back() + (byteAt(at) | byteAt(at + 1) << 8 | byteAt(at + 2) << 16 |
                                          byteAt(at + 3) << 24));
    }
    return places;
}

RunSummary fewRanks()
{
    return test::summaryOfRanks({.ranks = 64, .failing = 2}, {0, 1, 2, 3, 9, 17, 63});
}

/// A file with every kind of member, in some two kilobytes.
std::string smallFile()
{
    const std::string snapshot = test::pickled(test::sampleSnapshot());
    const auto trace = readTrace(std::as_bytes(std::span(snapshot))).value();
    const auto devices =
        summarize(trace, summarySourceOf("rank3.pickle", {5, 6, true, kSummaryAnalysis}));
    RunSummary run;
    run.add(recordOf(SummaryPart{2, 16, 64, "/data", false}));
    for (const SummarizedDevice &device : *devices)
        run.add(device);
    return runFileBytes(run);
}

} // namespace

class TestRunFile : public test::Test
{
    Q_OBJECT

private slots:
    void whatIsWrittenIsReadBack();
    void otherProgramsReadEveryLine();
    void membersOfOtherKindsAreHoppedOver();
    void everyPrefixIsUsedAsFarAsItGoes();
    void everyFlippedByteIsNoticed();
    void filesPutTogetherAreRead();
    void otherFilesAreSentences();
    void aLaterVersionIsRefused();
    void manyMembersAreWrittenAndRead();
    void aBombTakesNoMemory();
    void aFilePackedOnceMoreIsRead();
    void aPartOfMoreThanThereMayBeIsRefused();
};

void TestRunFile::aFilePackedOnceMoreIsRead()
{
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath(u"run.vramranks.gz"_s).toStdString();
    const std::string bytes = smallFile();
    QVERIFY(writeOutput(file, test::gzipped(bytes)));
    QVERIFY(isRunFile(file));
    QVERIFY(isNamedAsRunFile(file));
    QVERIFY(!isNamedAsRunFile("rank0.json.gz"));
    QVERIFY(holdsSummaries(folder.path().toStdString()));
    const auto read = readRunFile(file);
    QVERIFY(read.ok());
    QCOMPARE(runFileBytes(read->run), bytes);
    QVERIFY(writeOutput(file, test::gzipped("{}")));
    QVERIFY(!isRunFile(file));
    QVERIFY(!readRunFile(file).ok());
}

void TestRunFile::aPartOfMoreThanThereMayBeIsRefused()
{
    RunSummary run = fewRanks();
    run.add(recordOf(SummaryPart{0, kMostParts + 1, {}, "/data", false}));
    const auto read = test::readBytes(runFileBytes(run));
    QVERIFY(read.ok());
    QCOMPARE(read->problems.size(), std::size_t(1));
    QVERIFY(read->problems[0].find("100000") != std::string::npos);
    QVERIFY(read->run.parts().empty());
}

void TestRunFile::whatIsWrittenIsReadBack()
{
    const RunSummary run = fewRanks();
    const std::string bytes = runFileBytes(run);
    QVERIFY(isRunFile(std::string_view(bytes)));
    const auto read = test::readBytes(bytes);
    QVERIFY(read.ok());
    QVERIFY(read->whyIncomplete.empty());
    QVERIFY(read->problems.empty());
    QCOMPARE(recordsIn(read->run), recordsIn(run));
    QCOMPARE(runFileBytes(read->run), bytes);
    QVERIFY(test::readBytes(runFileBytes({}))->whyIncomplete.empty());
}

// zcat, and Python's gzip and json, know nothing of the members.
void TestRunFile::otherProgramsReadEveryLine()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(u"run.vramranks"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const RunSummary run = fewRanks();
    file.write(QByteArray::fromStdString(runFileBytes(run)));
    file.close();
    const std::size_t lines = recordsIn(run) + 2; // and "file" and "end"
    int asked = 0;
    const auto check = [&](const QString &program, const QStringList &arguments) {
        if (QStandardPaths::findExecutable(program).isEmpty())
            return;
        QProcess process;
        process.start(program, arguments);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(process.readAllStandardOutput().trimmed().toULongLong(), qulonglong(lines));
        ++asked;
    };
    check(u"sh"_s, {u"-c"_s, u"zcat < '%1' | wc -l"_s.arg(file.fileName())});
    check(u"python3"_s, {u"-c"_s,
                         u"import gzip, json, sys\n"
                         "print(len([json.loads(line) for line in gzip.open(sys.argv[1])]))"_s,
                         file.fileName()});
    if (asked == 0)
        QSKIP("Neither a POSIX shell nor Python is installed.");
}

void TestRunFile::membersOfOtherKindsAreHoppedOver()
{
    const RunSummary run = fewRanks();
    std::string bytes = runFileBytes(run);
    const auto wanted = [](std::string_view kind) { return kind == "rank"; };
    const auto read = test::readBytes(bytes, wanted);
    QVERIFY(read.ok());
    QVERIFY(read->whyIncomplete.empty());
    QCOMPARE(read->run.linesByKind().size(), std::size_t(1));
    QCOMPARE(read->run.linesByKind().front().second.size(), std::size_t(7));
    // What is hopped over is not even looked at: damage in it does not matter, in the others it
    // does.
    const std::vector<std::size_t> places = memberPlaces(bytes);
    bytes[places[places.size() - 2] - 20] ^= 1; // in "stack", before "end"
    QVERIFY(test::readBytes(bytes, wanted)->whyIncomplete.empty());
    QVERIFY(!test::readBytes(bytes)->whyIncomplete.empty());
}

void TestRunFile::everyPrefixIsUsedAsFarAsItGoes()
{
    const std::string bytes = smallFile();
    const RunSummary run = test::readBytes(bytes)->run;
    const std::vector<std::size_t> places = memberPlaces(bytes);
    QVERIFY(places.size() > 8);
    std::size_t last = 0;
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const auto read = test::readBytes(bytes.substr(0, length));
        if (length < places[1]) {
            QVERIFY(!read.ok());
            QCOMPARE(read.error().code, ErrorCode::NotRecognized);
            continue;
        }
        QVERIFY2(read.ok(), qPrintable(QString::number(length)));
        QVERIFY(!read->whyIncomplete.empty());
        const std::size_t records = recordsIn(read->run);
        QVERIFY(records >= last); // whole members are used
        last = records;
    }
    QCOMPARE(last, recordsIn(run)); // but for the end all was there
}

// In a header, the data, a checksum: what is read is marked, or the file is refused, or the same.
void TestRunFile::everyFlippedByteIsNoticed()
{
    const std::string bytes = smallFile();
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string flipped = bytes;
        flipped[at] = static_cast<char>(flipped[at] ^ (1 << at % 8));
        const auto read = test::readBytes(flipped);
        const bool isNoticed = !read || !read->whyIncomplete.empty() || !read->problems.empty();
        QVERIFY2(isNoticed || runFileBytes(read->run) == bytes, qPrintable(QString::number(at)));
    }
}

void TestRunFile::filesPutTogetherAreRead()
{
    const RunSummary a = test::summaryOfRanks({.ranks = 64}, {0, 1});
    const RunSummary b = test::summaryOfRanks({.ranks = 64}, {1, 2});
    const auto both = test::readBytes(runFileBytes(a) + runFileBytes(b));
    QVERIFY(both.ok());
    QVERIFY(both->whyIncomplete.empty());
    QCOMPARE(runFileBytes(both->run), runFileBytes(join(a, b)));
    // The first of them without its end.
    const std::string first = runFileBytes(a);
    const std::vector<std::size_t> places = memberPlaces(first);
    const auto cut = test::readBytes(first.substr(0, places[places.size() - 2]) + runFileBytes(b));
    QVERIFY(cut.ok());
    QVERIFY(!cut->whyIncomplete.empty());
}

void TestRunFile::otherFilesAreSentences()
{
    for (const std::string &bytes :
         {std::string(), std::string("PK\3\4"), test::gzipped("{\"kind\":\"file\"}\n"),
          std::string(1000, '\0'), test::rankSnapshot({.ranks = 64}, 0).bytes}) {
        QVERIFY(!isRunFile(std::string_view(bytes)));
        const auto read = test::readBytes(bytes);
        QVERIFY(!read.ok());
        QVERIFY(read.error().detail.ends_with('.'));
    }
    const auto none = readRunFile(std::filesystem::path("/nowhere/run.vramranks"));
    QVERIFY(!none.ok());
    QCOMPARE(none.error().code, ErrorCode::NotFound);
}

void TestRunFile::aLaterVersionIsRefused()
{
    QVERIFY(checkFileLine(fileLine()).ok());
    const Result<void> later = checkFileLine(
        R"({"analysis":9,"format":"vramranks","kind":"file","version":2,"writer":"VRAMscope"})");
    QVERIFY(!later.ok());
    QCOMPARE(later.error().code, ErrorCode::Unsupported);
    QVERIFY(!checkFileLine(R"({"format":"else","version":1})").ok());
}

void TestRunFile::manyMembersAreWrittenAndRead()
{
    // Each line alone fills more than a third of a member.
    RunSummary run;
    std::mt19937 random(3);
    for (int at = 0; at < 9; ++at) {
        std::string text;
        while (text.size() < kLongestRecord / 2 - 100)
            text += static_cast<char>('a' + random() % 26);
        run.add(recordOf("{\"kind\":\"letters\",\"text\":\"" + text + "\"}").value());
    }
    const std::string bytes = runFileBytes(run);
    QVERIFY(memberPlaces(bytes).size() > 6);
    const auto read = test::readBytes(bytes);
    QVERIFY(read.ok());
    QVERIFY(read->whyIncomplete.empty());
    QCOMPARE(runFileBytes(read->run), bytes);
}

// A member says how long its text is: what compression cannot make of its bytes is not believed,
// and what unfolds to very much is refused.
void TestRunFile::aBombTakesNoMemory()
{
    RunSummary run;
    std::string bytes = runFileBytes(run);
    const std::vector<std::size_t> places = memberPlaces(bytes);
    for (std::size_t at = 1; at + 1 <= places.size() - 1; ++at) {
        std::string large = bytes;
        large[places[at + 1] - 1] = '\x7f'; // the length of the text, 2 GB
        const auto read = test::readBytes(large);
        QVERIFY(read.ok());
        QVERIFY(!read->whyIncomplete.empty());
    }
    for (int at = 0; at < 36; ++at) {
        RunRecord record;
        record.kind = "blanks";
        record.line = "{\"kind\":\"blanks\",\"text\":\"" + std::to_string(at) +
                      std::string(kLongestRecord - 100, ' ') + "\"}";
        run.add(std::move(record));
    }
    bytes = runFileBytes(run);
    QVERIFY(bytes.size() < 100'000);
    const auto read = test::readBytes(bytes);
    QVERIFY(!read.ok());
    QCOMPARE(read.error().code, ErrorCode::Refused);
}

VRAMSCOPE_TEST(TestRunFile)
#include "tst_run_file.moc"
