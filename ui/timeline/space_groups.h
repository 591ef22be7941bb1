// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/address_space.h"

#include <span>

namespace vramscope {

/// Kinds of segments, in display order.
enum class SpaceKind { Large, Small, Expandable, Private };

/// Segments of one kind, pool and stream.
struct SpaceGroup
{
    SpaceKind kind = SpaceKind::Large;
    PoolId pool = PoolId::Default;
    StreamId stream{};
    std::uint32_t first = 0; ///< into SpaceGroups::segments
    std::uint32_t count = 0;
    Bands bands; ///< sum over its segments
};

/// The segments of a state by kind, pool and stream, those of one group by address.
struct SpaceGroups
{
    std::vector<SpaceGroup> groups;
    std::vector<std::uint32_t> segments; ///< indices into SpaceState::segments

    [[nodiscard]] std::span<const std::uint32_t> of(const SpaceGroup &group) const
    {
        return {segments.data() + group.first, group.count};
    }
};

/// `allocations` are those in the state's blocks.
[[nodiscard]] SpaceGroups groupsOf(const SpaceState &state, const Allocations &allocations);

/// The uses of one region's bytes.
[[nodiscard]] Bands bandsOf(const Region &region, const Allocations &allocations);

} // namespace vramscope
