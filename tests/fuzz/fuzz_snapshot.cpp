// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any bytes give an error or a trace whose ids all lead somewhere, whatever the size of the window.

#include "core/readers/byte_source.h"
#include "core/readers/read_trace.h"
#include "core/readers/snapshot_reader.h"

#include <cstdlib>

using namespace vramscope;

namespace {

void check(bool holds)
{
    if (!holds)
        std::abort();
}

void checkStack(const Trace &trace, StackId id)
{
    for (const FrameId frame : trace.stack(id)) {
        check(static_cast<std::size_t>(frame) < trace.frameCount());
        (void)trace.text(trace.frame(frame).name);
        (void)trace.text(trace.frame(frame).file);
    }
}

void checkTrace(const Trace &trace)
{
    for (const DeviceTrace &device : trace.devices()) {
        const EventColumns &events = device.events;
        for (std::size_t at = 0; at < events.action.size(); ++at) {
            check(events.size[at] >= 0);
            check(static_cast<std::size_t>(events.stream[at]) < trace.streams().size());
            check(static_cast<std::size_t>(events.pool[at]) < trace.pools().size());
            check(static_cast<std::size_t>(events.context[at]) < trace.contexts().size());
            checkStack(trace, events.stack[at]);
        }
        for (const FinalSegment &segment : device.segments) {
            check(std::size_t(segment.firstBlock) + segment.blockCount <= device.blocks.size());
            checkStack(trace, segment.stack);
        }
        for (const FinalBlock &block : device.blocks)
            checkStack(trace, block.stack);
        for (const OutOfMemoryEvent &one : device.outOfMemory)
            check(events.action[static_cast<std::size_t>(one.event)] == Action::OutOfMemory);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto trace = readTrace(bytes);
    if (trace.ok())
        checkTrace(**trace);
    const auto source = memorySource(bytes);
    ByteWindow input(*source, 64);
    const auto again = readSnapshot(input, {});
    check(!trace.ok() || again.ok());
    const auto slow = memorySource(bytes);
    ByteWindow whole(*slow);
    const auto reference = readSnapshotSlowly(whole);
    if (reference.ok())
        checkTrace(**reference);
    return 0;
}
