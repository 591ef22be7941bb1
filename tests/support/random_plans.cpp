// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_plans.h"
#include "tests/support/models.h"

#include "core/catalog/gpus.h"
#include "core/plan/field.h"
#include "core/settings/settings.h"

#include <nlohmann/json.hpp>

#include <array>

namespace vramscope::test {

namespace {

/// Draws from one stream of random numbers.
class Draw
{
public:
    explicit Draw(Random &random)
        : m_random(random)
    {
    }

    template<class... T>
    auto of(T... choices)
    {
        const std::array all{choices...};
        return all[m_random() % all.size()];
    }
    template<class... T>
    std::int64_t count(T... choices)
    {
        return of(static_cast<std::int64_t>(choices)...);
    }
    template<class Enum>
    Enum any()
    {
        return static_cast<Enum>(m_random() % choiceTexts<Enum>.size());
    }
    template<class Range>
    const auto &from(const Range &range)
    {
        return range[m_random() % range.size()];
    }
    bool coin(unsigned sides = 2) { return m_random() % sides == 0; }
    std::int64_t between(std::int64_t low, std::int64_t high)
    {
        return low +
               static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(high - low + 1));
    }
    /// Sometimes a value, mostly the default.
    template<class T>
    void maybe(std::optional<T> &field, T value, unsigned sides = 3)
    {
        if (coin(sides))
            field = value;
    }

private:
    Random &m_random;
};

TextList someOf(Draw &draw, std::span<const std::string_view> words)
{
    TextList list;
    for (const std::string_view word : words)
        if (draw.coin(3))
            list.emplace_back(word);
    return list;
}

void drawModel(Draw &draw, Random &random, Plan &plan)
{
    if (draw.coin()) {
        plan.model.preset = draw.from(plainModels()).model->name;
    } else {
        plan.model.config = randomConfig(random);
        draw.maybe(plan.model.norm, std::string(draw.of("rmsnorm", "layernorm")));
        draw.maybe(plan.model.gatedMlp, draw.coin());
        draw.maybe(plan.model.activation, draw.any<Activation>());
        draw.maybe(plan.model.normsPerLayer, draw.between(1, 4));
        draw.maybe(plan.model.learnedPositions, draw.between(0, 1024));
    }
    draw.maybe(plan.model.bufferBytes, draw.between(0, 1 << 26), 6);
    draw.maybe(plan.model.parametersOverride, std::int64_t(10'000'000'000'000), 20);
}

void drawHardware(Draw &draw, Plan &plan)
{
    if (!draw.coin(4))
        plan.hardware.gpu = draw.from(gpuPresets()).name;
    draw.maybe(plan.hardware.capacity, draw.between(1, 300) << 30, 4);
    draw.maybe(plan.hardware.gpusPerNode, draw.count(1, 4, 8), 4);
    draw.maybe(plan.hardware.hostMemory, draw.between(1, 2000) << 30, 8);
    draw.maybe(plan.hardware.systemBytes, draw.between(1, 20) << 30, 8);
    draw.maybe(plan.hardware.pageCacheBytes, draw.between(1, 200) << 30, 8);
    draw.maybe(plan.overheads.contextBytes, draw.between(0, 1 << 30), 8);
    draw.maybe(plan.overheads.ncclBytes, draw.between(0, 1 << 30), 8);
    draw.maybe(plan.overheads.cublasWorkspaceBytes, draw.between(0, 1 << 27), 8);
    draw.maybe(plan.overheads.engineWorkspaceBytes, draw.between(0, 1 << 27), 8);
    draw.maybe(plan.overheads.reservedFactor, draw.of(1.0, 1.03, 1.2), 6);
    draw.maybe(plan.overheads.residentBytes, draw.between(0, std::int64_t(1) << 34), 8);
}

void drawParallel(Draw &draw, PlanParallel &parallel)
{
    const auto strategy = draw.any<Strategy>();
    parallel.strategy = strategy;
    if (strategy != Strategy::None)
        parallel.data = draw.count(1, 2, 3, 8, 64);
    const bool fsdp = strategy == Strategy::Fsdp1 || strategy == Strategy::Fsdp2;
    if (fsdp) {
        draw.maybe(parallel.sharding, draw.any<Sharding>(), 2);
        draw.maybe(parallel.shardGroup, draw.count(1, 2, 8));
        draw.maybe(parallel.units, draw.any<FsdpUnits>());
        draw.maybe(parallel.cpuOffload, draw.coin(), 4);
    }
    draw.maybe(parallel.tensor, draw.count(2, 4, 8));
    draw.maybe(parallel.pipeline, draw.count(2, 3, 4, 8));
    draw.maybe(parallel.virtualStages, draw.count(2, 3));
    draw.maybe(parallel.schedule, draw.any<Schedule>());
    draw.maybe(parallel.contextExchange, draw.any<ContextExchange>());
    draw.maybe(parallel.forwardPrefetch, draw.coin());
    draw.maybe(parallel.context, draw.count(2, 4));
    draw.maybe(parallel.expert, draw.count(2, 4, 8), 4);
    draw.maybe(parallel.expertTensor, draw.count(1, 2), 4);
    draw.maybe(parallel.sequenceParallel, draw.coin());
    draw.maybe(parallel.gradientAsBucketView, draw.coin());
    draw.maybe(parallel.backwardPrefetch, draw.any<BackwardPrefetch>());
    draw.maybe(parallel.limitAllGathers, draw.coin());
    draw.maybe(parallel.useOrigParams, draw.coin());
    draw.maybe(parallel.stage, draw.between(0, 3), 8);
    draw.maybe(parallel.headStage, draw.any<HeadStage>(), 4);
    PlanBucket &bucket = parallel.bucket;
    draw.maybe(bucket.reduce, draw.between(0, 1'000'000'000), 5);
    draw.maybe(bucket.allgather, draw.between(0, 1'000'000'000), 5);
    draw.maybe(bucket.prefetch, draw.between(0, 1'000'000'000), 5);
    draw.maybe(bucket.maxLiveParameters, draw.between(0, 2'000'000'000), 5);
    draw.maybe(bucket.persistence, draw.between(0, 1'000'000), 5);
    draw.maybe(bucket.overlapComm, draw.coin(), 5);
    draw.maybe(bucket.subGroup, draw.between(1, 2'000'000'000), 5);
}

void drawStep(Draw &draw, Plan &plan)
{
    plan.precision.regime = draw.any<Regime>();
    draw.maybe(plan.precision.weightBytes, draw.count(2, 4), 8);
    draw.maybe(plan.precision.gradientBytes, draw.count(2, 4), 8);
    draw.maybe(plan.precision.masterWeightBytes, draw.count(0, 4), 8);
    draw.maybe(plan.precision.reduceBytes, draw.count(2, 4), 8);
    draw.maybe(plan.precision.linear, draw.any<LinearFormat>(), 6);
    plan.optimizer.name = draw.any<OptimizerName>();
    plan.optimizer.implementation = draw.any<OptimizerImplementation>();
    draw.maybe(plan.optimizer.stateBytes, draw.of(0.0, 1.015625, 2.0, 4.0), 8);
    draw.maybe(plan.optimizer.offload, draw.coin(), 4);
    draw.maybe(plan.optimizer.zeroGrad, draw.any<ZeroGrad>());
    plan.batch.microBatch = draw.between(1, 9);
    plan.batch.sequenceLength = draw.count(16, 512, 4096, 12'000);
    draw.maybe(plan.batch.accumulationSteps, draw.between(1, 9), 2);
    draw.maybe(plan.batch.noSync, draw.coin());
    draw.maybe(plan.batch.attentionMask, draw.coin());
}

void drawActivations(Draw &draw, Plan &plan)
{
    PlanActivations &activations = plan.activations;
    activations.checkpointing = draw.any<Checkpointing>();
    draw.maybe(activations.every, draw.between(1, 12), 2);
    draw.maybe(activations.checkpointedBlocks, draw.between(0, 12), 2);
    draw.maybe(activations.attention, draw.any<AttentionKind>());
    draw.maybe(activations.attentionBackend, draw.any<AttentionBackend>());
    draw.maybe(activations.softmaxInput, draw.coin());
    draw.maybe(activations.expertKernels, draw.any<ExpertKernels>());
    activations.kernels = draw.any<Kernels>();
    draw.maybe(activations.dropout, draw.of(0.0, 0.1));
    draw.maybe(activations.attentionDropout, draw.of(0.0, 0.1));
    draw.maybe(activations.activationOffload, draw.coin());
    draw.maybe(activations.expandedKv, draw.coin());
    draw.maybe(activations.capacityFactor, draw.of(0.0, 1.0, 1.25));
    draw.maybe(activations.loadImbalance, draw.of(1.0, 1.3));
    plan.loss = draw.any<LossKind>();
    draw.maybe(plan.lossChunks, draw.between(1, 16));
    draw.maybe(plan.lossKeepLogits, draw.coin());
    draw.maybe(plan.lossKeepOutputs, draw.coin());
}

void drawAdapters(Draw &draw, PlanAdapters &adapters)
{
    adapters.kind = AdapterKind::Lora;
    adapters.rank = draw.between(1, 256);
    adapters.targets = draw.coin() ? TextList{"all-linear"}
                                   : someOf(draw, fieldAt("adapters.targets").choices.first(8));
    draw.maybe(adapters.baseQuantization, draw.any<BaseQuantization>(), 2);
    draw.maybe(adapters.weightBytes, draw.count(2, 4));
    draw.maybe(adapters.dropout, draw.of(0.0, 0.05));
    draw.maybe(adapters.fusedQkv, draw.coin());
    draw.maybe(adapters.groupSize, draw.count(-1, 32, 128), 5);
    if (draw.coin(4))
        adapters.notConverted = someOf(draw, fieldAt("adapters.modules_to_not_convert").choices);
    draw.maybe(adapters.quantizeAtLoad, draw.coin(), 4);
    draw.maybe(adapters.upcastUnquantized, draw.coin(), 4);
}

void drawInference(Draw &draw, PlanInference &inference)
{
    inference.engine = draw.any<Engine>();
    inference.weightFormat = draw.any<WeightFormat>();
    draw.maybe(inference.kvBytesPerElement, draw.of(1.0, 1.0625, 2.0, 4.0), 2);
    draw.maybe(inference.blockSize, draw.count(1, 16, 64));
    draw.maybe(inference.gpuMemoryUtilization, draw.of(0.5, 0.9, 1.0));
    inference.maxModelLen = draw.count(64, 8192, 131'072);
    draw.maybe(inference.maxNumSeqs, draw.between(1, 1024));
    draw.maybe(inference.maxNumBatchedTokens, draw.between(1, 16'384));
    draw.maybe(inference.concurrentSequences, draw.between(0, 64));
    draw.maybe(inference.meanSequenceLength, draw.between(1, 100'000));
    draw.maybe(inference.cudaGraphBytes, draw.between(0, 1 << 30), 4);
    draw.maybe(inference.embeddingParallel, draw.coin());
    draw.maybe(inference.prefixCaching, draw.coin(), 4);
    draw.maybe(inference.moeBackend, draw.any<MoeBackend>(), 4);
    draw.maybe(inference.groupSize, draw.count(-1, 32, 128), 5);
    if (draw.coin(4))
        inference.notConverted = someOf(draw, fieldAt("inference.modules_to_not_convert").choices);
    draw.maybe(inference.quantizeAtLoad, draw.coin());
    draw.maybe(inference.nonTorchBytes, draw.between(0, 1 << 30), 5);
    draw.maybe(inference.activationPeakBytes, draw.between(0, 1 << 30), 5);
    draw.maybe(inference.kvCacheMemoryBytes, draw.between(0, std::int64_t(1) << 34), 5);
}

/// Any split of the model's layers over the plan's stages, each with one at least.
void drawStages(Draw &draw, Plan &plan)
{
    const std::int64_t layers = resolve(plan).settings.architecture.layers;
    const std::int64_t stages = *plan.parallel.pipeline;
    if (layers < stages)
        return;
    CountList split(static_cast<std::size_t>(stages), 1);
    for (std::int64_t left = layers - stages; left > 0; --left)
        ++split[static_cast<std::size_t>(draw.between(0, stages - 1))];
    plan.parallel.layersPerStage = split;
}

/// Draws until the checks find nothing that bars figures.
template<class Make>
Plan untilSound(Random &random, Make make)
{
    for (;;) {
        Draw draw(random);
        Plan plan = make(draw);
        if (resolve(plan).computable())
            return plan;
    }
}

} // namespace

std::string randomConfig(Random &random)
{
    Draw draw(random);
    const std::int64_t heads = draw.count(4, 8, 24);
    const std::int64_t layers = draw.between(1, 14);
    const std::int64_t width = heads * draw.count(16, 64);
    nlohmann::json config = {{"model_type", draw.of("llama", "gpt2", "qwen3", "mistral")},
                             {"num_hidden_layers", layers},
                             {"hidden_size", width},
                             {"num_attention_heads", heads},
                             {"num_key_value_heads", draw.coin() ? heads : heads / 4},
                             {"intermediate_size", draw.between(1, 4) * width + draw.between(0, 9)},
                             {"vocab_size", draw.between(100, 50'000)},
                             {"max_position_embeddings", 8192},
                             {"tie_word_embeddings", draw.coin()}};
    if (draw.coin(3)) {
        config["num_experts"] = draw.of(4, 8, 64);
        config["num_experts_per_tok"] = draw.of(1, 2, 4);
        config["moe_intermediate_size"] = draw.between(16, 512);
        config["n_shared_experts"] = draw.of(0, 1, 2);
        config["first_k_dense_replace"] = draw.between(0, layers);
    }
    if (draw.coin(4)) {
        config["kv_lora_rank"] = draw.of(16, 64);
        if (draw.coin())
            config["q_lora_rank"] = draw.of(16, 96);
        config["qk_nope_head_dim"] = 32;
        config["qk_rope_head_dim"] = 16;
        config["v_head_dim"] = draw.of(16, 32);
    }
    if (draw.coin(4)) {
        config["sliding_window"] = draw.of(128, 1024);
        config["use_sliding_window"] = true;
        if (draw.coin()) {
            auto kinds = nlohmann::json::array();
            for (std::int64_t i = 0; i < layers; ++i)
                kinds.push_back(draw.of("sliding_attention", "full_attention"));
            config["layer_types"] = kinds;
        }
    }
    return config.dump();
}

Plan randomTrainingPlan(Random &random)
{
    return untilSound(random, [&](Draw &draw) {
        Plan plan;
        drawModel(draw, random, plan);
        drawHardware(draw, plan);
        drawParallel(draw, plan.parallel);
        if (plan.parallel.pipeline && draw.coin(4))
            drawStages(draw, plan);
        drawStep(draw, plan);
        drawActivations(draw, plan);
        if (draw.coin(4))
            drawAdapters(draw, plan.adapters);
        return plan;
    });
}

Plan randomServingPlan(Random &random)
{
    return untilSound(random, [&](Draw &draw) {
        Plan plan;
        plan.workload = Workload::Inference;
        drawModel(draw, random, plan);
        drawHardware(draw, plan);
        draw.maybe(plan.parallel.tensor, draw.count(2, 4, 8));
        draw.maybe(plan.parallel.pipeline, draw.count(2, 3, 4));
        draw.maybe(plan.parallel.expert, draw.count(2, 4), 5);
        draw.maybe(plan.parallel.stage, draw.between(0, 3), 8);
        drawInference(draw, plan.inference);
        return plan;
    });
}

Plan randomPlan(Random &random)
{
    return random() % 3 == 0 ? randomServingPlan(random) : randomTrainingPlan(random);
}

} // namespace vramscope::test
