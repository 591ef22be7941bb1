// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/string_pool.h"
#include "core/trace/id_column.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// The event of one entry in the allocator's history, in the words of PyTorch's caching allocator.
enum class Action : std::uint8_t {
    Alloc,
    FreeRequested,
    FreeCompleted,
    SegmentAlloc,
    SegmentFree,
    SegmentMap,
    SegmentUnmap,
    Snapshot,
    OutOfMemory,
    UserDefined, ///< PyTorch 2.4 only: an annotation among the events
    Annotate,    ///< metadata of the live allocation at the address
    Other,       ///< an action that this version does not know; counted in Problems
};
inline constexpr std::size_t kActionCount = 12;

/// The action as the snapshot spells it: "alloc", "free_requested", …
[[nodiscard]] std::string_view actionName(Action action);

/// Index of an event within its device's trace. -1 means "before the first event".
using EventIndex = std::int32_t;
inline constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min();

enum class FrameId : std::uint32_t {};
enum class StackId : std::uint32_t {
    None = 0
};                                      ///< index into Trace::stack(); 0 is the empty stack
enum class StreamId : std::uint16_t {}; ///< index into Trace::streams()
enum class PoolId : std::uint16_t {
    Default = 0
}; ///< index into Trace::pools(); 0 is the pool (0, 0)
enum class ContextId : std::uint32_t { None = 0 }; ///< index into Trace::contexts()

struct Frame
{
    StringId name = StringId::Empty;
    StringId file = StringId::Empty;
    std::int32_t line = 0;
    StringId extras = StringId::Empty; ///< other keys, such as those of FX graphs: a JSON object
    bool operator==(const Frame &) const = default;
};

/// Memory pool of the allocator; {0, 0} is the default one.
struct Pool
{
    std::int64_t first = 0;
    std::int64_t second = 0;
    bool operator==(const Pool &) const = default;
};

/// Rarely filled extras of an event, a block or a segment, stored once per distinct combination.
struct EventContext
{
    StringId compileContext = StringId::Empty; ///< "N/A" is stored as empty
    StringId userMetadata = StringId::Empty;
    StringId category = StringId::Empty;   ///< in snapshots made from a profiler: "activation"
    StackId forwardFrames = StackId::None; ///< where the forward pass made the tensor
    StringId extras = StringId::Empty;     ///< keys that this version does not know, a JSON object
    bool operator==(const EventContext &) const = default;
};

/// The history of one device, one entry per index in every column; oldest first. `time` (µs since
/// 1970) is empty if the file records none.
struct EventColumns
{
    std::vector<Action> action;
    std::vector<std::uint64_t> address; ///< 0 for Snapshot and OutOfMemory
    std::vector<Bytes> size; ///< requested bytes, segment bytes, or by action as in formats.md
    std::vector<std::int64_t> time;
    IdColumn<StackId> stack;
    IdColumn<StreamId> stream;
    IdColumn<PoolId> pool;
    IdColumn<ContextId> context;

    [[nodiscard]] EventIndex count() const { return static_cast<EventIndex>(action.size()); }
};

enum class BlockState : std::uint8_t { Inactive, Allocated, PendingFree };

/// A block of the final state. `requested` is 0 on inactive blocks.
struct FinalBlock
{
    std::uint64_t address = 0;
    Bytes size = 0;
    Bytes requested = 0;
    StackId stack = StackId::None;
    BlockState state = BlockState::Inactive;
    ContextId context = ContextId::None;
};

/// A segment of the final state: one cudaMalloc, or one mapped range of an expandable segment.
struct FinalSegment
{
    std::uint64_t address = 0;
    Bytes size = 0;
    StackId stack = StackId::None;
    std::uint32_t firstBlock = 0; ///< into DeviceTrace::blocks
    std::uint32_t blockCount = 0;
    StreamId stream{};
    PoolId pool = PoolId::Default;
    bool large = true;
    bool expandable = false;
    ContextId context = ContextId::None;
};

/// An OutOfMemory event. `deviceFree` is -1 if the file does not have it.
struct OutOfMemoryEvent
{
    EventIndex event = 0;
    Bytes requested = 0;
    Bytes deviceFree = -1;
};

/// The complete recording of one device.
struct DeviceTrace
{
    int device = 0;    ///< ordinal
    bool host = false; ///< the CPU of a profiler's snapshot, or pinned memory: after the GPUs
    EventColumns events;
    std::vector<FinalSegment> segments;
    std::vector<FinalBlock> blocks;
    std::vector<OutOfMemoryEvent> outOfMemory;
};

/// One end of a record_function range (profiler step, optimizer, collective).
struct Annotation
{
    StringId name = StringId::Empty;
    std::int64_t time = kNoTime;
    int device = 0;
    bool start = true;
    StringId extras = StringId::Empty; ///< keys that this version does not know, a JSON object
};

/// An anomaly that did not prevent reading.
struct Problem
{
    std::string kind;              ///< one sentence, the same for all of a kind
    std::int64_t count = 0;        ///< how many records
    std::int64_t firstOffset = -1; ///< byte offset of the first in the file
};

/// An allocator setting as in the file; value is JSON text.
struct Setting
{
    std::string name;
    std::string value;
};

/// The text of a source file included in the recording.
struct SourceFile
{
    StringId path = StringId::Empty;
    StringId text = StringId::Empty;
};

/// A recorded history of the allocator, complete and constant: made by TraceBuilder::finish() and
/// read by every analysis and view. Columns instead of objects: about 30 bytes per event, each
/// distinct stack once. Safe to share between threads.
class Trace
{
public:
    /// Devices with segments or events, by ordinal.
    [[nodiscard]] std::span<const DeviceTrace> devices() const { return m_devices; }
    [[nodiscard]] const DeviceTrace *device(int ordinal) const;

    [[nodiscard]] std::string_view text(StringId id) const { return m_strings.text(id); }
    [[nodiscard]] const Frame &frame(FrameId id) const
    {
        return m_frames[static_cast<std::size_t>(id)];
    }
    /// The frames of a stack, innermost first.
    [[nodiscard]] std::span<const FrameId> stack(StackId id) const
    {
        const auto at = static_cast<std::size_t>(id);
        return {m_stackFrames.data() + m_stackStarts[at],
                static_cast<std::size_t>(m_stackStarts[at + 1] - m_stackStarts[at])};
    }
    [[nodiscard]] std::size_t frameCount() const { return m_frames.size(); }
    /// Number of distinct stacks, not counting the empty one.
    [[nodiscard]] std::size_t stackCount() const { return m_stackStarts.size() - 2; }

    /// cudaStream_t values; StreamId indexes them.
    [[nodiscard]] std::span<const std::int64_t> streams() const { return m_streams; }
    [[nodiscard]] std::span<const Pool> pools() const { return m_pools; }
    [[nodiscard]] std::span<const EventContext> contexts() const { return m_contexts; }
    [[nodiscard]] std::span<const Annotation> annotations() const { return m_annotations; }
    [[nodiscard]] std::span<const Setting> settings() const { return m_settings; }
    /// The file's content other than the parts of a snapshot, by key.
    [[nodiscard]] std::span<const Setting> extras() const { return m_extras; }
    /// Source files by their path in frames.
    [[nodiscard]] std::span<const SourceFile> sources() const { return m_sources; }
    [[nodiscard]] std::span<const Problem> problems() const { return m_problems; }

    /// "pytorch-snapshot"
    [[nodiscard]] const std::string &format() const { return m_format; }
    /// The producer of the file, as far as its layout shows: "PyTorch 2.5 or 2.6".
    [[nodiscard]] const std::string &producer() const { return m_producer; }
    /// Pickle protocol; 0 for other formats.
    [[nodiscard]] int protocol() const { return m_protocol; }

private:
    friend class TraceBuilder;
    friend class Redaction; // writes a copy with other texts
    Trace() = default;
    Trace(const Trace &) = default;

    std::vector<DeviceTrace> m_devices;
    StringPool m_strings;
    std::vector<Frame> m_frames;
    std::vector<FrameId> m_stackFrames;
    std::vector<std::uint64_t> m_stackStarts{0, 0};
    std::vector<std::int64_t> m_streams;
    std::vector<Pool> m_pools{Pool{}};
    std::vector<EventContext> m_contexts{EventContext{}};
    std::vector<Annotation> m_annotations;
    std::vector<Setting> m_settings;
    std::vector<Setting> m_extras;
    std::vector<SourceFile> m_sources;
    std::vector<Problem> m_problems;
    std::string m_format;
    std::string m_producer;
    int m_protocol = 0;
};

} // namespace vramscope
