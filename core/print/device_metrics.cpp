// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/device_metrics.h"

#include "core/analysis/replayed/fragmentation.h"
#include "core/base/ordered_jobs.h"
#include "core/print/verdict.h"

#include <memory>

namespace vramscope {

DeviceMetrics::DeviceMetrics(const Trace &trace, const DeviceTrace &device, ByteUnit unit)
{
    isHost = device.host;
    const Allocations allocations(device);
    const UsageCurve curve(device, allocations);
    const AllocatorRules rules = allocatorRules(trace);
    std::unique_ptr<const AddressSpace> space;
    const auto either = [&](std::size_t job) {
        if (job == 0)
            space = AddressSpace::replay(device, allocations, rules);
        else
            summary = summarize(trace, device, curve);
    };
    runInOrder(2, either, [](std::size_t) { return true; });
    atPeak = space->bandsAfter(summary.peakActiveEvent);
    strandedEvent = mostStranded(*space);
    stranded = space->bandsAfter(strandedEvent).stranded;
    odd = inconsistencies(*space, curve);
    verdict = verdictText(device, curve, firstFailure(device, allocations, *space, rules), unit);
}

} // namespace vramscope
