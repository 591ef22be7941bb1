// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/planner/estimate.h"
#include "ui/export/table.h"

class QWidget;

namespace vramscope {

struct RankFolder;

/// The figures of what a page shows in front: the rows of the view, or, of a picture that has
/// none, those that stand beside it; at most `most` of them. Empty where nothing is shown.
[[nodiscard]] Table tableOfPage(const QWidget &page, qsizetype most = kMostRows);

/// The parts of a plan at its peak, with what lies outside them.
[[nodiscard]] Table breakdownTable(const Estimate &estimate, ByteUnit unit);
/// A row a rank.
[[nodiscard]] Table ranksTable(const RankFolder &folder, ByteUnit unit);

} // namespace vramscope
