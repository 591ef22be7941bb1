// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/table.h"
#include "ui/profile/profile_document.h"
#include "ui/profile/profile_state.h"

#include <QStringList>

#include <array>
#include <optional>

namespace vramscope {

/// The tables below the timeline, from left to right.
enum class ProfileTab : std::uint8_t {
    Kernels,
    Operators,
    Collectives,
    Launches,
    Idle,
    Steps,
    Breakdown,
};
inline constexpr std::size_t kProfileTabCount = 7;

/// "kernels": of `vramscope render --view profile/kernels` and of the state of a page.
[[nodiscard]] QString nameOf(ProfileTab tab);
[[nodiscard]] std::optional<ProfileTab> profileTabNamed(QStringView name);
[[nodiscard]] QString titleOf(ProfileTab tab);

/// The ways in which a table can be shown, the first one by default: operators by name, shapes,
/// call path or module; steps by what divides the recording; the breakdown with HTA's figures or
/// without. Empty where there is only one.
[[nodiscard]] QStringList choicesOf(const ProfileDocument &document, ProfileTab tab);

/// A table and how it is shown.
struct ProfileTableChoice
{
    ProfileTab tab = ProfileTab::Kernels;
    std::size_t choice = 0; ///< of choicesOf()
    bool operator==(const ProfileTableChoice &) const = default;
};

/// The rows of a table: of the whole recording, or of what began within a stretch of time. Tables
/// that know no stretch say so in their note. May take a second where there are millions of events:
/// for a job.
[[nodiscard]] DataTable profileTable(const ProfileDocument &document,
                                     const ProfileTableChoice &choice,
                                     const std::optional<TimeSpan> &within);

} // namespace vramscope
