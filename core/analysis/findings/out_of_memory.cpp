// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings/out_of_memory.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

Bytes roundedUp(Bytes bytes, Bytes grain)
{
    return bytes > std::numeric_limits<Bytes>::max() - grain ? bytes
                                                             : (bytes + grain - 1) / grain * grain;
}

// Completions of delayed frees are among the releases: a retry waits for them first.
Release lastRelease(const EventColumns &events, EventIndex failure)
{
    Release release;
    for (EventIndex event = failure - 1; event >= 0; --event) {
        const auto at = static_cast<std::size_t>(event);
        const Action action = events.action[at];
        if (action == Action::SegmentFree || action == Action::SegmentUnmap) {
            release.last = release.bytes == 0 ? event : release.last;
            release.first = event;
            release.bytes = wrappingSum(release.bytes, events.size[at]);
        } else if (release.bytes > 0 && action != Action::FreeCompleted) {
            break;
        }
    }
    return release;
}

/// Whether the request's segments are expandable: if the setting says so, or if the pool that would
/// serve it has such a segment.
bool isExpandable(const OutOfMemoryReport &report, const SpaceState &state,
                  const AllocatorRules &rules)
{
    const auto serves = [&](const SpaceState::Segment &segment) {
        return segment.life.expandable && segment.life.stream == report.stream &&
               segment.life.large == report.large;
    };
    return rules.expandable || std::ranges::any_of(state.segments, serves);
}

// Free memory that could have served the request: that of its pool, stream and size class. A
// sufficiently large hole shows that its pool was not the requested one, as happens before PyTorch
// 2.12, where events do not record the pool; then it is any other.
void addOwnFree(OutOfMemoryReport &report, PoolId pool)
{
    const auto serves = [&](const FreeDomain &domain) {
        return domain.stream == report.stream && domain.large == report.large &&
               domain.largestHole < report.requested;
    };
    const std::vector<FreeDomain> &domains = report.fragmentation.domains;
    const bool isElsewhere = std::ranges::any_of(domains, [&](const FreeDomain &domain) {
        return domain.pool == pool && domain.stream == report.stream &&
               domain.large == report.large && domain.largestHole >= report.requested;
    });
    for (const FreeDomain &domain : domains) {
        if (!serves(domain) || (domain.pool != pool && !isElsewhere))
            continue;
        report.freeForIt += domain.free();
        report.largestForIt = std::max(report.largestForIt, domain.largestHole);
    }
}

OutOfMemoryCause causeOf(const OutOfMemoryReport &report)
{
    if (report.deviceFree < 0)
        return OutOfMemoryCause::Unknown;
    if (report.deviceFree >= report.needed)
        return OutOfMemoryCause::Limit;
    if (report.freeForIt + report.deviceFree >= report.requested)
        return OutOfMemoryCause::Fragmented;
    const Bytes free = report.fragmentation.stranded + report.fragmentation.releasable;
    return free + report.deviceFree >= report.requested ? OutOfMemoryCause::Elsewhere
                                                        : OutOfMemoryCause::Full;
}

} // namespace

/// The state is that after the failure, which changes nothing itself: the allocator has already
/// given back all that it could and tried again. The driver is asked for a segment (the request
/// rounded up to 2 MiB, at least a whole large segment), or with expandable segments for whole
/// pages.
OutOfMemoryReport explainOutOfMemory(const DeviceTrace &device, std::size_t index,
                                     const Allocations &allocations, const AddressSpace &space,
                                     const AllocatorRules &rules)
{
    const OutOfMemoryEvent &failure = device.outOfMemory[index];
    const auto at = static_cast<std::size_t>(failure.event);
    OutOfMemoryReport report;
    report.event = failure.event;
    report.requested = failure.requested;
    report.deviceFree = failure.deviceFree;
    report.stack = device.events.stack[at];
    report.stream = device.events.stream[at];
    report.pool = device.events.pool[at];
    report.large = AllocatorRules::isLarge(failure.requested);
    report.lastRelease = lastRelease(device.events, failure.event);
    report.bands = space.bandsAfter(failure.event);
    const SpaceState state = space.stateAfter(failure.event);
    report.fragmentation = fragmentationOf(state, allocations, rules);
    addOwnFree(report, device.events.pool[at]);

    report.expandable = isExpandable(report, state, rules);
    report.needed = report.expandable ? roundedUp(report.requested, rules.pageSize(report.large))
                                      : rules.segmentSize(report.requested);
    report.shortage = std::max<Bytes>(report.needed - std::max<Bytes>(report.deviceFree, 0), 0);
    const std::vector<AllocationIndex> live = allocations.liveAfter(failure.event);
    report.liveBlocks = static_cast<std::int64_t>(live.size());
    report.live = groupBySite(allocations, live);
    report.cause = causeOf(report);
    return report;
}

const char *outOfMemoryCauseName(OutOfMemoryCause cause)
{
    constexpr std::array<const char *, kOutOfMemoryCauseCount> kNames{
        "unknown", "limit", "fragmented", "elsewhere", "full"};
    return kNames[static_cast<std::size_t>(cause)];
}

const char *remedyName(Remedy::Kind kind)
{
    constexpr std::array<const char *, kRemedyCount> kNames{
        "leak",          "no_grad",       "graph_pools",         "other_users",     "placement",
        "checkpointing", "fused_loss",    "smaller_optimizer",   "fused_optimizer", "sharding",
        "smaller_batch", "smaller_cache", "expandable_segments", "other_pools",     "limit",
        "more_memory"};
    return kNames[static_cast<std::size_t>(kind)];
}

} // namespace vramscope
