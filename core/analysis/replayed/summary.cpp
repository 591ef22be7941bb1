// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/summary.h"

#include "core/analysis/replayed/allocations.h"

#include <algorithm>

namespace vramscope {

namespace {

// Marks ids and counts the distinct ones.
class Marks
{
public:
    explicit Marks(std::size_t bound)
        : m_marked(bound)
    {
    }
    template<class Id>
    bool add(Id id)
    {
        const auto at = static_cast<std::size_t>(id);
        const bool isNew = !m_marked[at];
        m_marked[at] = true;
        m_count += isNew ? 1 : 0;
        return isNew;
    }
    [[nodiscard]] std::int64_t count() const { return m_count; }

private:
    std::vector<bool> m_marked;
    std::int64_t m_count = 0;
};

void countEvents(DeviceSummary &summary, const Trace &trace, const DeviceTrace &device)
{
    Marks streams(trace.streams().size());
    Marks pools(trace.pools().size());
    for (const FinalSegment &segment : device.segments) {
        streams.add(segment.stream);
        pools.add(segment.pool);
    }
    const EventColumns &events = device.events;
    for (std::size_t at = 0; at < events.action.size(); ++at) {
        ++summary.actions[static_cast<std::size_t>(events.action[at])];
        if (events.action[at] == Action::Alloc) {
            streams.add(events.stream[at]);
            pools.add(events.pool[at]);
        }
    }
    summary.streams = streams.count();
    summary.pools = pools.count();
}

void countStacks(DeviceSummary &summary, const Trace &trace, const DeviceTrace &device)
{
    Marks stacks(trace.stackCount() + 1);
    Marks frames(trace.frameCount());
    stacks.add(StackId::None);
    const auto add = [&](StackId stack) {
        if (!stacks.add(stack))
            return;
        for (const FrameId frame : trace.stack(stack))
            frames.add(frame);
    };
    device.events.stack.forEach([&](StackId stack, std::size_t) { add(stack); });
    for (const FinalSegment &segment : device.segments)
        add(segment.stack);
    for (const FinalBlock &block : device.blocks)
        add(block.stack);
    summary.stacks = stacks.count() - 1;
    summary.frames = frames.count();
}

void findRequested(DeviceSummary &summary, const Allocations &allocations)
{
    const std::vector<Bytes> sums = EventCurve::sumsOf(allocations, allocations.requested,
                                                       static_cast<EventIndex>(summary.events));
    const auto highest = std::ranges::max_element(sums);
    summary.baselineRequested = sums.front();
    summary.peakRequested = *highest;
    summary.peakRequestedEvent = static_cast<EventIndex>(highest - sums.begin()) - 1;
}

void sumFinalState(DeviceSummary &summary, const DeviceTrace &device)
{
    for (const FinalSegment &segment : device.segments)
        summary.reservedEnd = wrappingSum(summary.reservedEnd, segment.size);
    for (const ActiveBlock &active : activeBlocks(device)) {
        const FinalBlock &block = active.block;
        summary.activeEnd = wrappingSum(summary.activeEnd, block.size);
        summary.requestedEnd = wrappingSum(summary.requestedEnd, block.requested);
        if (block.state == BlockState::Allocated)
            summary.allocatedEnd = wrappingSum(summary.allocatedEnd, block.size);
    }
}

std::optional<std::int64_t> timeSpan(const std::vector<std::int64_t> &times)
{
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = kNoTime;
    for (const std::int64_t time : times) {
        if (time == kNoTime)
            continue;
        first = std::min(first, time);
        last = std::max(last, time);
    }
    if (last == kNoTime)
        return std::nullopt;
    return wrappingDifference(last, first);
}

} // namespace

DeviceSummary summarize(const Trace &trace, const DeviceTrace &device,
                        const Allocations &allocations, const UsageCurve &curve)
{
    DeviceSummary summary;
    summary.device = device.device;
    summary.events = device.events.count();
    summary.segments = static_cast<std::int64_t>(device.segments.size());
    summary.blocks = static_cast<std::int64_t>(device.blocks.size());
    summary.baseline = curve.active(-1);
    summary.peakActiveEvent = curve.peakActiveEvent();
    summary.peakActive = curve.active(curve.peakActiveEvent());
    summary.peakReserved = curve.reserved(curve.peakReservedEvent());
    summary.isReservedKnown = curve.isReservedKnown();
    summary.outOfMemory = device.outOfMemory;
    summary.timeSpan = timeSpan(device.events.time);
    findRequested(summary, allocations);
    sumFinalState(summary, device);
    countEvents(summary, trace, device);
    countStacks(summary, trace, device);
    return summary;
}

namespace {

Inconsistency activeAboveReserved(const UsageCurve &curve)
{
    const auto [count, first] = curve.activeAboveReserved();
    return {"More bytes are active than reserved: segment events are missing, or frees were lost.",
            count, first};
}

} // namespace

std::vector<Inconsistency> inconsistencies(const AddressSpace &space, const UsageCurve &curve)
{
    if (!curve.isReservedKnown())
        return {{"The recording holds no segments: what was reserved is not known.", 1, -1}};
    const Consistency &found = space.consistency();
    std::vector<Inconsistency> all{
        activeAboveReserved(curve),
        {"A segment event contradicts the segments at the end: events were lost, or some actions "
         "were not recorded.",
         found.contradictorySegments, -1},
        {"An allocation lies where the allocator held no free memory; it is left out of the bands.",
         found.unplaced, found.firstUnplaced},
        {"A segment went back to the device while a block in it was in use.", found.returnedInUse,
         -1},
        {"A block begins inside free memory instead of at its front.", found.insideHole, -1},
        {"A block at the end has another size than its request explains under the recorded "
         "settings.",
         found.otherSize, -1},
        {"A block is in use at the end in the events or in the segments, but not in both.",
         found.otherEnd, -1},
    };
    std::erase_if(all, [](const Inconsistency &one) { return one.count == 0; });
    return all;
}

} // namespace vramscope
