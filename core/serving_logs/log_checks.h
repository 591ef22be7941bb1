// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/serving_log.h"

#include <vector>

namespace vramscope {

/// The identities that hold among the figures of a log's last start, each with the figures of one
/// rank: of a rank for which it fails, or else of the one that has the smallest right side.
[[nodiscard]] std::vector<LogCheck> checksOf(const ServingLog &log);

/// "one kind of layer" of vLLM's tokens: the check that fails for hybrids before v0.22, where the
/// concurrency is the figure to believe.
[[nodiscard]] bool tokensContradictConcurrency(const ServingLog &log);

} // namespace vramscope
