// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/flat_buffers.h"

#include <cmath>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace vramscope {

namespace {

constexpr Bytes kLeastParameters = 64 * kKiB; // of fewer, anything is as large
constexpr int kMostHalvings = 6;              // shards of 64 ranks

// The buffers that one stack makes before training and keeps.
struct Group
{
    std::vector<AllocationIndex> buffers = {};
    Bytes bytes = 0;
    Bytes parameters = 0; ///< alive when the first is made
    Bytes moved = 0;      ///< of these, freed before training
};

bool isWhole(double share, double padding)
{
    return share >= 1 && share <= 1 + padding;
}

// Half precision, single precision and shards differ by powers of two.
bool isWholeByPowerOfTwo(double share, double padding)
{
    const double power = std::floor(std::log2(share * (1 + padding / 2)));
    return power >= -kMostHalvings && power <= 2 && isWhole(share / std::exp2(power), padding);
}

// In the order of their first buffers.
std::vector<Group> groupsOf(const Allocations &allocations, const Phases &phases)
{
    const EventIndex forward = phases.firstOf(Phase::Forward);
    std::vector<Group> groups;
    if (forward > allocations.lastEvent())
        return groups;
    std::unordered_map<std::uint32_t, std::size_t> places; // by stack
    using End = std::pair<EventIndex, Bytes>;              // of a parameter
    std::priority_queue<End, std::vector<End>, std::greater<>> ends;
    Bytes alive = 0; // of parameters
    Bytes moved = 0; // of these, freed before training
    for (AllocationIndex index = allocations.firstBornAfter(-1); index < allocations.count();
         ++index) {
        const auto at = static_cast<std::size_t>(index);
        const EventIndex birth = allocations.birth[at];
        if (birth >= forward)
            break;
        for (; !ends.empty() && ends.top().first <= birth; ends.pop()) {
            alive = wrappingDifference(alive, ends.top().second);
            moved = wrappingDifference(moved, ends.top().second);
        }
        if (phases.madeIn(index) == Phase::Init) {
            const Bytes size = allocations.requested[at];
            alive = wrappingSum(alive, size);
            if (allocations.death[at] <= forward) {
                moved = wrappingSum(moved, size);
                ends.emplace(allocations.death[at], size);
            }
        }
        const StackId stack = allocations.stack[at];
        if (phases.madeIn(index) != Phase::Unknown || allocations.death[at] <= forward ||
            stack == StackId::None)
            continue;
        const auto [place, isNew] =
            places.try_emplace(static_cast<std::uint32_t>(stack), groups.size());
        if (isNew)
            groups.push_back({.parameters = alive, .moved = moved});
        Group &group = groups[place->second];
        group.buffers.push_back(index);
        group.bytes = wrappingSum(group.bytes, allocations.requested[at]);
    }
    return groups;
}

} // namespace

FlatBuffers::FlatBuffers(const Allocations &allocations, const Phases &phases, double gradients,
                         const CategoryThresholds &thresholds)
{
    if (!phases.trains())
        return;
    Bytes parameters = 0; // that the flat buffers stand for
    bool hasGradients = false;
    for (const Group &group : groupsOf(allocations, phases)) {
        if (parameters == 0 && group.parameters < kLeastParameters)
            continue;
        const Bytes all = parameters > 0 ? parameters : group.parameters;
        const double share = static_cast<double>(group.bytes) / static_cast<double>(all);
        Role role = Role::None;
        if (isWhole(share, thresholds.flatPadding) && parameters == 0 &&
            static_cast<double>(group.moved) >= thresholds.leastMoved * static_cast<double>(all))
            role = Role::Parameters;
        else if (isWhole(share, thresholds.flatPadding) && !hasGradients &&
                 2 * gradients < static_cast<double>(all))
            role = Role::Gradients;
        else if (parameters > 0 && isWholeByPowerOfTwo(share, thresholds.flatPadding))
            role = Role::States;
        if (role == Role::None)
            continue;
        parameters = all;
        hasGradients = hasGradients || role == Role::Gradients;
        for (const AllocationIndex index : group.buffers)
            m_roles.emplace(index, role);
    }
}

FlatBuffers::Role FlatBuffers::of(AllocationIndex index) const
{
    const auto found = m_roles.find(index);
    return found == m_roles.end() ? Role::None : found->second;
}

} // namespace vramscope
