// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/plan.h"

namespace vramscope {

/// What "New plan" starts with: a common model on one node, fully stated so that every control
/// shows a value.
[[nodiscard]] Plan newPlan();

} // namespace vramscope
