// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/solver/engine_share.h"
#include "core/solver/largest_value.h"
#include "core/solver/layouts.h"
#include "core/solver/recommendation.h"
#include "core/solver/ways_to_fit.h"

#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace vramscope {

/// The results for a plan.
struct Fit
{
    std::vector<std::string_view> vary;
    Bytes capacity = 0;
    /// Ways if nothing is varied, a value for one number, GPUs for hardware.gpus, shares for the
    /// share of an engine, else layouts.
    std::variant<std::vector<WayToFit>, ValueThatFits, FewestGpus, EngineShare, Layouts> found;
    Recommendation recommendation{}; ///< if nothing is varied
};

/// Whether fields, or groups of them, can be varied together: "parallel", "batch.micro_batch", …
[[nodiscard]] Result<void> checkVariables(std::span<const std::string_view> vary);

/// The answer for the varied fields of a plan; layouts `limit` at most. An error names the wrong
/// field, or what the plan lacks.
[[nodiscard]] Result<Fit> fit(const Plan &plan, std::span<const std::string_view> vary,
                              std::size_t limit, const Progress &progress = {});

} // namespace vramscope
