// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/read_trace.h"
#include "core/report/oom_report.h"
#include "core/report/text_table.h"
#include "core/trace/trace_builder.h"
#include "tests/support/test.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace vramscope;

namespace {

// A device of 100 MiB: 30 MiB stay between holes of 30 and 20 MiB, and 40 MiB no longer fit.
std::shared_ptr<const Trace> fragmented()
{
    TraceBuilder builder;
    const StreamId stream = builder.internStream(0);
    const std::array frames{
        builder.internFrame("relu", "/opt/site-packages/torch/nn/functional.py", 9),
        builder.internFrame("forward", "/home/me/model.py", 40)};
    const StackId stack = builder.internStack(frames);
    const auto add = [&](Action action, std::uint64_t address, Bytes size) {
        builder.addEvent(0, {.action = action,
                             .address = address,
                             .size = size,
                             .stack = stack,
                             .stream = stream,
                             .deviceFree = action == Action::OutOfMemory ? 10 * kMiB : -1});
    };
    constexpr std::uint64_t kStart = 0x7f0000000000U;
    const auto at = [](Bytes offset) { return kStart + static_cast<std::uint64_t>(offset); };
    add(Action::SegmentAlloc, kStart, 80 * kMiB);
    add(Action::Alloc, at(0), 30 * kMiB);
    add(Action::Alloc, at(30 * kMiB), 30 * kMiB);
    add(Action::FreeRequested, at(0), 30 * kMiB);
    add(Action::FreeCompleted, at(0), 30 * kMiB);
    add(Action::OutOfMemory, 0, 40 * kMiB);
    const std::array blocks{FinalBlock{.size = 30 * kMiB},
                            FinalBlock{.size = 30 * kMiB,
                                       .requested = 30 * kMiB,
                                       .stack = stack,
                                       .state = BlockState::Allocated},
                            FinalBlock{.size = 20 * kMiB}};
    builder.addSegment(0, {.address = kStart, .size = 80 * kMiB, .stream = stream}, blocks);
    return std::move(*builder.finish());
}

struct Explained
{
    explicit Explained(std::shared_ptr<const Trace> opened, std::size_t index = 0)
        : trace(std::move(opened))
        , device(trace->devices()[index])
        , allocations(device)
        , space(AddressSpace::replay(device, allocations, allocatorRules(*trace)))
    {
        for (std::size_t at = 0; at < device.outOfMemory.size(); ++at)
            failures.push_back(
                explainOutOfMemory(device, at, allocations, *space, allocatorRules(*trace)));
    }
    [[nodiscard]] OutOfMemoryFindings findings() const
    {
        return {*trace, device, allocations, *space, failures};
    }

    std::shared_ptr<const Trace> trace;
    const DeviceTrace &device;
    Allocations allocations;
    std::unique_ptr<const AddressSpace> space;
    std::vector<OutOfMemoryReport> failures;
};

Explained recorded(const char *name, std::size_t index)
{
    const QString file = test::corpusFolder() + '/' + name;
    return Explained(readTrace(std::filesystem::path(file.toStdString())).value(), index);
}

} // namespace

class TestOomReport : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theParagraphTellsWhatWasAskedAndWhatWasFree();
    void theTextNamesWhatWouldHaveHelped();
    void theJsonHoldsTheFigures();
    void aRecordingWithoutAFailureSaysSo();
    void aRecordingWithoutHistoryCannotTell();
    void onlyTheFirstOfManyFailuresAreExplained();
    void wordsAreWrappedBetweenBlanks();
    void theRecordedFailureOfAFullSegmentListIsFragmentation();
    void theRecordedFailureUnderExpandableSegmentsIsAFullDevice();
};

void TestOomReport::theParagraphTellsWhatWasAskedAndWhatWasFree()
{
    const Explained explained(fragmented());
    QCOMPARE(explained.space->consistency(), Consistency{});
    QCOMPARE(
        QString::fromStdString(outOfMemoryParagraph(explained.findings(), explained.failures[0])),
        QString(
            "At event 5 the program asked for 40.0 MiB in relu at torch/nn/functional.py:9, "
            "called from forward at /home/me/model.py:40. The device had 10.0 MiB left: "
            "30.0 MiB too little. The allocator held 80.0 MiB: 30.0 MiB in use by 1 block, and "
            "50.0 MiB free in 2 holes, the largest of them 30.0 MiB. 50.0 MiB could not go "
            "back to the device, because blocks in the same segments or pages were in use. What "
            "is free for it and on the device would have been enough, but not in one piece: "
            "the memory is fragmented."));
}

void TestOomReport::theTextNamesWhatWouldHaveHelped()
{
    const Explained explained(fragmented());
    const QString text =
        QString::fromStdString(outOfMemoryText(explained.findings(), "a.pickle", 10));
    QVERIFY(text.startsWith("a.pickle, device 0: 1 allocation failed in 6 events\n"));
    QVERIFY(text.contains("yes  PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True: up to "
                          "50.0 MiB, 30.0 MiB missing\n"));
    QVERIFY(text.contains("yes  freeing 30.0 MiB of relu"));
    QVERIFY(text.contains("yes  30.0 MiB more memory on the device"));
    QVERIFY(text.contains("yes  a request of at most 30.0 MiB"));
    QVERIFY(text.contains("Who holds the stranded 50.0 MiB fast"));
    QVERIFY(text.contains("large, default stream  80.0 MiB  50.0 MiB      2      30.0 MiB"));
    for (const QString &line : text.split('\n'))
        QVERIFY2(line.size() <= 120, qPrintable(line));
}

void TestOomReport::theJsonHoldsTheFigures()
{
    const Explained explained(fragmented());
    const auto json = QJsonDocument::fromJson(
        QByteArray::fromStdString(outOfMemoryJson(explained.findings(), "a.pickle")));
    const QJsonObject failure = json["failures"][0].toObject();
    QCOMPARE(failure["event"].toInt(), 5);
    QCOMPARE(failure["cause"].toString(), QString("fragmented"));
    QCOMPARE(failure["requested"].toInteger(), 40 * kMiB);
    QCOMPARE(failure["device_free"].toInteger(), 10 * kMiB);
    QCOMPARE(failure["bands"]["stranded"].toInteger(), 50 * kMiB);
    QCOMPARE(failure["bands"]["reserved"].toInteger(), 80 * kMiB);
    QCOMPARE(failure["largest_hole_for_it"].toInteger(), 30 * kMiB);
    QVERIFY(failure["last_release"].isNull());
    QVERIFY(failure["time_us"].isNull());
    QCOMPARE(failure["remedies"][0]["change"].toString(), QString("expandable_segments"));
    QCOMPARE(failure["remedies"][0]["enough"].toBool(), true);
    QCOMPARE(failure["pins"][0]["alone"].toInteger(), 50 * kMiB);
    QCOMPARE(failure["frames"].toArray().size(), 2);
}

void TestOomReport::aRecordingWithoutAFailureSaysSo()
{
    TraceBuilder builder;
    builder.addEvent(0, {.action = Action::Snapshot, .stream = builder.internStream(0)});
    builder.addEvent(0, {.action = Action::Snapshot, .stream = builder.internStream(0)});
    const Explained explained(std::move(*builder.finish()));
    QCOMPARE(
        outOfMemoryText(explained.findings(), "a.pickle", 10),
        std::string("a.pickle, device 0: no allocation failed in the 2 events of the recording."));
}

void TestOomReport::aRecordingWithoutHistoryCannotTell()
{
    TraceBuilder builder;
    builder.addEvent(0, {.action = Action::SegmentFree, .stream = builder.internStream(0)});
    const Explained explained(std::move(*builder.finish()));
    QVERIFY(outOfMemoryText(explained.findings(), "a", 10).find("no history was recorded") !=
            std::string::npos);
}

void TestOomReport::onlyTheFirstOfManyFailuresAreExplained()
{
    TraceBuilder builder;
    for (int failure = 0; failure < 1000; ++failure)
        builder.addEvent(0, {.action = Action::OutOfMemory,
                             .size = kGiB,
                             .stream = builder.internStream(0),
                             .deviceFree = 5});
    Explained explained(std::move(*builder.finish()));
    explained.failures.resize(kMostExplained);
    QVERIFY(outOfMemoryText(explained.findings(), "a", 10)
                .find("1,000 allocations failed in 1,000 events; the first 20 are explained") !=
            std::string::npos);
}

void TestOomReport::wordsAreWrappedBetweenBlanks()
{
    QCOMPARE(wrapped("one two three", 7), std::string("one two\nthree"));
    QCOMPARE(wrapped("incomprehensible a", 4), std::string("incomprehensible\na"));
    QCOMPARE(wrapped("µµ µµ µ", 5), std::string("µµ µµ\nµ"));
    QCOMPARE(wrapped("", 5), std::string());
}

// Checked by hand against the file: the failure is its last event, so the state is the final one.
void TestOomReport::theRecordedFailureOfAFullSegmentListIsFragmentation()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("There are no recorded files here.");
    const Explained explained = recorded("fsdp_oom_rank0.pickle", 0);
    QCOMPARE(explained.failures.size(), std::size_t(1));
    const OutOfMemoryReport &failure = explained.failures.front();
    Bytes free = 0;
    Bytes used = 0;
    Bytes largest = 0;
    for (const FinalBlock &block : explained.device.blocks) {
        const bool inUse = block.state != BlockState::Inactive;
        (inUse ? used : free) += block.size;
        largest = std::max(largest, inUse ? 0 : block.size);
    }
    QCOMPARE(failure.event, explained.device.events.count() - 1);
    QCOMPARE(failure.requested, Bytes(4'202'692'608));
    QCOMPARE(failure.deviceFree, Bytes(4'028'760'064));
    QCOMPARE(failure.shortage, Bytes(173'932'544));
    QCOMPARE(failure.bands.requested + failure.bands.rounding, used);
    QCOMPARE(failure.bands.stranded, free);
    QCOMPARE(failure.bands.releasable, Bytes(0));
    QCOMPARE(failure.fragmentation.largestHole, largest);
    QCOMPARE(failure.cause, OutOfMemoryCause::Fragmented);
    QCOMPARE(failure.lastRelease.last, failure.event - 1);
    QCOMPARE(failure.lastRelease.last - failure.lastRelease.first, 11); // twelve segments
    QCOMPARE(failure.remedies.front().kind, Remedy::Kind::ExpandableSegments);
}

void TestOomReport::theRecordedFailureUnderExpandableSegmentsIsAFullDevice()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("There are no recorded files here.");
    const Explained explained = recorded("oom_expandable_3of4gpus.pickle", 1);
    QCOMPARE(explained.failures.size(), std::size_t(1));
    const OutOfMemoryReport &failure = explained.failures.front();
    QCOMPARE(failure.event, 421);
    QCOMPARE(failure.deviceFree, Bytes(95'682'560));
    QCOMPARE(failure.needed, 254 * 20 * kMiB); // 5,308,694,528 bytes in pages of 20 MiB
    QCOMPARE(failure.cause, OutOfMemoryCause::Full);
    QCOMPARE(failure.lastRelease.first, 413);
    QCOMPARE(failure.lastRelease.last, 418);
    Bytes unmapped = 0;
    for (std::size_t at = 413; at <= 418; ++at)
        unmapped += explained.device.events.size[at];
    QCOMPARE(failure.lastRelease.bytes, unmapped);
    for (const Remedy &remedy : failure.remedies)
        QVERIFY(remedy.kind != Remedy::Kind::ExpandableSegments); // they are on already
}

QTEST_APPLESS_MAIN(TestOomReport)
#include "tst_oom_report.moc"
