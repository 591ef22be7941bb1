// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"
#include "ui/profile/profile_state.h"
#include "ui/profile/profile_tables.h"

#include <optional>

namespace vramscope {

/// What is looked at in a profile, and how.
struct ProfileView
{
    Range visible{0, 1}; ///< ns since ProfileDocument::origin
    ProfileEventId selected;
    std::optional<TimeSpan> chosen;
    ProfileQuery query;
    ProfileTableChoice table;
};

/// The place as a bookmark under a name that says what is selected, or which stretch is seen.
[[nodiscard]] Bookmark bookmarkOf(const ProfileDocument &document, const ProfileView &view);
/// What a bookmark says, as far as this profile has it. An event that does not begin when the
/// bookmark says is another one, and is not selected.
[[nodiscard]] ProfileView viewOf(const ProfileDocument &document, const Bookmark &bookmark);

/// "Kernels · at 12.3 ms".
[[nodiscard]] QString placeText(const Bookmark &bookmark);

} // namespace vramscope
