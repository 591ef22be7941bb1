// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/plan.h"

#include <random>

namespace vramscope::test {

/// Llama 3 8B in pure bf16 on one A100: 2 sequences of 2,048 tokens, AdamW foreach, no savers.
[[nodiscard]] inline Plan smallPlan()
{
    Plan plan;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "a100-sxm-80gb";
    plan.precision.regime = Regime::PureBf16;
    plan.batch.microBatch = 2;
    plan.batch.sequenceLength = 2048;
    return plan;
}

/// The same under FSDP on `gpus` GPUs.
[[nodiscard]] inline Plan shardedPlan(std::int64_t gpus, Strategy strategy = Strategy::Fsdp2)
{
    Plan plan = smallPlan();
    plan.parallel.strategy = strategy;
    plan.parallel.data = gpus;
    return plan;
}

/// Any plan without contradictions: training on one to eight GPUs.
[[nodiscard]] inline Plan randomPlan(std::mt19937 &random)
{
    const auto pick = [&](auto... choices) {
        const std::array all{choices...};
        return all[random() % all.size()];
    };
    const auto any = [&]<class Enum>(Enum) {
        return static_cast<Enum>(random() % choiceTexts<Enum>.size());
    };
    const auto coin = [&] { return random() % 2 == 0; };
    Plan plan;
    plan.model.preset = pick("llama-3-8b", "gpt2", "mixtral-8x7b", "gemma-2-2b", "deepseek-v2-lite",
                             "qwen3-30b-a3b", "phi-2", "bert-base-uncased");
    plan.parallel.strategy = any(Strategy());
    if (*plan.parallel.strategy != Strategy::None)
        plan.parallel.data = pick(1, 2, 8);
    const bool fsdp =
        *plan.parallel.strategy == Strategy::Fsdp1 || *plan.parallel.strategy == Strategy::Fsdp2;
    if (fsdp) {
        plan.parallel.sharding =
            pick(Sharding::FullShard, Sharding::ShardGradOp, Sharding::HybridShard);
        if (*plan.parallel.sharding == Sharding::HybridShard)
            plan.parallel.shardGroup = pick(1, 2);
        if (plan.parallel.shardGroup.value_or(1) > plan.parallel.data.value_or(1))
            plan.parallel.shardGroup = 1;
        plan.parallel.cpuOffload = coin();
    }
    const std::int64_t tensor = pick(1, 1, 2);
    const std::int64_t pipeline = pick(1, 1, 2, 3);
    const std::int64_t context = pick(1, 1, 2);
    plan.parallel.tensor = tensor;
    plan.parallel.pipeline = pipeline;
    plan.parallel.context = context;
    plan.parallel.sequence = coin();
    plan.parallel.gradientAsBucketView = coin();
    plan.precision.regime =
        fsdp && coin() ? Regime::FsdpMixedBf16
                       : pick(Regime::Fp32, Regime::AutocastBf16, Regime::Fp8, Regime::MegatronBf16,
                              Regime::PureBf16, Regime::DeepSpeedBf16);
    plan.optimizer.name =
        pick(OptimizerName::AdamW, OptimizerName::Sgd, OptimizerName::SgdMomentum,
             OptimizerName::Lion, OptimizerName::AdamW8bit, OptimizerName::AdamW4bit);
    plan.optimizer.implementation = any(OptimizerImplementation());
    plan.optimizer.zeroGrad = any(ZeroGrad());
    plan.batch.microBatch = pick(1, 3, 8);
    plan.batch.sequenceLength = pick(16, 512, 4096);
    if (*plan.optimizer.implementation != OptimizerImplementation::InBackward)
        plan.batch.accumulationSteps = pick(1, 4);
    plan.batch.noSync = coin();
    plan.activations.checkpointing = any(Checkpointing());
    plan.activations.every = pick(1, 3, 100);
    plan.activations.blocks = pick(0, 5, 12);
    plan.activations.attention = any(AttentionKind());
    plan.activations.kernels = any(Kernels());
    plan.activations.dropout = pick(0.0, 0.1);
    plan.activations.attentionDropout = pick(0.0, 0.1);
    plan.activations.offload = coin();
    plan.activations.loadImbalance = pick(1.0, 1.3);
    plan.loss = any(LossKind());
    plan.lossChunks = pick(1, 7);
    plan.lossKeepLogits = coin();
    if (coin()) {
        plan.adapters.kind = AdapterKind::Lora;
        plan.adapters.rank = 8;
        plan.adapters.targets = TextList{"all-linear"};
        plan.adapters.baseQuantization = any(BaseQuantization());
        plan.adapters.quantizeAtLoad = coin();
    }
    return plan;
}

/// Any plan of serving without contradictions.
[[nodiscard]] inline Plan randomServingPlan(std::mt19937 &random)
{
    const auto pick = [&](auto... choices) {
        const std::array all{choices...};
        return all[random() % all.size()];
    };
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = pick("llama-3-8b", "gpt2", "mixtral-8x7b", "gemma-2-2b", "deepseek-v3",
                             "gpt-oss-20b", "qwen3-235b-a22b");
    plan.hardware.gpu = pick("h100-sxm-80gb", "a100-sxm-40gb", "rtx-4090");
    plan.parallel.tensor = pick(1, 1, 2, 4);
    plan.parallel.pipeline = pick(1, 1, 2);
    plan.inference.engine = static_cast<Engine>(random() % choiceTexts<Engine>.size());
    plan.inference.weightFormat =
        static_cast<WeightFormat>(random() % choiceTexts<WeightFormat>.size());
    plan.inference.kvBytesPerElement = pick(2.0, 1.0, 1.0625);
    plan.inference.maxModelLen = pick(64, 8192, 131072);
    plan.inference.maxNumSeqs = pick(1, 256, 1024);
    plan.inference.concurrentSequences = pick(0, 1, 32);
    plan.inference.quantizeAtLoad = random() % 2 == 0;
    plan.inference.embeddingParallel = random() % 2 == 0;
    return plan;
}

} // namespace vramscope::test
