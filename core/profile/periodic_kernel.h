// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace vramscope {

/// A kernel with which each period of what a device runs begins.
struct PeriodicKernel
{
    StringId name = StringId::Empty;
    std::int64_t count = 0; ///< of it, so of periods
};

/// Of a sequence of texts the one that occurs once in each period: of those that recur evenly, and
/// between whose places much the same texts stand, one with the fewest places; of these the one
/// before which the longest pause lies, by the median of `pauses`. None where nothing repeats.
[[nodiscard]] std::optional<PeriodicKernel> periodicText(const std::vector<StringId> &texts,
                                                         const std::vector<std::int64_t> &pauses);

/// The same of the kernels of the device that ran most of them and whose calls were recorded.
[[nodiscard]] std::optional<PeriodicKernel> periodicKernel(const Profile &profile);

} // namespace vramscope
