// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/profile/profile_study.h"
#include "core/profile/timeline_rows.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// A profile as it is shown.
struct ShownProfile
{
    const Profile &profile;
    const ProfileStudy &study;
    std::int64_t origin = 0; ///< times are shown from here
    std::function<std::string_view(StringId)> text;
    /// The work that a call launched.
    std::function<std::span<const std::uint32_t>(std::uint32_t)> launchedBy;
};

/// A fact of an event and, of what is rounded or cut off, the whole.
struct EventFact
{
    std::string name;
    std::string value;
    std::string whole = {};
};
/// All that is known of an event, the most wanted first.
[[nodiscard]] std::vector<EventFact> eventFacts(const ShownProfile &shown,
                                                const ProfileEventId &event, ByteUnit unit);
/// "compute, matrix product"; of what is no compute its class.
[[nodiscard]] std::string workKindText(const WorkGroup &group);

} // namespace vramscope
