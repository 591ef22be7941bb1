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

/// A choice of allocations. An allocation is kept if every condition is true for it; a filter
/// without conditions keeps all.
struct AllocationFilter
{
    std::vector<FrameRule> frames;      ///< each matches some frame of the stack; `hide` is ignored
    QueriedRange size;                  ///< requested bytes
    QueriedRange microseconds;          ///< alive
    QueriedRange events;                ///< alive
    std::optional<StackId> stack;       ///< that allocated
    std::optional<std::int64_t> stream; ///< cudaStream_t
    std::optional<bool> privatePool;    ///< in a private pool, or in the default one
    std::optional<Category> category;
    std::optional<bool> freed; ///< before the end, or alive at the end
    /// Alive after this event; kAtCursor: at the caller's cursor.
    std::optional<EventIndex> aliveAfter;
    static constexpr EventIndex kAtCursor = std::numeric_limits<EventIndex>::max();

    bool operator==(const AllocationFilter &) const = default;
};

/// A filter from a user's input: words from a function's name or a file's path (ignoring case),
/// /regular expressions/, "quoted words", and conditions: size>10MiB, size<=512, life>2ms,
/// life<100ev, stack:12 (a StackId), stream:7, pool:private, pool:default, category:activations,
/// alive (at the cursor), alive:1234 (after that event), freed, unfreed. Fails with a sentence that
/// names the wrong word and the reason.
[[nodiscard]] Result<AllocationFilter> parseAllocationFilter(std::string_view query);

/// Whether the filter depends on the cursor.
[[nodiscard]] bool dependsOnCursor(const AllocationFilter &filter);

/// 1 for each allocation that the filter keeps, else 0. `cursor` replaces kAtCursor. Without
/// timestamps lifetimes in microseconds are unknown, and a condition on them keeps nothing. Linear
/// in the allocations and in the frames of the distinct stacks. Incomplete if `progress` cancels.
[[nodiscard]] std::vector<std::uint8_t> keptBy(const AllocationFilter &filter, const Study &study,
                                               EventIndex cursor, const Progress &progress = {});

} // namespace vramscope
