// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/comparison/compare.h"
#include "core/analysis/costs/costs.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/summary.h"
#include "core/table/table.h"
#include "core/trace/trace.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

// Tables of recordings of memory. A table keeps its rows; whoever shows it keeps the trace.

using EventRows = std::shared_ptr<const std::vector<EventIndex>>;

/// Events of a device of the trace, in the order of `rows`; `times`: µs of every event of the
/// device, ascending, or empty.
[[nodiscard]] DataTable eventsTable(const Trace &trace, const DeviceTrace &device,
                                    std::span<const std::int64_t> times, EventRows rows);

/// Allocations by the stack that made them, with their part of all bytes in the table.
[[nodiscard]] DataTable liveGroupsTable(const Trace &trace, std::vector<LiveGroup> groups);

/// The sites of two recordings, which the letters name: "A" and "B". The first cell is the place in
/// B where a site is in both.
[[nodiscard]] DataTable sitesTable(const Trace &a, const Trace &b, std::vector<ComparedSite> sites,
                                   const std::array<std::string, 2> &letters);
/// How the stacks of a site agree, in a sentence.
[[nodiscard]] std::string matchExplanation(const ComparedSite &site,
                                           const std::array<std::string, 2> &letters);

/// "after event 1,234", "before the first event".
[[nodiscard]] std::string eventPlace(EventIndex event);
/// The levels of memory of a device of a recording.
[[nodiscard]] DataTable summaryTable(const DeviceSummary &summary);
/// What is live at the peak, by category, with the confidence in each.
[[nodiscard]] DataTable peakCategoriesTable(const Peak &peak);

} // namespace vramscope
