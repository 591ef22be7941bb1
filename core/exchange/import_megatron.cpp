// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/exchange/formats.h"
#include "core/exchange/harmless_keys.h"
#include "core/exchange/megatron_model.h"
#include "core/planner/parameters.h"

#include <array>

namespace vramscope {

namespace {

// Options and defaults of megatron/training/arguments.py.

constexpr std::array<WordPair, 4> kMegatronOptimizers = {
    {{"adam", "adam"}, {"sgd", "sgd-momentum"}, {"muon", "muon"}, {"dist_muon", "muon"}}};
constexpr std::array<WordPair, 5> kAttention = {{{"flash", "flash"},
                                                 {"fused", "flash"},
                                                 {"auto", "flash"},
                                                 {"unfused", "eager"},
                                                 {"local", "eager"}}};

constexpr std::array<WordPair, 4> kExchanges = {
    {{"p2p", "ring"}, {"all_gather", "all-gather"}, {"a2a", "ulysses"}, {"a2a+p2p", "ulysses"}}};

void importGpus(Translation &t)
{
    const auto each = t.count({"--nproc-per-node"});
    const auto nodes = t.count({"--nnodes"});
    if (each && *each > 0 && *each <= 10'000 && nodes.value_or(1) > 0 &&
        nodes.value_or(1) <= 100'000) {
        t.set("hardware.gpus_per_node", *each);
        t.set("hardware.gpus", *each * nodes.value_or(1));
    }
    t.carry("hardware.gpus", {"--world-size"});
}

void importMegatronParallel(Translation &t)
{
    importGpus(t);
    t.carry("parallel.tensor", {"--tensor-model-parallel-size", "--model-parallel-size"});
    t.carry("parallel.pipeline", {"--pipeline-model-parallel-size"});
    t.carry("parallel.context", {"--context-parallel-size"});
    if (t.has("--cp-comm-type"))
        t.translate("parallel.context_exchange", {"--cp-comm-type"}, kExchanges);
    t.carry("parallel.expert", {"--expert-model-parallel-size"});
    t.carry("parallel.expert_tensor", {"--expert-tensor-parallel-size"});
    t.carry("parallel.sequence", {"--sequence-parallel"});
    const bool sharded = t.flag({"--use-distributed-optimizer"}).value_or(false);
    const bool fsdp =
        t.flag({"--use-torch-fsdp2", "--use-megatron-fsdp", "--use-custom-fsdp"}).value_or(false);
    if (fsdp)
        t.note("is taken as FSDP2; what Megatron's own buffers add is not counted.");
    t.set("parallel.strategy", fsdp      ? "fsdp2"
                               : sharded ? "megatron-distributed-optimizer"
                                         : "megatron");
    fillDataParallel(t);
}

/// What the first and the last stage hold where that is stated; the others share the rest.
void importUnevenStages(Translation &t, std::int64_t layers)
{
    const auto first = t.count({"--decoder-first-pipeline-num-layers"});
    const auto last = t.count({"--decoder-last-pipeline-num-layers"});
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

/// Needs the layers, so it follows the model.
void importStages(Translation &t)
{
    t.carry("parallel.virtual_stages", {"--num-virtual-stages-per-pipeline-rank"});
    const auto architecture = architectureOf(t.plan().model);
    if (architecture)
        importUnevenStages(t, architecture->layers);
    const auto layers = t.count({"--num-layers-per-virtual-pipeline-stage"});
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
    const auto granularity = t.text({"--recompute-granularity"});
    const auto method = t.text({"--recompute-method"});
    const std::int64_t layers = t.count({"--recompute-num-layers"}).value_or(1);
    const bool core = t.flag({"--recompute-activations"}).value_or(false);
    if (const ForeignSetting *modules = t.take({"--recompute-modules"})) {
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
    const bool bf16 = t.flag({"--bf16"}).value_or(false);
    const bool fp16 = t.flag({"--fp16"}).value_or(false);
    const bool fp8 = t.take({"--fp8-format", "--fp8-hybrid", "--fp8-e4m3"}) != nullptr;
    if (fp16 && !bf16)
        t.note("is computed as bf16: the bytes are the same.");
    t.set("precision.regime", fp8 ? "fp8" : bf16 || fp16 ? "megatron-bf16" : "fp32");
    if (t.flag({"--grad-reduce-in-bf16"}).value_or(false)) {
        t.set("precision.gradient_bytes", std::int64_t(2));
        t.set("precision.reduce_bytes", std::int64_t(2));
    }
    const auto bytes = [&](FieldPath field, Translation::Keys keys) {
        const auto type = t.text(keys);
        if (type)
            t.set(field, std::int64_t(*type == "fp32" ? 4 : *type == "fp8" ? 1 : 2));
    };
    bytes("precision.gradient_bytes", {"--main-grads-dtype"});
    bytes("precision.master_weight_bytes", {"--main-params-dtype"});
    bytes("optimizer.state_bytes", {"--exp-avg-dtype", "--exp-avg-sq-dtype"});
    t.take({"--use-precision-aware-optimizer"});
}

void importMegatronStep(Translation &t)
{
    t.carry("batch.micro_batch", {"--micro-batch-size", "--batch-size"});
    t.carry("batch.sequence_length", {"--seq-length", "--decoder-seq-length"});
    const auto whole = t.count({"--global-batch-size"});
    const auto &data = t.plan().parallel.data;
    const std::int64_t one = t.plan().batch.microBatch.value_or(1) * data.value_or(1);
    if (whole && !data)
        t.note("is shared by data-parallel groups that are not known; set hardware.gpus, "
               "parallel.data and batch.accumulation_steps.");
    else if (whole && *whole > 0 && *whole % one == 0)
        t.set("batch.accumulation_steps", *whole / one);
    else if (whole)
        t.note("is no multiple of the " + counted(one, "sequence") + " of one pass.");
    if (t.has("--optimizer"))
        t.translate("optimizer.name", {"--optimizer"}, kMegatronOptimizers);
    else
        t.set("optimizer.name", "adam");
    t.set("optimizer.implementation", "fused");
    if (t.flag({"--optimizer-cpu-offload"}).value_or(false))
        t.set("optimizer.offload", true);
    if (t.flag({"--cpu-offloading"}).value_or(false))
        t.set("activations.offload", true);
}

void importKernels(Translation &t)
{
    const bool local = t.text({"--transformer-impl"}) == "local";
    const bool flash = t.flag({"--use-flash-attn"}).value_or(true);
    const bool wide = t.flag({"--attention-softmax-in-fp32"}).value_or(false);
    t.set("activations.kernels", local ? "megatron-local" : "megatron-te");
    if (local) // whose layers know no other attention
        t.set("activations.attention", wide ? "eager-fp32-softmax" : "eager");
    else if (t.has("--attention-backend"))
        t.translate("activations.attention", {"--attention-backend"}, kAttention);
    else
        t.set("activations.attention", flash ? "flash" : "eager");
    t.set("activations.dropout", t.number({"--hidden-dropout"}).value_or(0.1));
    t.set("activations.attention_dropout", t.number({"--attention-dropout"}).value_or(0.1));
    t.carry("activations.capacity_factor", {"--moe-expert-capacity-factor"});
    t.set("loss", "vocab-parallel");
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
    return std::move(t).finish("Megatron-LM arguments", megatronHarmless());
}

} // namespace vramscope
