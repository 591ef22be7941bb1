// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/reconcile/reconciliation.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/waterfall.h"

#include <optional>
#include <vector>

namespace vramscope {

// What a plan compared with a recording is, as the bars of its page.

/// For each moment the predicted bar and, where it was found, the recorded one joined to it.
[[nodiscard]] StackedBars reconcileBars(const Reconciliation &held, std::optional<Bytes> capacity);
/// The moment that a bar of reconcileBars() is of, and the first bar of a moment.
[[nodiscard]] std::size_t momentOfBar(const StackedBars &bars, int bar);
[[nodiscard]] int barOfMoment(const StackedBars &bars, std::size_t moment);

/// From predicted over every reason and what is unexplained to recorded; empty where the moment
/// compared was not found.
[[nodiscard]] std::vector<WaterfallBar> reconcileWaterfall(const Reconciliation &held);

} // namespace vramscope
