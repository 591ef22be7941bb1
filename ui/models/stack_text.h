// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/analysis/costs/frame_text.h"

#include <QString>

namespace vramscope {

/// A frame in two parts: the function's name, and "model.py:214" or what is known of it.
struct FrameLabel
{
    QString name;
    QString place;
};
[[nodiscard]] FrameLabel frameLabel(const Trace &trace, FrameId frame);

/// "forward  model.py:214": the best frame of a stack; says so where none was recorded.
[[nodiscard]] QString siteText(const Trace &trace, StackId stack);

/// "forward": the function of that frame alone.
[[nodiscard]] QString siteName(const Trace &trace, StackId stack);

/// The same of an allocation; of its free if only that is recorded.
[[nodiscard]] QString siteText(const Trace &trace, const Allocations &allocations,
                               AllocationIndex allocation);

/// The best frame of a group, and what it calls there: "forward  model.py:214  ·  linear
/// functional.py:12".
[[nodiscard]] QString groupText(const Trace &trace, const LiveGroup &group, FrameOrigins &origins);

/// Every frame on a line of its own, innermost first, with the whole path: for copying.
[[nodiscard]] QString stackText(const Trace &trace, StackId stack);

} // namespace vramscope
