// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/pickle_opcodes.h"
#include "core/readers/read_trace.h"
#include "tests/support/process.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/test.h"
#include "tests/support/trace_text.h"

#include <QTemporaryDir>

#include <fstream>
#include <set>

using namespace vramscope;
using test::PickleStyle;
using test::Py;
using namespace std::literals;

namespace {

/// Reads damaged bytes: what comes is a clear error or a trace all of which can be looked at.
bool isErrorOrTrace(const std::string &bytes)
{
    const auto trace = readTrace(test::bytesOf(bytes));
    if (trace.ok())
        return !test::traceText(**trace).empty();
    return !trace.error().detail.empty() && trace.error().offset <= std::int64_t(bytes.size());
}

std::string sample(PickleStyle style)
{
    return test::pickled(test::sampleSnapshot(), 4, style);
}

} // namespace

class TestDamagedFiles : public test::Test
{
    Q_OBJECT

private slots:
    void everyPrefixIsTruncated_data();
    void everyPrefixIsTruncated();
    void everyFlippedByteGivesAnErrorOrATrace_data();
    void everyFlippedByteGivesAnErrorOrATrace();
    void everyInstructionThatNamesCodeIsRefusedByName_data();
    void everyInstructionThatNamesCodeIsRefusedByName();
    void aRefusalNamesTheClass_data();
    void aRefusalNamesTheClass();
    void nonsenseIsAnErrorAndTakesNoMemory_data();
    void nonsenseIsAnErrorAndTakesNoMemory();
    void otherFilesAreNamedForWhatTheyAre_data();
    void otherFilesAreNamedForWhatTheyAre();
    void pathsThatAreNoReadableFileSaySo();
    void aFileThatChangesWhileItIsReadIsAnError_data();
    void aFileThatChangesWhileItIsReadIsAnError();
    void readingIsCancelledWhenProgressSaysSo();
};

void TestDamagedFiles::everyPrefixIsTruncated_data()
{
    QTest::addColumn<PickleStyle>("style");
    QTest::newRow("Python") << PickleStyle::Python;
    QTest::newRow("C++") << PickleStyle::Cpp;
}

void TestDamagedFiles::everyPrefixIsTruncated()
{
    QFETCH(PickleStyle, style);
    const std::string whole = sample(style);
    for (std::size_t size = 2; size < whole.size(); ++size) {
        const std::string prefix = whole.substr(0, size);
        const auto trace = readTrace(test::bytesOf(prefix));
        QVERIFY(!trace.ok());
        QCOMPARE(trace.error().code, ErrorCode::Truncated);
    }
    QVERIFY(readTrace(test::bytesOf(whole)).ok());
}

void TestDamagedFiles::everyFlippedByteGivesAnErrorOrATrace_data()
{
    everyPrefixIsTruncated_data();
}

void TestDamagedFiles::everyFlippedByteGivesAnErrorOrATrace()
{
    QFETCH(PickleStyle, style);
    const std::string whole = sample(style);
    std::string damaged = whole;
    const std::size_t last = std::min<std::size_t>(whole.size(), 1024);
    for (std::size_t at = 0; at < last; ++at) {
        for (const int flip : {1, 2, 4, 8, 16, 32, 64, 128, 255, 0x2e, 0x5a}) {
            damaged[at] = static_cast<char>(whole[at] ^ flip);
            QVERIFY2(isErrorOrTrace(damaged), qPrintable(QString::number(at)));
        }
        for (const pickle::Opcode opcode :
             {pickle::kStop, pickle::kPop, pickle::kPopMark, pickle::kDup, pickle::kMark,
              pickle::kEmptyDict, pickle::kEmptyList, pickle::kAppends, pickle::kSetItems,
              pickle::kMemoize, pickle::kBinGet, pickle::kLongBinGet, pickle::kDict,
              pickle::kList}) {
            damaged[at] = static_cast<char>(opcode);
            QVERIFY2(isErrorOrTrace(damaged), qPrintable(QString::number(at)));
        }
        damaged[at] = whole[at];
    }
}

void TestDamagedFiles::everyInstructionThatNamesCodeIsRefusedByName_data()
{
    QTest::addColumn<int>("opcode");
    for (const pickle::RefusedOpcode &refused : pickle::kRefusedOpcodes)
        QTest::newRow(refused.name) << int(refused.code);
    QCOMPARE(std::size(pickle::kRefusedOpcodes), std::size_t(15));
}

void TestDamagedFiles::everyInstructionThatNamesCodeIsRefusedByName()
{
    QFETCH(int, opcode);
    const std::string code = "("s + static_cast<char>(opcode) + "os\nsystem\n";
    const Py snapshot = test::sampleSnapshot().with("extra", Py::Raw{code});
    const std::string bytes = test::pickled(snapshot);
    const auto trace = readTrace(test::bytesOf(bytes));
    QVERIFY(!trace.ok());
    QCOMPARE(trace.error().code, ErrorCode::Refused);
    QVERIFY2(trace.error().detail.find(QTest::currentDataTag()) != std::string::npos,
             trace.error().detail.c_str());
    QCOMPARE(bytes[static_cast<std::size_t>(trace.error().offset)], static_cast<char>(opcode));
}

void TestDamagedFiles::aRefusalNamesTheClass_data()
{
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("by line") << QByteArray("cnumpy.core.multiarray\nscalar\n");
    QTest::newRow("from the stack")
        << QByteArray("\x8c\x15numpy.core.multiarray\x8c\x06scalar\x93");
}

void TestDamagedFiles::aRefusalNamesTheClass()
{
    QFETCH(QByteArray, code);
    const std::string bytes = test::pickled(Py::list({Py::Raw{code.toStdString()}}));
    const auto trace = readTrace(test::bytesOf(bytes));
    QVERIFY(!trace.ok());
    QCOMPARE(trace.error().code, ErrorCode::Refused);
    QVERIFY(trace.error().detail.find("numpy.core.multiarray.scalar") != std::string::npos);
}

void TestDamagedFiles::nonsenseIsAnErrorAndTakesNoMemory_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char *name, std::string_view body) {
        QTest::newRow(name)
            << QByteArray("\x80\x04", 2).append(body.data(), static_cast<qsizetype>(body.size()));
    };
    row("stop at once", ".");
    row("a memo slot of four billion", "Nr\xff\xff\xff\xff."sv);
    row("a memo slot of many digits", "Np99999999999999999999999\n."sv);
    row("a memo slot of letters", "Npten\n."sv);
    row("a text of eight exabytes", "\x8d\xff\xff\xff\xff\xff\xff\xff\x7f.");
    row("a text longer than a pointer", "\x8d\xff\xff\xff\xff\xff\xff\xff\xff.");
    row("bytes of four gigabytes", "B\xff\xff\xff\xff.");
    row("a number of two gigabytes", "\x8b\xff\xff\xff\x7f.");
    row("a tuple of nothing", "\x87.");
    row("append to nothing", "Na.");
    row("append to a number", "K\x01Na.");
    row("append to a tuple", "K\x01K\x02\x86Na.");
    row("items of a list", "](NNu.");
    row("an odd number of items", "}(Nu.");
    row("appends without a mark", "]Ne.");
    row("a mark above what is left", "]N(00e.");
    row("recall of nothing", "h\x07.");
    row("remember nothing", "\x94.");
    row("duplicate nothing", "2.");
    row("pop nothing", "0.");
    row("an unknown instruction", "\xff.");
    row("a text number", "I12\n.");
    row("a newer protocol", "\x80\x09N.");
}

void TestDamagedFiles::nonsenseIsAnErrorAndTakesNoMemory()
{
    QFETCH(QByteArray, bytes);
    const Bytes before = test::peakMemory();
    const auto trace = readTrace(test::bytesOf(bytes.toStdString()));
    QVERIFY(!trace.ok());
    QVERIFY(!trace.error().detail.empty());
    QVERIFY(test::peakMemory() - before < 32 * kMiB);
}

void TestDamagedFiles::otherFilesAreNamedForWhatTheyAre_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, std::string_view bytes, const char *says) {
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()))
                            << QString::fromUtf8(says);
    };
    row("empty", "", "empty");
    row("Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n",
        "git lfs pull");
    row("gzip cut short", "\x1f\x8b\x08\x00"sv, "ends before its compressed data");
    row("Zstandard cut short", "\x28\xb5\x2f\xfd\x00"sv, "ends before its compressed data");
    row("xz", "\xFD\x37zXZ\0"sv, "unxz");
    row("zip", "PK\x03\x04 archive/data.pkl", "torch.save()");
    row("SnapViewer", "PK\x03\x04 allocations.json", "SnapViewer");
    row("SQLite", "SQLite format 3\0"sv, "SQLite");
    row("picture", "\x89PNG\r\n", "picture");
    row("PDF", "%PDF-1.7\n", "PDF");
    row("tar", std::string(257, '\0') + "ustar", "tar -xf");
    row("Nsight", "\x08\x01\0\0 Nsight Systems"sv, "Nsight");
    row("nsys stats", "Time (%),Total Time (ns),Instances,Avg (ns),Name\n50.0,100,2,50.0,gemm\n",
        "nsys stats");
    row("Nsight Compute's table",
        "\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\"\n\"0\",\"1\",\"gemm\",\"x\"\n",
        "Nsight Compute");
    row("Nsight Compute", "NVR\0\x10\0\0\0"sv, "ncu --import");
    row("pprof", "\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04"sv, "pprof");
    row("HTML", "\n<!DOCTYPE html>\n<html>", "HTML page without a snapshot");
    row("plan", "{\"vramscope\": 1, \"model\": {}}", "VRAMscope plan");
    row("bookmarks", "{\"vramscope\": \"session\", \"bookmarks\": []}", "bookmarks of a recording");
    row("DeepSpeed", "{\"zero_optimization\": {\"stage\": 3}}", "DeepSpeed");
    row("config.json", "{\"architectures\": [\"A\"], \"model_type\": \"llama\"}", "Hugging Face");
    row("other JSON", "{\"a\": [1, {\"segments\": 2}]}", "neither a snapshot nor");
    row("JSON list", "\xef\xbb\xbf [1]", "JSON list");
    row("text", "epoch 1 loss 2.0\n", "This is a text file");
    row("protocol 9", "\x80\x09}."sv, "protocol 9");
    row("program",
        "\x7f"
        "ELF\x02\x01\x01\0"sv,
        "program");
    row("something else", "\x01\x02\x03\x04", "none of the known");
}

void TestDamagedFiles::otherFilesAreNamedForWhatTheyAre()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const auto trace = readTrace(test::bytesOf(bytes.toStdString()));
    QVERIFY(!trace.ok());
    const QString detail = QString::fromStdString(trace.error().detail);
    QVERIFY2(detail.contains(says), qPrintable(detail));
    QVERIFY(detail.endsWith(u'.'));
}

void TestDamagedFiles::pathsThatAreNoReadableFileSaySo()
{
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    const auto codeOf = [](const std::filesystem::path &file) {
        const auto trace = readTrace(file);
        return trace.ok() ? ErrorCode::Invalid : trace.error().code;
    };
    QCOMPARE(codeOf(path / "missing.pickle"), ErrorCode::NotFound);
    QCOMPARE(codeOf(path), ErrorCode::NotAFile);
    std::ofstream(path / "empty.pickle").close();
    QCOMPARE(codeOf(path / "empty.pickle"), ErrorCode::Empty);
    QCOMPARE(codeOf(path / "empty.pickle" / "below"), ErrorCode::NotFound);
    if (test::kPosix) {
        QVERIFY(test::makePipe(path / "pipe"));
        QCOMPARE(codeOf(path / "pipe"), ErrorCode::NotAFile);
    }
    if (!test::readsEverything()) {
        std::ofstream(path / "secret.pickle") << "x";
        std::filesystem::permissions(path / "secret.pickle", std::filesystem::perms::none);
        QCOMPARE(codeOf(path / "secret.pickle"), ErrorCode::Unreadable);
    }
}

void TestDamagedFiles::aFileThatChangesWhileItIsReadIsAnError_data()
{
    QTest::addColumn<int>("change");
    QTest::newRow("cut short") << -1;
    QTest::newRow("longer") << 1;
    QTest::newRow("rewritten") << 0;
}

void TestDamagedFiles::aFileThatChangesWhileItIsReadIsAnError()
{
    QFETCH(int, change);
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString() + "/snapshot.pickle";
    // Larger than what is read at once, so that the change comes in the middle.
    const Py large = test::sampleSnapshot().with("notes", std::string(std::size_t(3) << 20, 'x'));
    std::ofstream(path, std::ios::binary) << test::pickled(large);
    QVERIFY(readTrace(path).ok());
    bool changed = false;
    const auto trace = readTrace(path, [&](double) {
        if (!changed && change < 0)
            std::filesystem::resize_file(path, 100);
        else if (!changed && change > 0)
            std::ofstream(path, std::ios::binary | std::ios::app) << "more";
        else if (!changed)
            std::filesystem::last_write_time(path, std::filesystem::file_time_type::min());
        changed = true;
        return true;
    });
    QVERIFY(changed);
    QVERIFY(!trace.ok());
    QCOMPARE(trace.error().code, ErrorCode::Changed);
}

void TestDamagedFiles::readingIsCancelledWhenProgressSaysSo()
{
    std::vector<Py> events;
    for (int at = 0; at < 20'000; ++at)
        events.push_back(test::sampleEvent("alloc", at, 1, at, Py::list()));
    const std::string bytes =
        test::pickled(test::sampleSnapshot().with("device_traces", Py::list({Py::list(events)})));
    std::vector<double> seen;
    QVERIFY(readTrace(test::bytesOf(bytes), [&](double done) {
                seen.push_back(done);
                return true;
            }).ok());
    QVERIFY(seen.size() >= bytes.size() / (512 * 1024));
    QVERIFY(std::ranges::is_sorted(seen));
    QVERIFY(seen.front() >= 0 && seen.back() <= 1);
    int calls = 0;
    const auto trace = readTrace(test::bytesOf(bytes), [&](double) { return ++calls < 2; });
    QVERIFY(!trace.ok());
    QCOMPARE(trace.error().code, ErrorCode::Cancelled);
    QCOMPARE(calls, 2);
}

VRAMSCOPE_TEST(TestDamagedFiles)
#include "tst_damaged_files.moc"
