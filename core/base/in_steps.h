// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace vramscope {

/// Called between steps of a few milliseconds; false to stop.
using Tick = std::function<bool()>;

inline constexpr std::size_t kStepRows = std::size_t(1) << 15;

/// Calls visit(row) for each row, and tick() between steps and at the end; false once tick() is.
template<class Rows, class Visit>
[[nodiscard]] bool forEachInSteps(Rows &&rows, const Tick &tick, Visit visit)
{
    std::size_t count = 0;
    for (auto &&row : rows) {
        visit(row);
        if (++count % kStepRows == 0 && !tick())
            return false;
    }
    return tick();
}

/// Like std::stable_sort, but calls tick() between steps of a few milliseconds; false once tick()
/// is.
template<class T, class Less>
[[nodiscard]] bool sortInSteps(std::vector<T> &rows, Less less, const Tick &tick)
{
    const auto at = [&](std::size_t index) {
        return rows.begin() + static_cast<std::ptrdiff_t>(std::min(index, rows.size()));
    };
    for (std::size_t first = 0; first < rows.size(); first += kStepRows) {
        if (!std::is_sorted(at(first), at(first + kStepRows), less)) // which is the usual case
            std::stable_sort(at(first), at(first + kStepRows), less);
        if (!tick())
            return false;
    }
    for (std::size_t run = kStepRows; run < rows.size(); run *= 2) {
        for (std::size_t first = 0; first + run < rows.size(); first += 2 * run) {
            const auto middle = at(first + run);
            if (less(*middle, *(middle - 1)))
                std::inplace_merge(at(first), middle, at(first + 2 * run), less);
            if (!tick())
                return false;
        }
    }
    return true;
}

} // namespace vramscope
