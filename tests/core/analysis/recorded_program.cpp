// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/analysis/recorded_program.h"

#include <array>

namespace vramscope::test {

namespace {

// By AllocatorAction.
constexpr std::array kActions{Action::Alloc,        Action::FreeRequested, Action::FreeCompleted,
                              Action::SegmentAlloc, Action::SegmentFree,   Action::SegmentMap,
                              Action::SegmentUnmap, Action::OutOfMemory};

constexpr BlockState stateOf(SimulatedState state)
{
    return state == SimulatedState::Free        ? BlockState::Inactive
           : state == SimulatedState::Allocated ? BlockState::Allocated
                                                : BlockState::PendingFree;
}

// Whether a block begins where a segment is listed to begin: pages that are mapped side by side are
// one.
bool begins(const PlacedBlock &block, const PlacedBlock *before, const std::set<std::uint64_t> &own)
{
    if (before == nullptr ||
        before->address + static_cast<std::uint64_t>(before->size) != block.address)
        return true;
    return block.expandable != before->expandable || !(block.domain == before->domain) ||
           own.contains(block.address);
}

} // namespace

RecordedProgram::RecordedProgram(const std::string &configuration, unsigned seed, int calls)
    : m_configuration(configuration)
    , m_random(seed)
    , m_driver(kCapacity)
    , m_allocator(configuredSettings(configuration).settings, kCapacity, kStreams, m_driver, this)
{
    for (m_call = 0; m_call < calls; ++m_call)
        step();
}

void RecordedProgram::record(const AllocatorEvent &event)
{
    std::uint16_t pool = m_pool;
    if (event.action == AllocatorAction::Alloc)
        m_poolAt[event.address] = m_pool;
    if (event.action == AllocatorAction::SegmentAlloc)
        m_segments.insert(event.address);
    if (event.action == AllocatorAction::SegmentAlloc ||
        event.action == AllocatorAction::SegmentMap)
        m_poolFrom[event.address] = m_pool;
    if (event.action == AllocatorAction::FreeRequested ||
        event.action == AllocatorAction::FreeCompleted)
        pool = m_poolAt[event.address];
    if (event.action == AllocatorAction::SegmentFree ||
        event.action == AllocatorAction::SegmentUnmap)
        pool = std::prev(m_poolFrom.upper_bound(event.address))->second;
    m_events.push_back({event, m_call, pool, kCapacity - m_allocator.figures().reserved});
}

AllocationId RecordedProgram::taken(std::vector<AllocationId> &ids)
{
    const auto at = static_cast<std::size_t>(below(static_cast<int>(ids.size())));
    std::swap(ids[at], ids.back());
    const AllocationId id = ids.back();
    ids.pop_back();
    return id;
}

void RecordedProgram::step()
{
    static constexpr Bytes kSizes[] = {700,      70'000,   600 * kKiB, 1500 * kKiB,
                                       3 * kMiB, 9 * kMiB, 25 * kMiB,  60 * kMiB};
    const int dice = below(100);
    if (dice < 56 || m_live.empty()) {
        m_pool = below(8) == 0 ? m_privatePool : 0;
        // While a private pool is in use nothing is looked for.
        while (m_pool == 0 && !m_waiting.empty() && below(2) == 0)
            m_allocator.completeFree(taken(m_waiting));
        const Bytes size = kSizes[below(8)] + below(4000);
        const auto stream = static_cast<std::uint16_t>(below(4) == 0 ? 1 : 0);
        if (m_allocator.allocate(m_next, size, stream, m_pool))
            m_live.push_back(m_next);
        ++m_next;
        m_pool = 0;
    } else if (dice < 85) {
        m_allocator.free(taken(m_live));
    } else if (dice < 97) {
        m_waiting.push_back(taken(m_live));
        m_allocator.requestFree(m_waiting.back());
    } else if (dice < 98) { // what still lives in the pool goes back later
        m_allocator.abandonPool(m_privatePool);
        if (below(2) == 0)
            m_allocator.emptyPool(m_privatePool);
        ++m_privatePool;
    } else {
        m_allocator.emptyCache();
    }
}

std::vector<Event> RecordedProgram::recordedFrom(std::size_t first) const
{
    std::vector<Event> events;
    for (std::size_t at = first; at < m_events.size(); ++at) {
        const Recorded &recorded = m_events[at];
        const bool failed = recorded.event.action == AllocatorAction::OutOfMemory;
        events.push_back({.action = kActions[static_cast<std::size_t>(recorded.event.action)],
                          .address = recorded.event.address,
                          .size = recorded.event.size,
                          .time = recorded.call,
                          // One for each call: that tells a retry from empty_cache().
                          .stack = static_cast<StackId>(recorded.call + 1),
                          .stream = static_cast<StreamId>(recorded.event.stream),
                          .pool = static_cast<PoolId>(recorded.pool),
                          .deviceFree = failed ? recorded.deviceFree : -1});
    }
    return events;
}

std::shared_ptr<const Trace> RecordedProgram::trace(std::size_t lost, std::string_view told) const
{
    return built(recordedFrom(lost), told);
}

std::shared_ptr<const Trace> RecordedProgram::traceWith(std::size_t event, Bytes size,
                                                        std::string_view told) const
{
    std::vector<Event> events = recordedFrom(0);
    events[event].size = size;
    return built(events, told);
}

std::shared_ptr<const Trace> RecordedProgram::built(std::span<const Event> events,
                                                    std::string_view told) const
{
    TraceBuilder builder;
    for (int call = 0; call <= m_call; ++call) {
        const FrameId frame = builder.internFrame("call", "program.py", call);
        static_cast<void>(builder.internStack(std::span(&frame, 1)));
    }
    for (const std::int64_t stream : kStreams)
        builder.internStream(stream);
    for (std::uint16_t pool = 1; pool <= m_privatePool; ++pool)
        builder.internPool({0, pool});
    builder.addSetting("PYTORCH_CUDA_ALLOC_CONF", '"' + std::string(told) + '"');
    for (const Event &event : events)
        builder.addEvent(0, event);
    std::vector<FinalBlock> blocks;
    FinalSegment segment;
    const auto finish = [&] {
        if (!blocks.empty())
            builder.addSegment(0, segment, blocks);
        blocks.clear();
    };
    std::vector<PlacedBlock> placed = m_allocator.blocks();
    std::erase_if(placed,
                  [](const PlacedBlock &block) { return block.state == SimulatedState::Unmapped; });
    const PlacedBlock *before = nullptr;
    for (const PlacedBlock &block : placed) {
        if (begins(block, before, m_segments)) {
            finish();
            segment = {.address = block.address,
                       .stream = static_cast<StreamId>(block.domain.stream),
                       .pool = static_cast<PoolId>(block.domain.pool),
                       .large = block.domain.large,
                       .expandable = block.expandable};
        }
        blocks.push_back({.address = block.address,
                          .size = block.size,
                          .requested = block.requested,
                          .state = stateOf(block.state)});
        segment.size += block.size;
        before = &block;
    }
    finish();
    return std::move(*builder.finish());
}

} // namespace vramscope::test
