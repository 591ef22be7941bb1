// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/trace_check.h"

#include "tests/fuzz/fuzzer.h"

namespace vramscope::fuzz {

namespace {

void checkStack(const Trace &trace, StackId id)
{
    for (const FrameId frame : trace.stack(id)) {
        check(static_cast<std::size_t>(frame) < trace.frameCount());
        (void)trace.text(trace.frame(frame).name);
        (void)trace.text(trace.frame(frame).file);
    }
}

} // namespace

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
        check(events.time.empty() || events.time.size() == events.action.size());
        for (const FinalSegment &segment : device.segments) {
            check(static_cast<std::size_t>(segment.context) < trace.contexts().size());
            check(std::size_t(segment.firstBlock) + segment.blockCount <= device.blocks.size());
            checkStack(trace, segment.stack);
        }
        for (const FinalBlock &block : device.blocks)
            checkStack(trace, block.stack);
        for (const OutOfMemoryEvent &one : device.outOfMemory)
            check(events.action[static_cast<std::size_t>(one.event)] == Action::OutOfMemory);
    }
    for (const EventContext &context : trace.contexts()) {
        checkStack(trace, context.forwardFrames);
        (void)trace.text(context.extras);
        (void)trace.text(context.category);
    }
    for (const SourceFile &source : trace.sources())
        (void)trace.text(source.text);
}

} // namespace vramscope::fuzz
