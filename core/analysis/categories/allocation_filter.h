// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/category_rules.h"
#include "core/analysis/costs/frame_filter.h"
#include "core/base/progress.h"
#include "core/base/query_words.h"

#include <optional>
#include <string_view>
#include <vector>

namespace vramscope {

class Study;

/// Which allocations are looked at. An allocation is kept when every condition holds for it; a
/// filter without conditions keeps all.
struct AllocationFilter
{
    std::vector<FrameRule> frames;      ///< each matches some frame of the stack; `hide` is ignored
    QueriedRange size;                  ///< requested bytes
    QueriedRange microseconds;          ///< alive
    QueriedRange events;                ///< alive
    std::optional<StackId> stack;       ///< of the allocation
    std::optional<std::int64_t> stream; ///< cudaStream_t
    std::optional<bool> privatePool;    ///< in a private pool, or in the default one
    std::optional<MemoryCategory> category;
    std::optional<bool> freed; ///< before the end, or alive at the end
    /// Alive after this event; kAtCursor: where the caller's cursor stands.
    std::optional<EventIndex> aliveAfter;
    static constexpr EventIndex kAtCursor = std::numeric_limits<EventIndex>::max();

    bool operator==(const AllocationFilter &) const = default;
};

/// A filter from what a user types: words that stand in a function's name or a file's path
/// (whatever their case), /regular expressions/, "quoted words", and conditions: size>10MiB,
/// size<=512, life>2ms, life<100ev, stack:12 (a StackId), stream:7, pool:private, pool:default,
/// category:activations, alive (at the cursor), alive:1234 (after that event), freed, unfreed.
/// Fails with a sentence that says what is wrong with which word.
[[nodiscard]] Result<AllocationFilter> parseAllocationFilter(std::string_view query);

/// Whether the filter asks something of the cursor.
[[nodiscard]] bool dependsOnCursor(const AllocationFilter &filter);

/// 1 for each allocation that the filter keeps, else 0. `cursor` is where kAtCursor stands. Without
/// timestamps no lifetime is known in microseconds, and a condition on it keeps nothing. Linear in
/// the allocations and in the frames of the distinct stacks. Incomplete when `progress` cancels.
[[nodiscard]] std::vector<std::uint8_t> keptBy(const AllocationFilter &filter, const Study &study,
                                               EventIndex cursor, const Progress &progress = {});

} // namespace vramscope
