// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/run_study.h"
#include "core/table/table.h"

// One rank of a run next to the typical one of its group. What differs most comes first, of the
// typical rank itself what is largest.

namespace vramscope {

/// Its peak by category.
[[nodiscard]] DataTable rankCategoriesTable(const RunStudy &study, std::size_t rank);
/// Its peak by the place of allocation. No rows where the places of either are not known.
[[nodiscard]] DataTable rankSitesTable(const RunStudy &study, std::size_t rank);
/// How many steps a table of them has at most.
inline constexpr std::size_t kMostStepRows = 200;
/// Its steps, with those of the typical rank that have the same number.
[[nodiscard]] DataTable rankStepsTable(const RunStudy &study, std::size_t rank);
/// The steps of its profiler trace.
[[nodiscard]] DataTable rankTimesTable(const RunStudy &study, std::size_t rank);

} // namespace vramscope
