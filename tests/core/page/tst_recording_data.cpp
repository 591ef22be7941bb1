// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/allocations.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/study/study.h"
#include "core/base/format.h"
#include "core/page/recording_data.h"
#include "tests/core/analysis/built_trace.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/page/page_document.h"
#include "tests/support/test.h"

using namespace vramscope;

namespace {

using Numbers = std::vector<std::int64_t>;

test::PageDocument pageOf(const Study &study, std::size_t largest = kUsualLargest)
{
    return test::readPageDocument(recordingData(study, {largest, ByteUnit::Binary, {}, {}}));
}

/// The frames of an allocation's place, innermost first, as the page names them.
std::vector<std::string> stackOf(const test::PageDocument &page, std::size_t allocation)
{
    const auto at = [&](const char *column, std::int64_t row) {
        return page.numbers.at(column)[static_cast<std::size_t>(row)];
    };
    const auto text = [&](std::int64_t row) {
        return page.texts.at("texts")[static_cast<std::size_t>(row)];
    };
    std::vector<std::string> frames;
    for (auto node = at("place_node", page.numbers.at("place")[allocation]); node > 0;
         node = at("node_caller", node - 1)) {
        const std::int64_t frame = at("node_frame", node - 1);
        frames.push_back(text(at("frame", frame)));
    }
    return frames;
}

} // namespace

class TestRecordingData : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void addsUpToTheUsageOfTheRecordingHoweverManyAllocationsItKeeps()
    {
        for (unsigned seed = 1; seed <= 30; ++seed) {
            const auto trace = test::traceOf(test::randomTrace(seed, {}));
            const auto study = studiesOf(trace).front();
            const EventCurve &active = study->curve().active();
            const EventCurve &reserved = study->curve().reserved();
            for (const std::size_t largest : {std::size_t(0), std::size_t(7), kUsualLargest}) {
                const test::PageDocument page = pageOf(*study, largest);
                QVERIFY(page.isRead);
                const Numbers &events = page.numbers.at("event");
                Numbers bytes(events.size());
                const std::size_t kept =
                    page.numbers.contains("birth") ? page.numbers.at("birth").size() : 0;
                QVERIFY(kept <= largest);
                QVERIFY(kept == study->allocations().count() || largest != kUsualLargest);
                for (std::size_t at = 0; at < kept; ++at) {
                    const auto birth = page.numbers.at("birth")[at];
                    for (auto moment = birth; moment < birth + page.numbers.at("life")[at];
                         ++moment)
                        bytes[static_cast<std::size_t>(moment)] += page.numbers.at("size")[at];
                }
                QCOMPARE(page.numbers.contains("others"), kept < study->allocations().count());
                QCOMPARE(events.front(), -1);
                QCOMPARE(events.back(), study->device().events.count());
                for (std::size_t at = 0; at + 1 < events.size(); ++at) {
                    if (page.numbers.contains("others"))
                        bytes[at] += page.numbers.at("others")[at];
                    const auto first = static_cast<EventIndex>(events[at]);
                    const auto last = static_cast<EventIndex>(events[at + 1]) - 1;
                    QCOMPARE(bytes[at], active.at(active.highest(first, last)));
                    if (study->curve().isReservedKnown())
                        QCOMPARE(page.numbers.at("reserved")[at],
                                 reserved.at(reserved.highest(first, last)));
                }
            }
        }
    }

    void leavesOutTheSmallestAllocationsAndAllOfOneSize()
    {
        const test::TrainingLoop loop = test::trainingLoop({});
        const auto study = studiesOf(loop.trace).front();
        // Six parameters and twelve optimizer states of 4 and 8 MB, and a gradient a layer and
        // step.
        const test::PageDocument page = pageOf(*study, 15);
        QCOMPARE(page.numbers.at("size"), Numbers(12, 8'000'000));
        QCOMPARE(page.head["others"].toInteger(), study->allocations().count() - 12);
        QCOMPARE(page.head["allocations"].toInteger(), study->allocations().count());
        QCOMPARE(pageOf(*study, 5).numbers.at("size"), Numbers(5, 8'000'000));
    }

    void hasStackSiteCategoryAndRequestOfEachAllocation()
    {
        const test::TrainingLoop loop = test::trainingLoop({.annotated = true});
        const auto study = studiesOf(loop.trace).front();
        const Allocations &allocations = study->allocations();
        const test::PageDocument page = pageOf(*study);
        QCOMPARE(page.numbers.at("birth").size(), std::size_t(allocations.count()));
        for (AllocationIndex at = 0; at < allocations.count(); ++at) {
            std::vector<std::string> frames;
            for (const FrameId id : loop.trace->stack(allocations.stack[at])) {
                const Frame &frame = loop.trace->frame(id);
                frames.push_back(std::string(loop.trace->text(frame.name)) + "  " +
                                 std::string(loop.trace->text(frame.file)) + ":" +
                                 std::to_string(frame.line));
            }
            QCOMPARE(stackOf(page, at), frames);
            QCOMPARE(page.numbers.at("size")[at] - page.numbers.at("rounding")[at],
                     allocations.requested[at]);
        }
        const auto site = page.numbers.at("place_site")[0];
        QVERIFY(page.texts.at("texts")[static_cast<std::size_t>(site)].find("ops.py:3") !=
                std::string::npos);
        QCOMPARE(page.head["categories"].toArray().size(), 11);
        QCOMPARE(page.head["steps"].toArray().size(), 12);
        const auto moment = page.head["steps"][1]["at"].toInt();
        QCOMPARE(page.numbers.at("event")[static_cast<std::size_t>(moment)],
                 study->steps().steps[1].first);
    }

    void makesNamesPrintable()
    {
        TraceBuilder builder;
        const StackId stack = builder.internStack(
            std::vector{builder.internFrame("evil\n\x1b[2J", "</script>\xff.py", 1)});
        builder.internStream(0);
        for (const std::uint64_t address : {4096U, 8192U})
            builder.addEvent(0, {Action::Alloc, address, 512, 0, stack});
        const auto trace = std::move(*builder.finish());
        const test::PageDocument page = pageOf(*studiesOf(trace).front());
        QCOMPARE(stackOf(page, 0), std::vector<std::string>{"evil??[2J  </script>\uFFFD.py:1"});
    }
};

VRAMSCOPE_TEST(TestRecordingData)
#include "tst_recording_data.moc"
