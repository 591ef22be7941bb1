// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field_path.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

struct Plan;
struct Settings;

/// A word of the sentence that says what a plan is for, and the field that it is the value of;
/// what only joins words has none.
struct JobWord
{
    std::string text;
    std::optional<FieldPath> field;
};

/// What a plan runs: "Llama 3 8B".
[[nodiscard]] std::string modelText(const Plan &plan, const Settings &settings);

/// What is done with it: "full training", "served by vLLM"; empty where a pipeline generates.
[[nodiscard]] std::string taskText(const Settings &settings);

/// The same, what is done with it, and on what: "Llama 3 8B, full training on 8 × H100 SXM5 80 GB".
[[nodiscard]] std::vector<JobWord> jobWords(const Plan &plan, const Settings &settings);
[[nodiscard]] std::string jobText(const Plan &plan, const Settings &settings);

/// The job of a plan that is compared with others, followed by a name that says more than the job:
/// "Llama 3 8B, LoRA on 4 × H200 SXM 141 GB (rank 64)".
[[nodiscard]] std::string jobWithName(const Plan &plan, const Settings &settings,
                                      std::string_view name);

/// Of a plan for GPUs of several kinds the one that the settings are of: "GPU 2, GeForce RTX 3060
/// 12 GB", numbered from 0 as drivers do; else nothing.
[[nodiscard]] std::string listedGpuText(const Settings &settings);

/// What decides about memory beside the job, in the order in which it is told: the fields that this
/// plan has and that could be otherwise.
[[nodiscard]] std::vector<FieldPath> decidingFields(const Settings &settings);

/// Where no capacity is known: whose memory is not, as the beginning of a sentence.
[[nodiscard]] std::string unknownCapacity(const Settings &settings);

/// What a plan is called: its name, or else the words of its job.
[[nodiscard]] std::string planTitle(const Plan &plan, const Settings &settings);

} // namespace vramscope
