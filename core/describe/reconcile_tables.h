// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/reconcile/reconcile.h"
#include "core/table/table.h"

#include <vector>

namespace vramscope {

// The tables of a plan compared with a recording of its run.

/// The moments of the step; the first column marks the one whose reasons are listed.
[[nodiscard]] DataTable matchedMomentsTable(const Reconciliation &it);
/// The parts at a moment and their total.
[[nodiscard]] DataTable matchedPartsTable(const MatchedMoment &moment);
/// Why the recording differs, and the unexplained rest. Rows of settings, which a plan can try,
/// lead to their place in the list.
[[nodiscard]] DataTable reasonsTable(const Reconciliation &it);
/// Parts and settings that may explain the rest.
[[nodiscard]] DataTable candidatesTable(const std::vector<Reason> &candidates);
/// The candidates of one kind.
[[nodiscard]] DataTable candidatesTable(const Reconciliation &it, Reason::Kind kind);
[[nodiscard]] DataTable levelPairsTable(const std::vector<LevelPair> &levels);
/// Constants that the recording determines. Rows whose value differs from the plan's lead to their
/// place in the list.
[[nodiscard]] DataTable calibrationsTable(const std::vector<Calibration> &constants);

} // namespace vramscope
