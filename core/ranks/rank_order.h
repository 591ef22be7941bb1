// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/run_study.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace vramscope {

/// By what the ranks of a run are sorted, in every view of them.
enum class RankOrder : std::uint8_t { Number, Node, Group, Peak, Distance };
inline constexpr std::size_t kRankOrderCount = 5;

/// "by rank", "by node", …
[[nodiscard]] std::string_view rankOrderText(RankOrder order);

/// All ranks in an order: peaks and distances from the group's median the largest first, nodes as
/// people count them, equals by number.
[[nodiscard]] std::vector<std::size_t> ranksInOrder(const RunStudy &study, RankOrder order);

} // namespace vramscope
