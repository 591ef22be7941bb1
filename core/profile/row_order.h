// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/in_steps.h"
#include "core/base/ordered_jobs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace vramscope {

/// In which order the rows of columns belong, each by where it lies now; empty where they lie so
/// already. Rows are ordered by their numbers and columns follow one by one, so that no row is held
/// twice as a whole.
using RowOrder = std::vector<std::uint32_t>;

/// The stable order of `count` rows by less(row, row); nothing where tick() said to stop.
/// `begin`: an order in which they are nearly sorted, if there is a better one than theirs.
template<class Less>
[[nodiscard]] std::optional<RowOrder> sortedRows(std::size_t count, Less less, const Tick &tick,
                                                 RowOrder begin = {})
{
    if (begin.empty()) {
        bool isSorted = true;
        for (std::size_t row = 1; row < count && isSorted; ++row) {
            isSorted = !less(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row - 1));
            if (row % kStepRows == 0 && !tick())
                return std::nullopt;
        }
        if (isSorted)
            return begin;
        begin.resize(count);
        std::iota(begin.begin(), begin.end(), 0U);
    }
    if (!sortInSteps(begin, less, tick))
        return std::nullopt;
    return begin;
}

/// The first of `count` rows from `first` on that is not before what is sought; those before it
/// come first.
template<class IsBefore>
[[nodiscard]] std::size_t firstNotBefore(std::size_t first, std::size_t count, IsBefore isBefore)
{
    while (count > 0) {
        const std::size_t half = count / 2;
        const bool goesRight = isBefore(first + half);
        first = goesRight ? first + half + 1 : first;
        count = goesRight ? count - half - 1 : half;
    }
    return first;
}

/// The rows of each thread behind each other, in their order: threads that take turns in a file are
/// then mostly sorted. Empty where they lie so.
[[nodiscard]] inline RowOrder broughtTogether(const std::vector<std::uint32_t> &thread,
                                              std::size_t threads)
{
    std::vector<std::size_t> next(threads + 1);
    bool isTogether = true;
    for (std::size_t row = 0; row < thread.size(); ++row) {
        ++next[thread[row] + 1];
        isTogether = isTogether && (row == 0 || thread[row - 1] <= thread[row]);
    }
    if (isTogether)
        return {};
    std::partial_sum(next.begin(), next.end(), next.begin());
    RowOrder order(thread.size());
    for (std::size_t row = 0; row < thread.size(); ++row)
        order[next[thread[row]]++] = static_cast<std::uint32_t>(row);
    return order;
}

/// Brings a column into an order; false where goesOn() says to stop.
template<class T>
[[nodiscard]] bool arrangeColumn(const RowOrder &order, std::vector<T> &column, const Tick &goesOn)
{
    if (column.empty()) // as those without any values
        return goesOn();
    std::vector<T> arranged;
    arranged.reserve(column.size());
    const bool isComplete =
        forEachInSteps(order, goesOn, [&](std::uint32_t row) { arranged.push_back(column[row]); });
    column = std::move(arranged);
    return isComplete;
}

/// Brings columns into an order, several at once; false where tick() says to stop. Columns without
/// values stay so.
template<class... Columns>
[[nodiscard]] bool arrange(const RowOrder &order, const Tick &tick, Columns &...columns)
{
    if (order.empty())
        return tick();
    const std::array<std::function<bool(const Tick &)>, sizeof...(columns)> all{
        [&](const Tick &goesOn) { return arrangeColumn(order, columns, goesOn); }...};
    constexpr std::size_t kMany = std::size_t(1) << 20; // rows that are worth threads
    if (order.size() < kMany)
        return std::ranges::all_of(all, [&](const auto &one) { return one(tick); });
    return runTogether(
        all.size(),
        [&](std::size_t at, const Progress &progress) {
            (void)all[at]([&] { return progress(0); });
        },
        [&](double) { return tick(); });
}

} // namespace vramscope
