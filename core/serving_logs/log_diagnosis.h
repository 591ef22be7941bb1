// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/serving_logs/log_plan.h"
#include "core/serving_logs/serving_log.h"

#include <string>
#include <vector>

namespace vramscope {

/// Something in a log that takes room from the cache, or that a reader has to know of it.
struct LogFinding
{
    std::string title;    ///< "Others use the GPU"
    std::string sentence; ///< with the figures that support it, and what to do
    bool isFault = false; ///< it keeps the engine from serving, or the log contradicts itself
};

/// Why the cache is as small as it is, in the order in which the engine takes memory: what others
/// use, weights, activations, what is outside PyTorch, CUDA graphs, the longest sequence, how the
/// cache is divided. Only what the figures support; `plan` adds what its model says.
[[nodiscard]] std::vector<LogFinding> findingsOf(const ServingLog &log, const Plan *plan = nullptr,
                                                 ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
