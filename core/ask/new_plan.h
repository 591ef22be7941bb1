// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

namespace vramscope {

/// What "New plan" starts with: a common model on one node, fully stated so that every control
/// shows a value.
[[nodiscard]] Plan newPlan();

/// What a sentence begins with, before its words: how a model is trained or served where nobody
/// says it, on GPUs that somebody has to name.
[[nodiscard]] Plan plainTraining();
[[nodiscard]] Plan plainServing();

} // namespace vramscope
