// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_difference.h"
#include "core/table/table.h"

#include <functional>
#include <string>
#include <string_view>

// The tables of two profiler traces, A and B. What they compare outlives them.

namespace vramscope {

/// Rows of spanChangesTable() for each device: the four parts and their sum, the span.
inline constexpr std::size_t kSumRows = 5;

/// Where the time of each device went on both sides: the changes of the parts add up to the span's.
[[nodiscard]] DataTable spanChangesTable(const ProfileDifference &difference);

/// A name of a side as its reader sees it.
using ShownName = std::function<std::string(std::size_t side, std::string_view name)>;

/// The operators that a condition keeps, as all these tables the largest change first.
[[nodiscard]] DataTable
operatorChangesTable(const ProfileDifference &difference, const ShownName &shown,
                     const std::function<bool(const OperatorChange &)> &keeps);
/// The same for kernels and copies.
[[nodiscard]] DataTable kernelChangesTable(const ProfileDifference &difference,
                                           const ShownName &shown,
                                           const std::function<bool(const KernelChange &)> &keeps);

} // namespace vramscope
