// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <random>

namespace vramscope::test {

/// What a random trace may hold.
struct RandomTraceOptions
{
    int events = 300;
    int addresses = 20;      ///< fewer: more reuse, and more allocations at live addresses
    bool completions = true; ///< frees are completed, some much later; else only requested
    bool requests = true;    ///< frees are requested; else only completed
    bool finalState = true;  ///< with segments and blocks that agree with the events
};

/// A device's trace of arbitrary events: frees of what was never allocated, allocations at live
/// addresses, requests that are never completed, blocks at the end that no event mentions. The same
/// for the same seed.
inline DeviceTrace randomTrace(unsigned seed, const RandomTraceOptions &options)
{
    std::mt19937 random(seed);
    const auto below = [&random](int bound) {
        return static_cast<int>(random() % unsigned(bound));
    };
    const auto addressOf = [](int index) { return 0x7f0000000000U + std::uint64_t(index) * 512; };

    DeviceTrace trace;
    EventColumns &events = trace.events;
    std::vector<bool> live(static_cast<std::size_t>(options.addresses));
    for (int event = 0; event < options.events; ++event) {
        const int index = below(options.addresses);
        const int dice = below(100);
        Action action = Action::Snapshot;
        if (dice < 45)
            action = Action::Alloc;
        else if (dice < 65)
            action = options.requests ? Action::FreeRequested : Action::FreeCompleted;
        else if (dice < 85)
            action = options.completions ? Action::FreeCompleted : Action::FreeRequested;
        else if (dice < 90)
            action = Action::SegmentAlloc;
        else if (dice < 95)
            action = Action::SegmentFree;
        else if (dice < 97)
            action = Action::SegmentMap;
        else if (dice < 99)
            action = Action::SegmentUnmap;
        if (action == Action::Alloc)
            live[static_cast<std::size_t>(index)] = true;
        else if (action == Action::FreeCompleted ||
                 (action == Action::FreeRequested && !options.completions))
            live[static_cast<std::size_t>(index)] = false;
        events.action.push_back(action);
        events.address.push_back(addressOf(index));
        events.size.push_back(1 + below(1000));
        events.time.push_back(event * 10);
        events.stack.push_back(static_cast<StackId>(1 + below(8)));
        events.stream.push_back(static_cast<StreamId>(below(2)));
        events.pool.push_back(static_cast<PoolId>(below(2)));
        events.context.push_back(ContextId::None);
    }
    if (!options.finalState)
        return trace;

    // One segment of 512-byte blocks; besides what is live, some that no event tells of.
    trace.segments.push_back({.address = addressOf(0), .size = 512 * (options.addresses + 5)});
    for (int index = options.addresses + 4; index >= 0; --index) {
        const bool known = index < options.addresses && live[static_cast<std::size_t>(index)];
        FinalBlock block{.address = addressOf(index), .size = 512};
        if (known || below(3) == 0) {
            block.state = below(4) == 0 ? BlockState::PendingFree : BlockState::Allocated;
            block.requested = 1 + below(512);
            block.stack = static_cast<StackId>(1 + below(8));
        }
        trace.blocks.push_back(block);
    }
    trace.segments.front().blockCount = static_cast<std::uint32_t>(trace.blocks.size());
    return trace;
}

} // namespace vramscope::test
