// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/what_if/replay.h"

#include "core/analysis/replayed/recorded_settings.h"
#include "core/analysis/replayed/rehearsal.h"
#include "core/analysis/what_if/replay_attempt.h"
#include "core/base/counted.h"
#include "core/base/exact.h"
#include "core/base/format.h"
#include "core/trace/trace_format.h"

#include <algorithm>

namespace vramscope {

namespace {

/// A way in which the settings in the file may differ from those in force.
struct Variant
{
    void (*apply)(AllocatorSettings &);
    const char *text; ///< a clause
};

constexpr Variant kVariants[] = {
    {[](AllocatorSettings &settings) { settings.prefersLeastGrowth = false; },
     "expandable blocks were chosen by size alone, so that the allocator is not PyTorch's own, "
     "which takes the block that can grow least"},
    {[](AllocatorSettings &settings) { settings.garbageCollectionThreshold = 0; },
     "no memory fraction was set that garbage_collection_threshold could act on"},
    {[](AllocatorSettings &settings) { settings.rules.expandable = !settings.rules.expandable; },
     "expandable_segments was another while the program ran than the file holds"},
    {[](AllocatorSettings &settings) {
         settings.privatePoolsExpand = !settings.privatePoolsExpand;
     },
     "private pools used expandable segments as another version of PyTorch does"},
};

struct Explanation
{
    ReplayEnd end = ReplayEnd::Unexplained;
    std::string reason;
};

/// Why the replay differs, certain reasons before likely ones.
Explanation explain(const Trace &trace, const DeviceTrace &device, const AddressSpace &space,
                    const ConfiguredSettings &configured, const ReplayAttempt &attempt)
{
    if (trace.producer() == kAscendProducer)
        return {ReplayEnd::OtherAllocator,
                "it was recorded by torch_npu on Ascend, whose allocator has rules of its own; of "
                "these only the 32 bytes that it adds to each request are known here"};
    const Consistency &found = space.consistency();
    for (const SettingIssue &issue : configured.issues) {
        if (issue.key == "backend")
            return {ReplayEnd::OtherAllocator, issue.text};
    }
    if (found.contradictorySegments > 0)
        return {ReplayEnd::Contradiction,
                "segment events contradict the segments at the end: events were lost, or some "
                "kinds of them were not recorded"};
    if (found.unplaced > 0)
        return {ReplayEnd::Contradiction,
                formatCount(found.unplaced) +
                    (found.unplaced == 1 ? " allocation lies" : " allocations lie") +
                    " where the file shows no free memory of the allocator"};
    const EventIndex at = attempt.result().exactEvents;
    const bool ended = at >= device.events.count();
    const auto place = static_cast<std::size_t>(at);
    const Action action = ended ? Action::Other : device.events.action[place];
    const bool isGarbage = action == Action::SegmentFree || action == Action::SegmentAlloc;
    if (configured.settings.garbageCollectionThreshold > 0 &&
        (isGarbage || !attempt.result().fromStart))
        return {ReplayEnd::OtherSettings,
                "garbage_collection_threshold acts on the age of free memory and on a share of the "
                "device, which the file does not tell"};
    if (configured.settings.failsBeforeDriver && action == Action::OutOfMemory)
        return {ReplayEnd::OtherSettings,
                "throw_on_cudamalloc_oom gives up at a share of the device, which the file does "
                "not tell"};
    if (!ended && device.events.pool[place] != PoolId::Default)
        return {ReplayEnd::RestoredPool,
                "it is in a private pool, and CUDA graphs restore those from checkpoints, which "
                "are not recorded"};
    if (attempt.guessedSizes() > 0)
        return {ReplayEnd::UnknownSizes,
                "recording began while the program ran, and of " +
                    counted(attempt.guessedSizes(), "block") +
                    " from before it, which are freed in it, the file tells the request but "
                    "not the size"};
    if (configured.settings.rules.expandable)
        return {ReplayEnd::UnknownReach,
                "how far an expandable segment may grow before another is made follows from the "
                "memory of the device, which the file does not tell"};
    return {ReplayEnd::Unexplained,
            "the recorded allocator did otherwise than PyTorch's rules say, and nothing in the "
            "file explains it"};
}

// Whether sums over all sizes stay in range.
bool hasSoundSizes(const DeviceTrace &device)
{
    Exact sum;
    for (const Bytes size : device.events.size) {
        if (size < 0)
            return false;
        sum += size;
    }
    for (const FinalSegment &segment : device.segments)
        sum += segment.size;
    return sum < Exact(Bytes(1) << 62);
}

// A wrong guess, too, may get a few events farther: the right one explains most of the rest.
bool isConvincing(const Replay &other, const Replay &first)
{
    return other.exact() ||
           other.exactEvents - first.exactEvents > first.events - other.exactEvents;
}

Replay refused(const DeviceTrace &device, ReplayEnd end, std::string reason)
{
    Replay result;
    result.end = end;
    result.reason = std::move(reason);
    result.events = device.events.count();
    return result;
}

std::optional<Replay> replayed(const Trace &trace, const DeviceTrace &device,
                               const Allocations &allocations, const AddressSpace &space,
                               const Progress &progress)
{
    if (!hasSoundSizes(device))
        return refused(device, ReplayEnd::Contradiction,
                       "the recording tells sizes that no device has");
    if (trace.format() == kAllocationPlot) {
        Replay result = refused(device, ReplayEnd::NoAddresses,
                                "the page holds sizes alone, neither addresses nor segments");
        result.fromStart = allocations.firstBornAfter(-1) == 0;
        return result;
    }
    const ConfiguredSettings configured = recordedSettings(trace);
    ReplayAttempt attempt(trace, device, allocations, space);
    if (!attempt.run(configured.settings, progress))
        return std::nullopt;
    Replay result = attempt.result();
    if (std::ranges::find(device.events.action, Action::Alloc) == device.events.action.end()) {
        result.end = ReplayEnd::NothingRecorded;
        result.reason = "the recording holds no allocations";
        return result;
    }
    if (result.exact())
        return result;
    const Explanation why = explain(trace, device, space, configured, attempt);
    result.end = why.end;
    result.reason = why.reason;
    if (why.end == ReplayEnd::OtherAllocator || why.end == ReplayEnd::Contradiction)
        return result;
    const Replay first = result;
    EventIndex farthest = result.exactEvents;
    for (const Variant &variant : kVariants) {
        AllocatorSettings settings = configured.settings;
        variant.apply(settings);
        if (!attempt.run(settings, progress))
            return std::nullopt;
        const Replay &other = attempt.result();
        if (!isConvincing(other, first) || other.exactEvents <= farthest)
            continue;
        farthest = other.exactEvents;
        result.end = ReplayEnd::OtherSettings;
        result.reason =
            std::string(variant.text) + "; so understood it is exact " +
            (other.exact() ? "to the end" : "up to event " + formatCount(other.exactEvents));
        if (other.exact())
            break;
    }
    return result;
}

} // namespace

std::optional<Replay> replay(const Trace &trace, const DeviceTrace &device,
                             const Allocations &allocations, const AddressSpace &space,
                             const Progress &progress)
{
    std::optional<Replay> result = replayed(trace, device, allocations, space, progress);
    if (result && result->capacity < 0) {
        if (const auto rehearsal = rehearsalOf(trace))
            result->capacity = rehearsal->allocatorBytes;
    }
    return result;
}

} // namespace vramscope
