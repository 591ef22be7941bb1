// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/issue.h"

#include <span>
#include <vector>

namespace vramscope {

struct Plan;
struct Settings;
struct UncomputedKey;

/// The keys of the model's config that affect the memory of this plan and that no formula reads, in
/// the order of their table; those of a catalogue model too.
[[nodiscard]] std::vector<const UncomputedKey *> uncomputedKeysOf(const Plan &plan,
                                                                  const Settings &settings);

/// A warning for each, a missing part of the answer (isMissingPart()); keys with the same reason
/// share one.
[[nodiscard]] std::vector<Issue> issuesOfKeys(const Plan &plan,
                                              std::span<const UncomputedKey *const> keys);

} // namespace vramscope
