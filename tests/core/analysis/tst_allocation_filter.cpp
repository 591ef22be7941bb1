// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/allocation_filter.h"
#include "core/analysis/replayed/allocations.h"
#include "core/analysis/study/study.h"
#include "tests/core/analysis/built_trace.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;

class TestAllocationFilter : public test::Test
{
    Q_OBJECT

private slots:
    void wordsAreLookedForInNamesAndPaths();
    void conditionsNarrowEachOther();
    void eachConditionKeepsWhatANaiveLookKeeps();
    void wordsArePartedByBlanksOfAnyKind();
    void aFilterWithoutConditionsKeepsAll();
    void filteringStopsWhenItIsCancelled();
    void whatCannotBeUnderstoodIsNamed_data();
    void whatCannotBeUnderstoodIsNamed();
};

namespace {

// A random device in a trace, and everything asked of it one allocation at a time.
struct Sample
{
    explicit Sample(unsigned seed)
        : trace(test::traceOf(test::randomTrace(seed, {.events = 400})))
        , device(trace->devices().front())
        , allocations(device)
    {
    }

    [[nodiscard]] std::vector<std::uint8_t> kept(std::string_view query,
                                                 EventIndex cursor = 0) const
    {
        const auto filter = parseAllocationFilter(query);
        return filter ? keptBy(*filter, Study(trace, device), cursor) : std::vector<std::uint8_t>{};
    }

    template<class Holds>
    [[nodiscard]] std::vector<std::uint8_t> naive(Holds holds) const
    {
        std::vector<std::uint8_t> result;
        for (AllocationIndex at = 0; at < allocations.count(); ++at)
            result.push_back(holds(at) ? 1 : 0);
        return result;
    }

    [[nodiscard]] bool onStack(AllocationIndex at, std::string_view text) const
    {
        return std::ranges::any_of(trace->stack(allocations.stack[at]), [&](FrameId id) {
            const Frame &frame = trace->frame(id);
            return trace->text(frame.name).find(text) != std::string_view::npos ||
                   trace->text(frame.file).find(text) != std::string_view::npos;
        });
    }

    std::shared_ptr<const Trace> trace;
    const DeviceTrace &device;
    Allocations allocations;
};

} // namespace

void TestAllocationFilter::wordsAreLookedForInNamesAndPaths()
{
    const Sample sample(1);
    const auto recursing = sample.naive([&](auto at) { return sample.onStack(at, "recurse"); });
    QVERIFY(std::ranges::count(recursing, 1) > 0);
    QVERIFY(std::ranges::count(recursing, 0) > 0);
    QCOMPARE(sample.kept("recurse"), recursing);
    QCOMPARE(sample.kept("RECurse"), recursing);
    QCOMPARE(sample.kept("/home/me/model.py"), recursing);
    QCOMPARE(sample.kept("/^rec.*e$/"), recursing);
    QCOMPARE(sample.kept("recurse leaf1"), sample.naive([&](auto at) {
        return sample.onStack(at, "recurse") && sample.onStack(at, "leaf1");
    }));
    QCOMPARE(sample.kept("nowhere"), sample.naive([](auto) { return false; }));
}

void TestAllocationFilter::conditionsNarrowEachOther()
{
    const auto filter = parseAllocationFilter("size>1KiB size<=2MiB life>=2ms life<10ev stream:77 "
                                              "pool:private category:optimizer-states alive freed");
    QVERIFY(filter.ok());
    QCOMPARE(filter->size.least, Bytes(1025));
    QCOMPARE(filter->size.most, Bytes(2 * 1048576));
    QCOMPARE(filter->microseconds.least, std::int64_t(2000));
    QCOMPARE(filter->events.most, std::int64_t(9));
    QCOMPARE(filter->stream, std::optional<std::int64_t>(77));
    QCOMPARE(filter->privatePool, std::optional(true));
    QCOMPARE(filter->category, std::optional(Category::OptimizerStates));
    QCOMPARE(filter->freed, std::optional(true));
    QVERIFY(dependsOnCursor(*filter));
    QVERIFY(filter->frames.empty());
    QCOMPARE(parseAllocationFilter("size=1.5GB")->size.least, Bytes(1'500'000'000));
    QCOMPARE(*parseAllocationFilter("size==10MiB"), *parseAllocationFilter("size=10MiB"));
    QCOMPARE(*parseAllocationFilter("life==3ev"), *parseAllocationFilter("life=3ev"));
    QVERIFY(!dependsOnCursor(*parseAllocationFilter("alive:12")));
}

void TestAllocationFilter::eachConditionKeepsWhatANaiveLookKeeps()
{
    for (unsigned seed = 2; seed < 12; ++seed) {
        const Sample sample(seed);
        const Allocations &of = sample.allocations;
        const auto same = [&](std::string_view query, auto holds) {
            QCOMPARE(sample.kept(query, 200), sample.naive(holds));
        };
        const EventIndex count = sample.device.events.count();
        const auto timeOf = [&](EventIndex event) {
            return sample.device.events
                .time[static_cast<std::size_t>(std::clamp(event, EventIndex(0), count - 1))];
        };
        same("size>=300 size<700",
             [&](auto at) { return of.size[at] >= 300 && of.size[at] < 700; });
        same("life>20ev", [&](auto at) { return of.death[at] - of.birth[at] > 20; });
        if (!sample.device.events.time.empty())
            same("life<100us",
                 [&](auto at) { return timeOf(of.death[at]) - timeOf(of.birth[at]) < 100; });
        same("alive", [&](auto at) { return of.birth[at] <= 200 && of.death[at] > 200; });
        same("alive:30", [&](auto at) { return of.birth[at] <= 30 && of.death[at] > 30; });
        same("freed", [&](auto at) { return of.death[at] < count; });
        same("unfreed", [&](auto at) { return of.death[at] == count; });
        const StackId stack = of.stack[of.count() / 2];
        same("stack:" + std::to_string(static_cast<int>(stack)),
             [&](auto at) { return of.stack[at] == stack; });
        same("pool:private", [&](auto at) { return of.pool[at] != PoolId::Default; });
        same("stream:0", [&](auto at) { return of.stream[at] == StreamId{0}; });
        same("size>500 freed recurse", [&](auto at) {
            return of.size[at] > 500 && of.death[at] < count && sample.onStack(at, "recurse");
        });
    }
}

void TestAllocationFilter::wordsArePartedByBlanksOfAnyKind()
{
    const auto patternsOf = [](std::string_view query) {
        std::vector<std::string> patterns;
        const auto filter = parseAllocationFilter(query);
        for (const FrameRule &rule : filter->frames)
            patterns.push_back((rule.match == FrameRule::Match::Regex ? "regex " : "") +
                               rule.pattern);
        return patterns;
    };
    using Patterns = std::vector<std::string>;
    QCOMPARE(patternsOf("linear\trelu\nadd"), (Patterns{"linear", "relu", "add"}));
    QCOMPARE(patternsOf("/a\\d/\tlinear"), (Patterns{"regex a\\d", "linear"}));
    QCOMPARE(patternsOf("/nn/modules linear/ x"), (Patterns{"regex nn/modules linear", "x"}));
    QCOMPARE(patternsOf("/a\\/ b/ x"), (Patterns{"regex a\\/ b", "x"}));
    QCOMPARE(patternsOf("/home/me/x.py /lin.*r/"), (Patterns{"/home/me/x.py", "regex lin.*r"}));
    QCOMPARE(patternsOf("\"a b\" /c d/ /e/"), (Patterns{"a b", "regex c d", "regex e"}));
}

void TestAllocationFilter::aFilterWithoutConditionsKeepsAll()
{
    const Sample sample(20);
    QCOMPARE(*parseAllocationFilter("   "), AllocationFilter{});
    QCOMPARE(sample.kept(""), sample.naive([](auto) { return true; }));
}

void TestAllocationFilter::filteringStopsWhenItIsCancelled()
{
    const Sample sample(1);
    const AllocationFilter all;
    const auto kept =
        keptBy(all, Study(sample.trace, sample.device), 0, [](double) { return false; });
    QVERIFY(std::ranges::count(kept, 1) < static_cast<std::ptrdiff_t>(kept.size()));
}

void TestAllocationFilter::whatCannotBeUnderstoodIsNamed_data()
{
    QTest::addColumn<QByteArray>("query");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("size") << QByteArray("conv size>lots")
                          << QByteArray("\"size>lots\": give a size");
    QTest::newRow("unit") << QByteArray("size>3PiB") << QByteArray("give a size");
    QTest::newRow("too large") << QByteArray("size>1e30TiB") << QByteArray("give a size");
    QTest::newRow("negative") << QByteArray("size>-5") << QByteArray("give a size");
    QTest::newRow("life") << QByteArray("life>5") << QByteArray("life>2ms");
    QTest::newRow("stream") << QByteArray("stream:first") << QByteArray("stream:0");
    QTest::newRow("alive") << QByteArray("alive:99999999999") << QByteArray("number of an event");
    QTest::newRow("stack") << QByteArray("stack:top") << QByteArray("the number of a stack");
    QTest::newRow("pool") << QByteArray("pool:mine") << QByteArray("pool:default and pool:private");
    QTest::newRow("category") << QByteArray("category:money") << QByteArray("optimizer-states");
    QTest::newRow("unequal") << QByteArray("size!=5") << QByteArray("size>10MiB");
    QTest::newRow("colon") << QByteArray("life:5ms") << QByteArray("life>2ms");
    QTest::newRow("turned around") << QByteArray("size=>5") << QByteArray("give a size");
    QTest::newRow("deep") << QByteArray("/") + QByteArray(60, '(') + QByteArray(60, ')') + "/"
                          << QByteArray("50 levels");
    QTest::newRow("regex") << QByteArray("/(/") << QByteArray("no regular expression");
}

void TestAllocationFilter::whatCannotBeUnderstoodIsNamed()
{
    QFETCH(QByteArray, query);
    QFETCH(QByteArray, said);
    const auto filter = parseAllocationFilter(query.toStdString());
    QVERIFY(!filter.ok());
    QVERIFY2(QByteArray::fromStdString(filter.error().text()).contains(said),
             filter.error().text().c_str());
}

VRAMSCOPE_TEST(TestAllocationFilter)
#include "tst_allocation_filter.moc"
