// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/study/study.h"
#include "core/print/oom_remedies.h"
#include "core/print/oom_report.h"
#include "core/readers/read_trace.h"
#include "core/table/text_table.h"
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
    explicit Explained(const std::shared_ptr<const Trace> &trace, std::size_t index = 0)
        : study(trace, trace->devices()[index])
    {
    }
    [[nodiscard]] const OutOfMemoryReport &failure() const { return study.failures().front(); }
    [[nodiscard]] const OutOfMemoryAdvice &advice() const { return study.advice().front(); }
    [[nodiscard]] const Remedy *remedy(Remedy::Kind kind) const
    {
        const auto &all = advice().remedies;
        const auto found = std::ranges::find(all, kind, &Remedy::kind);
        return found == all.end() ? nullptr : &*found;
    }
    [[nodiscard]] QString text() const
    {
        return QString::fromStdString(outOfMemoryText(study, "a.pickle", 10)).simplified();
    }

    Study study;
};

/// A device whose allocator holds `mine`, all of it in use, when a request of 1 GiB fails with
/// 100 MiB left; beside it, where `other` is given, one that has so much.
Explained full(Bytes mine, Bytes other = 0)
{
    TraceBuilder builder;
    const StreamId stream = builder.internStream(0);
    const FrameId frame = builder.internFrame("load", "/home/me/train.py", 10);
    const StackId stack = builder.internStack(std::span(&frame, 1));
    constexpr std::uint64_t kStart = 0x7f0000000000U;
    const auto add = [&](int device, Action action, Bytes size) {
        builder.addEvent(device, {.action = action,
                                  .address = kStart,
                                  .size = size,
                                  .stack = stack,
                                  .stream = stream,
                                  .deviceFree = action == Action::OutOfMemory ? 100 * kMiB : -1});
    };
    const auto fill = [&](int device, Bytes size) {
        add(device, Action::SegmentAlloc, size);
        add(device, Action::Alloc, size);
        const std::array blocks{FinalBlock{
            .size = size, .requested = size, .stack = stack, .state = BlockState::Allocated}};
        builder.addSegment(device, {.address = kStart, .size = size, .stream = stream}, blocks);
    };
    fill(0, mine);
    add(0, Action::OutOfMemory, kGiB);
    if (other > 0)
        fill(1, other);
    return Explained(std::move(*builder.finish()));
}

Explained explainedExample()
{
    const QString file = test::projectFile("resources/examples/training-out-of-memory.pickle");
    return Explained(readTrace(std::filesystem::path(file.toStdString())).value());
}

/// Two steps that allocate 10 MiB, 4 MiB in the loss and 20 MiB after it; in the third the loss
/// asks for 8 MiB and fails on a device of 40 MiB.
Explained cutOff(bool annotated)
{
    TraceBuilder builder;
    const StreamId stream = builder.internStream(0);
    const auto stackOf = [&](const char *name, const char *file) {
        const std::array frames{builder.internFrame(name, file, 1)};
        return builder.internStack(frames);
    };
    const StackId forward = stackOf("forward", "/opt/site-packages/torch/nn/modules/linear.py");
    const StackId loss = stackOf("cross_entropy", "/opt/site-packages/torch/nn/functional.py");
    const StackId after = stackOf("work", "/home/me/train.py");
    std::int64_t time = 0;
    constexpr std::uint64_t kStart = 0x7f0000000000U;
    const auto add = [&](Action action, Bytes at, Bytes mebibytes, StackId stack) {
        builder.addEvent(0, {.action = action,
                             .address = kStart + static_cast<std::uint64_t>(at * kMiB),
                             .size = mebibytes * kMiB,
                             .time = ++time * 1000,
                             .stack = stack,
                             .stream = stream,
                             .deviceFree = action == Action::OutOfMemory ? 2 * kMiB : -1});
    };
    const auto annotate = [&](int step, std::int64_t begin) {
        const StringId name = builder.internText("ProfilerStep#" + std::to_string(step));
        builder.addAnnotation({.name = name, .time = begin, .start = true});
        builder.addAnnotation({.name = name, .time = time * 1000 + 499, .start = false});
    };
    add(Action::SegmentAlloc, 0, 38, forward);
    for (int step = 0; step < 2; ++step) {
        const std::int64_t begin = time * 1000 + 500;
        add(Action::Alloc, 0, 10, forward);
        add(Action::Alloc, 10, 4, loss);
        add(Action::Alloc, 14, 20, after);
        for (const auto &[at, size] : {std::pair(0, 10), std::pair(10, 4), std::pair(14, 20)}) {
            add(Action::FreeRequested, at, size, StackId::None);
            add(Action::FreeCompleted, at, size, StackId::None);
        }
        if (annotated)
            annotate(step, begin);
    }
    const std::int64_t begin = time * 1000 + 500;
    add(Action::Alloc, 0, 34, forward);
    add(Action::OutOfMemory, 0, 8, loss);
    if (annotated)
        annotate(2, begin);
    const std::array blocks{FinalBlock{.size = 34 * kMiB,
                                       .requested = 34 * kMiB,
                                       .stack = forward,
                                       .state = BlockState::Allocated},
                            FinalBlock{.size = 4 * kMiB}};
    builder.addSegment(0, {.address = kStart, .size = 38 * kMiB, .stream = stream}, blocks);
    return Explained(std::move(*builder.finish()));
}

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
    void oneSentenceSaysWhyAndWhatWasMissing();
    void theTextNamesWhatWouldHaveHelped();
    void whatIsOutOfTheOrdinaryComesFirst();
    void remediesGoByWhatFilledTheMemory();
    void theRestOfTheStepIsReadOffAnEarlierOne();
    void withoutAnEarlierStepTheRestIsUnknown();
    void aRecordingThatEndsAtItsFailureDoesNotSayThatTheStepFits();
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
    QCOMPARE(explained.study.space().consistency(), Consistency{});
    QCOMPARE(
        QString::fromStdString(outOfMemoryParagraph(explained.study, explained.failure())),
        QString(
            "At event 5 the program asked for 40.0 MiB in relu at torch/nn/functional.py:9, "
            "called from forward at /home/me/model.py:40. The device had 10.0 MiB left: "
            "30.0 MiB too little. The allocator held 80.0 MiB: 30.0 MiB in use by 1 block, and "
            "50.0 MiB free in 2 holes, the largest of them 30.0 MiB. 50.0 MiB could not go "
            "back to the device, because blocks in the same segments or pages were in use. What "
            "is free for it and on the device would have been enough, but not in one piece: "
            "the memory is fragmented."));
}

void TestOomReport::oneSentenceSaysWhyAndWhatWasMissing()
{
    const auto sentence = [](const Explained &of) {
        return QString::fromStdString(
            outOfMemorySentence(of.study, of.failure(), ByteUnit::Binary));
    };
    QCOMPARE(sentence(Explained(fragmented())),
             "The free memory was in pieces: relu (model.py:40) asked for 40.0 MiB, and the "
             "largest piece free for it had 30.0 MiB.");
    const Explained full = explainedExample();
    QCOMPARE(sentence(full),
             "The device was full: cross_entropy (train.py:74) asked for 2.44 GiB, and 1.26 GiB "
             "were missing even with the cache emptied.");
    for (const RemedyText &text : remedyTexts(full.failure(), full.advice(), ByteUnit::Binary)) {
        const bool isSure = text.verdict == "enough for the step";
        QCOMPARE(text.tone == Tone::Good, isSure);
        QCOMPARE(text.brief == "enough", isSure);
    }
}

void TestOomReport::theTextNamesWhatWouldHaveHelped()
{
    const Explained explained(fragmented());
    const QString text = QString::fromStdString(outOfMemoryText(explained.study, "a.pickle", 10));
    QVERIFY(text.startsWith("a.pickle, device 0: 1 allocation failed in 6 events\n"));
    QVERIFY2(text.contains("What would help, by what filled the memory\n"), qPrintable(text));
    QVERIFY(text.contains("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\n"));
    QVERIFY(text.contains("50.0 MiB are free for this request, but in pieces"));
    QVERIFY(text.contains("More memory on the device\n"));
    QVERIFY(text.contains("What keeps the stranded 50.0 MiB from going back"));
    QVERIFY(text.contains("large, default stream  80.0 MiB  50.0 MiB      2      30.0 MiB"));
    for (const QString &line : text.split('\n'))
        QVERIFY2(line.size() <= 120, qPrintable(line));
}

void TestOomReport::whatIsOutOfTheOrdinaryComesFirst()
{
    // 3 GiB and 100 MiB are no whole GPU; 23.3 GiB and 100 MiB are one of 24 GB.
    const Explained crowded = full(3 * kGiB);
    QCOMPARE(crowded.advice().remedies.front().kind, Remedy::Kind::OtherUsers);
    QVERIFY(crowded.text().contains("Unless this is a part of one (MIG), other processes"));
    QVERIFY(!full(23 * kGiB + 300 * kMiB).remedy(Remedy::Kind::OtherUsers));

    const Explained uneven = full(20 * kGiB, 2 * kGiB);
    const Remedy *placement = uneven.remedy(Remedy::Kind::Placement);
    QVERIFY(placement);
    QCOMPARE(placement->bytes, 9 * kGiB);
    QVERIFY(!full(20 * kGiB, 15 * kGiB).remedy(Remedy::Kind::Placement));
}

// The example's own figures: 12.0 GiB of activations, 3.66 of logits in bf16 and fp32, 4.04 of
// states; the failed request would have been another 2.44 of logits.
void TestOomReport::remediesGoByWhatFilledTheMemory()
{
    const Explained explained = explainedExample();
    const OutOfMemoryAdvice &advice = explained.advice();
    QCOMPARE(advice.request, Category::LossAndLogits);
    QVERIFY(advice.trains);
    Bytes live = 0;
    for (const LiveKind &kind : advice.live)
        live += kind.bytes;
    const Bands &bands = explained.failure().bands;
    QCOMPARE(live, bands.requested + bands.rounding);
    QCOMPARE(advice.remedies.front().kind, Remedy::Kind::Checkpointing);
    QCOMPARE(advice.live.front().category, Category::Activations);
    // The head's logits, in bf16 and in fp32, are of the category that a fused loss helps.
    constexpr Bytes kLogits = 2'621'440'000;
    QCOMPARE(advice.logits, Bytes(0));
    QCOMPARE(advice.remedies.front().bytes, advice.live.front().bytes);
    const auto logits =
        std::ranges::find(advice.live, Category::LossAndLogits, &LiveKind::category);
    QVERIFY(logits != advice.live.end());
    QCOMPARE(logits->bytes / kMiB, (kLogits + kLogits / 2) / kMiB);
    const Remedy *loss = explained.remedy(Remedy::Kind::FusedLoss);
    QVERIFY(loss);
    // 2,621,440,000 bytes failed; as much in fp32 and half as much in bf16 are there already.
    QCOMPARE(loss->bytes, Bytes(2'621'440'000) * 5 / 2);
    QVERIFY(explained.remedy(Remedy::Kind::SmallerOptimizer));
    QVERIFY(explained.remedy(Remedy::Kind::SmallerBatch));
    QVERIFY(!explained.remedy(Remedy::Kind::Limit));
    const QString text = explained.text();
    QVERIFY2(!text.contains("freeing "), qPrintable(text));
    QVERIFY2(text.contains("In use: 12.0 GiB activations (55.2 %)"), qPrintable(text));
    QVERIFY(text.contains("3.66 GiB loss and logits (16.9 %)"));
    QVERIFY(text.contains("up to 6.10 GiB"));
    QVERIFY(text.contains("A fused or chunked loss"));
}

void TestOomReport::theRestOfTheStepIsReadOffAnEarlierOne()
{
    const Explained explained = cutOff(true);
    const RestOfStep &rest = explained.advice().rest;
    QVERIFY(rest.isKnown);
    QVERIFY(rest.endsThere);
    QCOMPARE(rest.step, 1);
    QCOMPARE(rest.askedThere, 4 * kMiB);
    QCOMPARE(rest.more, 40 * kMiB); // twice the request, twice what came after it
    const Remedy *memory = explained.remedy(Remedy::Kind::MoreMemory);
    QVERIFY(memory);
    QCOMPARE(memory->bytes, 42 * kMiB); // 34 in use, 8 asked for, 40 after it, of 40 that there are
    QCOMPARE(memory->servesStep, std::optional(true));
    const Remedy *checkpointing = explained.remedy(Remedy::Kind::Checkpointing);
    QVERIFY(checkpointing);
    QCOMPARE(checkpointing->servesRequest, std::optional(true)); // 34 MiB, of 6 missing
    QCOMPARE(checkpointing->servesStep, std::optional(false));   // of 42
    const QString text = explained.text();
    QVERIFY2(text.contains("Step 1, which was complete, made the same request (4.00 MiB) and then "
                           "needed more; so this step is estimated to need another 40.0 MiB"),
             qPrintable(text));
    QVERIFY(text.contains("this request only"));
}

void TestOomReport::withoutAnEarlierStepTheRestIsUnknown()
{
    const Explained explained = cutOff(false);
    const RestOfStep &rest = explained.advice().rest;
    QVERIFY(!rest.isKnown);
    for (const Remedy &remedy : explained.advice().remedies)
        QVERIFY(!remedy.servesStep);
    QVERIFY(explained.text().contains("what the rest of the step needs is unknown"));
}

void TestOomReport::aRecordingThatEndsAtItsFailureDoesNotSayThatTheStepFits()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    const Explained explained = recorded("fsdp_oom_rank0.pickle", 0);
    const OutOfMemoryAdvice &advice = explained.advice();
    QVERIFY(advice.rest.endsThere && !advice.rest.isKnown);
    const Remedy *expandable = explained.remedy(Remedy::Kind::ExpandableSegments);
    QVERIFY(expandable);
    QCOMPARE(advice.expandableServes, std::optional(true)); // simulated
    QCOMPARE(expandable->servesRequest, std::optional(true));
    QVERIFY(!expandable->servesStep);
    QCOMPARE(advice.remedies.front().kind, Remedy::Kind::Checkpointing);
    QVERIFY(advice.remedies.front().bytes > 23 * kGiB);
    const QString text = explained.text();
    QVERIFY2(text.contains("The recording ends with this failure"), qPrintable(text));
    QVERIFY(text.contains("At most 641 MiB would be left for the rest of the step."));
}

void TestOomReport::theJsonHoldsTheFigures()
{
    const Explained explained(fragmented());
    const auto json = QJsonDocument::fromJson(
        QByteArray::fromStdString(outOfMemoryJson(explained.study, "a.pickle")));
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
    QStringList changes;
    for (const QJsonValue &remedy : failure["remedies"].toArray())
        changes += remedy["change"].toString();
    QVERIFY2(changes.contains("expandable_segments"), qPrintable(changes.join(' ')));
    const QJsonValue expandable = failure["remedies"][changes.indexOf("expandable_segments")];
    QCOMPARE(expandable["bytes"].toInteger(), 50 * kMiB);
    QVERIFY(expandable["enough_for_step"].isNull());
    QCOMPARE(failure["rest_of_step"]["recording_ends"].toBool(), true);
    QVERIFY(failure["rest_of_step"]["more"].isNull());
    QCOMPARE(failure["rest_of_step"]["left_after_request"].toInteger(), 20 * kMiB);
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
        outOfMemoryText(explained.study, "a.pickle", 10),
        std::string("a.pickle, device 0: no allocation failed in the 2 events of the recording."));
}

void TestOomReport::aRecordingWithoutHistoryCannotTell()
{
    TraceBuilder builder;
    builder.addEvent(0, {.action = Action::SegmentFree, .stream = builder.internStream(0)});
    const Explained explained(std::move(*builder.finish()));
    QVERIFY(outOfMemoryText(explained.study, "a", 10).find("no history was recorded") !=
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
    const Explained explained(std::move(*builder.finish()));
    QCOMPARE(explained.study.failures().size(), kMostExplained);
    QVERIFY(outOfMemoryText(explained.study, "a", 10)
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
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    const Explained explained = recorded("fsdp_oom_rank0.pickle", 0);
    QCOMPARE(explained.study.failures().size(), std::size_t(1));
    const OutOfMemoryReport &failure = explained.failure();
    Bytes free = 0;
    Bytes used = 0;
    Bytes largest = 0;
    for (const FinalBlock &block : explained.study.device().blocks) {
        const bool inUse = block.state != BlockState::Inactive;
        (inUse ? used : free) += block.size;
        largest = std::max(largest, inUse ? 0 : block.size);
    }
    QCOMPARE(failure.event, explained.study.device().events.count() - 1);
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
}

void TestOomReport::theRecordedFailureUnderExpandableSegmentsIsAFullDevice()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    const Explained explained = recorded("oom_expandable_3of4gpus.pickle", 1);
    QCOMPARE(explained.study.failures().size(), std::size_t(1));
    const OutOfMemoryReport &failure = explained.failure();
    QCOMPARE(failure.event, 421);
    QCOMPARE(failure.deviceFree, Bytes(95'682'560));
    QCOMPARE(failure.needed, 254 * 20 * kMiB); // 5,308,694,528 bytes in pages of 20 MiB
    QCOMPARE(failure.cause, OutOfMemoryCause::Full);
    QCOMPARE(failure.lastRelease.first, 413);
    QCOMPARE(failure.lastRelease.last, 418);
    Bytes unmapped = 0;
    for (std::size_t at = 413; at <= 418; ++at)
        unmapped += explained.study.device().events.size[at];
    QCOMPARE(failure.lastRelease.bytes, unmapped);
    QVERIFY(!explained.remedy(Remedy::Kind::ExpandableSegments)); // they are on already
}

VRAMSCOPE_TEST(TestOomReport)
#include "tst_oom_report.moc"
