// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/reconcile/reconcile.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/waterfall.h"

#include <QString>

#include <optional>
#include <vector>

namespace vramscope {

// What a plan compared with a recording is, as the bars of its page.

/// For each moment the predicted bar and, where it was found, the recorded one joined to it.
[[nodiscard]] StackedBars reconcileBars(const Reconciliation &reconciled,
                                        std::optional<Bytes> capacity);
/// The moment that a bar of reconcileBars() is of, and the first bar of a moment.
[[nodiscard]] std::size_t momentOfBar(const StackedBars &bars, int bar);
[[nodiscard]] int barOfMoment(const StackedBars &bars, std::size_t moment);

/// From predicted over every reason and what is unexplained to recorded; empty where the moment
/// compared was not found.
[[nodiscard]] std::vector<WaterfallBar> reconcileWaterfall(const Reconciliation &reconciled);

// What the page of a plan compared with a recording says, as text.

/// "At the loss", "In the forward pass", "At rest".
[[nodiscard]] QString momentTitle(const MatchedMoment &moment);
/// Which step was compared and why.
[[nodiscard]] QString stepLine(const Reconciliation &reconciled);
/// What the allocation that failed is in the words of the plan; empty where none failed.
[[nodiscard]] QString failedText(const Reconciliation &reconciled, ByteUnit unit);
/// The sizes of the answer in exact bytes, a line each; the moment compared was found.
[[nodiscard]] QString answerToolTip(const Reconciliation &reconciled, ByteUnit unit);
/// All that the failed allocation may be, with formulas and exact bytes; empty where none failed.
[[nodiscard]] QString failedToolTip(const Reconciliation &reconciled, ByteUnit unit);

} // namespace vramscope
