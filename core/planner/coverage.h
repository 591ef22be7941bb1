// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/settings.h"

#include <vector>

namespace vramscope {

/// The settings that this version does not compute, one Unsupported issue each: where the list is
/// empty, estimate() has a formula for everything that the plan says.
[[nodiscard]] std::vector<Issue> uncovered(const Settings &settings);

} // namespace vramscope
