// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/settings.h"

#include <string_view>

namespace vramscope {

/// When a field means something.
using Condition = bool (*)(const Settings &);

/// The condition of the field at a path; nullptr: it always means something. The form, the checks
/// and the reports all ask here.
[[nodiscard]] Condition conditionOf(std::string_view path);
/// Whether it holds.
[[nodiscard]] bool appliesTo(std::string_view path, const Settings &settings);

namespace applies {

bool training(const Settings &s);
bool inference(const Settings &s);
bool fsdp(const Settings &s);
bool fsdp1(const Settings &s);
bool hybrid(const Settings &s);
bool ddp(const Settings &s);
bool deepSpeed(const Settings &s);
bool zero3(const Settings &s);
bool accumulates(const Settings &s);
bool tensorParallel(const Settings &s);
bool pipelined(const Settings &s);
bool pipelinedTraining(const Settings &s);
bool splitSequences(const Settings &s);
bool experts(const Settings &s);
bool trainedExperts(const Settings &s);
bool everyK(const Settings &s);
bool someBlocks(const Settings &s);
bool chunkedLoss(const Settings &s);
bool lora(const Settings &s);
bool quantizedBase(const Settings &s);
bool vllm(const Settings &s);
bool windowedEngine(const Settings &s);
bool cacheOfTokens(const Settings &s);
bool quantizedWeights(const Settings &s);
bool groupQuantized(const Settings &s);

} // namespace applies

/// Why the settings of a condition that does not hold mean nothing.
struct HiddenBecause
{
    std::string_view subject; ///< whose settings they are: "pipelines"
    std::string_view reason;  ///< "one stage"
    bool operator==(const HiddenBecause &) const = default;
};
[[nodiscard]] HiddenBecause hiddenBecause(Condition condition, const Settings &settings);
/// What it gives for the settings of the workload that a plan does not have.
[[nodiscard]] HiddenBecause otherWorkload(const Settings &settings);

} // namespace vramscope
