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
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace vramscope {

/// Rows of one thread that lie behind each other.
struct RowRun
{
    std::uint32_t first;
    std::uint32_t count;
    std::uint32_t thread;
};

/// In which order the rows of columns belong. Rows are ordered by their numbers and columns follow
/// one by one, so that no row is held twice as a whole.
struct RowOrder
{
    std::vector<std::uint32_t> rows; ///< each by where it lies now; empty: as `runs` say
    std::vector<RowRun> runs;        ///< empty with them: as they lie

    [[nodiscard]] bool isAsTheyLie() const { return rows.empty() && runs.empty(); }
    /// Row by row; empty where they lie so.
    [[nodiscard]] std::vector<std::uint32_t> expanded() const
    {
        std::vector<std::uint32_t> all = rows;
        std::size_t count = all.size();
        for (const RowRun &run : runs)
            count += run.count;
        all.reserve(count);
        for (const RowRun &run : runs) {
            for (std::uint32_t row = 0; row < run.count; ++row)
                all.push_back(run.first + row);
        }
        return all;
    }
};

/// Whether rows lie as less(row, row) has them, within and between runs that are put behind each
/// other; nothing where tick() said to stop.
template<class Less>
[[nodiscard]] std::optional<bool> areSorted(std::span<const RowRun> runs, Less less,
                                            const Tick &tick)
{
    std::uint32_t before = 0;
    std::size_t count = 0;
    for (const RowRun &run : runs) {
        for (std::uint32_t row = run.first; row < run.first + run.count; ++row) {
            if (count > 0 && less(row, before))
                return false;
            before = row;
            if (++count % kStepRows == 0 && !tick())
                return std::nullopt;
        }
    }
    return true;
}

/// The stable order of `count` rows by less(row, row); nothing where tick() said to stop.
/// `begin`: runs in whose order they are nearly sorted, if there is a better one than theirs.
template<class Less>
[[nodiscard]] std::optional<RowOrder> sortedRows(std::size_t count, Less less, const Tick &tick,
                                                 std::vector<RowRun> begin = {})
{
    const RowRun all{0, static_cast<std::uint32_t>(count), 0};
    const std::optional<bool> isSorted =
        begin.empty() ? areSorted({&all, 1}, less, tick) : areSorted(begin, less, tick);
    if (!isSorted)
        return std::nullopt;
    RowOrder order{{}, std::move(begin)};
    if (*isSorted)
        return order;
    order.rows = order.expanded();
    order.runs.clear();
    if (order.rows.empty()) {
        order.rows.resize(count);
        std::iota(order.rows.begin(), order.rows.end(), 0U);
    }
    if (!sortInSteps(order.rows, less, tick))
        return std::nullopt;
    return order;
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
[[nodiscard]] inline std::vector<RowRun> broughtTogether(const std::vector<std::uint32_t> &thread)
{
    std::vector<RowRun> runs;
    bool isTogether = true;
    for (std::uint32_t row = 0; row < thread.size(); ++row) {
        if (!runs.empty() && runs.back().thread == thread[row]) {
            ++runs.back().count;
            continue;
        }
        isTogether = isTogether && (runs.empty() || runs.back().thread < thread[row]);
        runs.push_back({row, 1, thread[row]});
    }
    if (isTogether)
        return {};
    std::ranges::stable_sort(runs, {}, &RowRun::thread);
    return runs;
}

/// Brings columns of one type into an order, one after the other, so that each takes the memory of
/// the one before; false where goesOn() says to stop. Columns without values stay so.
template<class T, std::size_t columns>
[[nodiscard]] bool arrangeAlike(const RowOrder &order,
                                const std::array<std::vector<T> *, columns> &alike,
                                const Tick &goesOn)
{
    std::vector<T> room;
    for (std::vector<T> *const column : alike) {
        if (column->empty())
            continue;
        room.clear();
        room.reserve(column->size());
        for (const RowRun &run : order.runs) {
            const auto first = column->begin() + static_cast<std::ptrdiff_t>(run.first);
            room.insert(room.end(), first, first + static_cast<std::ptrdiff_t>(run.count));
            if (run.first % kStepRows < run.count && !goesOn())
                return false;
        }
        if (!forEachInSteps(order.rows, goesOn,
                            [&](std::uint32_t row) { room.push_back((*column)[row]); }))
            return false;
        column->swap(room);
    }
    return true;
}

template<class... Columns>
[[nodiscard]] auto alike(Columns &...columns)
{
    return std::array{&columns...};
}

/// Brings columns into an order, each set of those alike() beside the others; false where tick()
/// says to stop.
template<class... Alike>
[[nodiscard]] bool arrange(const RowOrder &order, const Tick &tick, const Alike &...sets)
{
    if (order.isAsTheyLie())
        return tick();
    const std::array<std::function<bool(const Tick &)>, sizeof...(sets)> all{
        [&](const Tick &goesOn) { return arrangeAlike(order, sets, goesOn); }...};
    constexpr std::size_t kMany = std::size_t(1) << 20; // rows that are worth threads
    if ((*std::get<0>(std::tie(sets...))[0]).size() < kMany)
        return std::ranges::all_of(all, [&](const auto &one) { return one(tick); });
    return runTogether(
        all.size(),
        [&](std::size_t at, const Progress &progress) {
            (void)all[at]([&] { return progress(0); });
        },
        [&](double) { return tick(); });
}

/// The same for the column by which broughtTogether() made runs.
[[nodiscard]] inline bool arrangeThreads(const RowOrder &order, std::vector<std::uint32_t> &thread,
                                         const Tick &tick)
{
    if (order.runs.empty())
        return order.rows.empty() || arrangeAlike(order, alike(thread), tick);
    auto at = thread.begin();
    for (const RowRun &run : order.runs)
        at = std::fill_n(at, run.count, run.thread);
    return tick();
}

} // namespace vramscope
