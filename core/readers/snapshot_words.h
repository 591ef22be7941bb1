// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/string_pool.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace vramscope::pickle {

/// The texts that have a meaning in a snapshot. They are the first texts interned, so that a
/// StringId tells the word without a look at its letters.
enum class Word : std::uint8_t {
    Unknown, // the empty text has id 0
    // keys of events
    Action,
    Addr,
    DeviceFree,
    Size,
    Stream,
    TimeUs,
    Frames,
    CompileContext,
    UserMetadata,
    PoolId,
    ForwardFrames,
    Category,
    // keys of segments
    Device,
    Address,
    TotalSize,
    AllocatedSize,
    ActiveSize,
    RequestedSize,
    SegmentType,
    SegmentPoolId,
    IsExpandable,
    Blocks,
    RegistrationCounter,
    // keys of blocks and of their history
    State,
    History,
    RealSize,
    CppFrames,
    // keys of frames and annotations
    Name,
    Filename,
    Line,
    Stage,
    // keys of the whole
    Segments,
    DeviceTraces,
    AllocatorSettings,
    ExternalAnnotations,
    SourceCode,
    HostSegments,
    HostTraces,
    CaptureReuse,
    TraceAllocOverflowed,
    TraceAllocMaxEntries,
    // values
    Alloc, // the actions, in the order of vramscope::Action
    FreeRequested,
    FreeCompleted,
    SegmentAlloc,
    SegmentFree,
    SegmentMap,
    SegmentUnmap,
    Snapshot,
    Oom,
    UserDefined,
    Annotate,
    Inactive,
    ActiveAllocated,
    ActivePendingFree,
    ActiveAwaitingFree,
    Small,
    Large,
    Start,
    End,
    NotAvailable,
    Count
};

inline constexpr std::size_t kWordCount = static_cast<std::size_t>(Word::Count);
inline constexpr Word kLastKey = Word::TraceAllocMaxEntries;
static_assert(static_cast<int>(kLastKey) < 64, "keys are bits of one word");

inline constexpr std::array<std::string_view, kWordCount> kWords{
    "",
    "action",
    "addr",
    "device_free",
    "size",
    "stream",
    "time_us",
    "frames",
    "compile_context",
    "user_metadata",
    "pool_id",
    "forward_frames",
    "category",
    "device",
    "address",
    "total_size",
    "allocated_size",
    "active_size",
    "requested_size",
    "segment_type",
    "segment_pool_id",
    "is_expandable",
    "blocks",
    "registration_counter",
    "state",
    "history",
    "real_size",
    "cpp_frames",
    "name",
    "filename",
    "line",
    "stage",
    "segments",
    "device_traces",
    "allocator_settings",
    "external_annotations",
    "source_code",
    "host_segments",
    "host_traces",
    "graph_capture_record_stream_reuse",
    "trace_alloc_overflowed",
    "trace_alloc_max_entries",
    "alloc",
    "free_requested",
    "free_completed",
    "segment_alloc",
    "segment_free",
    "segment_map",
    "segment_unmap",
    "snapshot",
    "oom",
    "user_defined",
    "annotate",
    "inactive",
    "active_allocated",
    "active_pending_free",
    "active_awaiting_free",
    "small",
    "large",
    "START",
    "END",
    "N/A",
};
static_assert(!kWords.back().empty());

[[nodiscard]] inline Word wordOf(StringId id)
{
    return static_cast<std::size_t>(id) < kWordCount ? static_cast<Word>(id) : Word::Unknown;
}

/// A set of keys.
using KeySet = std::uint64_t;

template<class... Words>
[[nodiscard]] constexpr KeySet keys(Words... words)
{
    return ((KeySet(1) << static_cast<int>(words)) | ...);
}

} // namespace vramscope::pickle
