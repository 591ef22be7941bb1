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
    if (hasAny(layout.events, keys(Word::Category)))
        return "PyTorch profiler";
    if (layout.top == 0) {
        if (hasAny(layout.blocks, keys(Word::Address)))
            return "PyTorch 2.1 or later";
        return hasAny(layout.blocks, keys(Word::History, Word::RequestedSize))
                   ? "PyTorch 1.13"
                   : "PyTorch 1.12 or earlier";
    }
    if (hasAny(layout.top, keys(Word::HostSegments, Word::HostTraces)) ||
        hasAny(layout.events, keys(Word::PoolId)) ||
        hasAny(layout.settings, keys(Word::TraceAllocOverflowed, Word::TraceAllocMaxEntries)))
        return "PyTorch 2.12 or later";
    if (hasAny(layout.events, keys(Word::UserMetadata, Word::ForwardFrames)) ||
        hasAny(layout.segments, keys(Word::RegistrationCounter)))
        return "PyTorch 2.10 or 2.11";
    if (hasAny(layout.settings, keys(Word::CaptureReuse)))
        return hasEvents ? "PyTorch 2.9" : "PyTorch 2.9 to 2.11";
    if (hasAny(layout.events, keys(Word::CompileContext)))
        return "PyTorch 2.7 or 2.8";
    if (hasAny(layout.top, keys(Word::ExternalAnnotations)))
        return hasEvents ? "PyTorch 2.5 or 2.6" : "PyTorch 2.5 to 2.8";
    if (layout.userDefined)
        return "PyTorch 2.4";
    if (hasAny(layout.top, keys(Word::AllocatorSettings)))
        return "PyTorch 2.3 or 2.4";
    if (hasAny(layout.events, keys(Word::TimeUs)))
        return "PyTorch 2.2";
    if (hasAny(layout.segments, keys(Word::SegmentPoolId)) ||
        hasAny(layout.blocks, keys(Word::Address)))
        return hasEvents ? "PyTorch 2.1" : "PyTorch 2.1 or 2.2";
    return "PyTorch 2.0";
}

} // namespace vramscope::pickle
