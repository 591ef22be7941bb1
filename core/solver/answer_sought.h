// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/catalog/gpus.h"
#include "core/plan/field_value.h"
#include "core/plan/plan.h"
#include "core/plan/sought.h"

#include <string>
#include <vector>

namespace vramscope {

/// The requested value, and the plan that reaches it.
struct SoughtAnswer
{
    std::string field;    ///< the path in documents: "batch.micro_batch", "model.preset"
    FieldValue value;     ///< monostate where nothing fits
    Plan plan;            ///< with the value; unchanged without one
    std::string sentence; ///< "The largest micro-batch that fits is 12."
};

/// Answers the inverse question, of every kind but Choice. An error names what the plan lacks: a
/// model, a GPU.
[[nodiscard]] Result<SoughtAnswer> answerSought(const Plan &plan, const Sought &sought,
                                                const Progress &progress = {});

/// Chooses between a plan and its versions by their costs: Sought::Kind::Choice.
[[nodiscard]] SoughtAnswer answerChoice(const PlanVersion &asked,
                                        const std::vector<PlanVersion> &versions);

/// The GPUs of the catalogue that the plan fits on, in the same number, smallest first; one of each
/// size, `most` at most.
[[nodiscard]] std::vector<const GpuPreset *> smallestGpus(const Plan &plan, std::size_t most);

} // namespace vramscope
