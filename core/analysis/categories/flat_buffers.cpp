// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/flat_buffers.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vramscope {

namespace {

constexpr double kPadding = 0.01; // share by which a buffer is larger than what it holds, at most
constexpr Bytes kLeastParameters = 64 * kKiB; // of fewer, anything is as large
constexpr int kMostHalvings = 6;              // shards of 64 ranks
constexpr double kLeastMoved = 0.9;           // share of parameters that are freed before training

// The buffers that one stack makes before training and keeps.
struct Group
{
    std::vector<AllocationIndex> buffers;
    Bytes bytes = 0;
    Bytes parameters = 0; ///< alive when the first is made
    Bytes moved = 0;      ///< of these, freed before training
};

bool isWhole(double share)
{
    return share >= 1 && share <= 1 + kPadding;
}

// Half precision, single precision and shards differ by powers of two.
bool isWholeByPowerOfTwo(double share)
{
    const double power = std::floor(std::log2(share * (1 + kPadding / 2)));
    return power >= -kMostHalvings && power <= 2 && isWhole(share / std::exp2(power));
}

// In the order of their first buffers.
std::vector<Group> groupsOf(const Allocations &allocations, const Phases &phases)
{
    const EventIndex forward = phases.firstOf(Phase::Forward);
    std::vector<Group> groups;
    if (forward > allocations.lastEvent())
        return groups;
    std::unordered_map<std::uint32_t, std::size_t> places; // by stack
    std::vector<AllocationIndex> parameters;
    for (AllocationIndex index = allocations.firstBornAfter(-1); index < allocations.count();
         ++index) {
        const auto at = static_cast<std::size_t>(index);
        const EventIndex birth = allocations.birth[at];
        if (birth >= forward)
            break;
        if (phases.madeIn(index) == Phase::Init)
            parameters.push_back(index);
        const StackId stack = allocations.stack[at];
        if (phases.madeIn(index) != Phase::Unknown || allocations.death[at] <= forward ||
            stack == StackId::None)
            continue;
        const auto [place, isNew] =
            places.try_emplace(static_cast<std::uint32_t>(stack), groups.size());
        if (isNew) {
            Group &group = groups.emplace_back();
            std::erase_if(parameters, [&](AllocationIndex parameter) {
                return allocations.death[static_cast<std::size_t>(parameter)] <= birth;
            });
            for (const AllocationIndex parameter : parameters) {
                const auto that = static_cast<std::size_t>(parameter);
                group.parameters += allocations.requested[that];
                group.moved += allocations.death[that] <= forward ? allocations.requested[that] : 0;
            }
        }
        Group &group = groups[place->second];
        group.buffers.push_back(index);
        group.bytes = wrappingSum(group.bytes, allocations.requested[at]);
    }
    return groups;
}

} // namespace

FlatBuffers::FlatBuffers(const Allocations &allocations, const Phases &phases, double gradients)
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
        if (isWhole(share) && parameters == 0 &&
            static_cast<double>(group.moved) >= kLeastMoved * static_cast<double>(all))
            role = Role::Parameters;
        else if (isWhole(share) && !hasGradients && 2 * gradients < static_cast<double>(all))
            role = Role::Gradients;
        else if (parameters > 0 && isWholeByPowerOfTwo(share))
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
