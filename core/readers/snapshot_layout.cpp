// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/snapshot_layout.h"

namespace vramscope::pickle {

namespace {

bool hasAny(KeySet set, KeySet wanted)
{
    return (set & wanted) != 0;
}

} // namespace

std::string producerOf(const SnapshotLayout &layout)
{
    const bool hasEvents = layout.events != 0;
    if (hasAny(layout.events, keys("category"_word)))
        return "PyTorch profiler";
    if (layout.top == 0) {
        if (hasAny(layout.blocks, keys("address"_word)))
            return "PyTorch 2.1 or later";
        return hasAny(layout.blocks, keys("history"_word, "requested_size"_word))
                   ? "PyTorch 1.13"
                   : "PyTorch 1.12 or earlier";
    }
    if (hasAny(layout.top, keys("host_segments"_word, "host_traces"_word)) ||
        hasAny(layout.events, keys("pool_id"_word)) ||
        hasAny(layout.settings,
               keys("trace_alloc_overflowed"_word, "trace_alloc_max_entries"_word)))
        return "PyTorch 2.12 or later";
    if (hasAny(layout.events, keys("user_metadata"_word, "forward_frames"_word)) ||
        hasAny(layout.segments, keys("registration_counter"_word)))
        return "PyTorch 2.10 or 2.11";
    if (hasAny(layout.settings, keys("graph_capture_record_stream_reuse"_word)))
        return hasEvents ? "PyTorch 2.9" : "PyTorch 2.9 to 2.11";
    if (hasAny(layout.events, keys("compile_context"_word)))
        return "PyTorch 2.7 or 2.8";
    if (hasAny(layout.top, keys("external_annotations"_word)))
        return hasEvents ? "PyTorch 2.5 or 2.6" : "PyTorch 2.5 to 2.8";
    if (layout.userDefined)
        return "PyTorch 2.4";
    if (hasAny(layout.top, keys("allocator_settings"_word)))
        return "PyTorch 2.3 or 2.4";
    if (hasAny(layout.events, keys("time_us"_word)))
        return "PyTorch 2.2";
    if (hasAny(layout.segments, keys("segment_pool_id"_word)) ||
        hasAny(layout.blocks, keys("address"_word)))
        return hasEvents ? "PyTorch 2.1" : "PyTorch 2.1 or 2.2";
    return "PyTorch 2.0";
}

} // namespace vramscope::pickle
