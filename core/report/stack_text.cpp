// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/stack_text.h"

#include "core/base/format.h"

#include <algorithm>

namespace vramscope {

std::string shortStackText(const Trace &trace, StackId stack, FrameOrigins &origins,
                           std::size_t width)
{
    const std::optional<FrameId> best = origins.best(stack);
    if (!best)
        return "(no stack recorded)";
    const Frame &frame = trace.frame(*best);
    std::string text(trace.text(frame.name));
    text.append("  ").append(fileName(trace.text(frame.file)));
    if (frame.line > 0)
        text += ":" + std::to_string(frame.line);
    const std::span<const FrameId> frames = trace.stack(stack);
    const auto python = std::ranges::find_if(
        frames, [&](FrameId id) { return trace.text(trace.frame(id).file).ends_with(".py"); });
    if (python != frames.end() && *python != *best && origins.of(*best) == FrameOrigin::User)
        text.insert(0, std::string(trace.text(trace.frame(*python).name)) + " from ");
    return elided(printable(text), width);
}

} // namespace vramscope
