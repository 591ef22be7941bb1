// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/exchange/formats.h"
#include "core/exchange/harmless_keys.h"
#include "core/planner/parameters.h"

#include <array>

namespace vramscope {

namespace {

// Keys of deepspeed/runtime/config.py and zero/config.py, which is also where defaults are from.

constexpr std::array<WordPair, 16> kDeepSpeedOptimizers = {{
    {"adam", "adam"},
    {"adamw", "adamw"},
    {"fusedadam", "adam"},
    {"cpuadam", "adam"},
    {"deepspeedcpuadam", "adam"},
    {"onebitadam", "adam"},
    {"zerooneadam", "adam"},
    {"lamb", "adam"},
    {"fusedlamb", "adam"},
    {"onebitlamb", "adam"},
    {"lion", "lion"},
    {"fusedlion", "lion"},
    {"cpulion", "lion"},
    {"sgd", "sgd-momentum"},
    {"adafactor", "adafactor"},
    {"muon", "muon"},
}};

constexpr std::array<WordPair, 3> kDeepSpeedTypes = {{{"fp32", "4"}, {"fp16", "2"}, {"bf16", "2"}}};

/// The hidden size of the plan's model; nothing where it names none yet.
std::optional<std::int64_t> hiddenSize(const Plan &plan)
{
    const auto architecture = architectureOf(plan.model);
    return architecture ? std::optional(architecture->hidden) : std::nullopt;
}

/// A bucket size in elements. "auto" is what the Hugging Face Trainer makes of it
/// (transformers/integrations/deepspeed.py): `numerator` / `denominator` × hidden^power.
void carryBucket(Translation &t, FieldPath field, std::string_view key, std::int64_t numerator,
                 std::int64_t denominator, int power)
{
    const ForeignSetting *setting = t.take({key});
    if (!setting)
        return;
    const auto *text = std::get_if<std::string>(&setting->value);
    if (!text || *text != "auto")
        return t.carry(field, {key});
    const auto hidden = hiddenSize(t.plan());
    if (!hidden)
        return t.note("is \"auto\", which depends on the model's hidden size; import the model "
                      "first, or set it in the plan.");
    const std::int64_t product = power == 2 ? *hidden * *hidden : *hidden;
    t.set(field, numerator * product / denominator);
}

void importZero(Translation &t)
{
    if (const auto stage = t.count({"zero_optimization.stage"})) {
        constexpr std::array<std::string_view, 4> kStrategies = {"ddp", "zero1", "zero2", "zero3"};
        if (*stage >= 0 && *stage <= 3)
            t.set("parallel.strategy", std::string(kStrategies[static_cast<std::size_t>(*stage)]));
        else
            t.note("is " + std::to_string(*stage) +
                   "; ZeRO has the stages 0 to 3. It is left out.");
    }
    const std::string z = "zero_optimization.";
    carryBucket(t, "parallel.bucket.reduce_bucket_size", z + "reduce_bucket_size", 1, 1, 2);
    carryBucket(t, "parallel.bucket.prefetch_bucket_size", z + "stage3_prefetch_bucket_size", 9, 10,
                2);
    carryBucket(t, "parallel.bucket.param_persistence_threshold",
                z + "stage3_param_persistence_threshold", 10, 1, 1);
    t.carry("parallel.bucket.allgather_bucket_size", {z + "allgather_bucket_size"});
    t.carry("parallel.bucket.max_live_parameters", {z + "stage3_max_live_parameters"});
    t.carry("parallel.bucket.max_reuse_distance", {z + "stage3_max_reuse_distance"});
    t.carry("parallel.bucket.sub_group_size", {z + "sub_group_size"});
    t.carry("parallel.bucket.overlap_comm", {z + "overlap_comm"});
    const auto offloaded = [&](const std::string &key) {
        const auto device = t.text({key + ".device"});
        if (device == "nvme")
            t.set("optimizer.offload_device", "nvme");
        return device && *device != "none";
    };
    if (t.flag({z + "cpu_offload"}).value_or(false) || offloaded(z + "offload_optimizer"))
        t.set("optimizer.offload", true);
    if (offloaded(z + "offload_param") || t.flag({z + "cpu_offload_param"}).value_or(false))
        t.set("parallel.cpu_offload", true);
    if (t.count({z + "zero_hpz_partition_size"}).value_or(1) > 1)
        t.note("keeps a second partition of the weights in each node, which is not counted.");
}

/// DeepSpeed without a stage runs stage 0: plain data parallelism, unless the plan has its own.
void defaultStrategy(Translation &t)
{
    const PlanParallel &parallel = t.plan().parallel;
    const bool open = parallel.strategy.value_or(Strategy::None) == Strategy::None;
    if (open && parallel.data.value_or(1) > 1 && !t.has("zero_optimization.stage"))
        t.set("parallel.strategy", "ddp");
}

void importDeepSpeedPrecision(Translation &t)
{
    const auto enabled = [&](std::string_view key) { return t.flag({key}); };
    const auto bf16 = t.has("bf16.enabled") ? enabled("bf16.enabled") : enabled("bfloat16.enabled");
    const auto fp16 = enabled("fp16.enabled");
    const bool open = (t.has("bf16.enabled") && !bf16) || (t.has("fp16.enabled") && !fp16);
    if (bf16.value_or(false))
        t.set("precision.regime", "deepspeed-bf16");
    else if (fp16.value_or(false))
        t.set("precision.regime", "deepspeed-fp16");
    else if (!open && (bf16 || fp16))
        t.set("precision.regime", "fp32");
    const auto bytes = [&](FieldPath field, std::string_view key) {
        const auto word = t.text({key});
        for (const WordPair &type : kDeepSpeedTypes) {
            if (word && *word == type.theirs)
                t.set(field, std::int64_t(type.ours[0] - '0'));
        }
    };
    bytes("precision.gradient_bytes", "data_types.grad_accum_dtype");
    bytes("precision.reduce_bytes", "communication_data_type");
}

void importBatch(Translation &t)
{
    t.carry("batch.micro_batch", {"train_micro_batch_size_per_gpu"});
    t.carry("batch.accumulation_steps", {"gradient_accumulation_steps"});
    t.carry("parallel.tensor", {"tensor_parallel.autotp_size"});
    t.carry("parallel.pipeline", {"pipeline.stages"});
    t.carry("parallel.context", {"sequence_parallel_size"});
    if (t.plan().parallel.context.value_or(1) > 1)
        t.set("parallel.context_exchange", "ulysses");
    const auto whole = t.count({"train_batch_size"});
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

} // namespace

Imported importDeepSpeed(Translation t)
{
    t.set("workload", "training");
    importZero(t);
    importDeepSpeedPrecision(t);
    importBatch(t);
    defaultStrategy(t);
    if (t.has("optimizer.type")) {
        t.translate("optimizer.name", {"optimizer.type"}, kDeepSpeedOptimizers);
        const bool torch = t.flag({"optimizer.params.torch_adam"}).value_or(false);
        t.set("optimizer.implementation", torch ? "foreach" : "fused");
    }
    if (t.flag({"activation_checkpointing.cpu_checkpointing"}).value_or(false))
        t.set("activations.offload", true);
    return std::move(t).finish("DeepSpeed JSON", deepSpeedHarmless());
}

} // namespace vramscope
