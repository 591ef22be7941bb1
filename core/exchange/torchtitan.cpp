// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/catalog/model_names.h"
#include "core/exchange/formats.h"
#include "core/exchange/outline.h"
#include "core/model/parameters.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace vramscope {

namespace {

// Keys and defaults of torchtitan's job config: the older layout has the degrees under [training]
// and [experimental], the newer one under [parallelism].

constexpr WordPair kTitanOptimizers[] = {{"AdamW", "adamw"}, {"Adam", "adam"}};
constexpr WordPair kImplementations[] = {
    {"fused", "fused"}, {"foreach", "foreach"}, {"for-loop", "for-loop"}};
constexpr WordPair kSchedules[] = {{"1F1B Interleaved1F1B", "1f1b"},
                                   {"GPipe LoopedBFS", "gpipe"},
                                   {"InterleavedZeroBubble", "zero-bubble", true},
                                   {"ZBVZeroBubble ZB1P DualPipeV", "zero-bubble"}};

constexpr WordPair kCompiled[] = {{"true", "compiled"}, {"false", "eager"}};

constexpr SettingRow kCompile = {"compile.enable training.compile", "activations.kernels", Always,
                                 kCompiled, "eager"};
constexpr SettingRow kTitanTensor = {
    "parallelism.tensor_parallel_degree training.tensor_parallel_degree", "parallel.tensor"};
constexpr SettingRow kTitanPipeline = {
    "parallelism.pipeline_parallel_degree experimental.pipeline_parallel_degree",
    "parallel.pipeline"};
constexpr SettingRow kTitanSchedule = {
    "parallelism.pipeline_parallel_schedule experimental.pipeline_parallel_schedule",
    "parallel.schedule", Always, kSchedules};
constexpr SettingRow kTitanInner[] = {
    {"parallelism.context_parallel_degree experimental.context_parallel_degree",
     "parallel.context"},
    {"parallelism.expert_parallel_degree", "parallel.expert"},
    {"parallelism.expert_tensor_parallel_degree", "parallel.expert_tensor"},
};
constexpr SettingRow kTitanMicroBatch = {"training.local_batch_size training.batch_size",
                                         "batch.micro_batch"};
constexpr SettingRow kTitanLength = {"training.seq_len", "batch.sequence_length"};
constexpr SettingRow kTitanOptimizer = {"optimizer.name", "optimizer.name", Always,
                                        kTitanOptimizers};

void importTitanModel(Translation &t)
{
    const auto model = t.text("model.name");
    const auto flavor = t.text("model.flavor");
    if (!model || !flavor)
        return;
    if (const CatalogueModel *preset = findTitanModel(*model, *flavor)) {
        t.clear("model");
        t.set("model.preset", preset->name);
    } else {
        t.note(excerpt(*model, 40) + ' ' + excerpt(*flavor, 40) +
               " is no model that plans know by name; import its config.json.");
    }
}

/// The data-parallel degrees and the resulting strategy.
void importTitanData(Translation &t)
{
    const std::int64_t replicate = t.count("parallelism.data_parallel_replicate_degree "
                                           "training.data_parallel_replicate_degree")
                                       .value_or(1);
    const bool badReplicas = replicate < 1 || replicate > 100'000;
    if (badReplicas)
        t.note("is out of range; it is left out.");
    const auto shards = t.count("parallelism.data_parallel_shard_degree "
                                "training.data_parallel_shard_degree "
                                "training.data_parallel_degree");
    if (badReplicas)
        return;
    const std::int64_t shard = shards.value_or(-1); // -1: all remaining ones
    if (shard > 100'000)
        return t.note("is out of range; it is left out.");
    // FSDP shards over the context-parallel GPUs too.
    const std::int64_t context = t.plan().parallel.context.value_or(1);
    if (shard == 1 && context == 1) {
        t.set("parallel.data", replicate);
        t.set("parallel.strategy", replicate > 1 ? "ddp" : "none");
        return;
    }
    t.set("parallel.strategy", "fsdp2");
    if (shard > 0)
        t.set("parallel.data", replicate * shard);
    else if (t.plan().hardware.gpus)
        fillDataParallel(t);
    else if (shards)
        t.note("is -1: all GPUs that are left; set hardware.gpus and parallel.data.");
    else
        t.note("data_parallel_shard_degree", "is not stated, and its default is all GPUs that are "
                                             "left; set hardware.gpus and parallel.data.");
    const auto reshard =
        t.text("parallelism.fsdp_reshard_after_forward training.fsdp_reshard_after_forward");
    const bool pipelined = t.plan().parallel.pipeline.value_or(1) > 1;
    const bool keeps = reshard == "never" || (reshard == "default" && pipelined);
    if (replicate == 1)
        return t.set("parallel.sharding", keeps ? "shard_grad_op" : "full_shard");
    t.set("parallel.sharding", "hybrid_shard");
    const std::int64_t all = t.plan().parallel.data.value_or(0);
    if (all % replicate == 0 && all > 0)
        t.set("parallel.shard_group", all / replicate * context);
    if (keeps)
        t.note("cannot be said beside hybrid sharding; the weights are counted as resharded.");
}

void importTitanDegrees(Translation &t)
{
    t.read(kTitanTensor);
    if (t.plan().parallel.tensor.value_or(1) > 1)
        t.set("parallel.sequence", true); // torchtitan's tensor parallel plans always split it
    t.read(kTitanPipeline);
    if (t.plan().parallel.pipeline.value_or(1) > 1)
        t.read(kTitanSchedule);
    t.take(kTitanSchedule.theirs);
    t.read(kTitanInner);
}

/// Every n-th block is checkpointed, the others are kept whole.
void importEveryNth(Translation &t, const std::string &option)
{
    std::int64_t every = 0;
    std::from_chars(option.data(), option.data() + option.size(), every);
    const auto architecture = architectureOf(t.plan().model);
    if (every == 1)
        return t.set("activations.checkpointing", "full");
    if (every < 1 || !architecture)
        return t.note(every < 1 ? "is not \"op\" or a number; it is left out."
                                : "counts layers of a model that is not known yet; import the "
                                  "model first.");
    t.set("activations.checkpointing", "block");
    t.set("activations.blocks", architecture->layers / every);
}

void importTitanCheckpointing(Translation &t)
{
    const auto mode = t.text("activation_checkpoint.mode");
    if (!mode)
        return t.note("[activation_checkpoint]",
                      "mode is not stated, and its default differs "
                      "between versions; set activations.checkpointing.");
    if (*mode == "none" || *mode == "full")
        return t.set("activations.checkpointing", *mode);
    if (*mode != "selective")
        return t.noteWord(*mode, "; known are none, selective and full.");
    const std::string option = t.text("activation_checkpoint.selective_ac_option").value_or("2");
    if (option == "op")
        t.set("activations.checkpointing", "selective-op");
    else
        importEveryNth(t, option);
}

void importTitanStep(Translation &t)
{
    t.read(kTitanMicroBatch);
    t.read(kTitanLength);
    const auto whole = t.count("training.global_batch_size");
    if (whole && *whole > 0)
        importGlobalBatch(t, *whole);
    t.read(kTitanOptimizer);
    if (const auto fused = t.flag("optimizer.fused"))
        t.set("optimizer.implementation", *fused ? "fused" : "foreach");
    else // fused is torchtitan's default
        t.read({"optimizer.implementation", "optimizer.implementation", Always, kImplementations,
                "fused"});
    if (t.isOn("optimizer.early_step_in_backward"))
        t.set("optimizer.implementation", "in-backward");
    t.read(kCompile);
    t.set("activations.attention", "flash");
}

constexpr WordPair kTitanConverters[] = {{"quantize.linear.float8 float8", "fp8"},
                                         {"quantize.linear.mx mx", "mxfp8"}};

/// The compute format of linear layers of which model.converters names the converter.
std::string_view convertedFormat(Translation &t)
{
    const ForeignSetting *setting = t.take("model.converters");
    if (!setting)
        return {};
    TextList names;
    if (const auto *list = std::get_if<TextList>(&setting->value))
        names = *list;
    else if (const auto *name = std::get_if<std::string>(&setting->value))
        names = {*name};
    for (const std::string &name : names)
        if (const WordPair *pair = pairOfTheirs(kTitanConverters, name))
            return pair->ours;
    return {};
}

/// In the layout of 2024 a flag turns on float8, in the newer one a converter does.
void importFloat8(Translation &t)
{
    const bool flagged = t.isOn("float8.enable_fp8_linear float8.enable_float8_linear "
                                "training.enable_fp8_linear training.enable_float8_linear");
    const std::string_view converted = convertedFormat(t);
    if (flagged || !converted.empty())
        t.set("precision.linear", flagged ? "fp8" : std::string(converted));
    else if (t.takeAll("quantize.linear.float8."))
        t.note("quantize.linear.float8", "has no effect: model.converters does not name it.");
}

void importTitanPrecision(Translation &t)
{
    const std::string compute = t.text("training.mixed_precision_param").value_or("bfloat16");
    const bool sharded = t.plan().parallel.strategy == Strategy::Fsdp2;
    if (compute == "bfloat16")
        t.set("precision.regime", sharded ? "fsdp-mixed-bf16" : "autocast-bf16");
    else if (compute == "float32")
        t.set("precision.regime", "fp32");
    else
        t.noteWord(compute, "; known are bfloat16 and float32.");
    // torchtitan reduces in fp32 by default.
    const std::string reduce = t.text("training.mixed_precision_reduce").value_or("float32");
    if (sharded && compute == "bfloat16")
        t.set("precision.reduce_bytes", std::int64_t(reduce == "float32" ? 4 : 2));
    if (t.isOn("training.enable_cpu_offload"))
        t.set("parallel.cpu_offload", true);
}

/// torchtitan's loss without vocabulary sharding, which frees the logits before backward
/// (trainer.py).
LossKind wholeLoss(bool fp32)
{
    return fp32 ? LossKind::CrossEntropyFp32 : LossKind::HfPadded;
}

/// Under tensor parallelism the loss is sharded over the vocabulary, unless that is disabled.
void importTitanLoss(Translation &t)
{
    const bool disabled =
        t.isOn("parallelism.disable_loss_parallel training.disable_loss_parallel");
    const auto enabled = t.flag("experimental.enable_loss_parallel");
    const bool split = t.plan().parallel.tensor.value_or(1) > 1;
    const LossKind loss = split && enabled.value_or(!disabled)
                              ? LossKind::LossParallel
                              : wholeLoss(t.plan().precision.regime == Regime::Fp32);
    t.set("loss", std::string(choiceText(loss)));
}

void writeTitanModel(Outline &o)
{
    const auto &preset = o.plan().model.preset;
    const TitanModel titan = titanModelOf(preset ? *preset : std::string());
    const LinearFormat linear = o.settings().linear;
    o.covered({"precision.linear"}, linear == LinearFormat::Fp8 || linear == LinearFormat::MxFp8 ||
                                        linear == LinearFormat::Regime);
    if (!titan.model.empty()) {
        o.covered({"model.preset"});
        o.put("model.name", std::string(titan.model));
        o.put("model.flavor", std::string(titan.flavor));
    }
    if (linear == LinearFormat::Fp8)
        o.put("model.converters", TextList{"quantize.linear.float8"});
    if (linear == LinearFormat::MxFp8)
        o.put("model.converters", TextList{"quantize.linear.mx"});
}

void writeTitanOptimizer(Outline &o)
{
    const Settings &s = o.settings();
    o.put("optimizer", {});
    o.write(kTitanOptimizer);
    o.covered({"optimizer.implementation"});
    if (s.optimizer.implementation == OptimizerImplementation::InBackward)
        o.put("optimizer.early_step_in_backward", true);
    else
        o.put("optimizer.implementation", std::string(choiceText(s.optimizer.implementation)));
}

bool isShardedByTitan(const Settings &s)
{
    return s.strategy == Strategy::Fsdp2 ||
           (s.strategy == Strategy::Fsdp1 && s.sharding != Sharding::NoShard);
}

/// Copies of the states, each sharded over the remaining GPUs.
std::int64_t replicasOf(const Settings &s)
{
    if (!isShardedByTitan(s))
        return s.data;
    const bool hybrid = s.sharding == Sharding::HybridShard;
    const std::int64_t replicas = hybrid ? s.data * s.context / s.shardGroup : 1;
    return replicas > 0 && s.data % replicas == 0 ? replicas : 1;
}

bool hasShards(const Settings &s)
{
    return isShardedByTitan(s) && s.data * s.context > replicasOf(s);
}

void writeTraining(Outline &o)
{
    const Settings &s = o.settings();
    const bool sharded = hasShards(s) || s.context > 1; // as torchtitan will run it
    const Regime run = s.computeBytes == 4 ? Regime::Fp32
                       : sharded           ? Regime::FsdpMixedBf16
                                           : Regime::AutocastBf16;
    o.covered({"precision.regime", "batch.accumulation_steps"});
    if (s.regime != run)
        o.replaced("precision.regime",
                   "; torchtitan runs this as " + std::string(choiceText(run)) + '.');
    o.covered({"precision.reduce_bytes"}, sharded && s.regime == Regime::FsdpMixedBf16 &&
                                              (s.reduceBytes == 2 || s.reduceBytes == 4));
    o.write(kTitanMicroBatch);
    o.put("training.global_batch_size", s.microBatch * s.data * s.accumulationSteps);
    o.write(kTitanLength);
    o.put("training.mixed_precision_param", s.computeBytes == 4 ? "float32" : "bfloat16");
    if (sharded) // otherwise unused
        o.put("training.mixed_precision_reduce", s.reduceBytes == 4 ? "float32" : "bfloat16");
    o.write({"training.enable_cpu_offload", "parallel.cpu_offload", Stated});
}

void writeTitanSharding(Outline &o)
{
    const Settings &s = o.settings();
    const bool sharded = hasShards(s);
    const std::int64_t replicas = replicasOf(s);
    const bool hybrid = s.sharding == Sharding::HybridShard;
    o.covered({"parallel.data"});
    o.put("parallelism.data_parallel_replicate_degree", replicas);
    o.put("parallelism.data_parallel_shard_degree", s.data / replicas);
    const Strategy whole = s.data > 1 ? Strategy::Ddp : Strategy::None;
    o.covered({"parallel.strategy"}, sharded || (s.strategy == whole && s.context == 1));
    if (!sharded)
        return;
    if (s.strategy == Strategy::Fsdp1)
        o.replaced("parallel.strategy", "; torchtitan shards with FSDP2.");
    o.covered({"parallel.sharding", "parallel.shard_group"},
              !hybrid || (replicas > 1 && replicas == s.data * s.context / s.shardGroup));
    o.put("parallelism.fsdp_reshard_after_forward",
          s.sharding == Sharding::ShardGradOp ? "never" : "always");
}

void writeParallelism(Outline &o)
{
    const Settings &s = o.settings();
    writeTitanSharding(o);
    o.write(kTitanTensor);
    o.write(kTitanPipeline);
    o.write(kTitanInner);
    o.covered({"parallel.sequence"}, s.sequenceParallel == (s.tensor > 1));
    const bool sharded = s.tensor > 1 && s.loss == LossKind::LossParallel;
    o.covered({"loss"}, sharded || s.loss == wholeLoss(s.computeBytes == 4));
    o.putIf(s.tensor > 1 && !sharded, "parallelism.disable_loss_parallel");
    if (s.pipeline > 1)
        o.write(kTitanSchedule);
}

void writeTitanActivations(Outline &o)
{
    const Settings &s = o.settings();
    const std::int64_t layers = s.architecture.layers;
    const bool block = s.checkpointing == Checkpointing::Block && s.checkpointedBlocks > 0;
    const std::int64_t every = block ? layers / s.checkpointedBlocks : 0;
    const bool everyNth = every > 1 && layers / every == s.checkpointedBlocks;
    const bool perOp = s.checkpointing == Checkpointing::SelectiveOp;
    const bool plain =
        s.checkpointing == Checkpointing::None || s.checkpointing == Checkpointing::Full;
    o.put("activation_checkpoint.mode", plain ? std::string(choiceText(s.checkpointing))
                                        : perOp || everyNth ? "selective"
                                                            : "none");
    if (perOp || everyNth)
        o.put("activation_checkpoint.selective_ac_option", perOp ? "op" : std::to_string(every));
    o.covered({"activations.checkpointing"}, plain || perOp || everyNth);
    o.covered({"activations.blocks"}, everyNth);
    o.covered({"activations.attention"}, s.attention == AttentionKind::Flash);
    o.write(kCompile);
}

} // namespace

Imported importTorchtitan(Translation t)
{
    t.set("workload", "training");
    t.set("trainer", "torchtitan");
    importTitanModel(t);
    importTitanDegrees(t);
    importTitanData(t);
    importTitanCheckpointing(t);
    importTitanStep(t);
    importFloat8(t);
    importTitanPrecision(t);
    importTitanLoss(t);
    return std::move(t).finish("torchtitan TOML", "torchtitan");
}

void writeTorchtitan(Outline &o)
{
    if (const std::string line = o.allocatorLine(); !line.empty())
        o.comment(line);
    o.covered({"trainer"}, o.settings().trainer == Trainer::Torchtitan);
    writeTitanModel(o);
    writeTitanOptimizer(o);
    writeTraining(o);
    writeParallelism(o);
    writeTitanActivations(o);
}

} // namespace vramscope
