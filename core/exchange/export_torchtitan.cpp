// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/model_names.h"
#include "core/exchange/outline.h"

namespace vramscope {

namespace {

/// Lines of TOML; every text that is written is a word of ours.
class TomlText
{
public:
    void table(std::string_view name)
    {
        m_text += (m_text.empty() ? "[" : "\n[") + std::string(name) + "]\n";
    }
    void comment(std::string_view text) { m_text += "# " + std::string(text) + '\n'; }
    void count(std::string_view key, std::int64_t value) { put(key, std::to_string(value)); }
    void flag(std::string_view key, bool value) { put(key, value ? "true" : "false"); }
    void word(std::string_view key, std::string_view value)
    {
        put(key, '"' + std::string(value) + '"');
    }
    void list(std::string_view key, std::string_view only)
    {
        put(key, "[\"" + std::string(only) + "\"]");
    }
    [[nodiscard]] const std::string &text() const { return m_text; }

private:
    void put(std::string_view key, const std::string &value)
    {
        m_text += std::string(key) + " = " + value + '\n';
    }
    std::string m_text;
};

void writeModel(Outline &o, TomlText &toml)
{
    const auto &preset = o.plan().model.preset;
    const TitanModel titan = titanModelOf(preset ? *preset : std::string());
    const LinearFormat linear = o.settings().linear;
    if (linear == LinearFormat::Fp8 || linear == LinearFormat::Regime)
        o.said({"precision.linear"});
    if (titan.model.empty() && linear != LinearFormat::Fp8)
        return;
    toml.table("model");
    if (!titan.model.empty()) {
        o.said({"model.preset"});
        toml.word("name", titan.model);
        toml.word("flavor", titan.flavor);
    }
    if (linear == LinearFormat::Fp8)
        toml.list("converters", "quantize.linear.float8");
}

void writeOptimizer(Outline &o, TomlText &toml)
{
    const Settings &s = o.settings();
    toml.table("optimizer");
    if (s.optimizer == OptimizerName::AdamW || s.optimizer == OptimizerName::Adam) {
        o.said({"optimizer.name"});
        toml.word("name", s.optimizer == OptimizerName::AdamW ? "AdamW" : "Adam");
    }
    o.said({"optimizer.implementation"});
    if (s.implementation == OptimizerImplementation::InBackward)
        toml.flag("early_step_in_backward", true);
    else
        toml.word("implementation", choiceText(s.implementation));
}

bool isFsdp(const Settings &s)
{
    return s.strategy == Strategy::Fsdp2 ||
           (s.strategy == Strategy::Fsdp1 && s.sharding != Sharding::NoShard);
}

/// Copies of the states, each of them sharded over the GPUs that remain.
std::int64_t replicasOf(const Settings &s)
{
    if (!isFsdp(s))
        return s.data;
    const bool hybrid = s.sharding == Sharding::HybridShard;
    const std::int64_t replicas = hybrid ? s.data * s.context / s.shardGroup : 1;
    return replicas > 0 && s.data % replicas == 0 ? replicas : 1;
}

bool isSharded(const Settings &s)
{
    return isFsdp(s) && s.data * s.context > replicasOf(s);
}

void writeTraining(Outline &o, TomlText &toml)
{
    const Settings &s = o.settings();
    o.said({"batch.micro_batch", "batch.sequence_length", "batch.accumulation_steps"});
    const bool sharded = isSharded(s) || s.context > 1; // as torchtitan will run it
    const Regime run = s.computeBytes == 4 ? Regime::Fp32
                       : sharded           ? Regime::FsdpMixedBf16
                                           : Regime::AutocastBf16;
    o.said({"precision.regime"});
    if (s.regime != run)
        o.changed("precision.regime", "is " + std::string(choiceText(s.regime)) +
                                          "; torchtitan runs this as " +
                                          std::string(choiceText(run)) + '.');
    if (sharded && s.regime == Regime::FsdpMixedBf16 && (s.reduceBytes == 2 || s.reduceBytes == 4))
        o.said({"precision.reduce_bytes"});
    toml.table("training");
    toml.count("local_batch_size", s.microBatch);
    toml.count("global_batch_size", s.microBatch * s.data * s.accumulationSteps);
    toml.count("seq_len", s.sequenceLength);
    toml.word("mixed_precision_param", s.computeBytes == 4 ? "float32" : "bfloat16");
    if (sharded) // nothing else reads it
        toml.word("mixed_precision_reduce", s.reduceBytes == 4 ? "float32" : "bfloat16");
    if (o.states("parallel.cpu_offload"))
        toml.flag("enable_cpu_offload", s.cpuOffload);
}

/// torchtitan's losses: sharded over the vocabulary by default where tensor parallel, else whole.
void writeLossParallel(Outline &o, TomlText &toml)
{
    const Settings &s = o.settings();
    const bool sharded = s.tensor > 1 && s.loss == LossKind::LossParallel;
    const LossKind whole = s.computeBytes == 4 ? LossKind::CrossEntropyFp32 : LossKind::HfPadded;
    if (sharded || s.loss == whole)
        o.said({"loss"});
    if (s.tensor > 1 && !sharded)
        toml.flag("disable_loss_parallel", true);
}

void writeParallelism(Outline &o, TomlText &toml)
{
    const Settings &s = o.settings();
    const bool sharded = isSharded(s);
    const std::int64_t replicas = replicasOf(s);
    const bool hybrid = s.sharding == Sharding::HybridShard;
    toml.table("parallelism");
    toml.count("data_parallel_replicate_degree", replicas);
    toml.count("data_parallel_shard_degree", s.data / replicas);
    const Strategy whole = s.data > 1 ? Strategy::Ddp : Strategy::None;
    if (sharded || (s.strategy == whole && s.context == 1))
        o.said({"parallel.strategy"});
    if (sharded) {
        if (s.strategy == Strategy::Fsdp1)
            o.changed("parallel.strategy", "is fsdp1; torchtitan shards with FSDP2.");
        if (!hybrid || (replicas > 1 && replicas == s.data * s.context / s.shardGroup))
            o.said({"parallel.sharding", "parallel.shard_group"});
        toml.word("fsdp_reshard_after_forward",
                  s.sharding == Sharding::ShardGradOp ? "never" : "always");
    }
    o.said({"parallel.data", "parallel.tensor", "parallel.pipeline", "parallel.context",
            "parallel.expert", "parallel.expert_tensor"});
    toml.count("tensor_parallel_degree", s.tensor);
    toml.count("pipeline_parallel_degree", s.pipeline);
    toml.count("context_parallel_degree", s.context);
    toml.count("expert_parallel_degree", s.expert);
    toml.count("expert_tensor_parallel_degree", s.expertTensor);
    if (s.sequenceParallel == (s.tensor > 1))
        o.said({"parallel.sequence"});
    writeLossParallel(o, toml);
    if (s.pipeline > 1) {
        constexpr std::array<std::string_view, 3> kSchedules = {"1F1B", "GPipe", "ZBVZeroBubble"};
        o.said({"parallel.schedule"});
        toml.word("pipeline_parallel_schedule", kSchedules[static_cast<std::size_t>(s.schedule)]);
    }
}

void writeActivations(Outline &o, TomlText &toml)
{
    const Settings &s = o.settings();
    const std::int64_t layers = s.architecture.layers;
    const bool block = s.checkpointing == Checkpointing::Block && s.checkpointedBlocks > 0;
    const std::int64_t every = block ? layers / s.checkpointedBlocks : 0;
    toml.table("activation_checkpoint");
    if (s.checkpointing == Checkpointing::None || s.checkpointing == Checkpointing::Full) {
        o.said({"activations.checkpointing"});
        toml.word("mode", choiceText(s.checkpointing));
    } else if (s.checkpointing == Checkpointing::SelectiveOp) {
        o.said({"activations.checkpointing"});
        toml.word("mode", "selective");
        toml.word("selective_ac_option", "op");
    } else if (every > 1 && layers / every == s.checkpointedBlocks) {
        o.said({"activations.checkpointing", "activations.blocks"});
        toml.word("mode", "selective");
        toml.word("selective_ac_option", std::string_view(std::to_string(every)));
    } else {
        toml.word("mode", "none");
    }
    if (s.attention == AttentionKind::Flash)
        o.said({"activations.attention"});
    if (s.kernels == Kernels::Eager || s.kernels == Kernels::Compiled) {
        o.said({"activations.kernels"});
        toml.table("compile");
        toml.flag("enable", s.kernels == Kernels::Compiled);
    }
}

} // namespace

std::string torchtitanText(Outline &o)
{
    TomlText toml;
    if (const std::string line = o.allocatorLine(); !line.empty())
        toml.comment(line);
    if (o.settings().trainer == Trainer::Torchtitan)
        o.said({"trainer"});
    writeModel(o, toml);
    writeOptimizer(o, toml);
    writeTraining(o, toml);
    writeParallelism(o, toml);
    writeActivations(o, toml);
    return toml.text();
}

} // namespace vramscope
