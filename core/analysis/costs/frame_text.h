// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/frame_rules.h"

#include <string>
#include <vector>

namespace vramscope {

/// Frames judged by their origin, each once: for analyses that ask for many stacks. Keeps a
/// reference to the trace; not to be shared between threads.
class FrameOrigins
{
public:
    explicit FrameOrigins(const Trace &trace);

    [[nodiscard]] FrameOrigin of(FrameId frame);
    /// bestFrame() of a stack.
    [[nodiscard]] std::optional<FrameId> best(StackId stack);

private:
    const Trace &m_trace;
    std::vector<std::uint8_t> m_origins; // 1 + origin; 0: not judged yet
};

/// A path as people know it: inside an installed package, from the package on; else whole.
[[nodiscard]] std::string_view shownFile(std::string_view file);

/// A function's name for people: of C++ without result, template arguments and parameters.
[[nodiscard]] std::string shownName(std::string_view name);

/// "name  file:line"; the file as shownFile() gives it.
[[nodiscard]] std::string frameText(const Trace &trace, FrameId frame);

/// The most telling frame of a stack alone: "name  file:line", the file without its folders.
[[nodiscard]] std::string bestFrameText(const Trace &trace, StackId stack);

/// The frames that tell where a stack allocates.
struct StackSite
{
    FrameId best{};                ///< bestFrame()
    std::optional<FrameId> callee; ///< the innermost Python frame, where `best` is not the
                                   ///< framework's and calls it
};
/// None where no stack was recorded.
[[nodiscard]] std::optional<StackSite> siteOf(const Trace &trace, StackId stack,
                                              FrameOrigins &origins);

/// Where a stack allocates: its innermost Python frame, and after "from" the innermost of the
/// user's own or of a library; where it has neither, its most telling frame.
[[nodiscard]] std::string stackText(const Trace &trace, StackId stack, FrameOrigins &origins);
/// The same as part of a sentence: "name at file:line, called from name at file:line".
[[nodiscard]] std::string stackProse(const Trace &trace, StackId stack, FrameOrigins &origins);

/// In few words, files without their folders: the best frame of a stack, and what it calls there:
/// "forward  model.py:214  ·  linear  functional.py:12".
[[nodiscard]] std::string shortStackText(const Trace &trace, StackId stack, FrameOrigins &origins);

} // namespace vramscope
