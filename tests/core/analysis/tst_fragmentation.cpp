// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/replayed/fragmentation.h"
#include "tests/core/analysis/model_run.h"
#include "tests/support/test.h"

#include <map>
#include <numeric>
#include <set>

using namespace vramscope;
using test::ModelRunOptions;

namespace {

std::vector<ModelRunOptions> kinds()
{
    return {{},
            {.streams = true},
            {.expandable = true},
            {.expandable = true, .streams = true},
            {.pools = true}};
}

// What can go back to the driver only in one piece: segments, and pages of expandable ones.
struct Unit
{
    Bytes free = 0;
    std::set<StackId> stacks;
};

std::vector<Unit> unitsOf(const SpaceState &state, const Allocations &allocations)
{
    std::vector<Unit> units;
    for (const SpaceState::Segment &segment : state.segments) {
        const SegmentLife &life = segment.life;
        const Bytes step = life.expandable ? AllocatorRules{}.pageSize(life.large) : life.size;
        for (Bytes at = 0; at < life.size; at += step) {
            const std::uint64_t begin = life.address + static_cast<std::uint64_t>(at);
            const std::uint64_t end = begin + static_cast<std::uint64_t>(step);
            Unit unit;
            for (std::uint32_t index = 0; index < segment.regionCount; ++index) {
                const Region &region = state.regions[segment.firstRegion + index];
                const std::uint64_t last = region.address + static_cast<std::uint64_t>(region.size);
                if (last <= begin || region.address >= end)
                    continue;
                if (region.allocation == kNoAllocation)
                    unit.free +=
                        static_cast<Bytes>(std::min(last, end) - std::max(region.address, begin));
                else
                    unit.stacks.insert(allocations.stack[region.allocation]);
            }
            units.push_back(std::move(unit));
        }
    }
    return units;
}

constexpr Bytes kCapacity = 2 * kGiB;

// Runs one random program until the device is full; the call that failed, -1 where none did.
int failingCall(unsigned seed, int most, test::AllocatorModel &model)
{
    std::mt19937 random(seed);
    std::vector<test::AllocatorModel::Block> live;
    for (int call = 0; call < most; ++call) {
        const Bytes size = Bytes(1 + random() % 200) * kMiB + Bytes(random() % 5000);
        const bool frees = random() % 5 < 2;
        const unsigned chosen = static_cast<unsigned>(random());
        if (frees && !live.empty()) {
            const std::size_t at = chosen % live.size();
            model.free(live[at], 1);
            live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
        } else if (const auto block = model.allocate(size, static_cast<int>(chosen % 6))) {
            live.push_back(*block);
        } else {
            return call;
        }
    }
    return -1;
}

} // namespace

class TestFragmentation : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void freeMemoryIsThatOfTheBands();
    void stacksPinWhatOnlyTheirBlocksHoldFast();
    void aSegmentOfAnySizeIsLookedAtByItsBlocks();
    void samplesFollowTheState();
    void aFullDeviceFailsUnderExpandableSegmentsToo();
    void strandedMemoryIsNamedWhereItWouldHaveBeenEnough();
    void theLastReleaseBeforeAFailureIsFound();
    void aDeviceWithRoomPointsToALimit();
    void freeMemoryOfOtherPoolsAndStreamsDoesNotServe_data();
    void freeMemoryOfOtherPoolsAndStreamsDoesNotServe();
};

void TestFragmentation::freeMemoryIsThatOfTheBands()
{
    for (const ModelRunOptions &kind : kinds()) {
        for (unsigned seed = 1; seed <= 10; ++seed) {
            const test::ModelRun run = test::modelRun(seed, kind);
            const Allocations allocations(run.trace);
            const auto space = AddressSpace::replay(run.trace, allocations, {});
            for (EventIndex event = -1; event < run.trace.events.count(); event += 7) {
                const Fragmentation found =
                    fragmentationOf(space->stateAfter(event), allocations, {});
                const Bands &bands = space->bandsAfter(event);
                QCOMPARE(found.stranded, bands.stranded);
                QCOMPARE(found.releasable, bands.releasable);
                Bytes reserved = 0;
                Bytes stranded = 0;
                Bytes largest = 0;
                for (const FreeDomain &domain : found.domains) {
                    reserved += domain.reserved;
                    stranded += domain.stranded;
                    largest = std::max(largest, domain.largestHole);
                }
                QCOMPARE(reserved, bands.reserved());
                QCOMPARE(stranded, bands.stranded);
                QCOMPARE(largest, found.largestHole);
                QCOMPARE(std::accumulate(found.segments.begin(), found.segments.end(), Bytes(0),
                                         [](Bytes sum, const PinnedSegment &segment) {
                                             return sum + segment.stranded;
                                         }),
                         bands.stranded);
            }
        }
    }
}

void TestFragmentation::stacksPinWhatOnlyTheirBlocksHoldFast()
{
    for (const ModelRunOptions &kind : kinds()) {
        for (unsigned seed = 1; seed <= 10; ++seed) {
            const test::ModelRun run = test::modelRun(seed, kind);
            const Allocations allocations(run.trace);
            const auto space = AddressSpace::replay(run.trace, allocations, {});
            const SpaceState state = space->stateAfter(run.trace.events.count() / 2);
            std::map<StackId, std::pair<Bytes, Bytes>> expected; // alone, shared
            for (const Unit &unit : unitsOf(state, allocations)) {
                for (const StackId stack : unit.free > 0 ? unit.stacks : std::set<StackId>())
                    (unit.stacks.size() == 1 ? expected[stack].first : expected[stack].second) +=
                        unit.free;
            }
            const Fragmentation found = fragmentationOf(state, allocations, {});
            QCOMPARE(found.pins.size(), expected.size());
            for (const Pin &pin : found.pins) {
                QCOMPARE(pin.alone, expected[pin.stack].first);
                QCOMPARE(pin.shared, expected[pin.stack].second);
                QVERIFY(pin.blocks > 0 && pin.size > 0);
            }
            QVERIFY(std::ranges::is_sorted(found.pins, std::greater<>{}, &Pin::alone));
        }
    }
}

// A hostile file may claim segments of many terabytes; what counts is what lies in them.
void TestFragmentation::aSegmentOfAnySizeIsLookedAtByItsBlocks()
{
    constexpr Bytes kHuge = Bytes(1) << 48;
    DeviceTrace trace;
    for (std::uint64_t at = 0; at < 4000; ++at) {
        trace.blocks.push_back({.size = 512, .requested = 512, .state = BlockState::Allocated});
        trace.blocks.push_back({.size = kHuge - 512});
        const std::uint64_t address = at << 49U;
        trace.blocks[trace.blocks.size() - 2].address = address;
        trace.blocks.back().address = address + 512;
        trace.segments.push_back({.address = address,
                                  .size = kHuge,
                                  .firstBlock = static_cast<std::uint32_t>(2 * at),
                                  .blockCount = 2,
                                  .large = false,
                                  .expandable = true});
    }
    const Allocations allocations(trace);
    const auto space = AddressSpace::replay(trace, allocations, {});
    const Fragmentation found = fragmentationOf(space->stateAfter(-1), allocations, {});
    QCOMPARE(found.stranded, 4000 * (2 * kMiB - 512));
    QCOMPARE(found.releasable, 4000 * (kHuge - 2 * kMiB));
}

void TestFragmentation::samplesFollowTheState()
{
    const test::ModelRun run = test::modelRun(3, {.streams = true});
    const Allocations allocations(run.trace);
    const auto space = AddressSpace::replay(run.trace, allocations, {});
    std::vector<EventIndex> events;
    for (EventIndex event = -1; event < run.trace.events.count(); event += 20)
        events.push_back(event);
    const auto samples = fragmentationOverTime(*space, events);
    QCOMPARE(samples.size(), events.size());
    EventIndex worst = -1;
    for (EventIndex event = -1; event < run.trace.events.count(); ++event) {
        if (space->bandsAfter(event).stranded > space->bandsAfter(worst).stranded)
            worst = event;
    }
    QCOMPARE(space->mostStranded(), worst);
    for (const FragmentationSample &sample : samples) {
        const Fragmentation found =
            fragmentationOf(space->stateAfter(sample.event), allocations, {});
        QCOMPARE(sample.stranded, found.stranded);
        QCOMPARE(sample.releasable, found.releasable);
        QCOMPARE(sample.largestHole, found.largestHole);
        QCOMPARE(sample.reserved, space->bandsAfter(sample.event).reserved());
    }
}

// The same program on the same device: what does not fit even if all that is free were in one piece
// fails whatever the allocator does.
void TestFragmentation::aFullDeviceFailsUnderExpandableSegmentsToo()
{
    int full = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        test::AllocatorModel plain(kCapacity, false);
        const int failed = failingCall(seed, 400, plain);
        if (failed < 0)
            continue;
        const DeviceTrace trace = test::recordedBy(plain);
        const Allocations allocations(trace);
        const auto space = AddressSpace::replay(trace, allocations, {});
        const auto report = explainOutOfMemory(trace, 0, allocations, *space, {});
        QCOMPARE(report.event, trace.events.count() - 1);
        QCOMPARE(report.deviceFree, kCapacity - report.bands.reserved());
        if (report.cause != OutOfMemoryCause::Full)
            continue;
        ++full;
        test::AllocatorModel expandable(kCapacity, true);
        const int other = failingCall(seed, 400, expandable);
        QVERIFY(other >= 0 && other <= failed);
    }
    QVERIFY(full >= 5);
}

void TestFragmentation::strandedMemoryIsNamedWhereItWouldHaveBeenEnough()
{
    int named = 0;
    int helped = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        test::AllocatorModel plain(kCapacity, false);
        const int failed = failingCall(seed, 400, plain);
        if (failed < 0)
            continue;
        const DeviceTrace trace = test::recordedBy(plain);
        const Allocations allocations(trace);
        const auto space = AddressSpace::replay(trace, allocations, {});
        const auto report = explainOutOfMemory(trace, 0, allocations, *space, {});
        if (report.cause == OutOfMemoryCause::Fragmented) {
            QVERIFY(!report.expandable);
            QVERIFY(report.freeForIt + report.deviceFree >= report.requested);
            test::AllocatorModel expandable(kCapacity, true);
            const int other = failingCall(seed, 400, expandable);
            ++named;
            helped += other < 0 || other > failed ? 1 : 0;
        }
    }
    QVERIFY(named > 20);
    // Holes smaller than a page stay lost, so it is a promise of "up to".
    QVERIFY2(helped * 10 >= named * 7, qPrintable(QString("%1 of %2").arg(helped).arg(named)));
}

void TestFragmentation::theLastReleaseBeforeAFailureIsFound()
{
    test::AllocatorModel model(100 * kMiB, false);
    const auto first = model.allocate(30 * kMiB, 1);
    const auto second = model.allocate(30 * kMiB, 1);
    const auto third = model.allocate(30 * kMiB, 2);
    model.free(*first, 1);
    model.free(*third, 1);
    QVERIFY(second && !model.allocate(80 * kMiB, 3));
    const DeviceTrace trace = test::recordedBy(model);
    const Allocations allocations(trace);
    const auto space = AddressSpace::replay(trace, allocations, {});
    const auto report = explainOutOfMemory(trace, 0, allocations, *space, {});
    QCOMPARE(report.lastRelease.bytes, 60 * kMiB);
    QCOMPARE(report.lastRelease.last, report.event - 1);
    QCOMPARE(report.lastRelease.first, report.event - 2);
    QCOMPARE(report.requested, 80 * kMiB);
    QCOMPARE(report.needed, 80 * kMiB);
    QCOMPARE(report.deviceFree, 70 * kMiB);
    QCOMPARE(report.shortage, 10 * kMiB);
    QCOMPARE(report.cause, OutOfMemoryCause::Full);
    QCOMPARE(report.live.size(), std::size_t(1));
    QCOMPARE(report.live.front().bytes, 30 * kMiB);
}

void TestFragmentation::aDeviceWithRoomPointsToALimit()
{
    test::AllocatorModel model(100 * kMiB, false);
    model.allocate(60 * kMiB, 1);
    model.allocate(60 * kMiB, 2);
    DeviceTrace trace = test::recordedBy(model);
    trace.outOfMemory.front().deviceFree = kGiB;
    const Allocations allocations(trace);
    const auto space = AddressSpace::replay(trace, allocations, {});
    QCOMPARE(explainOutOfMemory(trace, 0, allocations, *space, {}).cause, OutOfMemoryCause::Limit);
    trace.outOfMemory.front().deviceFree = -1;
    QCOMPARE(explainOutOfMemory(trace, 0, allocations, *space, {}).cause,
             OutOfMemoryCause::Unknown);
}

void TestFragmentation::freeMemoryOfOtherPoolsAndStreamsDoesNotServe_data()
{
    QTest::addColumn<int>("pool");
    QTest::addColumn<int>("stream");
    QTest::addColumn<bool>("told");
    QTest::newRow("a private pool") << 1 << 0 << true;
    QTest::newRow("a private pool, unknown to the events") << 1 << 0 << false;
    QTest::newRow("another stream") << 0 << 1 << true;
}

// 60 MiB are free between blocks of another pool or stream; 50 are asked, 10 are left.
void TestFragmentation::freeMemoryOfOtherPoolsAndStreamsDoesNotServe()
{
    QFETCH(int, pool);
    QFETCH(int, stream);
    QFETCH(bool, told);
    DeviceTrace trace;
    const auto block = [&](std::uint64_t address, Bytes size, bool used) {
        trace.blocks.push_back({.address = address,
                                .size = size,
                                .requested = used ? size : 0,
                                .state = used ? BlockState::Allocated : BlockState::Inactive});
    };
    block(0x1000000000, 60 * kMiB, false);
    block(0x1000000000 + std::uint64_t(60 * kMiB), 30 * kMiB, true);
    trace.segments.push_back({.address = 0x1000000000,
                              .size = 90 * kMiB,
                              .blockCount = 2,
                              .stream = static_cast<StreamId>(stream),
                              .pool = static_cast<PoolId>(pool)});
    trace.events.action.push_back(Action::OutOfMemory);
    trace.events.address.push_back(0);
    trace.events.size.push_back(50 * kMiB);
    trace.events.stack.push_back(StackId::None);
    trace.events.stream.push_back(StreamId(0));
    // Where events do not tell the pool, the request may as well seem to be of the pool at hand.
    trace.events.pool.push_back(told ? PoolId::Default : static_cast<PoolId>(pool));
    trace.events.context.push_back(ContextId::None);
    trace.outOfMemory.push_back({0, 50 * kMiB, 10 * kMiB});

    const Allocations allocations(trace);
    const auto space = AddressSpace::replay(trace, allocations, {});
    const auto report = explainOutOfMemory(trace, 0, allocations, *space, {});
    QCOMPARE(report.freeForIt, Bytes(0));
    QCOMPARE(report.cause, OutOfMemoryCause::Elsewhere);
}

VRAMSCOPE_TEST(TestFragmentation)
#include "tst_fragmentation.moc"
