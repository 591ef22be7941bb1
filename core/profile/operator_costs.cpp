// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/operator_table.h"

#include "core/profile/launches.h"

#include <bit>

namespace vramscope {

OperatorCostWalk::OperatorCostWalk(const Profile &profile, WorkRows rows)
    : m_operators(profile.operators())
    , m_hasLaunched(m_operators.count() / kBits + 1)
{
    addWork(profile, rows);
    const CallColumns &calls = profile.calls();
    const std::vector<bool> waits = callsThat(profile, waitsForDevice);
    for (std::size_t call = 0; call < calls.count(); ++call) {
        const std::uint32_t within = calls.operation[call];
        if (!waits[call] || within == kNoRow)
            continue;
        const std::int64_t end = std::min(calls.end[call], m_operators.end[within]);
        m_waits.push_back({within, wrappingDifference(end, calls.start[call])});
    }
    std::ranges::stable_sort(m_waits, {}, &Wait::within);
}

/// Most operators launch nothing.
void OperatorCostWalk::addWork(const Profile &profile, WorkRows rows)
{
    const WorkColumns &work = profile.work();
    for (const std::uint32_t row : rows) {
        if (const std::uint32_t from = work.operation[row]; from != kNoRow)
            m_hasLaunched[from / kBits] |= std::uint64_t(1) << from % kBits;
    }
    std::vector<std::uint32_t> before; // by word: how many operators before it have launched
    before.reserve(m_hasLaunched.size());
    std::uint32_t count = 0;
    for (const std::uint64_t word : m_hasLaunched) {
        before.push_back(count);
        count += static_cast<std::uint32_t>(std::popcount(word));
    }
    m_launched.resize(count);
    for (const std::uint32_t row : rows) {
        const std::uint32_t from = work.operation[row];
        if (from == kNoRow)
            continue;
        const std::uint64_t below = (std::uint64_t(1) << from % kBits) - 1;
        const std::uint64_t word = m_hasLaunched[from / kBits] & below;
        Launched &launched =
            m_launched[before[from / kBits] + static_cast<std::uint32_t>(std::popcount(word))];
        launched.time = wrappingSum(launched.time, work.duration(row));
        ++launched.count;
    }
}

/// A child may end after its parent by a little, where the clock rounds: what sticks out is none of
/// the parent's time.
void OperatorCostWalk::enter(std::uint32_t row)
{
    const std::int64_t start = m_operators.start[row];
    const std::int64_t end = m_operators.end[row];
    if (!m_open.empty()) {
        OpenOperator &parent = m_open.back();
        parent.cost.hostSelf = wrappingDifference(
            parent.cost.hostSelf,
            wrappingDifference(std::min(end, m_operators.end[parent.row]), start));
    }
    OpenOperator &opened = m_open.emplace_back(OpenOperator{row, m_nextWait, {}});
    opened.cost.hostSelf = wrappingDifference(end, start);
    if (hasLaunched(row)) {
        const Launched &launched = m_launched[m_nextLaunched++];
        opened.cost.deviceSelf = launched.time;
        opened.cost.deviceTotal = launched.time;
        opened.cost.launches = launched.count;
    }
    while (m_nextWait < m_waits.size() && m_waits[m_nextWait].within == row)
        ++m_nextWait;
}

OperatorCost OperatorCostWalk::leave()
{
    const OpenOperator &closed = m_open.back();
    OperatorCost cost = closed.cost;
    cost.hostSelf = std::max(std::int64_t(0), cost.hostSelf);
    for (std::size_t at = closed.firstWait; at < m_waits.size() && m_waits[at].within == closed.row;
         ++at)
        cost.waiting =
            std::clamp(wrappingSum(cost.waiting, m_waits[at].time), std::int64_t(0), cost.hostSelf);
    m_open.pop_back();
    if (!m_open.empty()) {
        OperatorCost &parent = m_open.back().cost;
        parent.deviceTotal = wrappingSum(parent.deviceTotal, cost.deviceTotal);
        parent.launches += cost.launches;
    }
    return cost;
}

OperatorCosts operatorCosts(const Profile &profile, WorkRows rows)
{
    OperatorCosts costs;
    const std::size_t count = profile.operators().count();
    for (std::vector<std::int64_t> *column :
         {&costs.hostSelf, &costs.waiting, &costs.deviceSelf, &costs.deviceTotal, &costs.launches})
        column->resize(count);
    OperatorCostWalk(profile, rows)
        .run([](std::uint32_t) {},
             [&](std::uint32_t row, const OperatorCost &cost) {
                 costs.hostSelf[row] = cost.hostSelf;
                 costs.waiting[row] = cost.waiting;
                 costs.deviceSelf[row] = cost.deviceSelf;
                 costs.deviceTotal[row] = cost.deviceTotal;
                 costs.launches[row] = cost.launches;
             });
    return costs;
}

} // namespace vramscope
