// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <optional>
#include <string_view>

namespace vramscope {

/// Whose code a frame of a stack is, from the most to the least informative.
enum class FrameOrigin {
    User,      ///< the program under study
    Library,   ///< an installed package other than the framework, or the language's own library
    Framework, ///< inside PyTorch: Python part or C++
    Plumbing,  ///< unwinder, interpreter, dispatcher: never of interest
};

/// Classifies a frame by the rules in frame_rules.cpp. Both kinds of path separators are
/// understood.
[[nodiscard]] FrameOrigin frameOrigin(std::string_view name, std::string_view file);
[[nodiscard]] FrameOrigin frameOrigin(const Trace &trace, FrameId frame);

/// The frame that best shows where a stack comes from: the innermost of the user's, failing that of
/// a library's, failing that of the framework's, failing that the innermost; none for an empty
/// stack.
[[nodiscard]] std::optional<FrameId> bestFrame(const Trace &trace, StackId stack);

/// A path without its folders: "model.py" for "/home/me/model.py".
[[nodiscard]] std::string_view fileName(std::string_view path);

} // namespace vramscope
