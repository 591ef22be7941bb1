// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/trace/trace.h"

#include <QColor>

namespace vramscope {

/// The colour of a frame's box, the same in every view and recording: the hue encodes the file (the
/// namespace for C++ without a file), the saturation whose code it is, with the program's own
/// strongest. All have one lightness, on which the theme's text is easy to read.
[[nodiscard]] QColor frameColor(const Trace &trace, FrameId frame, bool dark);

/// The colour of a box of differences: warm if B has more than A, cool if less, and paler the more
/// the differences below it cancel out.
[[nodiscard]] QColor differenceColor(const Costs &costs, bool dark);

} // namespace vramscope
