// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/summary.h"
#include "core/table/table.h"

#include <string>

namespace vramscope {

/// "after event 1,234", "before the first event".
[[nodiscard]] std::string eventPlace(EventIndex event);
/// The levels of memory of a device of a recording.
[[nodiscard]] DataTable summaryTable(const DeviceSummary &summary);
/// What is live at the peak, by category, with the confidence in each.
[[nodiscard]] DataTable peakCategoriesTable(const Peak &peak);

} // namespace vramscope
