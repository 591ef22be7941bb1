// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/nsight_memory.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace vramscope::nsight {

namespace {

enum class Where { Device, Host, Neither };

Where whereOf(std::int64_t kind)
{
    switch (kind) {
    case 2: // device
    case 3: // array
    case 5: // device static
        return Where::Device;
    case 0: // pageable
    case 1: // pinned
        return Where::Host;
    default:
        return Where::Neither;
    }
}

} // namespace

void DeviceMemory::addTo(ProfileBuilder &builder)
{
    constexpr std::int64_t kAllocated = 0;
    constexpr std::int64_t kFreed = 1;
    constexpr std::int64_t kHost = 0; // numbers of c10::DeviceType
    constexpr std::int64_t kCuda = 1;
    std::ranges::stable_sort(m_rows, {}, &MemoryRow::time);
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> live; // bytes by process, address
    std::map<std::int64_t, std::int64_t> totals;                        // by device; -1: the host
    for (const MemoryRow &row : m_rows) {
        const Where where = whereOf(row.kind);
        if (where == Where::Neither) {
            builder.addProblem("Managed memory moves between host and device and counts in no "
                               "curve.");
            continue;
        }
        if (row.time == kNotStated || (row.operation != kAllocated && row.operation != kFreed)) {
            builder.addProblem("A memory event lacks its time or what happened; it was left out.");
            continue;
        }
        const std::pair key(row.process, row.address);
        std::int64_t bytes = row.bytes;
        if (row.operation == kAllocated) {
            if (bytes <= 0)
                continue;
            live[key] = bytes;
        } else {
            const auto known = live.find(key);
            if (known == live.end()) {
                // What was there before the recording is not in the curve.
                builder.addProblem("Memory was freed that was allocated before the recording: the "
                                   "curve counts only what was allocated since.");
                continue;
            }
            bytes = -known->second;
            live.erase(known);
        }
        ProfileMemoryEvent event;
        event.time = row.time;
        event.bytes = bytes;
        event.address = row.address;
        event.deviceType = where == Where::Host ? kHost : kCuda;
        event.deviceId = where == Where::Host ? -1 : row.device;
        std::int64_t &total = totals[event.deviceId];
        total = wrappingSum(total, bytes);
        event.allocated = total;
        event.thread = kNoRow;
        builder.addMemory(event);
    }
    m_rows = {};
}

} // namespace vramscope::nsight
