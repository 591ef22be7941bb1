// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/issue.h"

#include <span>
#include <string_view>
#include <vector>

namespace vramscope {

struct Plan;
struct Tower;

/// Parts of a model that the figures do not count: towers, a counted tower's memory apart from its
/// weights, multi-token prediction, adapters; a kind that is only assumed; and offload to drives.
/// One warning each, whose field is a path below model.config or model.preset, or the device of the
/// offload.
[[nodiscard]] std::vector<Issue> missingParts(const Plan &plan);
/// The same where the towers that are counted (countedTowers()) are known.
[[nodiscard]] std::vector<Issue> missingParts(const Plan &plan, std::span<const Tower> towers);

/// Whether an issue is one of these. Its sentence belongs to the answer itself, wherever that
/// appears.
[[nodiscard]] bool isMissingPart(const Issue &issue);
/// Whether it leaves out towers only.
[[nodiscard]] bool leavesOutTowers(const Issue &issue);
/// Their sentences, out of all issues of a plan.
[[nodiscard]] std::vector<std::string_view> notCounted(const std::vector<Issue> &issues);

} // namespace vramscope
