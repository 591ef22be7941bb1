// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/profile/profile_document.h"
#include "ui/profile/profile_state.h"
#include "ui/profile/profile_table_model.h"

#include <array>
#include <optional>

namespace vramscope {

/// The tables below the timeline, from left to right.
enum class ProfileTab : std::uint8_t { Kernels, Operators, Collectives, Launches, Idle, Steps };
inline constexpr std::size_t kProfileTabCount = 6;

/// "kernels": of `vramscope render --view profile/kernels` and of the state of a page.
[[nodiscard]] QString nameOf(ProfileTab tab);
[[nodiscard]] std::optional<ProfileTab> profileTabNamed(QStringView name);
[[nodiscard]] QString titleOf(ProfileTab tab);

/// The rows of a table: of the whole recording, or of what began within a stretch of time. Tables
/// that know no stretch say so in their note. May take a second where there are millions of events:
/// for a job.
[[nodiscard]] ProfileTable profileTable(const ProfileDocument &document, ProfileTab tab,
                                        const std::optional<TimeSpan> &within, ByteUnit unit);

} // namespace vramscope
