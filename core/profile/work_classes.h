// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"
#include "core/profile/work_rules.h"

#include <cstdint>
#include <vector>

namespace vramscope {

/// Work that rules cannot tell apart: of one name and kind.
struct WorkGroup
{
    StringId name = StringId::Empty;
    WorkKind kind = WorkKind::Kernel;
    bool namesCollective = false;
    WorkClass workClass = WorkClass::Compute;
    WorkFamily family = WorkFamily::Other;
    std::uint32_t rule = kNoRow; ///< the one that took it; kNoRow: none did, so it is compute
};

/// The class of each piece of work of a profile, and which rule says so.
struct WorkClasses
{
    std::vector<WorkGroup> groups;    ///< in order of their first work
    std::vector<std::uint32_t> group; ///< of each piece of work
    std::vector<WorkClass> workClass; ///< of each piece of work
    std::vector<std::uint32_t>
        collective; ///< its row in Profile::collectives(); empty: none states any

    [[nodiscard]] const WorkGroup &groupOf(std::size_t work) const { return groups[group[work]]; }
    /// The row of Profile::collectives() that speaks of a piece of work; kNoRow.
    [[nodiscard]] std::uint32_t collectiveOf(std::size_t work) const
    {
        return collective.empty() ? kNoRow : collective[work];
    }
};

/// The same groups with the class that `rules` give each. Rules whose pattern is none take nothing.
[[nodiscard]] std::vector<WorkGroup> decided(std::vector<WorkGroup> groups, const Profile &profile,
                                             const std::vector<WorkRule> &rules);

/// Each rule is tried once a group, never once an event.
[[nodiscard]] WorkClasses classify(const Profile &profile,
                                   const std::vector<WorkRule> &rules = defaultWorkRules());

} // namespace vramscope
