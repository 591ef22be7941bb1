// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/planner/estimate.h"
#include "ui/export/table.h"
#include "ui/window/document.h"

class QWidget;

namespace vramscope {

/// The figures of what the page of a document shows in front: the rows of the view, or, of a
/// picture that has none, those that stand beside it; at most `most` of them. Empty where nothing
/// is shown.
[[nodiscard]] Table tableOfPage(const Document &document, const QWidget &page, ByteUnit unit,
                                qsizetype most);

/// The parts of a plan at its peak, with what lies outside them.
[[nodiscard]] Table breakdownTable(const Estimate &estimate, ByteUnit unit);

} // namespace vramscope
