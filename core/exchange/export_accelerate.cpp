// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/trainer_export.h"
#include "core/planner/field_conditions.h"

#include <algorithm>

namespace vramscope {

namespace {

// Keys of accelerate 1.15: commands/config/config_args.py and cluster.py.

void writeZero(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    const int stage = s.strategy == Strategy::Zero1 ? 1 : s.strategy == Strategy::Zero2 ? 2 : 3;
    yaml.open("deepspeed_config");
    yaml.count("zero_stage", stage);
    yaml.word("offload_optimizer_device", s.optimizerOffload ? "cpu" : "none");
    yaml.word("offload_param_device", s.cpuOffload ? "cpu" : "none");
    yaml.flag("zero3_init_flag", stage == 3);
    yaml.count("gradient_accumulation_steps", s.accumulationSteps);
    yaml.close();
    o.said({"parallel.strategy", "parallel.cpu_offload", "optimizer.offload",
            "batch.accumulation_steps"});
}

/// Degrees that accelerate lays beside FSDP2's.
void writeAccelerateDegrees(Outline &o, YamlText &yaml)
{
    const Settings &s = o.settings();
    const bool hybrid = s.strategy == Strategy::Fsdp2 && s.sharding == Sharding::HybridShard;
    const bool ulysses = s.contextExchange == ContextExchange::Ulysses;
    if (s.tensor == 1 && s.context == 1 && !hybrid)
        return;
    const std::int64_t shards = s.data * s.context; // over which FSDP shards
    const std::int64_t group = hybrid ? std::min(s.shardGroup, shards) : shards;
    const std::int64_t replicas = group > 0 && shards % group == 0 ? shards / group : 1;
    yaml.open("parallelism_config");
    yaml.count("parallelism_config_dp_replicate_size", replicas);
    yaml.count("parallelism_config_dp_shard_size", s.data / std::max<std::int64_t>(replicas, 1));
    yaml.count("parallelism_config_tp_size", s.tensor);
    if (s.context > 1 && ulysses) {
        yaml.count("parallelism_config_sp_size", s.context);
        yaml.word("parallelism_config_sp_backend", "deepspeed");
    } else {
        yaml.count("parallelism_config_cp_size", s.context);
        if (s.context > 1)
            yaml.word("parallelism_config_cp_comm_strategy",
                      s.contextExchange == ContextExchange::AllGather ? "allgather" : "alltoall");
    }
    yaml.close();
    o.said({"parallel.data", "parallel.tensor", "parallel.context", "parallel.context_exchange"});
}

} // namespace

std::string accelerateText(Outline &o)
{
    const Settings &s = o.settings();
    const bool fsdp = applies::fsdp.test(s);
    const bool zero = applies::zero.test(s);
    YamlText yaml;
    sayRun(o, o.plan().trainer.value_or("own"));
    writeLaunch(o, yaml, {.before = "accelerate launch --config_file THIS_FILE train.py"});
    yaml.word("compute_environment", "LOCAL_MACHINE");
    yaml.word("distributed_type", fsdp         ? "FSDP"
                                  : zero       ? "DEEPSPEED"
                                  : s.gpus > 1 ? "MULTI_GPU"
                                               : "'NO'");
    yaml.count("num_machines", machinesOf(s));
    yaml.count("machine_rank", 0);
    yaml.count("num_processes", s.gpus);
    const MixedPrecision mixed = sayRegime(o, false);
    yaml.word("mixed_precision", mixed.bf16 ? "bf16" : mixed.fp16 ? "fp16" : "'no'");
    if (sayCompiled(o)) {
        yaml.open("dynamo_config");
        yaml.word("dynamo_backend", "INDUCTOR");
        yaml.close();
    }
    if (fsdp) {
        yaml.open("fsdp_config");
        writeFsdp(o, yaml,
                  {.version = "fsdp_version",
                   .offload = "fsdp_offload_params",
                   .prefix = "fsdp_",
                   .limitsAllGathers = false,
                   .replicates = true});
        yaml.flag("fsdp_activation_checkpointing", sayCheckpointing(o));
        yaml.close();
        writeAccelerateDegrees(o, yaml);
    } else if (zero) {
        writeZero(o, yaml);
    } else if (s.strategy == Strategy::Ddp || s.strategy == Strategy::None) {
        o.said({"parallel.strategy"});
    }
    return yaml.text();
}

} // namespace vramscope
