// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/plan/plan.h"

#include <string>
#include <vector>

namespace vramscope {

/// What stages of a pipeline need, all alike.
struct StageEstimate
{
    std::string
        name; ///< "Stage 1", "Stages 2 to 7"; on GPUs of several kinds "Stage 1, of 23.6 GiB"
    Estimate estimate;
};

/// The stages that a plan's figures are not of, neighbours of the same peak together: one
/// estimate() each. Nothing where all are alike; of more than `most` groups, the first, the
/// heaviest and the last.
[[nodiscard]] std::vector<StageEstimate> stageEstimates(const Plan &plan, const Estimate &estimate,
                                                        std::size_t most = 8);

} // namespace vramscope
