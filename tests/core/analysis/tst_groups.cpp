// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/groups.h"
#include "core/analysis/costs/frame_text.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/study/study.h"
#include "tests/core/analysis/built_trace.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/support/test.h"

#include <map>
#include <set>

using namespace vramscope;

namespace {

// The costs of one allocation, by walking over all events.
Costs naiveCosts(const DeviceTrace &device, const Allocations &all, std::size_t at, EventIndex live,
                 EventIndex peak)
{
    const EventIndex count = device.events.count();
    Costs costs;
    costs.allocations = 1;
    const Tally one{all.size[at], 1};
    for (EventIndex event = -1; event < count; ++event) {
        if (event < all.birth[at] || event >= all.death[at])
            continue;
        if (event == live)
            costs.live = one;
        if (event == peak)
            costs.peak = one;
        if (event == count - 1)
            costs.neverFreed = one;
        // Counted until the next event; the state before the first takes no time.
        if (event >= 0 && event + 1 < count) {
            const auto time = [&](EventIndex each) {
                return device.events.time.empty()
                           ? each
                           : device.events.time[static_cast<std::size_t>(each)];
            };
            costs.byteTime += static_cast<UnsignedWide>(all.size[at]) *
                              static_cast<UnsignedWide>(time(event + 1) - time(event));
        }
    }
    if (all.birth[at] >= 0)
        costs.total = one;
    if (all.birth[at] >= 0 && all.death[at] < count)
        costs.temporary = one;
    return costs;
}

} // namespace

class TestGroups : public test::Test
{
    Q_OBJECT

private slots:
    void costsAreThoseOfAWalkOverAllEvents();
    void groupsAddUpToTheWholeByEveryKey();
    void onlyTheKeptAllocationsCost();
    void costsOfStreamsAndStacksAreThoseOfTheirMembers();
    void aDifferenceOfCostsIsASubtraction();
    void byteTimeOfLargeSizesOverLongTimesIsExact();
    void aFrameCountsAStackOnceHoweverOftenItRecurs();
    void sizeClassesAreThoseOfTheRoundedSize_data();
    void sizeClassesAreThoseOfTheRoundedSize();
    void theInnermostAnnotationAtBirthIsTheKey();
    void namesOfCppFunctionsLoseTheirArguments_data();
    void namesOfCppFunctionsLoseTheirArguments();
};

void TestGroups::costsAreThoseOfAWalkOverAllEvents()
{
    for (unsigned seed = 1; seed <= 12; ++seed) {
        const DeviceTrace device = test::randomTrace(seed, {.events = 120});
        const Allocations all(device);
        const CostMeter meter(device, all, 60, 90);
        for (std::size_t at = 0; at < all.birth.size(); ++at)
            QVERIFY(meter.of(static_cast<AllocationIndex>(at)) ==
                    naiveCosts(device, all, at, 60, 90));
    }
}

void TestGroups::groupsAddUpToTheWholeByEveryKey()
{
    for (unsigned seed = 1; seed <= 6; ++seed) {
        const auto trace = test::traceOf(test::randomTrace(seed, {}));
        const DeviceTrace &device = trace->devices().front();
        const Allocations all(device);
        const UsageCurve curve(device, all);
        const Study study(trace, device);
        const CostMeter meter(device, all, 100, curve.peakActiveEvent());
        Costs whole;
        for (AllocationIndex index = 0; index < all.count(); ++index)
            whole += meter.of(index);
        QCOMPARE(whole.live.bytes, curve.active(100));
        QCOMPARE(whole.peak.bytes, curve.active(curve.peakActiveEvent()));
        for (std::size_t by = 0; by < kGroupByCount; ++by) {
            const Keys keys = keysBy(static_cast<GroupBy>(by), study);
            QCOMPARE(keys.of.size(), static_cast<std::size_t>(all.count()));
            const std::vector<Costs> costs = costsByKey(keys, meter);
            Costs sum;
            std::set<std::string> texts;
            for (std::size_t key = 0; key < costs.size(); ++key) {
                sum += costs[key];
                QVERIFY(!keys.keys[key].text.empty());
                QVERIFY(costs[key].allocations > 0);
            }
            QVERIFY(sum == whole);
        }
    }
}

void TestGroups::onlyTheKeptAllocationsCost()
{
    const auto trace = test::traceOf(test::randomTrace(6, {}));
    const DeviceTrace &device = trace->devices().front();
    const Allocations all(device);
    std::vector<std::uint8_t> kept(static_cast<std::size_t>(all.count()));
    std::map<StackId, Costs> expected;
    for (std::size_t at = 0; at < kept.size(); ++at) {
        kept[at] = at % 3 == 1;
        if (kept[at] != 0)
            expected[all.stack[at]] += naiveCosts(device, all, at, 100, 150);
    }
    const std::vector<Costs> byStack = costsByStack(*trace, CostMeter(device, all, 100, 150), kept);
    for (std::size_t at = 0; at < byStack.size(); ++at)
        QVERIFY(byStack[at] == expected[static_cast<StackId>(at)]);
    const auto stop = [](double) { return false; };
    for (const Costs &none : costsByStack(*trace, CostMeter(device, all, 100, 150), kept, stop))
        QVERIFY(none == Costs{});
}

void TestGroups::costsOfStreamsAndStacksAreThoseOfTheirMembers()
{
    const auto trace = test::traceOf(test::randomTrace(5, {}));
    const DeviceTrace &device = trace->devices().front();
    const Allocations all(device);
    const CostMeter meter(device, all, 100, 150);
    const std::vector<Costs> byStack = costsByStack(*trace, meter);
    const Keys streams = keysBy(GroupBy::Stream, Study(trace, device));
    const std::vector<Costs> byStream = costsByKey(streams, meter);
    std::map<StackId, Costs> stacks;
    std::map<StreamId, Costs> expected;
    for (std::size_t at = 0; at < all.birth.size(); ++at) {
        stacks[all.stack[at]] += naiveCosts(device, all, at, 100, 150);
        expected[all.stream[at]] += naiveCosts(device, all, at, 100, 150);
    }
    for (std::size_t at = 0; at < byStack.size(); ++at)
        QVERIFY(byStack[at] == stacks[static_cast<StackId>(at)]);
    QCOMPARE(byStream.size(), std::size_t(2));
    for (std::size_t key = 0; key < byStream.size(); ++key) {
        const bool isDefault = streams.keys[key].text == "stream 0 (default)";
        QVERIFY(isDefault || streams.keys[key].text == "stream 77");
        QVERIFY(byStream[key] == expected[static_cast<StreamId>(isDefault ? 0 : 1)]);
    }
}

void TestGroups::aDifferenceOfCostsIsASubtraction()
{
    const DeviceTrace device = test::randomTrace(3, {});
    const Allocations all(device);
    const CostMeter meter(device, all, 10, 20);
    Costs a;
    Costs b;
    for (AllocationIndex index = 0; index < all.count(); ++index)
        (index % 3 == 0 ? a : b) += meter.of(index);
    const Costs less = a - b;
    QVERIFY(less + b == a);
    QCOMPARE(static_cast<double>(less.amount(Cost::ByteTime)),
             static_cast<double>(a.amount(Cost::ByteTime)) -
                 static_cast<double>(b.amount(Cost::ByteTime)));
    QVERIFY(less.amount(Cost::ByteTime) < 0);
    QCOMPARE(costNamed("byte-time"), std::optional(Cost::ByteTime));
    QVERIFY(!costNamed("bytes"));
}

void TestGroups::byteTimeOfLargeSizesOverLongTimesIsExact()
{
    DeviceTrace device;
    const std::int64_t month = 30LL * 24 * 3600 * 1'000'000;
    for (const std::int64_t time : {std::int64_t(0), month}) {
        device.events.action.push_back(time == 0 ? Action::Alloc : Action::Snapshot);
        device.events.address.push_back(512);
        device.events.size.push_back(100 * kGiB + 1);
        device.events.time.push_back(time);
        device.events.stack.push_back(StackId::None);
        device.events.stream.push_back({});
        device.events.pool.push_back({});
        device.events.context.push_back({});
    }
    const Allocations all(device);
    const Costs costs = CostMeter(device, all, 0, 0).of(0);
    QVERIFY(costs.amount(Cost::ByteTime) == Wide(100 * kGiB + 1) * month);
}

void TestGroups::aFrameCountsAStackOnceHoweverOftenItRecurs()
{
    const auto trace = test::traceOf(test::randomTrace(9, {}));
    const DeviceTrace &device = trace->devices().front();
    const Allocations all(device);
    const CostMeter meter(device, all, 100, 150);
    const std::vector<Costs> byStack = costsByStack(*trace, meter);
    const std::vector<Costs> byFrame = inclusiveCostsByFrame(*trace, byStack);
    for (std::size_t frame = 0; frame < byFrame.size(); ++frame) {
        Costs expected;
        for (std::size_t stack = 0; stack < byStack.size(); ++stack) {
            const auto frames = trace->stack(static_cast<StackId>(stack));
            if (std::ranges::find(frames, static_cast<FrameId>(frame)) != frames.end())
                expected += byStack[stack];
        }
        QVERIFY(byFrame[frame] == expected);
    }
}

void TestGroups::sizeClassesAreThoseOfTheRoundedSize_data()
{
    QTest::addColumn<qint64>("size");
    QTest::addColumn<QString>("text");
    QTest::newRow("nothing") << qint64(0) << "up to 512 B (small pool)";
    QTest::newRow("one byte") << qint64(1) << "up to 512 B (small pool)";
    QTest::newRow("rounds up") << qint64(513) << "over 512 B, up to 1.00 KiB (small pool)";
    QTest::newRow("exact") << qint64(1024) << "over 512 B, up to 1.00 KiB (small pool)";
    QTest::newRow("last small") << qint64(1 << 20) << "over 512 KiB, up to 1.00 MiB (small pool)";
    QTest::newRow("first large") << qint64((1 << 20) + 1)
                                 << "over 1.00 MiB, up to 2.00 MiB (large pool)";
    QTest::newRow("negative") << qint64(-5) << "up to 512 B (small pool)";
}

void TestGroups::sizeClassesAreThoseOfTheRoundedSize()
{
    QFETCH(qint64, size);
    QFETCH(QString, text);
    TraceBuilder builder;
    builder.addEvent(0, {.action = Action::Alloc, .address = 512, .size = size});
    const auto trace = std::move(*builder.finish());
    const Keys keys = keysBy(GroupBy::SizeClass, Study(trace, trace->devices().front()));
    QCOMPARE(QString::fromStdString(keys.keys.at(keys.of.at(0)).text), text);
}

void TestGroups::theInnermostAnnotationAtBirthIsTheKey()
{
    TraceBuilder builder;
    const auto mark = [&](const char *name, std::int64_t time, bool start) {
        builder.addAnnotation({builder.internText(name), time, 0, start});
    };
    mark("outer", 10, true);
    mark("inner", 20, true);
    mark("inner", 30, false);
    mark("outer", 40, false);
    for (const std::int64_t time : {5, 10, 20, 29, 30, 40})
        builder.addEvent(0, {.action = Action::Alloc,
                             .address = static_cast<std::uint64_t>(time) * 512,
                             .size = 1,
                             .time = time});
    const auto trace = std::move(*builder.finish());
    const Keys keys = keysBy(GroupBy::Annotation, Study(trace, trace->devices().front()));
    QStringList texts;
    for (const std::uint32_t key : keys.of)
        texts << QString::fromStdString(keys.keys[key].text);
    QCOMPARE(texts, QStringList({"(outside all annotations)", "outer", "inner", "inner", "outer",
                                 "(outside all annotations)"}));
}

void TestGroups::namesOfCppFunctionsLoseTheirArguments_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("shown");
    QTest::newRow("python") << "<listcomp>"
                            << "<listcomp>";
    QTest::newRow("plain") << "void at::native::copy_(at::Tensor const&, bool)"
                           << "at::native::copy_";
    QTest::newRow("template") << "at::TensorBase at::detail::_empty<long, int>(c10::ArrayRef<long>)"
                              << "at::detail::_empty";
    QTest::newRow("anonymous") << "at::(anonymous namespace)::structured_mm::set(long)"
                               << "at::structured_mm::set";
    QTest::newRow("call operator") << "c10::Fn::operator()(int) const"
                                   << "c10::Fn::operator()";
    QTest::newRow("hostile") << "::<<<<"
                             << "::";
}

void TestGroups::namesOfCppFunctionsLoseTheirArguments()
{
    QFETCH(QString, name);
    QFETCH(QString, shown);
    QCOMPARE(QString::fromStdString(shownName(name.toStdString())), shown);
}

VRAMSCOPE_TEST(TestGroups)
#include "tst_groups.moc"
