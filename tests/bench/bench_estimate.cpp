// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/plan/choices.h"
#include "core/plan/plan.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <vector>

using namespace vramscope;

namespace {

constexpr int kRuns = 2000;

/// Llama 3 8B under FSDP2 on 8 H100, full checkpointing: the contract's example.
Plan typicalPlan()
{
    Plan plan;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.parallel.data = 8;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.batch.sequenceLength = 8192;
    plan.activations.checkpointing = Checkpointing::Full;
    return plan;
}

/// Llama 3 70B on 64 H100 in every parallel dimension that a dense model has.
Plan parallelPlan()
{
    Plan plan;
    plan.model.preset = "llama-3.1-70b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = 64;
    plan.parallel.strategy = Strategy::MegatronDistributedOptimizer;
    plan.parallel.tensor = 4;
    plan.parallel.sequenceParallel = true;
    plan.parallel.pipeline = 4;
    plan.parallel.virtualStages = 2;
    plan.parallel.context = 2;
    plan.parallel.data = 2;
    plan.precision.regime = Regime::MegatronBf16;
    plan.batch.sequenceLength = 8192;
    plan.batch.accumulationSteps = 16;
    plan.activations.kernels = Kernels::MegatronTe;
    plan.activations.checkpointing = Checkpointing::SelectiveAttention;
    plan.loss = LossKind::VocabParallel;
    return plan;
}

/// A hybrid of 108 layers, as a config.json: Mamba 2, experts on a width of their own, and
/// attention in every ninth layer; the size of Nemotron 3 Ultra.
Plan hybridPlan()
{
    std::string pattern;
    for (int group = 0; group < 12; ++group)
        pattern += "MEMEMEM*E";
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.config =
        R"({"model_type": "nemotron_h", "hidden_size": 8192, "num_hidden_layers": 108,
        "num_attention_heads": 64, "num_key_value_heads": 2, "head_dim": 128, "mamba_num_heads": 256,
        "mamba_head_dim": 64, "n_groups": 8, "ssm_state_size": 128, "conv_kernel": 4,
        "intermediate_size": 5120, "moe_intermediate_size": 5120, "moe_latent_size": 2048,
        "n_routed_experts": 512, "num_experts_per_tok": 22, "n_shared_experts": 1,
        "moe_shared_expert_intermediate_size": 10240, "vocab_size": 131072,
        "hybrid_override_pattern": ")" +
        pattern + "\"}";
    plan.hardware.gpu = "h200-sxm-141gb";
    plan.hardware.gpus = 16;
    plan.parallel.tensor = 8;
    plan.parallel.pipeline = 2;
    plan.inference.maxModelLen = 131072;
    return plan;
}

/// A training step of the same, its experts on the hidden size.
Plan trainedHybrid()
{
    Plan plan = hybridPlan();
    constexpr std::string_view kLatent = R"("moe_latent_size": 2048,)";
    std::string &config = *plan.model.config;
    config.erase(config.find(kLatent), kLatent.size());
    plan.workload = Workload::Training;
    plan.inference = {};
    plan.hardware.gpus = plan.parallel.data = 512;
    plan.parallel.tensor = plan.parallel.pipeline = 1;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.activations.checkpointing = Checkpointing::Full;
    return plan;
}

/// Microseconds of each run, sorted.
std::vector<double> timesOf(const Plan &plan)
{
    std::vector<double> times;
    for (int run = 0; run < kRuns; ++run) {
        const auto start = std::chrono::steady_clock::now();
        const Estimate result = estimate(plan);
        const auto end = std::chrono::steady_clock::now();
        if (!result.computed)
            std::exit(1);
        times.push_back(std::chrono::duration<double, std::micro>(end - start).count());
    }
    std::ranges::sort(times);
    return times;
}

nlohmann::ordered_json curveMetrics(const Plan &plan, double bar = 50)
{
    const std::vector<double> times = timesOf(plan);
    return {{"median_us", times[times.size() / 2]},
            {"p95_us", times[times.size() * 95 / 100]},
            {"bar_us", bar}};
}

} // namespace

int main()
{
    Plan experts = typicalPlan();
    experts.model.preset = "qwen3-30b-a3b";
    Plan alone = typicalPlan();
    alone.parallel = {};
    alone.precision.regime = Regime::PureBf16;
    const nlohmann::ordered_json figures = {
        {"fsdp2", curveMetrics(typicalPlan())},
        {"experts", curveMetrics(experts)},
        {"one_gpu", curveMetrics(alone)},
        {"llama_3_70b_on_64", curveMetrics(parallelPlan())},
        {"hybrid_of_108_layers", curveMetrics(hybridPlan(), 60)},
        {"hybrid_trained", curveMetrics(trainedHybrid(), 60)}};
    std::cout << figures.dump(2) << '\n';
}
