// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/costs.h"
#include "core/analysis/replayed/address_map.h"
#include "core/analysis/replayed/allocations.h"
#include "core/analysis/replayed/usage_curve.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/support/test.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

using namespace vramscope;

namespace {

// birth, death, request, size, address
using Lifetime = std::tuple<EventIndex, EventIndex, EventIndex, Bytes, std::uint64_t>;

// The rules once more, event by event and in quadratic time: what happened before and what happens
// next at the same address decides.
class Naive
{
public:
    explicit Naive(const DeviceTrace &trace)
        : m_events(trace.events)
        , m_leave(std::ranges::count(trace.events.action, Action::FreeCompleted) > 0
                      ? Action::FreeCompleted
                      : Action::FreeRequested)
    {
        const EventIndex count = m_events.count();
        for (EventIndex event = 0; event < count; ++event) {
            const std::uint64_t address = m_events.address[at(event)];
            if (action(event) == Action::Alloc) {
                const EventIndex death = next(event, address);
                m_lifetimes.emplace_back(event, death, request(event, death, address),
                                         m_events.size[at(event)], address);
            } else if (action(event) == m_leave) {
                const EventIndex before = previous(event, address);
                if (before < 0 || action(before) != Action::Alloc) {
                    const EventIndex asked = request(before, event, address);
                    m_lifetimes.emplace_back(-1, event, asked == event ? unrecorded(event) : asked,
                                             m_events.size[at(event)], address);
                }
            }
        }
        for (const FinalBlock &block : trace.blocks) {
            const EventIndex before = previous(count, block.address);
            if (block.state != BlockState::Inactive &&
                (before < 0 || action(before) != Action::Alloc)) {
                const EventIndex asked = request(before, count, block.address);
                const bool waits = asked == count && block.state == BlockState::PendingFree;
                m_lifetimes.emplace_back(-1, count, waits ? -1 : asked, block.requested,
                                         block.address);
            }
        }
        std::ranges::sort(m_lifetimes);
    }

    [[nodiscard]] const std::vector<Lifetime> &lifetimes() const { return m_lifetimes; }

    [[nodiscard]] Bytes active(EventIndex event) const
    {
        Bytes sum = 0;
        for (const auto &[birth, death, request, size, address] : m_lifetimes)
            sum += birth <= event && event < death ? size : 0;
        return sum;
    }

private:
    static std::size_t at(EventIndex event) { return static_cast<std::size_t>(event); }
    [[nodiscard]] Action action(EventIndex event) const { return m_events.action[at(event)]; }
    [[nodiscard]] bool changes(EventIndex event, std::uint64_t address) const
    {
        return m_events.address[at(event)] == address &&
               (action(event) == Action::Alloc || action(event) == m_leave);
    }
    [[nodiscard]] EventIndex next(EventIndex event, std::uint64_t address) const
    {
        do
            ++event;
        while (event < m_events.count() && !changes(event, address));
        return event;
    }
    [[nodiscard]] EventIndex previous(EventIndex event, std::uint64_t address) const
    {
        do
            --event;
        while (event >= 0 && !changes(event, address));
        return event;
    }
    // The last request to free `address` between two events; the second where there is none.
    [[nodiscard]] EventIndex request(EventIndex after, EventIndex before,
                                     std::uint64_t address) const
    {
        for (EventIndex event = before - 1; event > after; --event) {
            if (action(event) == Action::FreeRequested && m_events.address[at(event)] == address)
                return event;
        }
        return before;
    }

    // When a completion without a request was asked for: before the trace, if it records requests.
    [[nodiscard]] EventIndex unrecorded(EventIndex completion) const
    {
        const bool requests = std::ranges::count(m_events.action, Action::FreeRequested) > 0;
        return requests && m_leave == Action::FreeCompleted ? -1 : completion;
    }

    const EventColumns &m_events;
    Action m_leave;
    std::vector<Lifetime> m_lifetimes;
};

std::vector<Lifetime> lifetimesOf(const Allocations &allocations)
{
    std::vector<Lifetime> all;
    for (AllocationIndex index = 0; index < allocations.count(); ++index)
        all.emplace_back(allocations.birth[index], allocations.death[index],
                         allocations.freeRequested[index], allocations.size[index],
                         allocations.address[index]);
    std::ranges::sort(all);
    return all;
}

void addEvent(DeviceTrace &trace, Action action, std::uint64_t address, Bytes size,
              unsigned stack = 0)
{
    trace.events.action.push_back(action);
    trace.events.address.push_back(address);
    trace.events.size.push_back(size);
    trace.events.stack.push_back(static_cast<StackId>(stack));
    trace.events.stream.push_back(StreamId{});
    trace.events.pool.push_back(PoolId::Default);
    trace.events.context.push_back(ContextId::None);
}

void addBlock(DeviceTrace &trace, std::uint64_t address, Bytes requested, unsigned stack = 0)
{
    if (trace.segments.empty())
        trace.segments.push_back({.address = address, .size = 1 << 20});
    trace.blocks.push_back({.address = address,
                            .size = 512,
                            .requested = requested,
                            .stack = static_cast<StackId>(stack),
                            .state = BlockState::Allocated});
    ++trace.segments.front().blockCount;
}

} // namespace

class TestAllocations : public test::Test
{
    Q_OBJECT

private slots:
    void askedToStopItIsLeftEmpty();
    void poolsComeFromTheSegmentWhereEventsDoNotTell();
    void lifetimesAreThoseOfANaiveReplay_data();
    void lifetimesAreThoseOfANaiveReplay();
    void theLiveSetIsWhatTheLifetimesSay();
    void theSizesOfTheLiveAddUpToTheActiveBytesAfterEveryEvent();
    void theCurveFindsTheHighestAndTheLowestPlaceOfAnyRange();
    void reservedBytesEndAtWhatTheSegmentsHold();
    void whatWasThereBeforeIsStackedSoThatNothingBelowMoves();
    void aPendingFreeKeepsTheBytesUntilItIsCompleted();
    void anAllocationKnowsWhoMadeAndWhoFreedIt();
    void anEmptyTraceHasNoAllocationsAndAFlatCurve();
    void sizesThatCannotBeGiveWrongSumsButNothingWorse();
    void anAddressMapHoldsWhatAStandardMapHolds();
};

void TestAllocations::lifetimesAreThoseOfANaiveReplay_data()
{
    QTest::addColumn<int>("addresses");
    QTest::addColumn<bool>("completions");
    QTest::addColumn<bool>("requests");
    QTest::addColumn<bool>("finalState");
    QTest::newRow("frees with request and completion") << 20 << true << true << true;
    QTest::newRow("hardly any reuse") << 400 << true << true << true;
    QTest::newRow("constant reuse") << 3 << true << true << true;
    QTest::newRow("completions not recorded") << 20 << false << true << true;
    QTest::newRow("requests not recorded") << 20 << true << false << true;
    QTest::newRow("no final state") << 20 << true << true << false;
}

void TestAllocations::lifetimesAreThoseOfANaiveReplay()
{
    QFETCH(int, addresses);
    QFETCH(bool, completions);
    QFETCH(bool, requests);
    QFETCH(bool, finalState);
    for (unsigned seed = 1; seed <= 30; ++seed) {
        const DeviceTrace trace = test::randomTrace(seed, {.addresses = addresses,
                                                           .completions = completions,
                                                           .requests = requests,
                                                           .finalState = finalState});
        const Allocations allocations(trace);
        QVERIFY(lifetimesOf(allocations) == Naive(trace).lifetimes());
        QVERIFY(std::ranges::is_sorted(allocations.birth));
    }
}

void TestAllocations::theLiveSetIsWhatTheLifetimesSay()
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const DeviceTrace trace = test::randomTrace(seed, {.addresses = 60});
        const Allocations allocations(trace);
        const EventIndex count = trace.events.count();
        for (EventIndex first = -1; first < count; ++first) {
            for (const EventIndex last : {first, first + 1, first + 20, count - 1}) {
                if (last < first || last >= count)
                    continue;
                std::vector<AllocationIndex> expected;
                for (AllocationIndex at = 0; at < allocations.count(); ++at) {
                    if (allocations.birth[at] <= last && allocations.death[at] > first)
                        expected.push_back(at);
                }
                QCOMPARE(allocations.overlapping(first, last), expected);
                if (first == last)
                    QCOMPARE(allocations.liveAfter(first), expected);
            }
            const AllocationIndex next = allocations.firstBornAfter(first);
            QVERIFY(next == allocations.count() || allocations.birth[next] > first);
            QVERIFY(next == 0 || allocations.birth[next - 1] <= first);
        }
    }
}

void TestAllocations::theSizesOfTheLiveAddUpToTheActiveBytesAfterEveryEvent()
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const DeviceTrace trace = test::randomTrace(seed, {});
        const Allocations allocations(trace);
        const UsageCurve curve(trace, allocations);
        const Naive naive(trace);
        QCOMPARE(curve.count(), trace.events.count());
        for (EventIndex event = -1; event < curve.count(); ++event) {
            Bytes sum = 0;
            for (const AllocationIndex index : allocations.liveAfter(event))
                sum += allocations.size[index];
            QCOMPARE(sum, curve.active(event));
            QCOMPARE(sum, naive.active(event));
        }
    }
}

void TestAllocations::theCurveFindsTheHighestAndTheLowestPlaceOfAnyRange()
{
    const DeviceTrace trace = test::randomTrace(3, {.events = 150});
    const UsageCurve curve(trace);
    const EventIndex count = curve.count();
    for (EventIndex first = -1; first < count; ++first) {
        EventIndex high = first;
        EventIndex low = first;
        EventIndex highReserved = first;
        for (EventIndex last = first; last < count; ++last) {
            high = curve.active(last) > curve.active(high) ? last : high;
            low = curve.active(last) < curve.active(low) ? last : low;
            highReserved =
                curve.reserved(last) > curve.reserved(highReserved) ? last : highReserved;
            QCOMPARE(curve.highestActive(first, last), high);
            QCOMPARE(curve.lowestActive(first, last), low);
            QCOMPARE(curve.highestReserved(first, last), highReserved);
        }
    }
    QCOMPARE(curve.peakActiveEvent(), curve.highestActive(-1, count - 1));
    QCOMPARE(curve.peakReservedEvent(), curve.highestReserved(-1, count - 1));
}

void TestAllocations::reservedBytesEndAtWhatTheSegmentsHold()
{
    DeviceTrace trace;
    addEvent(trace, Action::SegmentAlloc, 0x1000, 100);
    addEvent(trace, Action::SegmentFree, 0x1000, 100);
    addEvent(trace, Action::SegmentMap, 0x2000, 40);
    addEvent(trace, Action::SegmentUnmap, 0x2000, 10);
    trace.segments = {{.address = 0x2000, .size = 30}, {.address = 0x9000, .size = 500}};
    const UsageCurve curve(trace);
    const std::vector<Bytes> expected{500, 600, 500, 540, 530};
    for (EventIndex event = -1; event < curve.count(); ++event)
        QCOMPARE(curve.reserved(event), expected[static_cast<std::size_t>(event + 1)]);
    QCOMPARE(curve.peakReservedEvent(), 0);
}

void TestAllocations::whatWasThereBeforeIsStackedSoThatNothingBelowMoves()
{
    DeviceTrace trace;
    addEvent(trace, Action::FreeCompleted, 0x100, 10);
    addEvent(trace, Action::Alloc, 0x500, 30);
    addEvent(trace, Action::FreeCompleted, 0x200, 20);
    addBlock(trace, 0x900, 3);
    addBlock(trace, 0x800, 2);
    const Allocations allocations(trace);
    const std::vector<std::uint64_t> expected{0x800, 0x900, 0x200, 0x100, 0x500};
    QCOMPARE(allocations.address, expected);
    QCOMPARE(allocations.liveAfter(-1), (std::vector<AllocationIndex>{0, 1, 2, 3}));
    QCOMPARE(allocations.liveAfter(2), (std::vector<AllocationIndex>{0, 1, 4}));
    QCOMPARE(UsageCurve(trace, allocations).active(-1), Bytes(35));
}

void TestAllocations::aPendingFreeKeepsTheBytesUntilItIsCompleted()
{
    DeviceTrace trace;
    addEvent(trace, Action::Alloc, 0x100, 10);
    addEvent(trace, Action::FreeRequested, 0x100, 10);
    addEvent(trace, Action::Alloc, 0x200, 5);
    addEvent(trace, Action::FreeCompleted, 0x100, 10);
    const Allocations allocations(trace);
    QCOMPARE(allocations.freeRequested[0], 1);
    QCOMPARE(allocations.death[0], 3);
    QCOMPARE(allocations.freeRequested[1], 4);
    const UsageCurve curve(trace, allocations);
    QCOMPARE(curve.active(2), Bytes(15));
    QCOMPARE(curve.active(3), Bytes(5));
    QCOMPARE(curve.peakActiveEvent(), 2);
}

void TestAllocations::anAllocationKnowsWhoMadeAndWhoFreedIt()
{
    DeviceTrace trace;
    addEvent(trace, Action::Alloc, 0x100, 10, 1);
    addEvent(trace, Action::FreeRequested, 0x100, 10, 2);
    addEvent(trace, Action::FreeCompleted, 0x100, 10, 3);
    addEvent(trace, Action::Alloc, 0x100, 20, 4);
    addEvent(trace, Action::Alloc, 0x100, 30, 5); // ends the one before, whose free is missing
    addEvent(trace, Action::FreeRequested, 0x700, 40, 6);
    addEvent(trace, Action::FreeCompleted, 0x700, 40, 7);
    addBlock(trace, 0x100, 30);
    addBlock(trace, 0x800, 50, 8);
    const Allocations allocations(trace);
    const auto ids = [](std::initializer_list<unsigned> numbers) {
        std::vector<StackId> stacks;
        for (const unsigned number : numbers)
            stacks.push_back(static_cast<StackId>(number));
        return stacks;
    };
    QCOMPARE(allocations.address, (std::vector<std::uint64_t>{0x800, 0x700, 0x100, 0x100, 0x100}));
    QVERIFY(std::ranges::equal(allocations.stack, ids({8, 0, 1, 4, 5})));
    QVERIFY(allocations.freedIn(0) == StackId::None);
    QVERIFY(allocations.freedIn(1) == StackId(6)); // whose allocation was not recorded
    QVERIFY(allocations.freedIn(2) == StackId::None);
    std::vector<StackId> freed;
    for (AllocationIndex at = 0; at < allocations.count(); ++at)
        freed.push_back(allocations.freeStack(trace, at));
    QVERIFY(freed == ids({0, 6, 2, 0, 0}));
    QCOMPARE(allocations.death, (std::vector<EventIndex>{7, 6, 2, 4, 7}));
}

void TestAllocations::anEmptyTraceHasNoAllocationsAndAFlatCurve()
{
    const DeviceTrace trace;
    const Allocations allocations(trace);
    QCOMPARE(allocations.count(), AllocationIndex(0));
    QVERIFY(allocations.liveAfter(-1).empty());
    const UsageCurve curve(trace, allocations);
    QCOMPARE(curve.count(), 0);
    QCOMPARE(curve.active(-1), Bytes(0));
    QCOMPARE(curve.peakActiveEvent(), -1);
}

void TestAllocations::sizesThatCannotBeGiveWrongSumsButNothingWorse()
{
    DeviceTrace trace = test::randomTrace(9, {});
    for (std::size_t at = 0; at < trace.events.size.size(); ++at) {
        if (at % 3 != 0)
            trace.events.size[at] =
                at % 2 == 0 ? std::numeric_limits<Bytes>::max() : std::numeric_limits<Bytes>::min();
    }
    for (FinalBlock &block : trace.blocks)
        block.requested = std::numeric_limits<Bytes>::max();
    const Allocations allocations(trace);
    const UsageCurve curve(trace, allocations);
    QVERIFY(curve.active(curve.peakActiveEvent()) >= curve.active(-1));
    Bytes sum = 0;
    for (const LiveGroup &group : groupByStack(allocations, allocations.liveAfter(100)))
        sum = wrappingSum(sum, group.bytes);
    QCOMPARE(sum, curve.active(100));
}

void TestAllocations::anAddressMapHoldsWhatAStandardMapHolds()
{
    std::mt19937 random(5);
    AddressMap map;
    std::map<std::uint64_t, std::int32_t> naive;
    for (std::int32_t step = 0; step < 100'000; ++step) {
        const std::uint64_t address = (random() % 5000) * 512;
        const auto known = naive.find(address);
        const std::int32_t expected = known == naive.end() ? AddressMap::kNone : known->second;
        QCOMPARE(map.find(address), expected);
        if (random() % 5 < 3) {
            QCOMPARE(map.exchange(address, step), expected);
            naive[address] = step;
        } else {
            QCOMPARE(map.take(address), expected);
            naive.erase(address);
        }
        QCOMPARE(map.size(), naive.size());
    }
}

// Before PyTorch 2.12 events tell no pool; the segment at the address does.
void TestAllocations::poolsComeFromTheSegmentWhereEventsDoNotTell()
{
    DeviceTrace trace;
    addEvent(trace, Action::SegmentAlloc, 0x2000, 4096);
    addEvent(trace, Action::Alloc, 0x2000, 512);
    addEvent(trace, Action::Alloc, 0x9000, 512);
    for (const std::uint64_t address : {0x1000U, 0x2000U})
        trace.segments.push_back({.address = address,
                                  .size = 4096,
                                  .pool = address == 0x2000 ? PoolId(1) : PoolId::Default});
    const auto poolAt = [&](std::uint64_t address) {
        const Allocations allocations(trace);
        for (AllocationIndex at = 0; at < allocations.count(); ++at) {
            if (allocations.address[at] == address)
                return static_cast<int>(allocations.pool[at]);
        }
        return -1;
    };
    QCOMPARE(poolAt(0x2000), 1);
    QCOMPARE(poolAt(0x9000), 0);
    std::swap(trace.events.action[0], trace.events.action[1]); // made before the segment was
    QCOMPARE(poolAt(0x2000), 0);
    std::swap(trace.events.action[0], trace.events.action[1]);
    trace.events.pool.set(2, PoolId(2)); // now events tell
    QCOMPARE(poolAt(0x2000), 0);
    QCOMPARE(poolAt(0x9000), 2);
}

void TestAllocations::askedToStopItIsLeftEmpty()
{
    DeviceTrace trace;
    for (std::uint64_t at = 0; at < 300'000; ++at) {
        trace.events.action.push_back(Action::Alloc);
        trace.events.address.push_back(0x7f0000000000 + at * 512);
        trace.events.size.push_back(512);
        trace.events.stack.push_back(StackId::None);
        trace.events.stream.push_back(StreamId{});
        trace.events.pool.push_back(PoolId::Default);
    }
    double last = -1;
    int calls = 0;
    const Allocations whole(trace, [&](double share) {
        const bool ahead = share >= last;
        last = share;
        ++calls;
        return ahead;
    });
    QCOMPARE(whole.count(), AllocationIndex(300'000));
    QVERIFY(last <= 1);
    QVERIFY(calls > 4);
    for (int stopAt = 1; stopAt < calls; ++stopAt) {
        int call = 0;
        const Allocations none(trace, [&](double) { return ++call < stopAt; });
        QCOMPARE(call, stopAt);
        QCOMPARE(none.count(), AllocationIndex(0));
        QVERIFY(none.liveAfter(100).empty());
    }
}

VRAMSCOPE_TEST(TestAllocations)
#include "tst_allocations.moc"
