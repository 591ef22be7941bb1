// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/string_pool.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace vramscope::pickle {

/// The texts that have a meaning in a snapshot. They are the first texts interned, so that a
/// StringId gives the word without a look at its letters: a Word is a place in kWords.
enum class Word : std::uint8_t { Unknown }; // the empty text has id 0

inline constexpr std::array<std::string_view, 62> kWords{
    "",
    // keys of events
    "action", "addr", "device_free", "size", "stream", "time_us", "frames", "compile_context",
    "user_metadata", "pool_id", "forward_frames", "category",
    // keys of segments
    "device", "address", "total_size", "allocated_size", "active_size", "requested_size",
    "segment_type", "segment_pool_id", "is_expandable", "blocks", "registration_counter",
    // keys of blocks and of their history
    "state", "history", "real_size", "cpp_frames",
    // keys of frames and annotations
    "name", "filename", "line", "stage",
    // keys of the whole
    "segments", "device_traces", "allocator_settings", "external_annotations", "source_code",
    "host_segments", "host_traces", "graph_capture_record_stream_reuse", "trace_alloc_overflowed",
    "trace_alloc_max_entries",
    // values: the actions, in the order of vramscope::Action, and others
    "alloc", "free_requested", "free_completed", "segment_alloc", "segment_free", "segment_map",
    "segment_unmap", "snapshot", "oom", "user_defined", "annotate", "inactive", "active_allocated",
    "active_pending_free", "active_awaiting_free", "small", "large", "START", "END", "N/A"};

/// "time_us"_word; a text that is not in kWords does not compile.
[[nodiscard]] consteval Word operator""_word(const char *letters, std::size_t size)
{
    std::size_t at = 0;
    while (kWords[at] != std::string_view(letters, size)) // past the end: no constant
        ++at;
    return static_cast<Word>(at);
}

inline constexpr Word kLastKey = "trace_alloc_max_entries"_word;
static_assert(static_cast<int>(kLastKey) < 64, "keys are bits of one word");

[[nodiscard]] inline Word wordOf(StringId id)
{
    return static_cast<std::size_t>(id) < kWords.size() ? static_cast<Word>(id) : Word::Unknown;
}

/// A set of keys.
using KeySet = std::uint64_t;

template<class... Words>
[[nodiscard]] constexpr KeySet keys(Words... words)
{
    return ((KeySet(1) << static_cast<int>(words)) | ...);
}

/// The keys that occur in a snapshot, by record: they show which version wrote it.
struct SnapshotLayout
{
    KeySet top = 0; ///< none: a bare list of segments
    KeySet segments = 0;
    KeySet blocks = 0;
    KeySet events = 0;
    KeySet settings = 0;
    bool userDefined = false; ///< an event user_defined occurs
};

/// "PyTorch 2.5 or 2.6": the versions that write such a layout.
[[nodiscard]] std::string producerOf(const SnapshotLayout &layout);

} // namespace vramscope::pickle
