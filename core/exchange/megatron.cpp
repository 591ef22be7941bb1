// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/formats.h"
#include "core/exchange/megatron_model.h"
#include "core/model/parameters.h"
#include "core/settings/schedules/schedule.h"

#include <array>

namespace vramscope {

namespace {

// Options and defaults of megatron/training/arguments.py.

constexpr WordPair kMegatronOptimizers[] = {
    {"adam", "adam"}, {"sgd", "sgd-momentum"}, {"muon dist_muon", "muon"}};
constexpr WordPair kAttention[] = {{"flash fused auto", "flash"}, {"unfused local", "eager"}};
constexpr WordPair kDispatchers[] = {{"allgather", "allgather"},
                                     {"alltoall alltoall_seq flex", "alltoall"}};
constexpr WordPair kExchanges[] = {
    {"p2p", "ring"}, {"all_gather", "all-gather"}, {"a2a a2a+p2p", "ulysses"}};

constexpr SettingRow kMegatronDegrees[] = {
    {"--tensor-model-parallel-size --model-parallel-size", "parallel.tensor"},
    {"--pipeline-model-parallel-size", "parallel.pipeline"},
};
constexpr SettingRow kVirtualStages = {"--num-virtual-stages-per-pipeline-rank",
                                       "parallel.virtual_stages", AboveOne};
constexpr SettingRow kMegatronInner[] = {
    {"--context-parallel-size", "parallel.context"},
    {"--expert-model-parallel-size", "parallel.expert"},
    {"--expert-tensor-parallel-size", "parallel.expert_tensor", Stated},
    {"--sequence-parallel", "parallel.sequence"},
};
constexpr SettingRow kInstances = {"--num-distributed-optimizer-instances",
                                   "parallel.optimizer_instances", Stated};
constexpr SettingRow kDispatcher = {"--moe-token-dispatcher-type", "parallel.dispatcher", Always,
                                    kDispatchers, "allgather"};
constexpr SettingRow kExchange = {"--cp-comm-type", "parallel.context_exchange", Stated,
                                  kExchanges};
constexpr SettingRow kMegatronMicroBatch = {"--micro-batch-size --batch-size", "batch.micro_batch"};
constexpr SettingRow kMegatronLength = {"--seq-length --decoder-seq-length",
                                        "batch.sequence_length"};
constexpr SettingRow kMegatronOptimizer = {"--optimizer", "optimizer.name", Always,
                                           kMegatronOptimizers, "adam"};
constexpr SettingRow kDropout[] = {
    {"--hidden-dropout", "activations.dropout", Always, {}, "0.1"},
    {"--attention-dropout", "activations.attention_dropout", Always, {}, "0.1"},
};
constexpr SettingRow kCapacity = {"--moe-expert-capacity-factor", "activations.capacity_factor",
                                  Stated};

void importGpus(Translation &t)
{
    const auto each = t.count("--nproc-per-node");
    const std::int64_t nodes = t.count("--nnodes").value_or(1);
    if (each && *each > 0 && *each <= 10'000 && nodes > 0 && nodes <= 100'000) {
        t.set("hardware.gpus_per_node", *each);
        t.set("hardware.gpus", *each * nodes);
    }
    t.carry("hardware.gpus", "--world-size");
}

void importMegatronParallel(Translation &t)
{
    importGpus(t);
    t.read(kMegatronDegrees);
    t.read(kMegatronInner);
    t.read(kExchange);
    const bool sharded = t.isOn("--use-distributed-optimizer");
    const bool fsdp = t.isOn("--use-torch-fsdp2 --use-megatron-fsdp --use-custom-fsdp");
    if (fsdp)
        t.note("is taken as FSDP2; what Megatron's own buffers add is not counted.");
    t.set("parallel.strategy", fsdp      ? "fsdp2"
                               : sharded ? "megatron-distributed-optimizer"
                                         : "megatron");
    fillDataParallel(t);
    if (!fsdp)
        return t.read(kInstances);
    const PlanParallel &parallel = t.plan().parallel; // each instance shards by itself
    const std::int64_t instances = t.count("--num-distributed-optimizer-instances").value_or(1);
    const std::int64_t replicas = parallel.data.value_or(1) * parallel.context.value_or(1);
    if (instances < 2)
        return;
    if (replicas % instances != 0)
        return t.note("does not divide the data-parallel GPUs; it is left out.");
    t.set("parallel.sharding", "hybrid_shard");
    t.set("parallel.shard_group", replicas / instances);
}

/// The layers of the first and the last stage if given; the others share the rest.
void importUnevenStages(Translation &t, std::int64_t layers)
{
    const auto first = t.count("--decoder-first-pipeline-num-layers");
    const auto last = t.count("--decoder-last-pipeline-num-layers");
    const std::int64_t stages = t.plan().parallel.pipeline.value_or(1);
    if ((!first && !last) || stages < 2)
        return;
    const std::int64_t inner = stages - (first ? 1 : 0) - (last ? 1 : 0);
    const auto within = [&](const auto &one) { return !one || (*one > 0 && *one <= layers); };
    const bool inRange = within(first) && within(last);
    const std::int64_t ends = inRange ? first.value_or(0) + last.value_or(0) : 0;
    const bool fits =
        inRange && ends <= layers && (inner > 0 ? (layers - ends) % inner == 0 : ends == layers);
    if (!fits || stages > layers)
        return t.note("leaves layers that the other stages cannot share evenly; it is left out.");
    CountList each(static_cast<std::size_t>(stages), inner > 0 ? (layers - ends) / inner : 0);
    each.front() = first.value_or(each.front());
    each.back() = last.value_or(each.back());
    t.set("parallel.layers_per_stage", each);
}

/// Needs the number of layers, so it follows the model.
void importStages(Translation &t)
{
    t.read(kVirtualStages);
    const auto architecture = architectureOf(t.plan().model);
    if (architecture)
        importUnevenStages(t, architecture->layers);
    const auto layers = t.count("--num-layers-per-virtual-pipeline-stage");
    if (!layers || !architecture || *layers < 1)
        return;
    const std::int64_t stages = t.plan().parallel.pipeline.value_or(1);
    if (*layers > architecture->layers || architecture->layers / stages % *layers != 0)
        t.note("does not divide the layers of a stage; it is left out.");
    else
        t.set("parallel.virtual_stages", architecture->layers / stages / *layers);
}

void importRecompute(Translation &t)
{
    const auto granularity = t.text("--recompute-granularity");
    const auto method = t.text("--recompute-method");
    const std::int64_t layers = t.count("--recompute-num-layers").value_or(1);
    const bool core = t.isOn("--recompute-activations");
    if (const ForeignSetting *modules = t.take("--recompute-modules")) {
        const auto *one = std::get_if<std::string>(&modules->value);
        if (!one || *one != "core_attn")
            t.note("names more than core_attn; the plan recomputes core attention alone.");
    }
    if (core || granularity == "selective") {
        t.set("activations.checkpointing", "selective-attention");
    } else if (granularity == "full" && method == "block") {
        // Layers of each stage or virtual chunk; the plan counts them in the whole model.
        const PlanParallel &p = t.plan().parallel;
        t.set("activations.checkpointing", "block");
        t.set("activations.blocks", std::min<std::int64_t>(layers, 10'000) *
                                        p.pipeline.value_or(1) * p.virtualStages.value_or(1));
    } else if (granularity == "full" && layers > 1) {
        t.set("activations.checkpointing", "every-k");
        t.set("activations.every", layers);
    } else {
        t.set("activations.checkpointing", granularity == "full" ? "full" : "none");
    }
}

void importMegatronPrecision(Translation &t)
{
    const bool bf16 = t.isOn("--bf16");
    const bool fp16 = t.isOn("--fp16");
    const bool fp8 = t.take("--fp8-format --fp8-hybrid --fp8-e4m3") != nullptr;
    if (fp16 && !bf16)
        t.note("is computed as bf16: the bytes are the same.");
    // Without --bf16, which turns it on, gradients are accumulated in the type of the weights
    // (megatron/training/arguments.py).
    if (fp16 && !bf16 && !t.isOn("--accumulate-allreduce-grads-in-fp32")) {
        t.set("precision.gradient_bytes", std::int64_t(2));
        t.set("precision.reduce_bytes", std::int64_t(2));
    }
    t.set("precision.regime", fp8 ? "fp8" : bf16 || fp16 ? "megatron-bf16" : "fp32");
    if (t.isOn("--grad-reduce-in-bf16")) {
        t.set("precision.gradient_bytes", std::int64_t(2));
        t.set("precision.reduce_bytes", std::int64_t(2));
    }
    const auto bytes = [&](FieldPath field, Translation::Keys keys) {
        if (const auto type = t.text(keys))
            t.set(field, std::int64_t(*type == "fp32" ? 4 : *type == "fp8" ? 1 : 2));
    };
    bytes("precision.gradient_bytes", "--main-grads-dtype");
    bytes("precision.master_weight_bytes", "--main-params-dtype");
    bytes("optimizer.state_bytes", "--exp-avg-dtype --exp-avg-sq-dtype");
    t.take("--use-precision-aware-optimizer");
}

void importMegatronStep(Translation &t)
{
    t.read(kMegatronMicroBatch);
    t.read(kMegatronLength);
    const auto whole = t.count("--global-batch-size");
    if (whole && !t.plan().parallel.data)
        t.note("is shared by data-parallel groups that are not known; set hardware.gpus, "
               "parallel.data and batch.accumulation_steps.");
    else if (whole)
        importGlobalBatch(t, *whole);
    const bool wholeTensors =
        t.text("--optimizer") == "dist_muon" || t.isOn("--no-use-layer-wise-param-layout");
    t.read(kMegatronOptimizer);
    if (t.plan().optimizer.name == OptimizerName::Muon && wholeTensors)
        t.set("optimizer.partition", "tensors");
    t.set("optimizer.implementation", "fused");
    if (t.isOn("--optimizer-cpu-offload"))
        t.set("optimizer.offload", true);
    if (t.isOn("--cpu-offloading"))
        t.set("activations.offload", true);
}

void importKernels(Translation &t)
{
    const bool local = t.text("--transformer-impl") == "local";
    const bool flash = t.isOn("--use-flash-attn", true);
    const bool wide = t.isOn("--attention-softmax-in-fp32");
    t.set("activations.kernels", local ? "megatron-local" : "megatron-te");
    if (local) // whose layers have no other attention
        t.set("activations.attention", wide ? "eager-fp32-softmax" : "eager");
    else
        t.read({"--attention-backend", "activations.attention", Always, kAttention,
                flash ? "flash" : "eager"});
    t.read(kDropout);
    t.read(kCapacity);
    const bool fused = t.isOn("--cross-entropy-loss-fusion");
    const bool native = t.text("--cross-entropy-fusion-impl").value_or("native") == "native";
    t.set("loss", fused && native ? "vocab-parallel-fused" : "vocab-parallel");
    if (fused && !native)
        t.note("is counted as the loss that is not fused.");
    if (t.has("--num-experts"))
        t.read(kDispatcher);
    if (const bool grouped = t.isOn("--moe-grouped-gemm"); !grouped && t.has("--num-experts"))
        t.set("activations.experts", "loop");
}

void writeMegatronParallel(Outline &o)
{
    const Settings &s = o.settings();
    const bool distributed = s.strategy == Strategy::MegatronDistributedOptimizer;
    const bool fsdp = s.strategy == Strategy::Fsdp2;
    o.covered({"parallel.data", "hardware.gpus"});
    o.write(kMegatronDegrees);
    o.write(kVirtualStages);
    o.write(kMegatronInner);
    o.putIf(distributed, "--use-distributed-optimizer");
    if (distributed)
        o.write(kInstances);
    if (s.architecture.moe())
        o.write(kDispatcher);
    o.putIf(fsdp, "--use-torch-fsdp2");
    o.covered({"parallel.strategy"}, distributed || fsdp || s.strategy == Strategy::Megatron);
    o.write(kExchange);
}

void writeMegatronStep(Outline &o)
{
    const Settings &s = o.settings();
    const bool fp8 = s.regime == Regime::Fp8;
    o.covered({"batch.accumulation_steps"});
    o.write(kMegatronMicroBatch);
    o.put("--global-batch-size", s.microBatch * s.data * s.accumulationSteps);
    o.write(kMegatronLength);
    o.write(kMegatronOptimizer);
    o.putIf(s.optimizer.partition == StatePartition::Tensors, "--no-use-layer-wise-param-layout");
    o.covered({"optimizer.partition"});
    o.covered({"optimizer.implementation"},
              s.optimizer.implementation == OptimizerImplementation::Fused);
    o.write({"--optimizer-cpu-offload", "optimizer.offload"});
    o.putIf(fp8 || s.regime == Regime::MegatronBf16, "--bf16");
    if (fp8)
        o.put("--fp8-format", "hybrid");
    o.covered({"precision.regime"},
              fp8 || s.regime == Regime::MegatronBf16 || s.regime == Regime::Fp32);
}

void writeRecompute(Outline &o)
{
    const Settings &s = o.settings();
    const auto put = [&](const std::string &words) { o.put("--recompute-granularity", words); };
    const std::string uniform = "full --recompute-method uniform --recompute-num-layers ";
    const std::int64_t chunks = s.pipeline * s.virtualStages;
    switch (s.checkpointing) {
    case Checkpointing::None:
        break;
    case Checkpointing::Full:
        put(uniform + '1');
        break;
    case Checkpointing::EveryK:
        put(uniform + std::to_string(s.every));
        if (s.every <= 1)
            return;
        o.covered({"activations.every"});
        break;
    case Checkpointing::SelectiveAttention:
        put("selective");
        break;
    case Checkpointing::Block:
        if (s.checkpointedBlocks % chunks != 0)
            return;
        put("full --recompute-method block --recompute-num-layers " +
            std::to_string(s.checkpointedBlocks / chunks));
        o.covered({"activations.blocks"});
        break;
    default:
        return;
    }
    o.covered({"activations.checkpointing"});
}

/// The local layers have one attention, which keeps its scores.
void writeMegatronAttention(Outline &o)
{
    const Settings &s = o.settings();
    const bool wide = s.attention == AttentionKind::EagerFp32Softmax;
    const bool flash = s.attention == AttentionKind::Flash;
    const bool local = s.kernels == Kernels::MegatronLocal;
    if (local)
        o.put("--transformer-impl", "local");
    o.putIf(local && wide, "--attention-softmax-in-fp32");
    o.covered({"activations.attention"}, local ? !flash : !wide);
    if (!local && !wide)
        o.put("--attention-backend", flash ? "flash" : "unfused");
}

void writeMegatronActivations(Outline &o)
{
    const Settings &s = o.settings();
    o.write(kDropout);
    o.write({"--cpu-offloading", "activations.offload"});
    writeMegatronAttention(o);
    o.covered({"activations.kernels"}, hasMegatronLayers(s));
    o.putIf(s.architecture.moe() && s.expertKernels == ExpertKernels::Grouped,
            "--moe-grouped-gemm");
    o.covered({"activations.experts"}, s.architecture.moe());
    o.putIf(s.loss == LossKind::VocabParallelFused, "--cross-entropy-loss-fusion");
    o.covered({"loss"},
              s.loss == LossKind::VocabParallel || s.loss == LossKind::VocabParallelFused);
    o.covered({"trainer"}, s.trainer == Trainer::Own);
    o.write(kCapacity);
}

} // namespace

Imported importMegatron(Translation t)
{
    t.set("workload", "training");
    importMegatronParallel(t);
    importMegatronModel(t);
    importStages(t);
    importRecompute(t);
    importMegatronPrecision(t);
    importMegatronStep(t);
    importKernels(t);
    return std::move(t).finish("Megatron-LM arguments", "megatron");
}

void writeMegatron(Outline &o)
{
    const Settings &s = o.settings();
    const bool whole = s.gpusPerNode > 0 && s.gpus % s.gpusPerNode == 0;
    const std::string allocator = o.allocatorLine();
    o.begin(allocator + (allocator.empty() ? "" : "\n") + "torchrun --nproc_per_node " +
            std::to_string(whole ? s.gpusPerNode : s.gpus) + " --nnodes " +
            std::to_string(whole ? s.gpus / s.gpusPerNode : 1) + " pretrain_gpt.py");
    o.covered({"hardware.gpus_per_node"}, whole);
    writeMegatronModel(o);
    writeMegatronParallel(o);
    writeMegatronStep(o);
    writeRecompute(o);
    writeMegatronActivations(o);
}

} // namespace vramscope
