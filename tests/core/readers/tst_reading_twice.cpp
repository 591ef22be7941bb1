// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The fast reading of a snapshot is held to the plain one over random snapshots, and so is every
// syntax and wrapping to every other.

#include "core/readers/byte_source.h"
#include "core/readers/read_trace.h"
#include "core/readers/snapshot_reader.h"
#include "tests/support/compress.h"
#include "tests/support/json_writer.h"
#include "tests/support/random_snapshot.h"
#include "tests/support/test.h"
#include "tests/support/trace_text.h"

using namespace vramscope;
using test::PickleStyle;

namespace {

constexpr unsigned kSeeds = 200;

/// The trace as text without the protocol that its first line names; or the error.
std::string textOf(const Result<std::shared_ptr<const Trace>> &trace)
{
    if (!trace.ok())
        return "error: " + trace.error().text();
    std::string text = test::traceText(**trace);
    return text.erase(0, text.find(','));
}

std::string readOnce(const std::string &bytes)
{
    return textOf(readTrace(test::bytesOf(bytes)));
}

std::string readTextSlowly(const std::string &bytes)
{
    const auto source = memorySource(test::bytesOf(bytes));
    ByteWindow input(*source);
    return textOf(readSnapshotSlowly(input));
}

} // namespace

class TestReadingTwice : public test::Test
{
    Q_OBJECT

private slots:
    void readingFastAndReadingWholeGiveTheSame();
    void everyProtocolAndSyntaxGivesTheSame();
    void theSizeOfTheWindowChangesNothing();
};

void TestReadingTwice::readingFastAndReadingWholeGiveTheSame()
{
    int problems = 0;
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        const auto style = seed % 2 == 0 ? PickleStyle::Python : PickleStyle::Cpp;
        const std::string pickle = test::pickled(test::randomSnapshot(seed), 4, style);
        const std::string fast = readOnce(pickle);
        QVERIFY2(!fast.starts_with("error"), fast.c_str());
        QCOMPARE(fast, readTextSlowly(pickle));
        problems += fast.find("\nproblem ") != std::string::npos;
    }
    QVERIFY(problems > 10); // the anomalies of the files
}

void TestReadingTwice::everyProtocolAndSyntaxGivesTheSame()
{
    for (unsigned seed = 0; seed < kSeeds / 4; ++seed) {
        const test::Py snapshot = test::randomSnapshot(seed);
        const std::string expected = readOnce(test::pickled(snapshot));
        for (const int protocol : {0, 1, 2, 3, 5})
            QCOMPARE(readOnce(test::pickled(snapshot, protocol)), expected);
        QCOMPARE(readOnce(test::pickled(snapshot, 2, PickleStyle::Cpp)), expected);
        QCOMPARE(readOnce(test::gzipped(test::pickled(snapshot))), expected);
        QCOMPARE(readOnce(test::zstandard(test::json(snapshot))), readOnce(test::json(snapshot)));
    }
}

void TestReadingTwice::theSizeOfTheWindowChangesNothing()
{
    for (unsigned seed = 0; seed < kSeeds / 4; ++seed) {
        const std::string pickle = test::pickled(test::randomSnapshot(seed));
        const std::string expected = readOnce(pickle);
        for (const std::size_t size : {16U, 61U, 1000U}) {
            const auto source = memorySource(test::bytesOf(pickle));
            ByteWindow input(*source, size);
            QCOMPARE(textOf(readSnapshot(input, {})), expected);
        }
    }
}

VRAMSCOPE_TEST(TestReadingTwice)
#include "tst_reading_twice.moc"
