// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/reconcile/reconciliation.h"

#include <QString>

namespace vramscope {

// What the page of a plan compared with a recording says, as text.

/// "At the loss", "In the forward pass", "At rest".
[[nodiscard]] QString momentTitle(const MatchedMoment &moment);
/// Which step was compared and why.
[[nodiscard]] QString stepLine(const Reconciliation &held);
/// What the allocation that failed is in the words of the plan; empty where none failed.
[[nodiscard]] QString failedText(const Reconciliation &held, ByteUnit unit);
/// The sizes of the answer in exact bytes, a line each; the moment compared was found.
[[nodiscard]] QString answerToolTip(const Reconciliation &held, ByteUnit unit);
/// All that the failed allocation may be, with formulas and exact bytes; empty where none failed.
[[nodiscard]] QString failedToolTip(const Reconciliation &held, ByteUnit unit);

} // namespace vramscope
