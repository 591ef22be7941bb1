// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/reconcile/reconciliation.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/waterfall.h"
#include "ui/support/fact_table.h"

#include <optional>
#include <vector>

namespace vramscope {

// What a plan compared with a recording is, as the bars and tables of its page.

/// For each moment the predicted bar and, where it was found, the recorded one joined to it.
[[nodiscard]] StackedBars reconcileBars(const Reconciliation &held, std::optional<Bytes> capacity);
/// The moment that a bar of reconcileBars() is of, and the first bar of a moment.
[[nodiscard]] std::size_t momentOfBar(const StackedBars &bars, int bar);
[[nodiscard]] int barOfMoment(const StackedBars &bars, std::size_t moment);

/// From predicted over every reason and what is unexplained to recorded; empty where the moment
/// compared was not found.
[[nodiscard]] std::vector<WaterfallBar> reconcileWaterfall(const Reconciliation &held);

/// Part, predicted, recorded and difference at a moment; last what is unknown and the total.
[[nodiscard]] std::vector<FactRow> partRows(const MatchedMoment &moment, ByteUnit unit);
/// Why the recording differs, what that adds, and of settings how much nearer they bring the
/// parts; settings have a button.
[[nodiscard]] std::vector<FactRow> reasonRows(const Reconciliation &held, ByteUnit unit);
/// The same of the settings that would explain a part of the difference instead.
[[nodiscard]] std::vector<FactRow> candidateRows(const Reconciliation &held, ByteUnit unit);
[[nodiscard]] std::vector<FactRow> levelRows(const Reconciliation &held, ByteUnit unit);
/// Constants as planned and as recorded; those that differ have a button.
[[nodiscard]] std::vector<FactRow> constantRows(const Reconciliation &held, ByteUnit unit);

} // namespace vramscope
