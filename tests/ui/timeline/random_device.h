// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <random>

namespace vramscope::test {

/// Random numbers that are the same in every run.
class Dice
{
public:
    explicit Dice(std::uint32_t seed)
        : m_random(seed)
    {
    }
    /// 0 … bound - 1
    int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }
    /// 0 … 1
    double share() { return below(1001) / 1000.0; }

private:
    std::mt19937 m_random;
};

/// A device with `events` random events, the same for the same seed: allocations of all sizes,
/// frees of random live ones, immediate or delayed, memory from before the recording, blocks that
/// stay. Stacks are numbered 1 to `stacks`.
inline DeviceTrace randomDevice(std::uint32_t seed, int events, int stacks = 30)
{
    struct Live
    {
        std::uint64_t address;
        Bytes size;
        std::uint32_t stack;
    };
    Dice dice(seed);
    DeviceTrace device;
    std::vector<Live> live;
    std::vector<Live> pending;
    std::uint64_t next = 0x7f0000000000;
    const auto fresh = [&] {
        const Bytes size = Bytes(1 + dice.below(1000)) << dice.below(12);
        next += static_cast<std::uint64_t>(size);
        return Live{next - static_cast<std::uint64_t>(size), size,
                    static_cast<std::uint32_t>(1 + dice.below(stacks))};
    };
    const auto record = [&device](Action action, const Live &block) {
        device.events.action.push_back(action);
        device.events.address.push_back(block.address);
        device.events.size.push_back(block.size);
        device.events.time.push_back(1'000'000 + 3 * device.events.count());
        device.events.stack.push_back(StackId{block.stack});
        device.events.stream.push_back(StreamId{});
        device.events.pool.push_back(PoolId::Default);
        device.events.context.push_back(ContextId::None);
    };
    for (int before = 0; before < 20; ++before)
        live.push_back(fresh());
    const auto takeRandom = [&](std::vector<Live> &from) {
        const auto at = static_cast<std::size_t>(dice.below(static_cast<int>(from.size())));
        const Live block = from[at];
        from.erase(from.begin() + static_cast<std::ptrdiff_t>(at));
        return block;
    };
    while (device.events.count() < events) {
        const int roll = dice.below(100);
        if (!pending.empty() && roll < 10) {
            record(Action::FreeCompleted, takeRandom(pending));
        } else if (live.size() > 5 && roll < 48) {
            const Live block = takeRandom(live);
            record(Action::FreeRequested, block);
            if (roll < 30)
                record(Action::FreeCompleted, block);
            else
                pending.push_back(block);
        } else {
            live.push_back(fresh());
            record(Action::Alloc, live.back());
        }
    }
    FinalSegment segment;
    segment.address = 0x7f0000000000;
    segment.blockCount = static_cast<std::uint32_t>(live.size() + pending.size());
    for (const auto &[blocks, state] :
         {std::pair(&live, BlockState::Allocated), std::pair(&pending, BlockState::PendingFree)}) {
        for (const Live &block : *blocks) {
            device.blocks.push_back({.address = block.address,
                                     .size = block.size,
                                     .requested = block.size,
                                     .stack = StackId{block.stack},
                                     .state = state});
            segment.size += block.size;
        }
    }
    device.segments.push_back(segment);
    return device;
}

} // namespace vramscope::test
