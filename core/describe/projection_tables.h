// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/projection/scaling.h"
#include "core/solver/layouts.h"
#include "core/solver/strategies.h"
#include "core/table/table.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// A plan on numbers of GPUs, a row a point. Rows that are known lead to their place among the
/// known ones; the others, which `withUnknown` adds, say why not.
[[nodiscard]] DataTable scalePointsTable(std::span<const ScalePoint> points, bool withUnknown);

/// Strategies in their order, which rows lead to.
[[nodiscard]] DataTable strategiesTable(std::span<const StrategyOption> options);

/// How cells of layouts read.
struct LayoutWords
{
    std::function<std::string(const std::vector<FieldSetting> &)> fields;
    std::function<std::string(const FitSummary &)> largestPart = {}; ///< none: no such column
};
/// Layouts in their order, which rows lead to. Columns that are the same for all of them, or that
/// do not apply to them, are left out.
[[nodiscard]] DataTable layoutsTable(std::span<const Layout> layouts, const LayoutWords &words);

} // namespace vramscope
