// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/allocations.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/readers/read_trace.h"
#include "tests/core/analysis/model_run.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/support/test.h"

#include <QDir>

#include <sstream>

using namespace vramscope;
using test::ModelMoment;
using test::ModelRunOptions;

namespace {

// A state as text, one region a line: equal texts mean equal states.
std::string textOf(const SpaceState &state)
{
    std::ostringstream out;
    for (const SpaceState::Segment &segment : state.segments) {
        out << "segment " << segment.life.address << ' ' << segment.life.size << '\n';
        for (std::uint32_t at = 0; at < segment.regionCount; ++at) {
            const Region &region = state.regions[segment.firstRegion + at];
            out << ' ' << region.address << ' ' << region.size << ' '
                << (region.allocation == kNoAllocation ? "free"
                    : region.pendingFree               ? "pending"
                                                       : "used")
                << '\n';
        }
    }
    return out.str();
}

std::string textOf(const std::vector<test::ModelSegment> &segments)
{
    using State = test::ModelBlock::State;
    std::ostringstream out;
    for (const test::ModelSegment &segment : segments) {
        Bytes size = 0;
        for (const auto &[address, block] : segment.blocks)
            size += block.size;
        out << "segment " << segment.address << ' ' << size << '\n';
        for (const auto &[address, block] : segment.blocks)
            out << ' ' << address << ' ' << block.size << ' '
                << (block.state == State::Free          ? "free"
                    : block.state == State::PendingFree ? "pending"
                                                        : "used")
                << '\n';
    }
    return out.str();
}

// The bands once more, from the regions of one moment alone.
Bands bandsOf(const SpaceState &state, const Allocations &allocations, const AllocatorRules &rules)
{
    Bands bands;
    for (const SpaceState::Segment &segment : state.segments) {
        const SegmentLife &life = segment.life;
        for (std::uint32_t at = 0; at < segment.regionCount; ++at) {
            const Region &region = state.regions[segment.firstRegion + at];
            if (region.pendingFree) {
                bands.pendingFree += region.size;
            } else if (region.allocation != kNoAllocation) {
                bands.requested += allocations.size[region.allocation];
                bands.rounding += region.size - allocations.size[region.allocation];
            } else {
                Bytes whole = 0; // pages, or the one segment, that lie in the hole
                const Bytes page = life.expandable ? rules.pageSize(life.large) : life.size;
                for (std::uint64_t start = life.address; start < life.end();
                     start += static_cast<std::uint64_t>(page)) {
                    const std::uint64_t end = start + static_cast<std::uint64_t>(page);
                    const bool inside =
                        start >= region.address &&
                        end <= region.address + static_cast<std::uint64_t>(region.size);
                    whole += inside ? page : 0;
                }
                // The region tells the same by itself.
                if (region.releasable != whole)
                    return {};
                bands.releasable += whole;
                bands.stranded += region.size - whole;
            }
        }
    }
    return bands;
}

enum Kind { kExpandable = 1, kStreams = 2, kPools = 4 };

void addKinds()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("plain") << 0;
    QTest::newRow("streams and pending frees") << int(kStreams);
    QTest::newRow("private pools") << int(kPools);
    QTest::newRow("expandable") << int(kExpandable);
    QTest::newRow("expandable with streams") << (kExpandable | kStreams);
    QTest::newRow("all at once") << (kExpandable | kStreams | kPools);
}

ModelRunOptions optionsOf(int kind)
{
    ModelRunOptions options;
    options.expandable = (kind & kExpandable) != 0;
    options.streams = (kind & kStreams) != 0;
    options.pools = (kind & kPools) != 0;
    return options;
}

void compareMoments(const test::ModelRun &run)
{
    const Allocations allocations(run.trace);
    const auto space = AddressSpace::replay(run.trace, allocations, {});
    QVERIFY(!run.moments.empty());
    for (const ModelMoment &moment : run.moments)
        QCOMPARE(textOf(space->stateAfter(moment.event)), textOf(moment.segments));
    QCOMPARE(space->consistency(), Consistency{});
}

std::shared_ptr<const Trace> recorded(const QFileInfo &file)
{
    return readTrace(std::filesystem::path(file.filePath().toStdString())).value();
}

QFileInfoList recordings()
{
    return QDir(test::corpusFolder()).entryInfoList({"*.pickle"}, QDir::Files, QDir::Name);
}

} // namespace

class TestAddressSpace : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyMomentOfACompleteHistoryIsRebuiltExactly_data();
    void everyMomentOfACompleteHistoryIsRebuiltExactly();
    void whatARingBufferLostIsRebuiltFromTheEnd_data();
    void whatARingBufferLostIsRebuiltFromTheEnd();
    void bandsAddUpFromTheRegions_data();
    void bandsAddUpFromTheRegions();
    void arbitraryEventsKeepTheBooksStraight();
    void skippedActionsKeepTheBooksStraight_data();
    void skippedActionsKeepTheBooksStraight();
    void aBlockBeforeTheRecordingIsAsLargeAsTheNextOneShows();
    void contradictionsAreCounted();
    void cancellingGivesNothing();
    void recordedFilesAreConsistent();
    void recordedBlocksAtTheEndAreThoseOfTheFile();
    void recordedBandsAddUpToReservedAtEveryEvent();
};

void TestAddressSpace::everyMomentOfACompleteHistoryIsRebuiltExactly_data()
{
    addKinds();
}

void TestAddressSpace::everyMomentOfACompleteHistoryIsRebuiltExactly()
{
    QFETCH(int, kind);
    for (unsigned seed = 1; seed <= 40; ++seed)
        compareMoments(test::modelRun(seed, optionsOf(kind)));
}

void TestAddressSpace::whatARingBufferLostIsRebuiltFromTheEnd_data()
{
    addKinds();
}

// Blocks that are freed in the trace and were made before it have the size of their request,
// rounded; where the allocator gave them more, only the next block behind them can show it.
void TestAddressSpace::whatARingBufferLostIsRebuiltFromTheEnd()
{
    QFETCH(int, kind);
    int moments = 0;
    int equal = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        const test::ModelRun run = test::modelRun(seed, optionsOf(kind), 300);
        const Allocations allocations(run.trace);
        const auto space = AddressSpace::replay(run.trace, allocations, {});
        QCOMPARE(space->consistency(), Consistency{});
        for (const ModelMoment &moment : run.moments) {
            const std::string rebuilt = textOf(space->stateAfter(moment.event));
            ++moments;
            equal += rebuilt == textOf(moment.segments) ? 1 : 0;
            Bytes reserved = 0;
            for (const test::ModelSegment &segment : moment.segments) {
                for (const auto &[address, block] : segment.blocks)
                    reserved += block.size;
            }
            QCOMPARE(space->bandsAfter(moment.event).reserved(), reserved);
        }
    }
    QVERIFY(moments > 100);
    // In an expandable segment every rest is split off, so nothing is left to guess.
    const int wanted = (kind & kExpandable) != 0 ? 100 : 97;
    QVERIFY2(equal * 100 >= moments * wanted,
             qPrintable(QString("%1 of %2").arg(equal).arg(moments)));
}

void TestAddressSpace::bandsAddUpFromTheRegions_data()
{
    addKinds();
}

void TestAddressSpace::bandsAddUpFromTheRegions()
{
    QFETCH(int, kind);
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const test::ModelRun run = test::modelRun(seed, optionsOf(kind), seed % 2 == 0 ? 200 : 0);
        const Allocations allocations(run.trace);
        const UsageCurve curve(run.trace, allocations);
        const auto space = AddressSpace::replay(run.trace, allocations, {});
        const auto kept = AddressSpace::replay(run.trace, allocations, {}, {}, BandsKept::Every);
        for (EventIndex event = -1; event < run.trace.events.count(); ++event) {
            const Bands &bands = space->bandsAfter(event);
            QVERIFY(bands == kept->bandsAfter(event));
            QCOMPARE(bands.reserved(), curve.reserved(event));
            QVERIFY(bands == bandsOf(space->stateAfter(event), allocations, {}));
        }
    }
}

void TestAddressSpace::arbitraryEventsKeepTheBooksStraight()
{
    for (unsigned seed = 1; seed <= 300; ++seed) {
        const DeviceTrace trace = test::randomTrace(
            seed,
            {.completions = seed % 3 != 0, .requests = seed % 5 != 0, .finalState = seed % 2 == 0});
        const Allocations allocations(trace);
        const auto space = AddressSpace::replay(trace, allocations, {});
        const auto kept = AddressSpace::replay(trace, allocations, {}, {}, BandsKept::Every);
        for (EventIndex event = -1; event < trace.events.count(); ++event) {
            Bytes held = 0;
            for (const SegmentLife &life : space->segments().heldAfter(event))
                held += life.size;
            const Bands &bands = space->bandsAfter(event);
            QVERIFY(bands == kept->bandsAfter(event));
            QCOMPARE(bands.reserved(), held);
            QVERIFY(bands == bandsOf(space->stateAfter(event), allocations, {}));
        }
    }
}

void TestAddressSpace::skippedActionsKeepTheBooksStraight_data()
{
    QTest::addColumn<int>("skipped");
    for (const Action action :
         {Action::Alloc, Action::FreeRequested, Action::FreeCompleted, Action::SegmentAlloc,
          Action::SegmentFree, Action::SegmentMap, Action::SegmentUnmap})
        QTest::newRow(std::string(actionName(action)).c_str()) << static_cast<int>(action);
}

// As recorded with skip_actions: the final state is whole, the history lacks one kind of event.
void TestAddressSpace::skippedActionsKeepTheBooksStraight()
{
    QFETCH(int, skipped);
    for (unsigned seed = 1; seed <= 12; ++seed) {
        DeviceTrace trace = test::modelRun(seed, optionsOf(static_cast<int>(seed % 8))).trace;
        test::dropEvents(trace, [skipped](Action action) { return int(action) == skipped; });
        const Allocations allocations(trace);
        const auto space = AddressSpace::replay(trace, allocations, {});
        const EventIndex last = trace.events.count() - 1;
        Bytes reservedAtEnd = 0;
        for (const FinalSegment &segment : trace.segments)
            reservedAtEnd += segment.size;
        QCOMPARE(space->bandsAfter(last).reserved(), reservedAtEnd);
        for (EventIndex event = -1; event <= last; ++event) {
            const Bands &bands = space->bandsAfter(event);
            QVERIFY(bands == bandsOf(space->stateAfter(event), allocations, {}));
            QVERIFY(std::min({bands.requested, bands.rounding, bands.pendingFree, bands.stranded,
                              bands.releasable}) >= 0);
        }
        // Requests alone tell nothing that completions do not tell too.
        if (skipped == int(Action::FreeRequested))
            QCOMPARE(space->consistency(), Consistency{});
    }
}

// A hole of 1.5 MiB behind a block of 700 KiB less than its segment's part: the block kept it.
void TestAddressSpace::aBlockBeforeTheRecordingIsAsLargeAsTheNextOneShows()
{
    test::AllocatorModel model(kGiB, false);
    const auto whole = model.allocate(4 * kMiB, 0);
    const auto behind = model.allocate(6 * kMiB, 0);
    model.free(*whole, 0);
    const auto kept =
        model.allocate(4 * kMiB - 700 * kKiB, 0); // the rest is too small to split off
    model.free(*behind, 0);
    const std::size_t begin = model.events().size();
    const auto next = model.allocate(6 * kMiB, 0);
    model.free(*kept, 0);
    QVERIFY(next);
    const DeviceTrace trace = test::recordedBy(model, begin);
    const Allocations allocations(trace);
    const auto space = AddressSpace::replay(trace, allocations, {});
    QCOMPARE(space->consistency(), Consistency{});
    QCOMPARE(space->bandsAfter(-1).rounding, 700 * kKiB);
}

void TestAddressSpace::contradictionsAreCounted()
{
    test::AllocatorModel model(kGiB, false);
    const auto first = model.allocate(3 * kMiB, 0);
    const auto second = model.allocate(5 * kMiB, 0);
    model.free(*first, 0);
    const DeviceTrace good = test::recordedBy(model);
    const auto consistencyOf = [](const DeviceTrace &trace) {
        const Allocations allocations(trace);
        return AddressSpace::replay(trace, allocations, {})->consistency();
    };
    QVERIFY(second);
    QCOMPARE(consistencyOf(good), Consistency{});

    DeviceTrace lost = good; // the end says that nothing is in use
    for (FinalBlock &block : lost.blocks)
        block.state = BlockState::Inactive;
    QCOMPARE(consistencyOf(lost).otherEnd, 1);

    DeviceTrace elsewhere = good; // an allocation where no memory was held
    QCOMPARE(elsewhere.events.action[1], Action::Alloc);
    for (const std::size_t event : {std::size_t(1), std::size_t(3), std::size_t(4)})
        elsewhere.events.address[event] += 1'000'000'000;
    QCOMPARE(consistencyOf(elsewhere).unplaced, 1);
    QCOMPARE(consistencyOf(elsewhere).firstUnplaced, 1);

    DeviceTrace larger = good; // a block at the end that its request does not explain
    QCOMPARE(larger.blocks.size(), std::size_t(3));
    larger.blocks[1].size += 512;
    larger.blocks[2].size -= 512;
    larger.blocks[2].address += 512;
    QCOMPARE(consistencyOf(larger).otherSize, 1);

    DeviceTrace twice = good; // the same segment is made twice
    twice.events.action[1] = Action::SegmentAlloc;
    twice.events.address[1] = twice.events.address[0];
    QVERIFY(consistencyOf(twice).contradictorySegments > 0);

    DeviceTrace returned = good; // a segment is given back while a block in it lives
    returned.events.action.push_back(Action::SegmentFree);
    returned.events.address.push_back(good.segments.front().address);
    returned.events.size.push_back(good.segments.front().size);
    returned.events.time.push_back(good.events.time.back());
    returned.events.stack.push_back(StackId::None);
    returned.events.stream.push_back(StreamId(0));
    returned.events.pool.push_back(PoolId::Default);
    returned.events.context.push_back(ContextId::None);
    returned.segments.clear();
    returned.blocks.clear();
    QCOMPARE(consistencyOf(returned).returnedInUse, 1);
}

void TestAddressSpace::cancellingGivesNothing()
{
    const test::ModelRun run = test::modelRun(7, {});
    const Allocations allocations(run.trace);
    QVERIFY(!AddressSpace::replay(run.trace, allocations, {}, [](double) { return false; }));
}

void TestAddressSpace::recordedFilesAreConsistent()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    const QStringList odd{"mini_nightly_depth259.pickle", "synthetic_mosaic.pickle"};
    int files = 0;
    for (const QFileInfo &file : recordings()) {
        const auto trace = recorded(file);
        for (const DeviceTrace &device : trace->devices()) {
            const Allocations allocations(device);
            const auto space = AddressSpace::replay(device, allocations, allocatorRules(*trace));
            QVERIFY2((space->consistency() == Consistency{}) != odd.contains(file.fileName()),
                     qPrintable(file.fileName()));
        }
        ++files;
    }
    QVERIFY(files >= 20);
}

void TestAddressSpace::recordedBlocksAtTheEndAreThoseOfTheFile()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    const QStringList odd{"mini_nightly_depth259.pickle", "synthetic_mosaic.pickle"};
    for (const QFileInfo &file : recordings()) {
        if (odd.contains(file.fileName()))
            continue;
        const auto trace = recorded(file);
        for (const DeviceTrace &device : trace->devices()) {
            const Allocations allocations(device);
            const auto space = AddressSpace::replay(device, allocations, allocatorRules(*trace));
            const SpaceState state = space->stateAfter(device.events.count() - 1);
            std::vector<std::tuple<std::uint64_t, Bytes, Bytes, bool>> rebuilt;
            for (const Region &region : state.regions) {
                if (region.allocation != kNoAllocation)
                    rebuilt.emplace_back(region.address, region.size,
                                         allocations.size[region.allocation], region.pendingFree);
            }
            std::vector<std::tuple<std::uint64_t, Bytes, Bytes, bool>> listed;
            for (const FinalBlock &block : device.blocks) {
                if (block.state != BlockState::Inactive)
                    listed.emplace_back(block.address, block.size, block.requested,
                                        block.state == BlockState::PendingFree);
            }
            std::ranges::sort(listed);
            QVERIFY2(rebuilt == listed, qPrintable(file.fileName()));
        }
    }
}

void TestAddressSpace::recordedBandsAddUpToReservedAtEveryEvent()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    for (const QFileInfo &file : recordings()) {
        const auto trace = recorded(file);
        for (const DeviceTrace &device : trace->devices()) {
            const Allocations allocations(device);
            const UsageCurve curve(device, allocations);
            const AllocatorRules rules = allocatorRules(*trace);
            const auto space = AddressSpace::replay(device, allocations, rules);
            for (EventIndex event = -1; event < device.events.count(); ++event) {
                const Bands &bands = space->bandsAfter(event);
                QVERIFY2(bands.reserved() == curve.reserved(event), qPrintable(file.fileName()));
                if (event % 97 == 0)
                    QVERIFY2(bands == bandsOf(space->stateAfter(event), allocations, rules),
                             qPrintable(file.fileName()));
            }
        }
    }
}

VRAMSCOPE_TEST(TestAddressSpace)
#include "tst_address_space.moc"
