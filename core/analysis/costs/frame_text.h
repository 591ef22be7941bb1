// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/analysis/costs/frame_rules.h"

#include <string>
#include <vector>

namespace vramscope {

/// Finds the origin of each frame only once: for analyses of many stacks. Keeps a reference to the
/// trace; not to be shared between threads.
class FrameOrigins
{
public:
    explicit FrameOrigins(const Trace &trace);

    [[nodiscard]] FrameOrigin of(FrameId frame);
    /// bestFrame() of a stack.
    [[nodiscard]] std::optional<FrameId> best(StackId stack);

private:
    const Trace &m_trace;
    std::vector<std::uint8_t> m_origins; // 1 + origin; 0: not known yet
};

/// A path in its usual form: from an installed package, starting at the package; else whole.
[[nodiscard]] std::string_view shownFile(std::string_view file);

/// A function's name for people: in C++ without result, template arguments and parameters.
[[nodiscard]] std::string shownName(std::string_view name);

/// "name  file:line"; the file from shownFile().
[[nodiscard]] std::string frameText(const Trace &trace, FrameId frame);

/// Only the most telling frame of a stack: "name  file:line", the file without its folders.
[[nodiscard]] std::string bestFrameText(const Trace &trace, StackId stack);

/// The frames that show where a stack allocates.
struct StackSite
{
    FrameId best{}; ///< bestFrame()
    /// The innermost Python frame, if `best` is not the framework's and calls it.
    std::optional<FrameId> callee;
};
/// Nothing if no stack was recorded.
[[nodiscard]] std::optional<StackSite> siteOf(const Trace &trace, StackId stack,
                                              FrameOrigins &origins);

/// Where a stack allocates: its innermost Python frame, and after "from" the innermost of the
/// user's own or of a library; without either, its most telling frame.
[[nodiscard]] std::string stackText(const Trace &trace, StackId stack, FrameOrigins &origins);
/// The same place as part of a sentence: "name at file:line, called from name at file:line".
[[nodiscard]] std::string stackProse(const Trace &trace, StackId stack, FrameOrigins &origins);

/// The words for memory from before the recording: "freed in PLACE, allocated before the
/// recording".
[[nodiscard]] std::string freedText(const std::string &place);

/// A short form, with files without folders: the best frame of a stack and its callee: "forward
/// model.py:214  ·  linear  functional.py:12".
[[nodiscard]] std::string shortStackText(const Trace &trace, StackId stack, FrameOrigins &origins);
/// The same of a group, with the words for one from before the recording.
[[nodiscard]] std::string siteText(const Trace &trace, const LiveGroup &group,
                                   FrameOrigins &origins);

} // namespace vramscope
