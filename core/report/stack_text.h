// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/frame_text.h"

#include <cstddef>
#include <string>

namespace vramscope {

/// Where a stack allocates, for a narrow column: the innermost Python function, and the place of
/// the user's own code that it was called from ("linear from forward  model.py:95"); where it has
/// neither, its most telling frame. Files without folders; in at most `width` characters.
[[nodiscard]] std::string shortStackText(const Trace &trace, StackId stack, FrameOrigins &origins,
                                         std::size_t width);

} // namespace vramscope
