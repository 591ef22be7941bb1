// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/serving_logs/log_budget.h"
#include "core/serving_logs/serving_log.h"

#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// A setting of a plan, and what in the log says it.
struct LogPlanSetting
{
    std::string subject; ///< "Share of the GPU"
    std::string value;   ///< "0.9764"
    std::string how;     ///< "as line 4 states it"
};

/// The plan that a log implies.
struct LogPlan
{
    Plan plan;
    bool hasModel = false; ///< whether the plan names one, so that it gives figures
    std::vector<LogPlanSetting> settings;
    std::vector<std::string> notTold; ///< sentences: what the log leaves to a default
};

/// What a log says of how its engine was set up, as a plan: engine, GPU memory, degrees, share,
/// lengths and formats; the model where the log names one of the catalogue. What `given` states and
/// the log does not stays; its model counts before that of the log.
[[nodiscard]] LogPlan planOfServingLog(const ServingLog &log, const Plan &given = {});

/// A figure of the log beside the plan's. Memory is in bytes.
struct LogDifference
{
    std::string name; ///< "Weights"
    LogUnit unit = LogUnit::Byte;
    std::optional<double> logged;
    double rounding = 0; ///< what the printed digits of the log leave open, on either side
    std::optional<double> planned;
    std::string reason; ///< why they differ, empty where they do not

    /// (planned - logged) / logged; nothing where one is missing or the log has none.
    [[nodiscard]] std::optional<double> relative() const;
    /// Whether they agree as far as the log's digits say.
    [[nodiscard]] bool agrees() const;
};

/// Figures of a log beside the estimate of a plan.
struct LogComparison
{
    std::vector<LogDifference> rows;
    std::string whyNot; ///< why the plan gives no figures; empty where it does
};

/// Weights, activations, what is outside PyTorch, CUDA graphs, cache, blocks, tokens, sequences: as
/// far as the log or the plan has them. Plan as planOfServingLog() gives it.
[[nodiscard]] LogComparison compareWithLog(const Plan &plan, const ServingLog &log);

/// A plan with what a log measured.
struct LogTakeOver
{
    Plan plan;
    std::vector<LogPlanSetting> taken;
    std::vector<std::string> notTaken; ///< sentences: what could not be, and why
};

/// Puts the measured constants into the plan, so that its cache is that of the log. Of vLLM:
/// activations, CUDA graphs, and as what is outside PyTorch all that the budget holds beside the
/// plan's weights, activations and the cache; where the log does not tell the budget, the cache
/// itself is stated. Of SGLang: CUDA graphs, and the tokens of the pool, with a larger static
/// fraction where the plan's has no room for them. Of TensorRT-LLM: the fraction that gives as many
/// tokens.
[[nodiscard]] LogTakeOver takeOverLog(const Plan &plan, const ServingLog &log);

} // namespace vramscope
