// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "ui/export/exported_view.h"
#include "ui/support/theme.h"

namespace vramscope {

/// Paints a plan's answer and where its memory goes, in `size`: the bars against the capacity, the
/// moments of the step and the table. Needs a QApplication, no screen.
[[nodiscard]] Painting breakdownPainting(const Plan &plan, const Estimate &estimate, QSize size,
                                         const Theme &theme, ByteUnit unit);

} // namespace vramscope
