// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/categories.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/catalog/gpus.h"

#include <algorithm>
#include <unordered_set>

namespace vramscope {

namespace {

// What the context, libraries and the driver take of a device outside the allocator.
constexpr Bytes kMostContext = 2 * kGiB;
constexpr Bytes kLeastPart = 4; // of the memory in use: a smaller part is not the cause

/// What others use of the device: the allocator's memory and what is free come to the size of no
/// GPU. At least so much, by the smallest GPU that is larger.
Bytes usedByOthers(const OutOfMemoryReport &report)
{
    if (!report.isLeftTold() || report.cause == OutOfMemoryCause::Limit)
        return 0;
    const Bytes known = wrappingSum(report.bands.reserved(), report.deviceFree);
    Bytes least = std::numeric_limits<Bytes>::max();
    for (const GpuPreset &gpu : gpuPresets()) {
        if (!gpu.isReported() || gpu.unified() || isSlice(gpu) || gpu.capacity < known)
            continue;
        least = std::min(least, gpu.capacity - known);
    }
    return least > kMostContext && least != std::numeric_limits<Bytes>::max() ? least : 0;
}

/// What another device of the same process has less in use than this one.
Bytes unusedElsewhere(const Trace &trace, const DeviceTrace &device,
                      const OutOfMemoryReport &report)
{
    std::optional<Bytes> least;
    for (const DeviceTrace &other : trace.devices()) {
        if (other.host || other.device == device.device)
            continue;
        Bytes reserved = 0;
        for (const FinalSegment &segment : other.segments)
            reserved = wrappingSum(reserved, segment.size);
        least = std::min(least.value_or(reserved), reserved);
    }
    const Bytes own = report.bands.reserved();
    return least && *least < own / 2 ? own - *least : 0;
}

/// Activations alive at the failure from stacks none of whose memory ever lived into a backward
/// pass, in a program that trains by others: an evaluation that records the graph.
Bytes keptWithoutBackward(const Allocations &allocations, const Categories &categories,
                          const OutOfMemoryReport &report)
{
    std::unordered_set<StackId> trained;
    std::vector<EventIndex> backward;
    for (AllocationIndex index = 0; index < allocations.count(); ++index) {
        if (categories.phaseOf(index) == Phase::Backward && allocations.birth[index] >= 0)
            backward.push_back(allocations.birth[index]);
    }
    if (backward.empty())
        return 0;
    for (AllocationIndex index = 0; index < allocations.count(); ++index) {
        const auto next = std::ranges::upper_bound(backward, allocations.birth[index]);
        if (categories.phaseOf(index) == Phase::Forward && next != backward.end() &&
            *next < std::min(allocations.death[index], report.event))
            trained.insert(allocations.stack[index]);
    }
    Bytes kept = 0;
    for (const AllocationIndex index : allocations.liveAfter(report.event)) {
        if (categories.phaseOf(index) == Phase::Forward &&
            !trained.contains(allocations.stack[index]))
            kept = wrappingSum(kept, allocations.size[index]);
    }
    return trained.empty() ? 0 : kept;
}

} // namespace

Bytes freeInPrivatePools(const OutOfMemoryReport &report)
{
    Bytes free = 0;
    for (const FreeDomain &domain : report.fragmentation.domains) {
        if (domain.pool != PoolId::Default && domain.pool != report.pool)
            free = wrappingSum(free, domain.free());
    }
    return free;
}

std::vector<Remedy> circumstancesOf(const Trace &trace, const DeviceTrace &device,
                                    const Allocations &allocations, const Categories &categories,
                                    const OutOfMemoryReport &report)
{
    const Bytes used = wrappingSum(report.bands.requested, report.bands.rounding);
    const std::array found{
        Remedy{Remedy::Kind::NoGrad,
               keptWithoutBackward(allocations, categories, report),
               true,
               {},
               {}},
        Remedy{Remedy::Kind::GraphPools, freeInPrivatePools(report), true, {}, {}},
        Remedy{Remedy::Kind::Placement, unusedElsewhere(trace, device, report) / 2, true, {}, {}},
        Remedy{Remedy::Kind::OtherUsers, usedByOthers(report), true, {}, {}}};
    std::vector<Remedy> remedies;
    for (Remedy remedy : found) {
        const bool isCause =
            remedy.bytes > 0 && (remedy.bytes >= used / kLeastPart ||
                                 (report.shortage > 0 && remedy.bytes >= report.shortage));
        if (!isCause)
            continue;
        if (report.isLeftTold())
            remedy.servesRequest = remedy.bytes >= report.shortage;
        remedies.push_back(remedy);
    }
    std::ranges::stable_sort(remedies, std::ranges::greater(), [](const Remedy &remedy) {
        return remedy.servesRequest.value_or(false);
    });
    return remedies;
}

} // namespace vramscope
