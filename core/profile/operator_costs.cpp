// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/operator_costs.h"

#include "core/base/bytes.h"
#include "core/profile/call_kinds.h"

#include <algorithm>

namespace vramscope {

namespace {

/// A child may end after its parent by a little, where the clock rounds: what sticks out is none of
/// the parent's time.
std::vector<std::int64_t> hostSelfTimes(const OperatorColumns &operators)
{
    std::vector<std::int64_t> self(operators.count());
    for (std::size_t at = 0; at < operators.count(); ++at) {
        self[at] =
            wrappingSum(self[at], wrappingDifference(operators.end[at], operators.start[at]));
        const std::uint32_t parent = operators.parent[at];
        if (parent == kNoRow)
            continue;
        const std::int64_t end = std::min(operators.end[at], operators.end[parent]);
        self[parent] =
            wrappingDifference(self[parent], wrappingDifference(end, operators.start[at]));
    }
    for (std::int64_t &each : self)
        each = std::max(std::int64_t(0), each);
    return self;
}

std::vector<std::int64_t> waitingTimes(const Profile &profile,
                                       const std::vector<std::int64_t> &hostSelf)
{
    const CallColumns &calls = profile.calls();
    const OperatorColumns &operators = profile.operators();
    const std::vector<bool> waits = callsThat(profile, waitsForDevice);
    std::vector<std::int64_t> waiting(operators.count());
    for (std::size_t call = 0; call < calls.count(); ++call) {
        const std::uint32_t within = calls.operation[call];
        if (!waits[call] || within == kNoRow)
            continue;
        const std::int64_t end = std::min(calls.end[call], operators.end[within]);
        const std::int64_t time =
            wrappingSum(waiting[within], wrappingDifference(end, calls.start[call]));
        waiting[within] = std::clamp(time, std::int64_t(0), hostSelf[within]);
    }
    return waiting;
}

} // namespace

OperatorCosts operatorCosts(const Profile &profile, WorkRows rows)
{
    const WorkColumns &work = profile.work();
    const OperatorColumns &operators = profile.operators();
    OperatorCosts costs;
    costs.hostSelf = hostSelfTimes(operators);
    costs.waiting = waitingTimes(profile, costs.hostSelf);
    costs.deviceSelf.resize(operators.count());
    costs.launches.resize(operators.count());
    for (const std::uint32_t row : rows) {
        const std::uint32_t from = work.operation[row];
        if (from == kNoRow)
            continue;
        costs.deviceSelf[from] = wrappingSum(costs.deviceSelf[from], work.duration(row));
        ++costs.launches[from];
    }
    costs.deviceTotal = costs.deviceSelf;
    for (std::size_t at = operators.count(); at-- > 0;) { // children stand after their parents
        const std::uint32_t parent = operators.parent[at];
        if (parent == kNoRow)
            continue;
        costs.deviceTotal[parent] = wrappingSum(costs.deviceTotal[parent], costs.deviceTotal[at]);
        costs.launches[parent] += costs.launches[at];
    }
    return costs;
}

} // namespace vramscope
