// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vramscope {

/// A reader's limit on the size of one thing, and of all things of a trace together: 256 TiB is
/// more than any device can address, and no sum over a trace overflows.
inline constexpr Bytes kMostSize = Bytes(1) << 48;
inline constexpr Bytes kMostSizeInAll = Bytes(1) << 60;

/// One event as a row, for writing; EventColumns is its stored form.
struct Event
{
    Action action = Action::Other;
    std::uint64_t address = 0;
    Bytes size = 0;
    std::int64_t time = kNoTime;
    StackId stack = StackId::None;
    StreamId stream{};
    PoolId pool = PoolId::Default;
    ContextId context = ContextId::None;
    Bytes deviceFree = -1; ///< OutOfMemory only
};

/// Consecutive events of one device while they are written, oldest first.
class EventLog
{
public:
    void append(const Event &event);
    /// Moves the events from index `first` on to the end of `other`.
    void moveTail(std::size_t first, EventLog &other);
    /// The event at `index` as it was appended.
    [[nodiscard]] Event event(std::size_t index) const;
    [[nodiscard]] std::size_t count() const { return m_columns.action.size(); }
    /// Makes room for `count` events in all (reserveFor()).
    void expect(std::size_t count);

private:
    friend class TraceBuilder;
    EventColumns m_columns;
    std::vector<OutOfMemoryEvent> m_outOfMemory;
};

/// The only writer of Trace: interns texts, frames, stacks, streams, pools and contexts, collects
/// the content of a file and hands it over once, checked and constant. A thing interned twice has
/// one id. A new stack or frame costs its size; a known one costs a hash lookup.
class TraceBuilder
{
public:
    /// `maxEvents`: the most events of one device; more make finish() fail.
    explicit TraceBuilder(EventIndex maxEvents = std::numeric_limits<EventIndex>::max());

    StringId internText(std::string_view text) { return m_trace->m_strings.intern(text); }
    [[nodiscard]] std::string_view text(StringId id) const { return m_trace->text(id); }
    [[nodiscard]] const Frame &frame(FrameId id) const { return m_trace->frame(id); }
    [[nodiscard]] std::size_t frameCount() const { return m_trace->frameCount(); }
    FrameId internFrame(const Frame &frame);
    FrameId internFrame(std::string_view name, std::string_view file, std::int32_t line);
    /// Frames innermost first; an empty run is StackId::None.
    StackId internStack(std::span<const FrameId> frames);
    [[nodiscard]] std::span<const FrameId> stack(StackId id) const { return m_trace->stack(id); }
    /// A cudaStream_t value. Beyond 65,536 distinct ones all others share one id (a Problem).
    StreamId internStream(std::int64_t stream);
    /// Beyond 65,536 distinct pools all others share one id (a Problem).
    PoolId internPool(Pool pool);
    ContextId internContext(const EventContext &context);

    /// If no stream was ever interned, all events belong to the default one.
    void addEvent(int device, const Event &event) { m_devices[device].events.append(event); }
    /// Appends a whole log to the events of `device`; cheap if it has none yet.
    void addEvents(int device, EventLog &&events);
    /// Adds a segment with its blocks. Sets firstBlock, blockCount and the addresses of the blocks,
    /// which follow each other from the segment's start.
    void addSegment(int device, FinalSegment segment, std::span<const FinalBlock> blocks);

    void addAnnotation(const Annotation &annotation)
    {
        m_trace->m_annotations.push_back(annotation);
    }
    /// `value` is JSON text.
    void addSetting(std::string_view name, std::string_view value)
    {
        m_trace->m_settings.push_back({std::string(name), std::string(value)});
    }
    /// Adds a value without a place of its own; `value` is JSON text.
    void addExtra(std::string_view name, std::string_view value)
    {
        m_trace->m_extras.push_back({std::string(name), std::string(value)});
    }
    void addSource(SourceFile source) { m_trace->m_sources.push_back(source); }
    /// Marks the device that is the CPU and not a GPU.
    void setHost(int device) { m_devices[device].rest.host = true; }
    /// Counts an anomaly under `kind`; the first offset of a kind is kept.
    void addProblem(std::string_view kind, std::int64_t offset = -1, std::int64_t count = 1);

    void setFormat(std::string format) { m_trace->m_format = std::move(format); }
    void setProducer(std::string producer) { m_trace->m_producer = std::move(producer); }
    void setProtocol(int protocol) { m_trace->m_protocol = protocol; }

    /// The finished trace: devices by ordinal, segments by address, the time column empty if no
    /// event has a time (single missing times take the previous one). The builder is empty
    /// afterwards. Fails if a device has too many events.
    [[nodiscard]] Result<std::shared_ptr<const Trace>> finish();

private:
    struct FrameHash
    {
        std::size_t operator()(const Frame &frame) const;
    };
    struct ContextHash
    {
        std::size_t operator()(const EventContext &context) const;
    };
    struct Device
    {
        EventLog events;
        DeviceTrace rest; // segments and blocks
    };

    void growStackTable();

    EventIndex m_maxEvents;
    std::shared_ptr<Trace> m_trace;
    std::unordered_map<Frame, FrameId, FrameHash> m_frameIds;
    std::vector<std::uint32_t> m_stackTable; // open addressing over stack ids; 0 is free
    std::vector<std::uint32_t> m_stackHashes;
    std::unordered_map<std::int64_t, StreamId> m_streamIds;
    std::map<std::pair<std::int64_t, std::int64_t>, PoolId> m_poolIds;
    std::unordered_map<EventContext, ContextId, ContextHash> m_contextIds;
    std::map<int, Device> m_devices;
    std::map<std::string, std::size_t, std::less<>> m_problemIds;
};

} // namespace vramscope
