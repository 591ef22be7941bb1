// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"
#include "tests/support/allocator_model.h"

#include <map>
#include <random>
#include <vector>

namespace vramscope::test {

/// What the model of the allocator held at one moment.
struct ModelMoment
{
    EventIndex event = -1;
    std::vector<ModelSegment> segments;
};

/// A random program on the model of the allocator: its recording, and what was true now and then.
struct ModelRun
{
    DeviceTrace trace;
    std::vector<ModelMoment> moments;
};

/// How a random program allocates.
struct ModelRunOptions
{
    int calls = 400;
    Bytes capacity = kGiB;
    bool expandable = false;
    bool streams = false; ///< and frees that wait
    bool pools = false;
};

/// The device's trace as a snapshot taken now would record it: events from `first` on.
inline DeviceTrace recordedBy(const AllocatorModel &model, std::size_t first = 0)
{
    DeviceTrace trace;
    const auto streamOf = [](std::int64_t stream) { return static_cast<StreamId>(stream); };
    for (std::size_t at = first; at < model.events().size(); ++at) {
        const ModelEvent &event = model.events()[at];
        const bool failed = event.action == Action::OutOfMemory;
        trace.events.action.push_back(event.action);
        trace.events.address.push_back(failed ? 0 : event.address);
        trace.events.size.push_back(event.size);
        trace.events.time.push_back(event.time);
        trace.events.stack.push_back(static_cast<StackId>(event.caller.stack));
        trace.events.stream.push_back(streamOf(event.stream));
        trace.events.pool.push_back(static_cast<PoolId>(event.pool));
        trace.events.context.push_back(ContextId::None);
        if (failed)
            trace.outOfMemory.push_back(
                {trace.events.count() - 1, event.size, static_cast<Bytes>(event.address)});
    }
    for (const ModelSegment &segment : model.segments()) {
        FinalSegment last{.address = segment.address,
                          .firstBlock = static_cast<std::uint32_t>(trace.blocks.size()),
                          .stream = streamOf(segment.stream),
                          .pool = static_cast<PoolId>(segment.pool),
                          .large = !segment.small,
                          .expandable = segment.expandable};
        for (const auto &[address, block] : segment.blocks) {
            const bool free = block.state == ModelBlock::State::Free;
            const bool pending = block.state == ModelBlock::State::PendingFree;
            trace.blocks.push_back({.address = address,
                                    .size = block.size,
                                    .requested = free ? 0 : block.requested,
                                    .stack = static_cast<StackId>(block.caller.stack),
                                    .state = free      ? BlockState::Inactive
                                             : pending ? BlockState::PendingFree
                                                       : BlockState::Allocated});
            last.size += block.size;
            ++last.blockCount;
        }
        trace.segments.push_back(last);
    }
    return trace;
}

/// Runs a random program; `dropped` of its first events are lost as a ring buffer loses them. The
/// same for the same seed.
inline ModelRun modelRun(unsigned seed, const ModelRunOptions &options, std::size_t dropped = 0)
{
    std::mt19937 random(seed);
    const auto below = [&random](int bound) {
        return static_cast<int>(random() % static_cast<unsigned>(bound));
    };
    AllocatorModel model(options.capacity, options.expandable);
    std::vector<AllocatorModel::Block> live;
    ModelRun run;
    for (int call = 0; call < options.calls; ++call) {
        const int dice = below(100);
        if (options.pools)
            model.setPool(below(8) == 0 ? 1 : 0);
        if (dice < 52 || live.empty()) {
            static constexpr Bytes kSizes[] = {700,      70'000,   600 * kKiB, 1500 * kKiB,
                                               3 * kMiB, 9 * kMiB, 12 * kMiB,  40 * kMiB};
            const Bytes size = kSizes[below(8)] + below(4000);
            const int stream = options.streams ? below(3) : 0;
            if (const auto block = model.allocate(size, below(9), stream))
                live.push_back(*block);
        } else if (dice < 98) {
            const auto chosen = static_cast<std::size_t>(below(static_cast<int>(live.size())));
            if (options.streams && below(3) == 0)
                model.freeLater(live[chosen], below(9), below(400));
            else
                model.free(live[chosen], below(9));
            live.erase(live.begin() + static_cast<std::ptrdiff_t>(chosen));
        } else {
            model.emptyCache(below(9));
        }
        const std::size_t events = model.events().size();
        if (below(6) == 0 && events >= dropped)
            run.moments.push_back(
                {static_cast<EventIndex>(events - dropped) - 1, model.segments()});
    }
    run.trace = recordedBy(model, std::min(dropped, model.events().size()));
    return run;
}

/// Takes the events out whose action is `dropped`.
template<class Dropped>
void dropEvents(DeviceTrace &trace, Dropped dropped)
{
    EventColumns kept;
    const EventColumns &events = trace.events;
    for (std::size_t at = 0; at < events.action.size(); ++at) {
        if (dropped(events.action[at]))
            continue;
        kept.action.push_back(events.action[at]);
        kept.address.push_back(events.address[at]);
        kept.size.push_back(events.size[at]);
        kept.time.push_back(events.time[at]);
        kept.stack.push_back(events.stack[at]);
        kept.stream.push_back(events.stream[at]);
        kept.pool.push_back(events.pool[at]);
        kept.context.push_back(events.context[at]);
    }
    trace.events = std::move(kept);
    trace.outOfMemory.clear();
}

} // namespace vramscope::test
