// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/trainer_terms.h"

#include <algorithm>

namespace vramscope {

namespace {

// Keys of accelerate 1.15: commands/config/config_args.py and cluster.py.

void writeZeroConfig(Outline &o)
{
    const Settings &s = o.settings();
    const std::int64_t stage = zeroStage(s.strategy);
    o.put("deepspeed_config.zero_stage", stage);
    o.put("deepspeed_config.offload_optimizer_device", s.optimizer.offload ? "cpu" : "none");
    o.put("deepspeed_config.offload_param_device", s.cpuOffload ? "cpu" : "none");
    o.put("deepspeed_config.zero3_init_flag", stage == 3);
    o.write({"deepspeed_config.gradient_accumulation_steps", "batch.accumulation_steps"});
    o.covered({"parallel.strategy", "parallel.cpu_offload", "optimizer.offload"});
}

/// Degrees that accelerate adds to FSDP2's.
void writeAccelerateDegrees(Outline &o)
{
    const Settings &s = o.settings();
    const bool hybrid = s.strategy == Strategy::Fsdp2 && s.sharding == Sharding::HybridShard;
    if (s.tensor == 1 && s.context == 1 && !hybrid)
        return;
    const std::int64_t shards = s.data * s.context; // over which FSDP shards
    const std::int64_t group = hybrid ? std::min(s.shardGroup, shards) : shards;
    const std::int64_t replicas = group > 0 && shards % group == 0 ? shards / group : 1;
    const std::string key = "parallelism_config.parallelism_config_";
    o.put(key + "dp_replicate_size", replicas);
    o.put(key + "dp_shard_size", s.data / std::max<std::int64_t>(replicas, 1));
    o.put(key + "tp_size", s.tensor);
    if (s.context > 1 && s.contextExchange == ContextExchange::Ulysses) {
        o.put(key + "sp_size", s.context);
        o.put(key + "sp_backend", "deepspeed");
    } else {
        o.put(key + "cp_size", s.context);
        if (s.context > 1)
            o.put(key + "cp_comm_strategy",
                  s.contextExchange == ContextExchange::AllGather ? "allgather" : "alltoall");
    }
    o.covered(
        {"parallel.data", "parallel.tensor", "parallel.context", "parallel.context_exchange"});
}

} // namespace

void writeAccelerate(Outline &o)
{
    const Settings &s = o.settings();
    const bool fsdp = isFsdp(s.strategy);
    const bool zero = isZero(s.strategy);
    coverRun(o, o.plan().trainer.value_or("own"));
    writeLaunch(o, {.before = "accelerate launch --config_file THIS_FILE train.py"});
    o.put("compute_environment", "LOCAL_MACHINE");
    o.put("distributed_type", fsdp         ? "FSDP"
                              : zero       ? "DEEPSPEED"
                              : s.gpus > 1 ? "MULTI_GPU"
                                           : "'NO'");
    o.put("num_machines", machinesOf(s));
    o.put("machine_rank", std::int64_t(0));
    o.put("num_processes", s.gpus);
    const MixedPrecision mixed = mixedPrecision(o, false);
    o.put("mixed_precision", mixed.bf16 ? "bf16" : mixed.fp16 ? "fp16" : "'no'");
    if (compiles(o))
        o.put("dynamo_config.dynamo_backend", "INDUCTOR");
    if (fsdp) {
        writeFsdp(o, {.version = "fsdp_version",
                      .offload = "fsdp_offload_params",
                      .prefix = "fsdp_config.fsdp_",
                      .limitsAllGathers = false,
                      .replicates = true});
        o.put("fsdp_config.fsdp_activation_checkpointing", checkpoints(o));
        writeAccelerateDegrees(o);
    } else if (zero) {
        writeZeroConfig(o);
    }
    o.covered({"parallel.strategy"}, isPlain(s.strategy));
}

} // namespace vramscope
