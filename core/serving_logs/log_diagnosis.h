// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/base/format.h"
#include "core/serving_logs/log_plan.h"
#include "core/serving_logs/serving_log.h"

#include <vector>

namespace vramscope {

/// Why the cache is as small as it is, in the order in which the engine takes memory: what others
/// use, weights, activations, what is outside PyTorch, CUDA graphs, the longest sequence, how the
/// cache is divided. Only what the figures support; `plan` adds what its model says. A finding is
/// bad where it keeps the engine from serving, or the log contradicts itself.
[[nodiscard]] std::vector<Finding> findingsOf(const ServingLog &log, const Plan *plan = nullptr,
                                              ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
