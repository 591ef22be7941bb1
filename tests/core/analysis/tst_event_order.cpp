// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/event_order.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/support/test.h"

#include <algorithm>
#include <numeric>

using namespace vramscope;

class TestEventOrder : public test::Test
{
    Q_OBJECT

private slots:
    void everyOrderIsThatOfANaiveSort();
    void aFilterShowsTheEventsOfWhatItKeeps();
    void askedToStopItGivesNothing();
    void eachEventLeadsToItsAllocation();
    void whoHadTheAddressBeforeAndAfterIsWhatALookAtAllGives();
};

namespace {

constexpr EventOrder kOrders[] = {EventOrder::Event,   EventOrder::Action, EventOrder::Size,
                                  EventOrder::Address, EventOrder::Stream, EventOrder::Stack};

std::uint64_t keyOf(const EventColumns &events, EventOrder order, EventIndex event)
{
    const auto at = static_cast<std::size_t>(event);
    switch (order) {
    case EventOrder::Action:
        return static_cast<std::uint64_t>(events.action[at]);
    case EventOrder::Size:
        return static_cast<std::uint64_t>(events.size[at]);
    case EventOrder::Address:
        return events.address[at];
    case EventOrder::Stream:
        return static_cast<std::uint64_t>(events.stream[at]);
    case EventOrder::Stack:
        return static_cast<std::uint64_t>(events.stack[at]);
    default:
        return static_cast<std::uint64_t>(event);
    }
}

} // namespace

void TestEventOrder::everyOrderIsThatOfANaiveSort()
{
    // The long one is sorted in several runs, which are merged.
    for (const int events : {0, 1, 2, 300, 200'000}) {
        const DeviceTrace device = test::randomTrace(7, {.events = events});
        const Allocations allocations(device);
        for (const EventOrder order : kOrders) {
            for (const bool descending : {false, true}) {
                std::vector<EventIndex> expected(static_cast<std::size_t>(events));
                std::iota(expected.begin(), expected.end(), 0);
                std::ranges::stable_sort(expected, [&](EventIndex a, EventIndex b) {
                    const std::uint64_t first = keyOf(device.events, order, a);
                    const std::uint64_t second = keyOf(device.events, order, b);
                    return descending ? first > second : first < second;
                });
                const auto rows = orderedEvents(device, allocations, {}, order, descending);
                QVERIFY(rows.has_value());
                QVERIFY(*rows == expected);
            }
        }
    }
}

void TestEventOrder::aFilterShowsTheEventsOfWhatItKeeps()
{
    for (unsigned seed = 1; seed < 20; ++seed) {
        const DeviceTrace device = test::randomTrace(seed, {.events = 400});
        const Allocations allocations(device);
        std::vector<std::uint8_t> kept(allocations.count());
        for (AllocationIndex at = 0; at < kept.size(); ++at)
            kept[at] = at % 3 == seed % 3;
        std::vector<EventIndex> expected;
        for (EventIndex event = 0; event < device.events.count(); ++event) {
            for (AllocationIndex at = 0; at < kept.size(); ++at) {
                if (kept[at] &&
                    (allocations.birth[at] == event || allocations.freeRequested[at] == event ||
                     allocations.death[at] == event)) {
                    expected.push_back(event);
                    break;
                }
            }
        }
        QVERIFY(!expected.empty());
        const auto rows = orderedEvents(device, allocations, kept, EventOrder::Event, false);
        QVERIFY(rows && *rows == expected);
    }
}

void TestEventOrder::askedToStopItGivesNothing()
{
    const DeviceTrace device = test::randomTrace(3, {.events = 200'000});
    const Allocations allocations(device);
    int calls = 0;
    double last = 0;
    const auto count = [&](double share) {
        ++calls;
        const bool ahead = share >= last && share <= 1;
        last = share;
        return ahead;
    };
    QVERIFY(orderedEvents(device, allocations, {}, EventOrder::Size, false, count));
    QVERIFY(calls > 3);
    for (int stopAt = 1; stopAt <= calls; ++stopAt) {
        int call = 0;
        QVERIFY(!orderedEvents(device, allocations, {}, EventOrder::Size, false,
                               [&](double) { return ++call < stopAt; }));
        QCOMPARE(call, stopAt);
    }
}

void TestEventOrder::eachEventLeadsToItsAllocation()
{
    for (unsigned seed = 1; seed < 20; ++seed) {
        const DeviceTrace device = test::randomTrace(seed, {.events = 400, .addresses = 50});
        const Allocations allocations(device);
        QCOMPARE(allocationOf(device, allocations, -1), kNoAllocation);
        QCOMPARE(allocationOf(device, allocations, device.events.count()), kNoAllocation);
        for (EventIndex event = 0; event < device.events.count(); ++event) {
            const Action action = device.events.action[static_cast<std::size_t>(event)];
            const AllocationIndex found = allocationOf(device, allocations, event);
            if (action == Action::Alloc) {
                QVERIFY(found != kNoAllocation);
                QCOMPARE(allocations.birth[found], event);
            } else if (action == Action::FreeRequested || action == Action::FreeCompleted) {
                // What lives just before, at the event's address: none where nothing was known.
                AllocationIndex expected = kNoAllocation;
                for (AllocationIndex at = 0; at < allocations.count(); ++at) {
                    if (allocations.birth[at] <= event - 1 && allocations.death[at] > event - 1 &&
                        allocations.address[at] ==
                            device.events.address[static_cast<std::size_t>(event)])
                        expected = std::min(expected, at);
                }
                QCOMPARE(found, expected);
            } else {
                QCOMPARE(found, kNoAllocation);
            }
        }
    }
}

void TestEventOrder::whoHadTheAddressBeforeAndAfterIsWhatALookAtAllGives()
{
    int withBoth = 0;
    for (unsigned seed = 1; seed < 30; ++seed) {
        const Allocations allocations(
            test::randomTrace(seed, {.events = 300, .addresses = seed % 2 ? 10 : 200}));
        for (AllocationIndex at = 0; at < allocations.count(); ++at) {
            AddressReuse expected;
            for (AllocationIndex other = 0; other < allocations.count(); ++other) {
                const auto end = [&](AllocationIndex of) {
                    return allocations.address[of] +
                           static_cast<std::uint64_t>(allocations.size[of]);
                };
                if (other == at || allocations.address[other] >= end(at) ||
                    allocations.address[at] >= end(other))
                    continue;
                if (other < at)
                    expected.before = other;
                else if (expected.after == kNoAllocation)
                    expected.after = other;
            }
            const AddressReuse reuse = addressReuse(allocations, at);
            QCOMPARE(reuse.before, expected.before);
            QCOMPARE(reuse.after, expected.after);
            withBoth += reuse.before != kNoAllocation && reuse.after != kNoAllocation;
        }
    }
    QVERIFY(withBoth > 100);
}

VRAMSCOPE_TEST(TestEventOrder)
#include "tst_event_order.moc"
