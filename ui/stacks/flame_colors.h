// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/trace/trace.h"

#include <QColor>

namespace vramscope {

/// The colour of a frame's box, the same in every view and recording: the hue tells the file (of
/// C++ without one the namespace), the strength whose code it is, the program's own strongest. All
/// have one lightness, on which the theme's text is read well.
[[nodiscard]] QColor frameColor(const Trace &trace, FrameId frame, bool dark);

/// The colour of a box of differences: warm where B holds more than A, cool where less, the weaker
/// the more of what is below it cancels out.
[[nodiscard]] QColor differenceColor(const Costs &costs, bool dark);

} // namespace vramscope
