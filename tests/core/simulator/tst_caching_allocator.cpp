// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/caching_allocator.h"
#include "core/simulator/simulation.h"
#include "tests/core/simulator/naive_allocator.h"
#include "tests/support/test.h"

#include <random>

using namespace vramscope;
using test::NaiveAllocator;
using test::NaiveBlock;

namespace {

class EventLog : public AllocatorLog
{
public:
    void record(const AllocatorEvent &event) override { events.push_back(event); }
    std::vector<AllocatorEvent> events;
};

/// A random program, and a random device and configuration for it; the same for the same seed.
class RandomProgram
{
public:
    explicit RandomProgram(unsigned seed)
        : m_random(seed)
    {
        AllocatorRules &rules = settings.rules;
        capacity = (Bytes(64) << below(6)) * kMiB + below(3) * kMiB;
        rules.expandable = one(2);
        if (one(3))
            rules.largeSegment = (12 + below(60)) * kMiB;
        if (one(3)) {
            rules.maxSplit = (20 + below(80)) * kMiB;
            rules.maxNonSplitRounding = (20 + below(20)) * kMiB;
        }
        if (one(3)) {
            for (auto &divisions : rules.roundupDivisions)
                divisions = one(2) ? 0 : std::int64_t(1) << below(5);
        }
        if (one(2))
            settings.memoryFraction = 0.3 + 0.1 * below(7);
        if (one(2))
            settings.garbageCollectionThreshold = 0.1 + 0.2 * below(4);
        settings.failsBeforeDriver = one(4);
        settings.privatePoolsExpand = one(2);
        if (one(4))
            settings.reservedShare = 0.25 + 0.25 * below(3);
        streams = {0, 0x7f1200, 140, -4096};
        streams.resize(std::size_t(1 + below(4)));
        m_pools = one(2) ? 1 : 3;
    }

    // A program of so many calls, to both allocators.
    void run(CachingAllocator &fast, NaiveAllocator &naive, int calls)
    {
        for (int call = 0; call < calls; ++call) {
            const int dice = below(100);
            if (dice < 48 || m_live.empty())
                allocate(fast, naive);
            else if (dice < 82)
                free(fast, naive, false);
            else if (dice < 90)
                free(fast, naive, true);
            else if (dice < 97)
                complete(fast, naive);
            else
                release(fast, naive);
        }
    }

    AllocatorSettings settings;
    Bytes capacity = kGiB;
    std::vector<std::int64_t> streams;
    bool agreed = true;

private:
    int below(int bound) { return int(m_random() % unsigned(bound)); }
    bool one(int of) { return below(of) == 0; }

    Bytes size()
    {
        switch (below(6)) {
        case 0:
            return 1 + below(4096);
        case 1:
            return (1 + below(2100)) * Bytes(512) - below(2);
        case 2:
            return (1 + below(20)) * Bytes(256 * 1024) + below(3) - 1;
        case 3:
            return (1 + below(24)) * kMiB - below(700'000);
        case 4:
            return (8 + below(80)) * kMiB;
        default:
            return (1 + below(6)) * kMiB; // often the same
        }
    }

    void allocate(CachingAllocator &fast, NaiveAllocator &naive)
    {
        const int id = m_next++;
        const Bytes wanted = size();
        const int stream = below(int(streams.size()));
        const int pool = one(3) ? below(m_pools) : 0;
        const bool served =
            fast.allocate(AllocationId(id), wanted, std::uint16_t(stream), std::uint16_t(pool));
        agreed = naive.malloc(id, wanted, stream, pool) == served && agreed;
        if (served)
            m_live.push_back(id);
    }

    int taken(std::vector<int> &ids)
    {
        const auto at = std::size_t(below(int(ids.size())));
        std::swap(ids[at], ids.back());
        const int id = ids.back();
        ids.pop_back();
        return id;
    }

    void free(CachingAllocator &fast, NaiveAllocator &naive, bool later)
    {
        const int id = taken(m_live);
        if (later) {
            fast.requestFree(AllocationId(id));
            naive.freeLater(id);
            m_waiting.push_back(id);
        } else {
            fast.free(AllocationId(id));
            naive.free(id);
        }
    }

    void complete(CachingAllocator &fast, NaiveAllocator &naive)
    {
        if (m_waiting.empty())
            return;
        const int id = taken(m_waiting); // a retry may have waited for it already
        fast.completeFree(AllocationId(id));
        naive.streamsAreDone(id);
    }

    void release(CachingAllocator &fast, NaiveAllocator &naive)
    {
        const int pool = m_pools > 1 ? 1 + below(m_pools - 1) : 0;
        if (pool > 0 && one(2)) {
            fast.abandonPool(std::uint16_t(pool));
            naive.abandon(pool);
        }
        if (pool > 0 && one(2)) {
            fast.emptyPool(std::uint16_t(pool));
            naive.emptyPool(pool);
        } else if (one(2)) { // otherwise a retry may be the next to give back
            fast.emptyCache();
            naive.emptyCache();
        }
    }

    std::mt19937 m_random;
    int m_pools = 1;
    int m_next = 0;
    std::vector<int> m_live;
    std::vector<int> m_waiting;
};

QString textOf(const AllocatorEvent &event)
{
    return QString("action %1 stream %2 at %3 size %4")
        .arg(int(event.action))
        .arg(event.stream)
        .arg(event.address, 0, 16)
        .arg(event.size);
}

// The first event in which two logs differ; empty where they are the same.
QString difference(const std::vector<AllocatorEvent> &fast,
                   const std::vector<AllocatorEvent> &naive)
{
    for (std::size_t at = 0; at < std::max(fast.size(), naive.size()); ++at) {
        const QString one = at < fast.size() ? textOf(fast[at]) : "nothing";
        const QString other = at < naive.size() ? textOf(naive[at]) : "nothing";
        if (one != other)
            return QString("event %1: fast %2; naive %3").arg(at).arg(one, other);
    }
    return {};
}

SimulatedState stateOf(const NaiveBlock &block)
{
    switch (block.state) {
    case NaiveBlock::State::Free:
        return SimulatedState::Free;
    case NaiveBlock::State::Allocated:
        return SimulatedState::Allocated;
    case NaiveBlock::State::Pending:
        return SimulatedState::Pending;
    case NaiveBlock::State::Unmapped:
        break;
    }
    return SimulatedState::Unmapped;
}

std::vector<PlacedBlock> blocksOf(const NaiveAllocator &naive)
{
    std::vector<PlacedBlock> placed;
    for (const NaiveBlock &block : naive.blocks()) {
        const bool used = block.id >= 0;
        placed.push_back({block.address,
                          block.size,
                          used ? block.requested : 0,
                          {std::uint16_t(block.pool), std::uint16_t(block.stream), !block.small},
                          used ? AllocationId(block.id) : kNobody,
                          stateOf(block),
                          block.expandable});
    }
    return placed;
}

} // namespace

class TestCachingAllocator : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void itDoesWhatTheSpecificationDoesStepByStep_data();
    void itDoesWhatTheSpecificationDoesStepByStep();
    void aRetryGivesBackWhatIsCached();
    void anExpandableSegmentGrowsWhereItEnds();
    void memoryFromBeforeIsUsedAndGivenBack();
    void expandableMemoryIsLeftAloneOnceTheSettingIsOff();
    void aSimulationEndsWhereMemoryDoes();
    void manySettingsAreSimulatedTogether();
    void aSimulationCanBeCancelled();
};

void TestCachingAllocator::itDoesWhatTheSpecificationDoesStepByStep_data()
{
    QTest::addColumn<unsigned>("first");
    for (unsigned first = 0; first < 5000; first += 500)
        QTest::addRow("programs %u to %u", first, first + 499) << first;
}

void TestCachingAllocator::itDoesWhatTheSpecificationDoesStepByStep()
{
    QFETCH(unsigned, first);
    for (unsigned seed = first; seed < first + 500; ++seed) {
        RandomProgram program(seed);
        ModelDriver driver(program.capacity, AddressOrder::Rising); // as the specification's
        EventLog log;
        CachingAllocator fast(program.settings, program.capacity, program.streams, driver, &log);
        NaiveAllocator naive(program.settings, program.capacity, program.streams);
        program.run(fast, naive, 60 + int(seed % 5) * 60);

        const QString other = difference(log.events, naive.events());
        QVERIFY2(other.isEmpty(), qPrintable(QString("seed %1, %2").arg(seed).arg(other)));
        QVERIFY(program.agreed);
        QVERIFY2(fast.blocks() == blocksOf(naive), qPrintable(QString("seed %1").arg(seed)));
        const AllocatorFigures &figures = fast.figures();
        QCOMPARE(figures.reserved, naive.reserved());
        QCOMPARE(figures.inactiveSplit, naive.inactiveSplit());
        QCOMPARE(figures.releasable, naive.releasable());
        Bytes active = 0;
        for (const PlacedBlock &block : fast.blocks())
            active += block.allocation != kNobody ? block.size : 0;
        QCOMPARE(figures.active, active);
        QVERIFY(figures.stranded() >= 0);
    }
}

void TestCachingAllocator::aRetryGivesBackWhatIsCached()
{
    const std::vector<std::int64_t> streams{0};
    ModelDriver driver(100 * kMiB);
    EventLog log;
    CachingAllocator allocator({}, 100 * kMiB, streams, driver, &log);
    QVERIFY(allocator.allocate(0, 60 * kMiB, 0, 0));
    allocator.free(0);
    QVERIFY(allocator.allocate(1, 80 * kMiB, 0, 0));
    QCOMPARE(allocator.figures().retries, 1);
    QCOMPARE(allocator.figures().reserved, 80 * kMiB);
    QCOMPARE(log.events.size(), std::size_t(7));
    QVERIFY(log.events[4].action == AllocatorAction::SegmentFree);
    QVERIFY(!allocator.allocate(2, 30 * kMiB, 0, 0));
    QVERIFY(log.events.back().action == AllocatorAction::OutOfMemory);
    QCOMPARE(log.events.back().size, 30 * kMiB);
}

void TestCachingAllocator::anExpandableSegmentGrowsWhereItEnds()
{
    const std::vector<std::int64_t> streams{0};
    ModelDriver driver(kGiB);
    EventLog log;
    AllocatorSettings settings;
    settings.rules.expandable = true;
    CachingAllocator allocator(settings, kGiB, streams, driver, &log);
    QVERIFY(allocator.allocate(0, 30 * kMiB, 0, 0));
    QVERIFY(allocator.allocate(1, 30 * kMiB, 0, 0)); // 10 MiB are left of the two pages
    QCOMPARE(allocator.figures().reserved, 60 * kMiB);
    QCOMPARE(allocator.figures().stranded(), Bytes(0));
    QCOMPARE(log.events[2].size, 20 * kMiB);
    QCOMPARE(log.events[3].address, log.events[1].address + std::uint64_t(30 * kMiB));
}

void TestCachingAllocator::memoryFromBeforeIsUsedAndGivenBack()
{
    const std::vector<std::int64_t> streams{0};
    ModelDriver driver(100 * kMiB);
    EventLog log;
    CachingAllocator allocator({}, 100 * kMiB, streams, driver, &log);
    const std::vector<EarlierBlock> blocks{{.size = 30 * kMiB,
                                            .requested = 29 * kMiB,
                                            .allocation = 7,
                                            .state = SimulatedState::Allocated},
                                           {.size = 10 * kMiB},
                                           {.size = 20 * kMiB,
                                            .requested = 20 * kMiB,
                                            .allocation = 3,
                                            .state = SimulatedState::Pending}};
    allocator.addSegment({0x10000000, {0, 0, true}, false}, blocks);
    QCOMPARE(allocator.figures().reserved, 60 * kMiB);
    QCOMPARE(allocator.figures().allocated, 30 * kMiB);
    QCOMPARE(allocator.figures().active, 50 * kMiB);
    QCOMPARE(allocator.figures().inactiveSplit, 10 * kMiB);
    QVERIFY(allocator.allocate(8, 9 * kMiB, 0, 0)); // 1 MiB is too little to be split off
    QCOMPARE(log.events.back().address, std::uint64_t(0x10000000) + std::uint64_t(30 * kMiB));
    allocator.free(8);
    allocator.free(7);
    allocator.completeFree(3);
    allocator.emptyCache();
    QCOMPARE(allocator.figures().reserved, Bytes(0));
    QVERIFY(log.events.back().action == AllocatorAction::SegmentFree);
    QVERIFY(allocator.allocate(9, 100 * kMiB, 0, 0)); // the device has all of it again
}

void TestCachingAllocator::expandableMemoryIsLeftAloneOnceTheSettingIsOff()
{
    const std::vector<std::int64_t> streams{0};
    ModelDriver driver(kGiB);
    CachingAllocator allocator({}, kGiB, streams, driver);
    const std::vector<EarlierBlock> pages{{.size = 40 * kMiB},
                                          {.size = kGiB, .state = SimulatedState::Unmapped}};
    allocator.addSegment({0x10000000, {0, 0, true}, true}, pages);
    QVERIFY(allocator.allocate(0, 30 * kMiB, 0, 0));
    QCOMPARE(allocator.figures().reserved, 70 * kMiB);
    allocator.emptyCache(); // gives back its pages all the same
    QCOMPARE(allocator.figures().reserved, 30 * kMiB);
}

void TestCachingAllocator::aSimulationEndsWhereMemoryDoes()
{
    RequestStream stream;
    using Kind = AllocatorRequest::Kind;
    stream.requests = {{.kind = Kind::Allocate, .allocation = 0, .event = 10, .size = 40 * kMiB},
                       {.kind = Kind::Try, .allocation = 1, .event = 20, .size = 70 * kMiB},
                       {.kind = Kind::Allocate, .allocation = 2, .event = 30, .size = 70 * kMiB},
                       {.kind = Kind::Allocate, .allocation = 3, .event = 40, .size = 2 * kMiB}};
    stream.allocations = 4;
    const auto small = simulate(stream, {}, 100 * kMiB);
    QCOMPARE(small->outOfMemoryEvent, std::optional(30));
    QCOMPARE(small->failed, 1);
    QCOMPARE(small->figures.outOfMemory, 2);
    const auto large = simulate(stream, {}, kGiB);
    QVERIFY(!large->runsOut());
    QCOMPARE(large->rescued, 1);
    QCOMPARE(large->figures.peakReserved, 130 * kMiB); // the rescued block was freed and used again
    QCOMPARE(large->peakEvent, 40);
    QCOMPARE(large->strandedAtPeak, 18 * kMiB);
    for (AllocatorRequest &request : stream.requests)
        request.event = -1; // held before the recording
    const auto early = simulate(stream, {}, 100 * kMiB);
    QVERIFY(early->runsOut());
    QCOMPARE(early->outOfMemoryEvent, std::optional(-1));
}

void TestCachingAllocator::manySettingsAreSimulatedTogether()
{
    RequestStream stream;
    for (std::uint32_t at = 0; at < 1000; ++at)
        stream.requests.push_back(
            {.allocation = at, .event = std::int32_t(at), .size = Bytes(at) * 1000});
    std::vector<AllocatorSettings> settings(10);
    for (std::size_t at = 0; at < settings.size(); ++at)
        settings[at].rules.largeSegment = Bytes(12 + at) * kMiB;
    const auto results = simulateAll(stream, settings, kUnknownCapacity);
    QVERIFY(results.has_value());
    QCOMPARE(results->size(), settings.size());
    for (std::size_t at = 0; at < settings.size(); ++at)
        QVERIFY((*results)[at].figures ==
                simulate(stream, settings[at], kUnknownCapacity)->figures);
}

void TestCachingAllocator::aSimulationCanBeCancelled()
{
    RequestStream stream;
    stream.requests.push_back({.size = kMiB});
    QVERIFY(!simulate(stream, {}, kGiB, [](double) { return false; }));
    const std::vector<AllocatorSettings> settings(3);
    QVERIFY(simulateAll(stream, settings, kGiB, [](double) { return true; }).has_value());
}

VRAMSCOPE_TEST(TestCachingAllocator)
#include "tst_caching_allocator.moc"
