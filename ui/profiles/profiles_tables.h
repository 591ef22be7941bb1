// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/profile_folder.h"
#include "core/table/table.h"

#include <cstdint>
#include <optional>

namespace vramscope {

/// The tables below the bars, from left to right.
enum class RanksTab : std::uint8_t { Ranks, Collectives, Matches, Runs };
inline constexpr std::size_t kRanksTabCount = 4;

/// "ranks": of the state of a page.
[[nodiscard]] QString nameOf(RanksTab tab);
[[nodiscard]] std::optional<RanksTab> ranksTabNamed(QStringView name);
[[nodiscard]] QString titleOf(RanksTab tab);

/// Rows of Ranks are in the order of RankProfiles::ranks.
[[nodiscard]] DataTable ranksTable(const ProfileFolder &folder, RanksTab tab);

} // namespace vramscope
