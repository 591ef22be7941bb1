// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/read_trace.h"
#include "core/readers/sources.h"
#include "tests/support/compress.h"
#include "tests/support/process.h"
#include "tests/support/sample_snapshot.h"
#include "tests/support/test.h"
#include "tests/support/trace_text.h"

#include <QDir>
#include <QFile>

#include <any>
#include <atomic>
#include <chrono>
#include <new>
#include <thread>

using namespace vramscope;
using test::Py;

namespace {

using Compress = std::string (*)(std::string_view);

/// A snapshot with so many events that it fills several windows.
const std::string &longPickle()
{
    static const std::string pickle = [] {
        std::vector<Py> events;
        for (int at = 0; at < 120'000; ++at)
            events.push_back(test::sampleEvent("alloc", at * 512, at, at, Py::list()));
        return test::pickled(
            test::sampleSnapshot().with("device_traces", Py::list({Py::list(events)})));
    }();
    return pickle;
}

/// Zeros without end, as far as the reader goes.
std::string bomb(Compress compress)
{
    return compress(std::string(std::size_t(40) << 20, '\0'));
}

/// Counts what is read of a source that never ends.
class EndlessSource final : public ByteSource
{
public:
    std::optional<std::int64_t> size() const override { return {}; }
    double fraction() const override { return 0; }
    Result<std::size_t> read(std::span<std::byte> into) override
    {
        std::ranges::fill(into, std::byte(7));
        return into.size();
    }
};

} // namespace

class TestContainers : public test::Test
{
    Q_OBJECT

private slots:
    void aCompressedSnapshotGivesTheSameTrace_data() { addForms(); }
    void aCompressedSnapshotGivesTheSameTrace();
    void severalStreamsAreOne_data() { addForms(); }
    void severalStreamsAreOne();
    void everyPrefixOfACompressedFileIsTruncated_data() { addForms(); }
    void everyPrefixOfACompressedFileIsTruncated();
    void everyChangedByteGivesAnErrorOrTheSameTrace_data() { addForms(); }
    void everyChangedByteGivesAnErrorOrTheSameTrace();
    void bytesBehindTheEndAreAProblem_data() { addForms(); }
    void bytesBehindTheEndAreAProblem();
    void zerosBehindTheEndAreNothing_data() { addForms(); }
    void zerosBehindTheEndAreNothing();
    void aFileCompressedTwiceSaysSo_data() { addForms(); }
    void aFileCompressedTwiceSaysSo();
    void whatUnfoldsWithoutEndIsRefused_data() { addForms(); }
    void whatUnfoldsWithoutEndIsRefused();
    void anEndlessTextIsRefused_data() { addForms(); }
    void anEndlessTextIsRefused();
    void progressFollowsTheCompressedBytes_data() { addForms(); }
    void progressFollowsTheCompressedBytes();
    void cancellingLeavesNoThreadBehind_data() { addForms(); }
    void cancellingLeavesNoThreadBehind();
    void whatUnfoldsToNothingIsReportedAndCancelled_data() { addForms(); }
    void whatUnfoldsToNothingIsReportedAndCancelled();
    void readingAheadKeepsTheBytesAndTheirEnd();
    void eachStretchIsLookedAtOnceWhoeverIsFaster();
    void whatLookingThrowsComesInItsPlace();
    void aThreadThatReadsAheadStopsUnasked();
    void recordedFilesReadTheSameWhenCompressed();

private:
    void addForms();
};

void TestContainers::addForms()
{
    QTest::addColumn<bool>("zstd");
    QTest::newRow("gzip") << false;
    QTest::newRow("Zstandard") << true;
}

#define FETCH_COMPRESS                                                                             \
    QFETCH(bool, zstd);                                                                            \
    const Compress compress = zstd ? test::zstandard : test::gzipped

void TestContainers::aCompressedSnapshotGivesTheSameTrace()
{
    FETCH_COMPRESS;
    for (const std::string &pickle : {test::pickled(test::sampleSnapshot()), longPickle()})
        QCOMPARE(test::readText(compress(pickle)), test::readText(pickle));
}

void TestContainers::severalStreamsAreOne()
{
    FETCH_COMPRESS;
    const std::string pickle = longPickle();
    const std::string_view view = pickle;
    const std::string parts = compress(view.substr(0, 1)) + compress(view.substr(1, 500'000)) +
                              compress({}) + compress(view.substr(500'001));
    QCOMPARE(test::readText(parts), test::readText(pickle));
}

void TestContainers::everyPrefixOfACompressedFileIsTruncated()
{
    FETCH_COMPRESS;
    const std::string file = compress(test::pickled(test::sampleSnapshot()));
    for (std::size_t size = 4; size < file.size(); ++size) {
        const auto trace = readTrace(test::bytesOf(file.substr(0, size)));
        QVERIFY(!trace.ok());
        QCOMPARE(trace.error().code, ErrorCode::Truncated);
    }
}

void TestContainers::everyChangedByteGivesAnErrorOrTheSameTrace()
{
    FETCH_COMPRESS;
    const std::string file = compress(test::pickled(test::sampleSnapshot()));
    const std::string expected = test::readText(file);
    int errors = 0;
    for (std::size_t at = 0; at < file.size(); ++at) {
        std::string changed = file;
        changed[at] = static_cast<char>(changed[at] ^ 0x41);
        const std::string text = test::readText(changed);
        errors += text.starts_with("error: ");
        // Zstandard's frame has no checksum here: there a change may give another snapshot.
        if (!zstd)
            QVERIFY(text.starts_with("error: ") || text == expected);
    }
    QVERIFY(errors > static_cast<int>(file.size()) / 3);
}

void TestContainers::bytesBehindTheEndAreAProblem()
{
    FETCH_COMPRESS;
    const std::string file = compress(test::pickled(test::sampleSnapshot())) + "leftover";
    const auto trace = readTrace(test::bytesOf(file)).value();
    QCOMPARE(trace->problems().size(), std::size_t(1));
    QCOMPARE(trace->problems()[0].kind, std::string("Bytes after the end of the compressed data."));
}

void TestContainers::zerosBehindTheEndAreNothing()
{
    FETCH_COMPRESS;
    const std::string pickle = test::pickled(test::sampleSnapshot());
    QCOMPARE(test::readText(compress(pickle) + std::string(1000, '\0')), test::readText(pickle));
}

void TestContainers::aFileCompressedTwiceSaysSo()
{
    FETCH_COMPRESS;
    const auto trace =
        readTrace(test::bytesOf(compress(test::gzipped(test::pickled(test::sampleSnapshot())))));
    QVERIFY(!trace.ok());
    QVERIFY(trace.error().detail.find("compressed twice") != std::string::npos);
}

void TestContainers::whatUnfoldsWithoutEndIsRefused()
{
    FETCH_COMPRESS;
    const std::string file = bomb(compress);
    const auto source = memorySource(test::bytesOf(file));
    ByteWindow window(*source);
    const auto inflated = inflatingSource(window, zstd ? Compression::Zstd : Compression::Gzip);
    std::vector<std::byte> into(std::size_t(1) << 20);
    std::int64_t total = 0;
    for (;;) {
        const auto count = inflated->read(into);
        if (!count.ok()) {
            QCOMPARE(count.error().code, ErrorCode::Refused);
            break;
        }
        QVERIFY(*count > 0);
        total += static_cast<std::int64_t>(*count);
        QVERIFY(total <= kFreeExpansion + static_cast<std::int64_t>(into.size()));
    }
}

void TestContainers::anEndlessTextIsRefused()
{
    FETCH_COMPRESS;
    const std::string zeros(std::size_t(40) << 20, ' ');
    const std::string starts[] = {std::string("\x80\x04X\xff\xff\xff\xff", 7),
                                  std::string("\x80\x04]B\xff\xff\xff\xff", 8), "{\"segments\": \"",
                                  "(dp0\nS'", "<html>local_files = [{\"base64\": \""};
    for (const std::string &start : starts) {
        const auto trace = readTrace(test::bytesOf(compress(start + zeros)));
        QVERIFY(!trace.ok());
        QVERIFY2(!trace.error().detail.empty(), trace.error().detail.c_str());
    }
}

void TestContainers::progressFollowsTheCompressedBytes()
{
    FETCH_COMPRESS;
    const std::string file = compress(longPickle());
    std::vector<double> seen;
    QVERIFY(readTrace(test::bytesOf(file), [&](double done) {
                seen.push_back(done);
                return true;
            }).ok());
    QVERIFY(seen.size() > 4);
    QVERIFY(std::ranges::is_sorted(seen));
    QVERIFY(seen.front() >= 0 && seen.back() <= 1);
}

void TestContainers::cancellingLeavesNoThreadBehind()
{
    FETCH_COMPRESS;
    const std::string file = compress(longPickle());
    const int before = test::threadCount(); // the test's, Qt Test's watchdog, a sanitizer's own
    for (int last = 0; last < 5; ++last) {
        int calls = 0;
        const auto trace = readTrace(test::bytesOf(file), [&](double) { return calls++ < last; });
        QVERIFY(!trace.ok());
        QCOMPARE(trace.error().code, ErrorCode::Cancelled);
        QVERIFY(test::threadCount() <= before);
    }
}

void TestContainers::whatUnfoldsToNothingIsReportedAndCancelled()
{
    FETCH_COMPRESS;
    const std::string nothing = compress({});
    std::string file;
    while (file.size() < std::size_t(64) << 20) // long enough for reports every 20 ms
        file += nothing;
    file += compress(test::pickled(test::sampleSnapshot()));
    std::vector<double> seen;
    QVERIFY(readTrace(test::bytesOf(file), [&](double done) {
                seen.push_back(done);
                return true;
            }).ok());
    QVERIFY(seen.size() > 4);
    QVERIFY(std::ranges::is_sorted(seen));
    QVERIFY(seen[2] < 0.9); // and not all of them at the end
    for (int last = 0; last < 4; ++last) {
        int calls = 0;
        const auto trace = readTrace(test::bytesOf(file), [&](double) { return calls++ < last; });
        QVERIFY(!trace.ok());
        QCOMPARE(trace.error().code, ErrorCode::Cancelled);
        QCOMPARE(calls, last + 1);
    }
}

void TestContainers::readingAheadKeepsTheBytesAndTheirEnd()
{
    for (const std::size_t size : {0U, 1U, 262'143U, 262'144U, 262'145U, 524'288U, 5'000'003U}) {
        std::string bytes(size, '\0');
        for (std::size_t at = 0; at < size; ++at)
            bytes[at] = static_cast<char>(at * 31 + at / 251);
        CancelGuard watch({});
        const auto ahead = readAhead(memorySource(test::bytesOf(bytes)), watch);
        std::string read;
        std::vector<std::byte> into(10'007);
        for (;;) {
            const std::size_t count = ahead->read(into).value();
            read.append(reinterpret_cast<const char *>(into.data()), count);
            if (count < into.size())
                break;
        }
        QCOMPARE(read, bytes);
        QCOMPARE(ahead->read(into).value(), std::size_t(0));
        QCOMPARE(ahead->fraction(), 1.0);
        QVERIFY(ahead->verify().ok());
    }
}

void TestContainers::eachStretchIsLookedAtOnceWhoeverIsFaster()
{
    using namespace std::chrono_literals;
    const auto sumOf = [](auto bytes) {
        std::uint64_t sum = 0;
        for (const auto byte : bytes)
            sum = sum * 31 + static_cast<std::uint64_t>(byte);
        return sum;
    };
    std::string bytes(5'000'003, '\0');
    for (std::size_t at = 0; at < bytes.size(); ++at)
        bytes[at] = static_cast<char>(at * 31 + at / 251);
    struct Paces
    {
        std::chrono::microseconds look;
        std::chrono::microseconds use;
    };
    for (const Paces pace : {Paces{0us, 0us}, {0us, 1000us}, {1000us, 0us}}) {
        std::atomic<int> looks = 0;
        CancelGuard watch({});
        const auto ahead = readAhead(memorySource(test::bytesOf(bytes)), watch);
        ahead->lookWith(
            [&](std::span<const std::uint8_t> seen, std::any &made, std::any & /*kept*/) {
                std::this_thread::sleep_for(pace.look);
                made = sumOf(seen);
                ++looks;
            });
        std::string read;
        int stretches = 0;
        for (;;) {
            const LentBytes lent = ahead->lend().value().value();
            if (lent.bytes.empty())
                break;
            ++stretches;
            QVERIFY(lent.made != nullptr);
            QCOMPARE(std::any_cast<std::uint64_t>(*lent.made), sumOf(lent.bytes));
            read.append(reinterpret_cast<const char *>(lent.bytes.data()), lent.bytes.size());
            std::this_thread::sleep_for(pace.use);
        }
        QVERIFY(read == bytes);
        QCOMPARE(looks.load(), stretches);
    }
}

void TestContainers::whatLookingThrowsComesInItsPlace()
{
    const std::string bytes(3'000'000, 'x');
    std::atomic<int> looks = 0; // outlives the threads that count
    CancelGuard watch({});
    const auto ahead = readAhead(memorySource(test::bytesOf(bytes)), watch);
    ahead->lookWith([&](std::span<const std::uint8_t>, std::any &made, std::any & /*kept*/) {
        if (++looks > 4)
            throw std::bad_alloc();
        made = 1;
    });
    std::size_t lent = 0;
    const auto lendAll = [&] {
        while (const std::size_t size = ahead->lend().value().value().bytes.size())
            lent += size;
    };
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, lendAll());
    QVERIFY(lent > 0 && lent < bytes.size());
}

void TestContainers::aThreadThatReadsAheadStopsUnasked()
{
    CancelGuard watch({});
    const auto unread = readAhead(std::make_unique<EndlessSource>(), watch);
    const auto ahead = readAhead(std::make_unique<EndlessSource>(), watch);
    std::vector<std::byte> into(10);
    QCOMPARE(ahead->read(into).value(), into.size());
    QCOMPARE(into.back(), std::byte(7)); // and both end here, or the test never does
}

void TestContainers::recordedFilesReadTheSameWhenCompressed()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recorded snapshots are not there (VRAMSCOPE_CORPUS).");
    const QDir folder(test::corpusFolder());
    for (const char *name : {"fsdp_oom_rank0.pickle", "torch20_history_13b.pickle",
                             "synthetic_mosaic.pickle", "expandable_2dev_no_trace.pickle"}) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string pickle = file.readAll().toStdString();
        const std::string expected = test::readText(pickle);
        QVERIFY(expected.starts_with("pytorch-snapshot"));
        QVERIFY(test::readText(test::gzipped(pickle)) == expected);
        QVERIFY(test::readText(test::zstandard(pickle)) == expected);
    }
}

VRAMSCOPE_TEST(TestContainers)
#include "tst_containers.moc"
