// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/exchange/formats.h"
#include "core/exchange/trainer_terms.h"
#include "core/model/parameters.h"
#include "core/settings/field_conditions.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

// Keys and defaults of deepspeed/runtime/config.py and zero/config.py.

constexpr std::string_view kZero = "zero_optimization.";

constexpr WordPair kDeepSpeedOptimizers[] = {
    {"Adam", "adam"},
    {"AdamW", "adamw"},
    {"fusedadam cpuadam deepspeedcpuadam onebitadam zerooneadam lamb fusedlamb onebitlamb", "adam"},
    {"Lion fusedlion cpulion", "lion"},
    {"SGD", "sgd-momentum"},
    {"Adafactor", "adafactor"},
    {"Muon", "muon"}};
constexpr WordPair kDeepSpeedTypes[] = {{"fp32", "4"}, {"fp16", "2", true}, {"bf16", "2"}};

constexpr SettingRow kDeepSpeedBatch[] = {
    {"train_micro_batch_size_per_gpu", "batch.micro_batch"},
    {"gradient_accumulation_steps", "batch.accumulation_steps"},
};
constexpr SettingRow kDeepSpeedDegrees[] = {
    {"tensor_parallel.autotp_size", "parallel.tensor", AboveOne},
    {"pipeline.stages", "parallel.pipeline", AboveOne},
    {"sequence_parallel_size", "parallel.context", AboveOne},
};
constexpr SettingRow kDeepSpeedBytes[] = {
    {"data_types.grad_accum_dtype", "precision.gradient_bytes", Stated, kDeepSpeedTypes},
    {"communication_data_type", "precision.reduce_bytes", Stated, kDeepSpeedTypes},
};
constexpr SettingRow kBuckets[] = {
    {"reduce_bucket_size", "parallel.bucket.reduce_bucket_size", Stated},
    {"allgather_bucket_size", "parallel.bucket.allgather_bucket_size", Stated},
    {"stage3_prefetch_bucket_size", "parallel.bucket.prefetch_bucket_size", Stated},
    {"stage3_max_live_parameters", "parallel.bucket.max_live_parameters", Stated},
    {"stage3_max_reuse_distance", "parallel.bucket.max_reuse_distance", Stated},
    {"stage3_param_persistence_threshold", "parallel.bucket.param_persistence_threshold", Stated},
    {"sub_group_size", "parallel.bucket.sub_group_size", Stated},
    {"overlap_comm", "parallel.bucket.overlap_comm", Stated},
};
constexpr SettingRow kStateBuffers[] = {
    {"offload_optimizer.buffer_count", "parallel.bucket.optimizer_buffer_count", Stated},
};
constexpr SettingRow kWeightBuffers[] = {
    {"offload_param.buffer_count", "parallel.bucket.param_buffer_count", Stated},
    {"offload_param.buffer_size", "parallel.bucket.param_buffer_size", Stated},
    {"offload_param.max_in_cpu", "parallel.bucket.max_in_cpu", Stated},
};

/// What "auto" means in the Hugging Face Trainer (transformers/integrations/deepspeed.py): tenths
/// of the hidden size or of its square.
struct AutomaticBucket
{
    FieldPath field;
    std::int64_t tenths;
    bool squared;
};
constexpr AutomaticBucket kAutomatic[] = {
    {"parallel.bucket.reduce_bucket_size", 10, true},
    {"parallel.bucket.prefetch_bucket_size", 9, true},
    {"parallel.bucket.param_persistence_threshold", 100, false},
};

void importBucket(Translation &t, const SettingRow &row)
{
    const ForeignSetting *setting = t.take(std::string(kZero).append(row.theirs));
    const auto *text = setting ? std::get_if<std::string>(&setting->value) : nullptr;
    const auto *rule = std::ranges::find(kAutomatic, row.ours, &AutomaticBucket::field);
    if (!text || *text != "auto" || rule == std::end(kAutomatic))
        return t.read(std::span(&row, 1), kZero);
    const auto architecture = architectureOf(t.plan().model);
    if (!architecture)
        return t.note("is \"auto\", which depends on the model's hidden size; import the model "
                      "first, or set it in the plan.");
    const std::int64_t hidden = architecture->hidden;
    t.set(row.ours, rule->tenths * (rule->squared ? hidden * hidden : hidden) / 10);
}

void importZero(Translation &t)
{
    if (const auto stage = t.count("zero_optimization.stage")) {
        if (*stage >= 0 && *stage <= 3)
            t.set("parallel.strategy", *stage == 0 ? "ddp" : "zero" + std::to_string(*stage));
        else
            t.note("is " + std::to_string(*stage) +
                   "; ZeRO has the stages 0 to 3. It is left out.");
    }
    for (const SettingRow &row : kBuckets)
        importBucket(t, row);
    const auto offloaded = [&](Translation::Keys key, std::span<const SettingRow> buffers) {
        const auto device = t.text(key);
        if (device == "nvme") {
            t.set("optimizer.offload_device", "nvme");
            t.read(buffers, kZero);
        }
        return device && *device != "none";
    };
    if (t.isOn("zero_optimization.cpu_offload") ||
        offloaded("zero_optimization.offload_optimizer.device", kStateBuffers))
        t.set("optimizer.offload", true);
    if (offloaded("zero_optimization.offload_param.device", kWeightBuffers) ||
        t.isOn("zero_optimization.cpu_offload_param"))
        t.set("parallel.cpu_offload", true);
    if (t.count("zero_optimization.zero_hpz_partition_size").value_or(1) > 1)
        t.note("keeps a second partition of the weights in each node, which is not counted.");
}

/// Without a stage DeepSpeed runs stage 0: plain data parallelism, unless the plan has its own
/// strategy.
void defaultStrategy(Translation &t)
{
    const PlanParallel &parallel = t.plan().parallel;
    const bool open = parallel.strategy.value_or(Strategy::None) == Strategy::None;
    if (open && parallel.data.value_or(1) > 1 && !t.has("zero_optimization.stage"))
        t.set("parallel.strategy", "ddp");
}

void importDeepSpeedPrecision(Translation &t)
{
    const bool states = t.has("bf16.enabled");
    const auto bf16 = t.flag(states ? "bf16.enabled" : "bfloat16.enabled");
    const auto fp16 = t.flag("fp16.enabled");
    const bool open = (states && !bf16) || (t.has("fp16.enabled") && !fp16);
    if (bf16.value_or(false))
        t.set("precision.regime", "deepspeed-bf16");
    else if (fp16.value_or(false))
        t.set("precision.regime", "deepspeed-fp16");
    else if (!open && (bf16 || fp16))
        t.set("precision.regime", "fp32");
    t.read(kDeepSpeedBytes);
    if (t.isOn("bf16.bf16_master_weights_and_grads bfloat16.bf16_master_weights_and_grads "
               "fp16.fp16_master_weights_and_grads"))
        t.set("precision.master_weight_bytes", std::int64_t(2));
    if (t.isOn("bf16.bf16_optimizer_states bfloat16.bf16_optimizer_states"))
        t.set("optimizer.state_bytes", 2.0);
}

void importBatch(Translation &t)
{
    t.read(kDeepSpeedBatch);
    t.read(kDeepSpeedDegrees);
    if (t.plan().parallel.context.value_or(1) > 1)
        t.set("parallel.context_exchange", "ulysses");
    const auto whole = t.count("train_batch_size");
    const PlanBatch &batch = t.plan().batch;
    if (t.plan().hardware.gpus)
        return fillDataParallel(t);
    if (!whole || !batch.microBatch)
        return;
    const std::int64_t one = *batch.microBatch * batch.accumulationSteps.value_or(1);
    if (*whole > 0 && *whole % one == 0)
        t.set("parallel.data", *whole / one);
    else
        t.note("is no multiple of the " + counted(one, "sequence") + " of one GPU and step.");
}

/// The ZeRO stage with the strategy's sharding; nothing if no stage has it.
std::optional<std::int64_t> stageOf(const Settings &s)
{
    if (isFsdp(s.strategy))
        return s.sharding == Sharding::NoShard ? 0 : s.sharding == Sharding::ShardGradOp ? 2 : 3;
    if (s.strategy == Strategy::Ddp)
        return 0;
    return isZero(s.strategy) ? std::optional(zeroStage(s.strategy)) : std::nullopt;
}

bool onDrives(const Settings &s)
{
    return (s.optimizer.offload || s.cpuOffload) &&
           s.optimizer.offloadDevice == OffloadDevice::Nvme;
}

/// FSDP's offload of shards to the host includes those of the optimizer.
void writeOffload(Outline &o, const std::string &zero)
{
    const Settings &s = o.settings();
    const auto offload = [&](std::string_view key) {
        o.put(zero + std::string(key) + ".device", onDrives(s) ? "nvme" : "cpu");
        o.put(zero + std::string(key) + ".pin_memory", true);
    };
    if (s.optimizer.offload)
        offload("offload_optimizer");
    o.covered({"optimizer.offload", "optimizer.offload_device"});
    if (applies::statesOnDrives(s))
        o.write(kStateBuffers, zero);
    if (applies::weightsOnDrives(s))
        o.write(kWeightBuffers, zero);
    if (onDrives(s))
        o.replaced("optimizer.offload_device",
                   ", whose nvme_path no plan states: set it to a folder on the drive.");
    if (s.cpuOffload && stageOf(s) != 3)
        return;
    o.covered({"parallel.cpu_offload"});
    if (!s.cpuOffload)
        return;
    offload("offload_param");
    if (s.strategy == Strategy::Zero3 || s.optimizer.offload)
        return;
    offload("offload_optimizer");
    o.changed(
        "optimizer.offload",
        "is off, but FSDP's shards on the host include the optimizer's states, which DeepSpeed "
        "offloads by a setting of their own; it has become on.");
}

void writeOptimizer(Outline &o)
{
    const Settings &s = o.settings();
    if (!pairOfOurs(kDeepSpeedOptimizers, choiceText(s.optimizer.name)))
        return;
    o.write({"optimizer.type", "optimizer.name", Always, kDeepSpeedOptimizers});
    const bool foreach = s.optimizer.implementation == OptimizerImplementation::Foreach;
    o.putIf(foreach, "optimizer.params.torch_adam");
    o.covered({"optimizer.implementation"},
              foreach || s.optimizer.implementation == OptimizerImplementation::Fused);
}

void writePrecision(Outline &o)
{
    const Settings &s = o.settings();
    const bool fp16 = s.regime == Regime::DeepSpeedFp16 || s.regime == Regime::AutocastFp16;
    const bool fp32 = s.regime == Regime::Fp32;
    if (s.regime == Regime::Fp8)
        return;
    o.covered({"precision.regime"});
    if (s.regime != Regime::DeepSpeedBf16 && s.regime != Regime::DeepSpeedFp16 && !fp32)
        o.replaced("precision.regime",
                   std::string("; it has become DeepSpeed's own ") + (fp16 ? "fp16." : "bf16."));
    o.put("bf16.enabled", !fp16 && !fp32);
    o.put("fp16.enabled", fp16);
}

} // namespace

Imported importDeepSpeed(Translation t)
{
    t.set("workload", "training");
    importZero(t);
    importDeepSpeedPrecision(t);
    importBatch(t);
    defaultStrategy(t);
    if (t.has("optimizer.type")) {
        t.translate("optimizer.name", "optimizer.type", kDeepSpeedOptimizers);
        t.set("optimizer.implementation",
              t.isOn("optimizer.params.torch_adam") ? "foreach" : "fused");
    }
    if (t.isOn("activation_checkpointing.cpu_checkpointing"))
        t.set("activations.offload", true);
    return std::move(t).finish("DeepSpeed JSON", "deepspeed");
}

void writeDeepSpeedSharding(Outline &o, std::string_view prefix)
{
    const Settings &s = o.settings();
    const std::string zero = std::string(prefix).append(kZero);
    o.write(kDeepSpeedBytes, prefix);
    o.put(zero, {});
    if (const auto stage = stageOf(s)) {
        o.put(zero + "stage", *stage);
        o.covered({"parallel.strategy"});
        if (isFsdp(s.strategy)) {
            o.changed("parallel.strategy",
                      "is FSDP, which DeepSpeed has not; it has become ZeRO stage " +
                          std::to_string(*stage) + '.');
            o.covered({"parallel.sharding"}, s.sharding != Sharding::HybridShard);
        }
    }
    o.write(kBuckets, zero);
    writeOffload(o, zero);
}

void writeDeepSpeed(Outline &o)
{
    const Settings &s = o.settings();
    // Factors are at most 10^6, 10^6 and 10^5.
    o.put("train_batch_size", s.microBatch * s.accumulationSteps * s.data);
    o.write(kDeepSpeedBatch);
    writePrecision(o);
    writeDeepSpeedSharding(o, {});
    writeOptimizer(o);
    o.covered({"parallel.data"});
    o.write(kDeepSpeedDegrees);
    o.covered({"parallel.context_exchange"},
              s.context > 1 && s.contextExchange == ContextExchange::Ulysses);
    if (o.states("activations.offload"))
        o.put("activation_checkpointing.cpu_checkpointing", s.activationOffload);
}

} // namespace vramscope
