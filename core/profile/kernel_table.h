// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/breakdown.h"
#include "core/profile/kernel_counters.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vramscope {

/// Work of one name and class.
struct KernelRow
{
    StringId name = StringId::Empty;
    WorkClass workClass = WorkClass::Compute;
    WorkFamily family = WorkFamily::Other;
    std::uint32_t rule = kNoRow; ///< the rule that took it
    std::int64_t count = 0;
    std::int64_t total = 0; ///< sum of durations, ns
    std::int64_t shortest = 0;
    std::int64_t longest = 0;
    std::int64_t exposed = 0;        ///< of the total: what nothing hid, see exposedTimes()
    std::int64_t occupancySum = 0;   ///< of the estimates, per cent
    std::int64_t occupancyCount = 0; ///< work that states one
    std::int64_t bytes = 0;          ///< of copies and fills that state them
    CounterMeans counters{};         ///< of Nsight Compute, where a table of it is joined
    [[nodiscard]] double mean() const
    {
        return static_cast<double>(total) / static_cast<double>(count);
    }
};

struct KernelTable
{
    std::vector<KernelRow> rows; ///< the longest total first, then by name
    std::int64_t total = 0;      ///< of all rows: the sum of durations, not a union
};

/// `exposed` as exposedTimes() gives it; empty where that is not wanted. `counters`: what is joined
/// to the kernels; null: nothing.
[[nodiscard]] KernelTable kernelTable(const Profile &profile, const WorkClasses &classes,
                                      WorkRows rows, std::span<const std::int64_t> exposed = {},
                                      const KernelCounters *counters = nullptr);

} // namespace vramscope
