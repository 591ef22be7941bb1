// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_builder.h"

#include "core/base/expected_rows.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::size_t kMostNarrowIds = 65536; // StreamId and PoolId have 16 bits

std::uint64_t mix(std::uint64_t hash, std::uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 32);
}

std::uint32_t hashOf(std::span<const FrameId> frames)
{
    std::uint64_t hash = frames.size();
    for (const FrameId frame : frames)
        hash = mix(hash, static_cast<std::uint64_t>(frame));
    return static_cast<std::uint32_t>(hash);
}

template<class T>
void moveColumnTail(std::vector<T> &from, std::size_t first, std::vector<T> &to)
{
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(first), from.end());
    from.resize(first);
}

/// Leaves the column empty if no event has a time; otherwise every event gets one.
void settleTimes(std::vector<std::int64_t> &times)
{
    const auto known =
        std::find_if(times.begin(), times.end(), [](std::int64_t time) { return time != kNoTime; });
    if (known == times.end()) {
        times = {};
        return;
    }
    std::int64_t last = *known;
    for (std::int64_t &time : times) {
        if (time == kNoTime)
            time = last;
        last = time;
    }
}

} // namespace

void EventLog::append(const Event &event)
{
    if (event.action == Action::OutOfMemory)
        m_outOfMemory.push_back({static_cast<EventIndex>(count()), event.size, event.deviceFree});
    m_columns.action.push_back(event.action);
    m_columns.address.push_back(event.address);
    m_columns.size.push_back(event.size);
    m_columns.time.push_back(event.time);
    m_columns.stack.push_back(event.stack);
    m_columns.stream.push_back(event.stream);
    m_columns.pool.push_back(event.pool);
    m_columns.context.push_back(event.context);
}

void EventLog::expect(std::size_t count)
{
    reserveFor(m_columns.action, count);
    reserveFor(m_columns.address, count);
    reserveFor(m_columns.size, count);
    reserveFor(m_columns.time, count);
    m_columns.stack.expect(count);
    m_columns.stream.expect(count);
    m_columns.pool.expect(count);
    m_columns.context.expect(count);
}

void EventLog::moveTail(std::size_t first, EventLog &other)
{
    if (first == 0 && other.count() == 0)
        return std::swap(*this, other); // avoids a second copy of data that may fill the memory
    const auto split =
        std::find_if(m_outOfMemory.begin(), m_outOfMemory.end(),
                     [&](const auto &oom) { return static_cast<std::size_t>(oom.event) >= first; });
    const auto shift = static_cast<std::int64_t>(other.count()) - static_cast<std::int64_t>(first);
    for (auto oom = split; oom != m_outOfMemory.end(); ++oom) {
        oom->event = static_cast<EventIndex>(oom->event + shift);
        other.m_outOfMemory.push_back(*oom);
    }
    m_outOfMemory.erase(split, m_outOfMemory.end());
    EventColumns &from = m_columns;
    EventColumns &to = other.m_columns;
    moveColumnTail(from.action, first, to.action);
    moveColumnTail(from.address, first, to.address);
    moveColumnTail(from.size, first, to.size);
    moveColumnTail(from.time, first, to.time);
    from.stack.moveTail(first, to.stack);
    from.stream.moveTail(first, to.stream);
    from.pool.moveTail(first, to.pool);
    from.context.moveTail(first, to.context);
}

Event EventLog::event(std::size_t index) const
{
    const EventColumns &c = m_columns;
    Event event{c.action[index], c.address[index], c.size[index], c.time[index],
                c.stack[index],  c.stream[index],  c.pool[index], c.context[index]};
    const auto oom = std::ranges::lower_bound(m_outOfMemory, static_cast<EventIndex>(index), {},
                                              &OutOfMemoryEvent::event);
    if (oom != m_outOfMemory.end() && static_cast<std::size_t>(oom->event) == index)
        event.deviceFree = oom->deviceFree;
    return event;
}

std::size_t TraceBuilder::FrameHash::operator()(const Frame &frame) const
{
    const auto texts =
        (static_cast<std::uint64_t>(frame.name) << 32) | static_cast<std::uint64_t>(frame.file);
    const auto rest =
        (static_cast<std::uint64_t>(frame.extras) << 32) | static_cast<std::uint32_t>(frame.line);
    return mix(mix(0, texts), rest);
}

std::size_t TraceBuilder::ContextHash::operator()(const EventContext &context) const
{
    std::uint64_t hash = static_cast<std::uint64_t>(context.forwardFrames);
    for (const StringId text :
         {context.compileContext, context.userMetadata, context.category, context.extras})
        hash = mix(hash, static_cast<std::uint64_t>(text));
    return hash;
}

TraceBuilder::TraceBuilder(EventIndex maxEvents)
    : m_maxEvents(maxEvents)
    , m_trace(new Trace)
    , m_stackTable(1024)
    , m_stackHashes(1)
    , m_poolIds{{{0, 0}, PoolId::Default}}
    , m_contextIds{{EventContext{}, ContextId::None}}
{
}

FrameId TraceBuilder::internFrame(const Frame &frame)
{
    const auto next = static_cast<FrameId>(m_trace->m_frames.size());
    const auto [entry, isNew] = m_frameIds.try_emplace(frame, next);
    if (isNew)
        m_trace->m_frames.push_back(frame);
    return entry->second;
}

FrameId TraceBuilder::internFrame(std::string_view name, std::string_view file, std::int32_t line)
{
    return internFrame(Frame{internText(name), internText(file), line, StringId::Empty});
}

StackId TraceBuilder::internStack(std::span<const FrameId> frames)
{
    if (frames.empty())
        return StackId::None;
    const std::uint32_t hash = hashOf(frames);
    const std::size_t mask = m_stackTable.size() - 1;
    std::size_t slot = hash & mask;
    for (; m_stackTable[slot] != 0; slot = (slot + 1) & mask) {
        const std::uint32_t known = m_stackTable[slot];
        if (m_stackHashes[known] == hash &&
            std::ranges::equal(m_trace->stack(static_cast<StackId>(known)), frames))
            return static_cast<StackId>(known);
    }
    const auto id = static_cast<std::uint32_t>(m_stackHashes.size());
    m_trace->m_stackFrames.insert(m_trace->m_stackFrames.end(), frames.begin(), frames.end());
    m_trace->m_stackStarts.push_back(m_trace->m_stackFrames.size());
    m_stackHashes.push_back(hash);
    m_stackTable[slot] = id;
    if (m_stackHashes.size() * 2 > m_stackTable.size())
        growStackTable();
    return static_cast<StackId>(id);
}

void TraceBuilder::growStackTable()
{
    m_stackTable.assign(m_stackTable.size() * 2, 0);
    const std::size_t mask = m_stackTable.size() - 1;
    for (std::uint32_t id = 1; id < m_stackHashes.size(); ++id) {
        std::size_t slot = m_stackHashes[id] & mask;
        while (m_stackTable[slot] != 0)
            slot = (slot + 1) & mask;
        m_stackTable[slot] = id;
    }
}

StreamId TraceBuilder::internStream(std::int64_t stream)
{
    const auto known = m_streamIds.find(stream);
    if (known != m_streamIds.end())
        return known->second;
    if (m_trace->m_streams.size() == kMostNarrowIds) {
        addProblem("More distinct streams than can be told apart; the last ones are shown as one.");
        return static_cast<StreamId>(kMostNarrowIds - 1);
    }
    const auto id = static_cast<StreamId>(m_trace->m_streams.size());
    m_trace->m_streams.push_back(stream);
    m_streamIds.emplace(stream, id);
    return id;
}

PoolId TraceBuilder::internPool(Pool pool)
{
    const auto known = m_poolIds.find({pool.first, pool.second});
    if (known != m_poolIds.end())
        return known->second;
    if (m_trace->m_pools.size() == kMostNarrowIds) {
        addProblem("More distinct pools than can be told apart; the last ones are shown as one.");
        return static_cast<PoolId>(kMostNarrowIds - 1);
    }
    const auto id = static_cast<PoolId>(m_trace->m_pools.size());
    m_trace->m_pools.push_back(pool);
    m_poolIds.emplace(std::pair(pool.first, pool.second), id);
    return id;
}

ContextId TraceBuilder::internContext(const EventContext &context)
{
    const auto next = static_cast<ContextId>(m_trace->m_contexts.size());
    const auto [entry, isNew] = m_contextIds.try_emplace(context, next);
    if (isNew)
        m_trace->m_contexts.push_back(context);
    return entry->second;
}

void TraceBuilder::addEvents(int device, EventLog &&events)
{
    EventLog &own = m_devices[device].events;
    if (own.count() == 0)
        own = std::move(events);
    else
        events.moveTail(0, own);
}

void TraceBuilder::addSegment(int device, FinalSegment segment, std::span<const FinalBlock> blocks)
{
    DeviceTrace &trace = m_devices[device].rest;
    segment.firstBlock = static_cast<std::uint32_t>(trace.blocks.size());
    segment.blockCount = static_cast<std::uint32_t>(blocks.size());
    std::uint64_t address = segment.address;
    for (FinalBlock block : blocks) {
        block.address = address;
        address += static_cast<std::uint64_t>(block.size);
        trace.blocks.push_back(block);
    }
    trace.segments.push_back(segment);
}

void TraceBuilder::addProblem(std::string_view kind, std::int64_t offset, std::int64_t count)
{
    std::vector<Problem> &problems = m_trace->m_problems;
    auto known = m_problemIds.find(kind);
    if (known == m_problemIds.end()) {
        known = m_problemIds.emplace(kind, problems.size()).first;
        problems.push_back({std::string(kind), 0, offset});
    }
    problems[known->second].count += count;
}

Result<std::shared_ptr<const Trace>> TraceBuilder::finish()
{
    for (auto &[ordinal, device] : m_devices) {
        if (device.events.count() > static_cast<std::size_t>(m_maxEvents))
            return Error{ErrorCode::Unsupported,
                         "The trace of device " + std::to_string(ordinal) +
                             " has more events than VRAMscope can number; record fewer with "
                             "max_entries."};
        DeviceTrace &trace = device.rest;
        if (device.events.count() == 0 && trace.segments.empty())
            continue;
        trace.device = ordinal;
        trace.events = std::move(device.events.m_columns);
        trace.outOfMemory = std::move(device.events.m_outOfMemory);
        settleTimes(trace.events.time);
        std::ranges::stable_sort(trace.segments, {}, &FinalSegment::address);
        m_trace->m_devices.push_back(std::move(trace));
    }
    if (m_trace->m_streams.empty() && !m_trace->m_devices.empty())
        (void)internStream(0); // for events without a stream
    std::shared_ptr<const Trace> finished = std::move(m_trace);
    *this = TraceBuilder(m_maxEvents);
    return finished;
}

} // namespace vramscope
