// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/deepspeed_export.h"

#include "core/planner/field_conditions.h"

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

/// The ZeRO stage that shards what the strategy shards; nothing where no stage does.
std::optional<int> stageOf(const Settings &s)
{
    switch (s.strategy) {
    case Strategy::Ddp:
        return 0;
    case Strategy::Zero1:
        return 1;
    case Strategy::Zero2:
        return 2;
    case Strategy::Zero3:
        return 3;
    case Strategy::Fsdp1:
    case Strategy::Fsdp2:
        if (s.sharding == Sharding::NoShard)
            return 0;
        return s.sharding == Sharding::ShardGradOp ? 2 : 3;
    default:
        return std::nullopt;
    }
}

void writeStage(Outline &o, Json &zero)
{
    const Settings &s = o.settings();
    const auto stage = stageOf(s);
    if (!stage)
        return;
    zero["stage"] = *stage;
    o.said({"parallel.strategy"});
    if (s.strategy != Strategy::Fsdp1 && s.strategy != Strategy::Fsdp2)
        return;
    o.changed("parallel.strategy", "is FSDP, which DeepSpeed has not; it has become ZeRO stage " +
                                       std::to_string(*stage) + '.');
    if (s.sharding != Sharding::HybridShard)
        o.said({"parallel.sharding"});
}

bool onDrives(const Settings &s)
{
    return applies::zeroOffload.test(s) && s.offloadDevice == OffloadDevice::Nvme;
}

Json offloadOf(const Settings &s)
{
    return {{"device", onDrives(s) ? "nvme" : "cpu"}, {"pin_memory", true}};
}

/// FSDP's shards on the host are those of the optimizer as well.
void writeParameterOffload(Outline &o, Json &zero)
{
    const Settings &s = o.settings();
    if (s.cpuOffload && stageOf(s) != 3)
        return;
    o.said({"parallel.cpu_offload"});
    if (!s.cpuOffload)
        return;
    zero["offload_param"] = offloadOf(s);
    if (s.strategy == Strategy::Zero3 || s.optimizerOffload)
        return;
    zero["offload_optimizer"] = offloadOf(s);
    o.changed(
        "optimizer.offload",
        "is off, but FSDP's shards on the host include the optimizer's states, which DeepSpeed "
        "offloads by a setting of their own; it has become on.");
}

Json zeroOf(Outline &o)
{
    const Settings &s = o.settings();
    Json zero = Json::object();
    writeStage(o, zero);
    const auto bucket = [&](FieldPath field, const char *key, std::int64_t elements) {
        if (o.states(field))
            zero[key] = elements;
    };
    bucket("parallel.bucket.reduce_bucket_size", "reduce_bucket_size", s.reduceBucket);
    bucket("parallel.bucket.allgather_bucket_size", "allgather_bucket_size", s.allgatherBucket);
    bucket("parallel.bucket.prefetch_bucket_size", "stage3_prefetch_bucket_size", s.prefetchBucket);
    bucket("parallel.bucket.max_live_parameters", "stage3_max_live_parameters",
           s.maxLiveParameters);
    bucket("parallel.bucket.max_reuse_distance", "stage3_max_reuse_distance", s.maxReuseDistance);
    bucket("parallel.bucket.param_persistence_threshold", "stage3_param_persistence_threshold",
           s.persistenceThreshold);
    bucket("parallel.bucket.sub_group_size", "sub_group_size", s.subGroup);
    if (o.states("parallel.bucket.overlap_comm"))
        zero["overlap_comm"] = s.overlapComm;
    if (s.optimizerOffload)
        zero["offload_optimizer"] = offloadOf(s);
    o.said({"optimizer.offload", "optimizer.offload_device"});
    if (onDrives(s))
        o.changed("optimizer.offload_device",
                  "is nvme, whose nvme_path no plan states: set it to a folder on the drive.");
    writeParameterOffload(o, zero);
    return zero;
}

void writeOptimizer(Outline &o, Json &config)
{
    const Settings &s = o.settings();
    const char *type = nullptr;
    switch (s.optimizer) {
    case OptimizerName::AdamW:
        type = "AdamW";
        break;
    case OptimizerName::Adam:
        type = "Adam";
        break;
    case OptimizerName::Lion:
        type = "Lion";
        break;
    case OptimizerName::SgdMomentum:
        type = "SGD";
        break;
    case OptimizerName::Adafactor:
        type = "Adafactor";
        break;
    case OptimizerName::Muon:
        type = "Muon";
        break;
    default:
        return;
    }
    o.said({"optimizer.name"});
    config["optimizer"] = {{"type", type}};
    if (s.implementation == OptimizerImplementation::Foreach)
        config["optimizer"]["params"] = {{"torch_adam", true}};
    if (s.implementation == OptimizerImplementation::Foreach ||
        s.implementation == OptimizerImplementation::Fused)
        o.said({"optimizer.implementation"});
}

void writePrecision(Outline &o, Json &config)
{
    const Settings &s = o.settings();
    const bool fp16 = s.regime == Regime::DeepSpeedFp16 || s.regime == Regime::AutocastFp16;
    const bool bf16 = !fp16 && s.regime != Regime::Fp32 && s.regime != Regime::Fp8;
    if (bf16 || fp16 || s.regime == Regime::Fp32) {
        o.said({"precision.regime"});
        if (s.regime != Regime::DeepSpeedBf16 && s.regime != Regime::DeepSpeedFp16 &&
            s.regime != Regime::Fp32)
            o.changed("precision.regime", "is " + std::string(choiceText(s.regime)) +
                                              "; it has become DeepSpeed's own " +
                                              (fp16 ? "fp16." : "bf16."));
        config["bf16"] = {{"enabled", bf16}};
        config["fp16"] = {{"enabled", fp16}};
    }
}

void writeTypes(Outline &o, Json &config)
{
    const Settings &s = o.settings();
    const auto type = [](std::int64_t bytes) { return bytes == 4 ? "fp32" : "bf16"; };
    const auto sayable = [](std::int64_t bytes) { return bytes == 2 || bytes == 4; };
    if (sayable(s.gradientBytes) && o.states("precision.gradient_bytes"))
        config["data_types"] = {{"grad_accum_dtype", type(s.gradientBytes)}};
    if (sayable(s.reduceBytes) && o.states("precision.reduce_bytes"))
        config["communication_data_type"] = type(s.reduceBytes);
}

void writeDegrees(Outline &o, Json &config)
{
    const Settings &s = o.settings();
    o.said({"parallel.data", "parallel.tensor", "parallel.pipeline", "parallel.context"});
    if (s.tensor > 1)
        config["tensor_parallel"] = {{"autotp_size", s.tensor}};
    if (s.pipeline > 1)
        config["pipeline"] = {{"stages", s.pipeline}};
    if (s.context > 1)
        config["sequence_parallel_size"] = s.context;
    if (s.context > 1 && s.contextExchange == ContextExchange::Ulysses)
        o.said({"parallel.context_exchange"});
}

} // namespace

void writeDeepSpeedSharding(Outline &o, Json &config)
{
    writeTypes(o, config);
    config["zero_optimization"] = zeroOf(o);
}

std::string deepSpeedText(Outline &o)
{
    const Settings &s = o.settings();
    o.said({"batch.micro_batch", "batch.accumulation_steps"});
    // Factors are at most 10^6, 10^6 and 10^5.
    Json config{{"train_batch_size", s.microBatch * s.accumulationSteps * s.data},
                {"train_micro_batch_size_per_gpu", s.microBatch},
                {"gradient_accumulation_steps", s.accumulationSteps}};
    writePrecision(o, config);
    writeDeepSpeedSharding(o, config);
    writeOptimizer(o, config);
    writeDegrees(o, config);
    if (o.states("activations.offload"))
        config["activation_checkpointing"] = {{"cpu_checkpointing", s.activationOffload}};
    return config.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace vramscope
