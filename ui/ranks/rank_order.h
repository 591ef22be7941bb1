// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/run_study.h"

#include <QString>

#include <array>
#include <cstdint>
#include <vector>

namespace vramscope {

/// What the ranks of a run stand in order of, in every view of them.
enum class RankOrder : std::uint8_t { Number, Node, Group, Peak, Distance };
inline constexpr std::size_t kRankOrderCount = 5;

/// "by rank", "by node", …
[[nodiscard]] QString rankOrderText(RankOrder order);

/// All ranks in an order: peaks and distances from the group's median the largest first, nodes as
/// people count them, equals by number.
[[nodiscard]] std::vector<std::size_t> ranksInOrder(const RunStudy &study, RankOrder order);

} // namespace vramscope
