// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"
#include "core/solver/recommendation.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>

using namespace vramscope;

namespace {

/// A full fine-tune under FSDP2, as one who asks for the first time has it.
Plan fineTune(const char *model, std::int64_t gpus)
{
    Plan plan;
    plan.model.preset = model;
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = plan.parallel.data = gpus;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.batch.sequenceLength = 8192;
    plan.activations.checkpointing = Checkpointing::Full;
    return plan;
}

Plan served(const char *model)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = model;
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.inference.engine = Engine::Vllm;
    plan.inference.maxModelLen = 32768;
    return plan;
}

/// Milliseconds of the median of nine runs.
nlohmann::ordered_json timed(const Plan &plan)
{
    std::vector<double> times;
    Recommendation found;
    for (int run = 0; run < 9; ++run) {
        const auto start = std::chrono::steady_clock::now();
        found = recommend(plan);
        const auto end = std::chrono::steady_clock::now();
        times.push_back(std::chrono::duration<double, std::milli>(end - start).count());
    }
    std::ranges::sort(times);
    nlohmann::ordered_json options;
    for (const auto &[kind, combination] : found.options)
        options[std::string(kindTitle(kind))] = combinedTitle(combination);
    return {{"median_ms", times[times.size() / 2]},
            {"bar_ms", 50},
            {"weighed", found.weighed},
            {"options", options}};
}

} // namespace

int main()
{
    Plan alone = fineTune("llama-2-7b", 4);
    alone.hardware.gpu = "a100-sxm-40gb";
    alone.parallel.strategy = Strategy::Ddp;
    alone.precision.regime = Regime::AutocastBf16;
    alone.activations.checkpointing = Checkpointing::None;
    alone.batch.microBatch = 4;
    alone.batch.accumulationSteps = 2;
    Plan none = fineTune("llama-3.1-70b", 2);
    none.hardware.gpu = "rtx-4090";
    none.activations.checkpointing = Checkpointing::None;
    none.batch.accumulationSteps = 4;
    none.batch.microBatch = 4;
    const nlohmann::ordered_json figures = {
        {"qwen3_32b_on_8", timed(fineTune("qwen3-32b", 8))},
        {"qwen3_8b_on_8", timed(fineTune("qwen3-8b", 8))},
        {"llama_2_7b_ddp_on_4_a100_40", timed(alone)},
        {"llama_70b_on_2_rtx_4090", timed(none)},
        {"llama_405b_on_64", timed(fineTune("llama-3.1-405b", 64))},
        {"llama_70b_served_on_1", timed(served("llama-3.1-70b"))}};
    std::cout << figures.dump(2) << '\n';
}
