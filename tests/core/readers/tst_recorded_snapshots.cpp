// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/byte_source.h"
#include "core/readers/formats.h"
#include "core/readers/read_trace.h"
#include "tests/support/test.h"
#include "tests/support/trace_text.h"

#include <QDir>

#include <algorithm>
#include <map>

using namespace vramscope;

namespace {

/// Files that are known to break the rules of the allocator: cut down or made up by other tools.
bool breaksTheRules(const QString &file)
{
    return file.contains(u"synthetic_mosaic") || file.contains(u"mini_nightly_depth259");
}

std::shared_ptr<const Trace> readFile(const QString &file)
{
    return readTrace(std::filesystem::path(file.toStdString())).value();
}

} // namespace

class TestRecordedSnapshots : public test::Test
{
    Q_OBJECT

private slots:
    void initTestCase();
    void aRecordingIsReadWithoutProblems_data() { addFiles(); }
    void aRecordingIsReadWithoutProblems();
    void timeNeverGoesBack_data() { addFiles(); }
    void timeNeverGoesBack();
    void theBlocksOfASegmentFillIt_data() { addFiles(); }
    void theBlocksOfASegmentFillIt();
    void whatLivesAtTheEndIsABlock_data() { addFiles(); }
    void whatLivesAtTheEndIsABlock();
    void readingFastAndReadingWholeGiveTheSame_data() { addFiles(); }
    void readingFastAndReadingWholeGiveTheSame();

private:
    void addFiles();
};

void TestRecordedSnapshots::initTestCase()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recorded snapshots are not there (VRAMSCOPE_CORPUS).");
}

void TestRecordedSnapshots::addFiles()
{
    QTest::addColumn<QString>("file");
    const QDir folder(test::corpusFolder());
    const QStringList files = folder.entryList({QStringLiteral("*.pickle")}, QDir::Files);
    QVERIFY(!files.isEmpty());
    for (const QString &file : files)
        QTest::newRow(qPrintable(file)) << folder.filePath(file);
}

void TestRecordedSnapshots::aRecordingIsReadWithoutProblems()
{
    QFETCH(QString, file);
    const auto trace = readFile(file);
    QVERIFY(trace->producer().starts_with("PyTorch 2."));
    QVERIFY(trace->protocol() == 4);
    if (!breaksTheRules(file))
        QVERIFY2(trace->problems().empty(),
                 trace->problems().empty() ? "" : trace->problems()[0].kind.c_str());
    for (const DeviceTrace &device : trace->devices())
        QVERIFY(device.events.count() > 0 || !device.segments.empty());
}

void TestRecordedSnapshots::timeNeverGoesBack()
{
    QFETCH(QString, file);
    const auto trace = readFile(file);
    for (const DeviceTrace &device : trace->devices()) {
        QVERIFY(device.events.time.empty() ||
                device.events.time.size() == device.events.action.size());
        QVERIFY(std::ranges::is_sorted(device.events.time));
    }
}

void TestRecordedSnapshots::theBlocksOfASegmentFillIt()
{
    QFETCH(QString, file);
    const auto trace = readFile(file);
    for (const DeviceTrace &device : trace->devices()) {
        QVERIFY(std::ranges::is_sorted(device.segments, {}, &FinalSegment::address));
        for (const FinalSegment &segment : device.segments) {
            std::uint64_t address = segment.address;
            for (std::uint32_t at = 0; at < segment.blockCount; ++at) {
                const FinalBlock &block = device.blocks[segment.firstBlock + at];
                QCOMPARE(block.address, address);
                QVERIFY(block.size > 0);
                QVERIFY(block.requested == 0 || block.state != BlockState::Inactive);
                address += static_cast<std::uint64_t>(block.size);
            }
            if (!breaksTheRules(file))
                QCOMPARE(address - segment.address, static_cast<std::uint64_t>(segment.size));
        }
    }
}

void TestRecordedSnapshots::whatLivesAtTheEndIsABlock()
{
    QFETCH(QString, file);
    if (breaksTheRules(file))
        return;
    const auto trace = readFile(file);
    for (const DeviceTrace &device : trace->devices()) {
        std::map<std::uint64_t, Bytes> live;
        const EventColumns &events = device.events;
        for (std::size_t at = 0; at < events.action.size(); ++at) {
            if (events.action[at] == Action::Alloc)
                live[events.address[at]] = events.size[at];
            else if (events.action[at] == Action::FreeCompleted)
                live.erase(events.address[at]);
        }
        std::map<std::uint64_t, const FinalBlock *> blocks;
        for (const FinalBlock &block : device.blocks) {
            if (block.state != BlockState::Inactive)
                blocks[block.address] = &block;
        }
        for (const auto &[address, size] : live) {
            QVERIFY(blocks.contains(address));
            QVERIFY(blocks[address]->requested == size || blocks[address]->size == size);
        }
    }
}

void TestRecordedSnapshots::readingFastAndReadingWholeGiveTheSame()
{
    QFETCH(QString, file);
    const std::filesystem::path path = file.toStdString();
    const auto source = openFile(path).value();
    ByteWindow input(*source);
    const std::string whole = test::traceText(*readSnapshotSlowly(input).value());
    QVERIFY(whole == test::traceText(*readFile(file)));
    // A window so small that every fast path meets its end now and then.
    const auto again = openFile(path).value();
    ByteWindow small(*again, 1000);
    QVERIFY(whole == test::traceText(*readSnapshot(small, {}).value()));
}

VRAMSCOPE_TEST(TestRecordedSnapshots)
#include "tst_recorded_snapshots.moc"
