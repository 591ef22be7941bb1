// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/drafts/draft.h"
#include "core/plan/issue.h"
#include "core/plan/plan.h"

#include <memory>
#include <vector>

namespace vramscope {

/// The plan's draft for a model of `target`'s shape; null where nothing is loaded for it. An error
/// or an unknown draft becomes an issue of the field at fault.
[[nodiscard]] std::shared_ptr<const Draft> draftOf(const Plan &plan, const Architecture &target,
                                                   std::vector<Issue> &issues);

/// The modules for multi-token prediction that a model includes, as vLLM 0.33.0 builds them
/// (vllm/model_executor/models/*_mtp.py; compared with it in tests/measure/drafts). An error is a
/// sentence: the model has none, or its family is not known.
[[nodiscard]] Result<Draft> predictionModules(const PlanModel &model, const Architecture &target);

/// Whether the layers of a draft keep as much of a token as the model's full-attention ones, on any
/// number of ranks.
[[nodiscard]] bool keepsAlike(const Architecture &target, const Architecture &draft);

} // namespace vramscope
