// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The fast reading of a snapshot is held to the plain one over random snapshots, and so is every
// syntax and wrapping to every other.

#include "core/readers/byte_source.h"
#include "core/readers/formats.h"
#include "core/readers/read_trace.h"
#include "tests/support/compress.h"
#include "tests/support/json_writer.h"
#include "tests/support/random_snapshot.h"
#include "tests/support/test.h"
#include "tests/support/trace_text.h"

#include <QFile>

#include <algorithm>
#include <random>

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

std::string readTextSlowly(const std::string &bytes,
                           SnapshotReference as = SnapshotReference::Whole)
{
    const auto source = memorySource(test::bytesOf(bytes));
    ByteWindow input(*source);
    return textOf(readSnapshotSlowly(input, as));
}

/// A snapshot of some megabytes, as PyTorch 2.6 and later write it: each event has a text of its
/// own, some share their frames, and some are anything but usual.
test::Py largeSnapshot()
{
    using test::Py;
    std::vector<Py> frames;
    for (int at = 0; at < 400; ++at)
        frames.push_back(
            Py::dict({{"name", "f" + std::to_string(at)}, {"filename", "model.py"}, {"line", at}}));
    std::vector<Py> stacks;
    for (int at = 0; at < 900; ++at)
        stacks.push_back(
            Py::list({frames.begin() + at % 300, frames.begin() + at % 300 + 1 + at % 90}));
    const auto ownText = [] { return Py(Py::Raw{"\x8c\x03N/A\x94", 1}); };
    std::vector<Py> devices;
    for (int device = 0; device < 2; ++device) {
        std::vector<Py> events;
        for (int at = 0; at < 9'000; ++at) {
            const auto which = static_cast<std::size_t>(at * 7 + at / 450) % stacks.size();
            const auto &items = std::get<std::shared_ptr<const Py::Node>>(stacks[which].content());
            Py event = Py::dict({{"action", at % 3 == 0 ? "alloc" : "free_requested"},
                                 {"addr", std::int64_t(0x7f0000000000) + std::int64_t(512) * at},
                                 {"size", 512 * (at % 1000)},
                                 {"stream", at % 50 == 0 ? 7 : 0},
                                 {"time_us", std::int64_t(1'700'000'000'000'000) + at},
                                 {"compile_context", ownText()},
                                 {"frames", at % 2 == 0 ? Py::list(items->items) : stacks[which]}});
            if (at % 97 == 0)
                event = event.with("note", Py::dict({{"at", at}}));
            if (at % 211 == 0)
                event = event.without("size");
            if (at % 301 == 0)
                event = event.with(
                    "frames",
                    Py::list({Py::dict({{"name", "late"}, {"filename", "x.py"}, {"line", at}})}));
            events.push_back(event);
        }
        devices.push_back(Py::list(events));
    }
    return Py::dict({{"segments", Py::list()}, {"device_traces", Py::list(devices)}});
}

/// The first line that differs, for a message; empty where none does.
std::string difference(const std::string &actual, const std::string &expected)
{
    const auto [a, b] = std::ranges::mismatch(actual, expected);
    if (a == actual.end() && b == expected.end())
        return {};
    const auto lineAt = [](const std::string &text, std::string::const_iterator at) {
        const auto offset = static_cast<std::size_t>(at - text.begin());
        const std::size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
        return text.substr(begin, text.find('\n', offset) - begin);
    };
    return "\"" + lineAt(actual, a) + "\" in place of \"" + lineAt(expected, b) + "\"";
}

int threadCount()
{
    QFile status("/proc/self/status");
    if (!status.open(QIODevice::ReadOnly))
        return -1;
    const QByteArray text = status.readAll();
    return text.mid(text.indexOf("Threads:") + 8).trimmed().split('\n').first().toInt();
}

#define COMPARE_TEXTS(actual, expected)                                                            \
    do {                                                                                           \
        const std::string differs = difference(actual, expected);                                  \
        QVERIFY2(differs.empty(), differs.c_str());                                                \
    } while (false)

} // namespace

class TestReadingTwice : public test::Test
{
    Q_OBJECT

private slots:
    void readingFastAndReadingWholeGiveTheSame();
    void everyProtocolAndSyntaxGivesTheSame();
    void theSizeOfTheWindowChangesNothing();
    void readingOnSeveralThreadsGivesTheSame();
    void damagedFilesAreReadTheSame();
    void cancelledReadingLeavesNoThread();
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

void TestReadingTwice::readingOnSeveralThreadsGivesTheSame()
{
    const std::string pickle = test::pickled(largeSnapshot());
    QVERIFY(pickle.size() > std::size_t(2) << 20); // enough for threads
    const std::string expected = readTextSlowly(pickle);
    QVERIFY(!expected.starts_with("error"));
    for (int time = 0; time < 3; ++time)
        COMPARE_TEXTS(readOnce(pickle), expected);
    COMPARE_TEXTS(readOnce(test::gzipped(pickle)), expected);
}

void TestReadingTwice::damagedFilesAreReadTheSame()
{
    int read = 0;
    for (unsigned seed = 0; seed < 2 * kSeeds; ++seed) {
        std::string pickle = test::pickled(test::randomSnapshot(seed % 20 * 3));
        std::mt19937 random(seed);
        for (int flip = 0; flip < 3; ++flip)
            pickle[random() % pickle.size()] ^= static_cast<char>(1 << random() % 8);
        const auto source = memorySource(test::bytesOf(pickle));
        ByteWindow input(*source);
        const std::string fast = textOf(readSnapshot(input, {}));
        COMPARE_TEXTS(fast, readTextSlowly(pickle, SnapshotReference::StepByStep));
        read += fast.starts_with("error") ? 0 : 1;
    }
    QVERIFY(read > 50); // for all their damage
}

void TestReadingTwice::cancelledReadingLeavesNoThread()
{
    const std::string pickle = test::pickled(largeSnapshot());
    const int before = threadCount();
    for (int last = 0; last < 60; ++last) {
        int calls = 0;
        const auto trace =
            readTrace(test::bytesOf(pickle), [&](double) { return calls++ < last % 12; });
        QVERIFY(trace.ok() || trace.error().code == ErrorCode::Cancelled);
        QCOMPARE(threadCount(), before);
    }
}

VRAMSCOPE_TEST(TestReadingTwice)
#include "tst_reading_twice.moc"
