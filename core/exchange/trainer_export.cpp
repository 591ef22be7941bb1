// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/trainer_export.h"

#include "core/catalog/model_names.h"
#include "core/exchange/deepspeed_export.h"
#include "core/exchange/trainer_terms.h"
#include "core/planner/field_conditions.h"
#include "core/planner/usual_values.h"

#include <nlohmann/json.hpp>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

bool isFsdp(const Settings &s)
{
    return applies::fsdp.test(s);
}

/// An object of JSON as a mapping, whose texts are words of ours.
void writeTree(YamlText &yaml, std::string_view key, const Json &json)
{
    yaml.open(key);
    for (const auto &[name, value] : json.items()) {
        if (value.is_object())
            writeTree(yaml, name, value);
        else
            yaml.word(name, value.is_string() ? value.get<std::string>() : value.dump());
    }
    yaml.close();
}

/// What the Trainer makes of the switches under the plan's sharding.
Regime regimeUnder(const Settings &s, MixedPrecision mixed)
{
    if (!mixed.bf16 && !mixed.fp16)
        return Regime::Fp32;
    if (applies::zero.test(s))
        return mixed.bf16 ? Regime::DeepSpeedBf16 : Regime::DeepSpeedFp16;
    if (isFsdp(s))
        return Regime::FsdpMixedBf16;
    return mixed.bf16 ? Regime::AutocastBf16 : Regime::AutocastFp16;
}

} // namespace

std::int64_t machinesOf(const Settings &s)
{
    return s.gpusPerNode > 0 && s.gpus % s.gpusPerNode == 0 ? s.gpus / s.gpusPerNode : 1;
}

void sayRun(Outline &o, std::string_view trainer)
{
    const Settings &s = o.settings();
    const std::string planned = o.plan().trainer.value_or(std::string(choiceText(s.trainer)));
    Plan under = o.plan();
    under.trainer = trainer;
    const Settings stated = resolve(under).settings;
    if (s.trainer == stated.trainer)
        o.said({"trainer"});
    else
        o.changed("trainer", "is " + planned +
                                 ", but this file runs under transformers' Trainer, which loads "
                                 "and sets other things where nothing is stated: plan with \"" +
                                 std::string(trainer) + "\".");
    for (const Field &field : planFields()) {
        const FieldValue value = field.get(o.plan());
        if (!isStated(value) || !field.inForce)
            continue;
        if (!field.applies(s)) {
            o.said({field.path});
            continue;
        }
        Plan without = under;
        field.set(without, {});
        if (effectiveValue(without, resolve(without).settings, field) ==
            effectiveValue(under, stated, field))
            o.said({field.path});
    }
}

void writeLaunch(Outline &o, YamlText &yaml, const Launch &launch)
{
    const Settings &s = o.settings();
    if (launch.environment) {
        if (const std::string line = o.allocatorLine(); !line.empty())
            yaml.comment(line);
    }
    const std::int64_t machines = machinesOf(s);
    const std::int64_t each = s.gpus / machines;
    std::string line(launch.before);
    if (launch.before.ends_with(' ') || launch.before.ends_with('='))
        line += std::to_string(launch.all ? s.gpus : each);
    if (machines > 1 && !launch.machines.empty())
        line += std::string(launch.machines) + std::to_string(machines);
    yaml.comment(line + std::string(launch.after));
    o.said({"hardware.gpus", "hardware.gpus_per_node"});
    if (s.data * s.tensor * s.pipeline * s.context == s.gpus)
        o.said({"parallel.data"});
}

void writeModelName(Outline &o, YamlText &yaml, std::string_view key)
{
    const auto &preset = o.plan().model.preset;
    const std::string_view repository = preset ? repositoryOf(*preset) : std::string_view();
    yaml.word(key, repository.empty() ? "." : repository);
    const FieldPath field = preset ? FieldPath("model.preset") : FieldPath("model.config");
    if (repository.empty())
        o.changed(field, "has no repository that is known; \".\" stands for the folder with the "
                         "checkpoint.");
    else
        o.said({"model.preset"});
}

MixedPrecision sayRegime(Outline &o, bool pure)
{
    const Settings &s = o.settings();
    const MixedPrecision mixed{
        .bf16 = s.regime != Regime::Fp32 && s.regime != Regime::PureBf16 &&
                s.regime != Regime::AutocastFp16 && s.regime != Regime::DeepSpeedFp16,
        .fp16 = s.regime == Regime::AutocastFp16 || s.regime == Regime::DeepSpeedFp16};
    const Regime under = regimeUnder(s, mixed);
    const bool plain = !isFsdp(s) && !applies::zero.test(s);
    o.said({"precision.regime"});
    if (under == s.regime || (pure && plain && s.regime == Regime::PureBf16))
        return mixed;
    const std::string words = "is " + std::string(choiceText(s.regime));
    if (plain && s.regime == Regime::PureBf16)
        o.changed("precision.regime", words + ", which no switch says: with both off the run is in "
                                              "the type that the script loads the weights in.");
    else
        o.changed("precision.regime", words + ", which these switches cannot say; the run is " +
                                          std::string(choiceText(under)) + '.');
    return mixed;
}

bool sayCheckpointing(Outline &o)
{
    const Settings &s = o.settings();
    o.said({"activations.checkpointing"});
    const bool none = s.checkpointing == Checkpointing::None;
    if (!none && s.checkpointing != Checkpointing::Full) {
        o.changed(
            "activations.checkpointing",
            "is " + std::string(choiceText(s.checkpointing)) +
                "; gradient_checkpointing recomputes every block or none: it has become full.");
    }
    return !none;
}

void writeTrainerOptimizer(Outline &o, YamlText &yaml, std::string_view key, bool muon)
{
    const Settings &s = o.settings();
    const TrainerOptimizer *found = trainerOptimizer(s, muon);
    if (!found) {
        o.changed("optimizer.name",
                  "is " + std::string(choiceText(s.optimizer)) +
                      ", which has no name there; without one adamw_torch_fused runs.");
        return;
    }
    yaml.word(key, found->theirs);
    o.said({"optimizer.name", "optimizer.implementation", "optimizer.state_bytes"});
    if (s.optimizer == OptimizerName::Adam)
        o.changed("optimizer.name", "is adam; it has become adamw, which keeps the same states.");
    if (found->implementation != choiceText(s.implementation))
        o.changed("optimizer.implementation", "is " + std::string(choiceText(s.implementation)) +
                                                  "; " + std::string(found->theirs) +
                                                  " updates as " +
                                                  std::string(found->implementation) + " does.");
    const double bytes = found->stateBytes > 0 ? found->stateBytes : usual::stateBytes(s);
    if (bytes != s.stateBytes)
        o.changed("optimizer.state_bytes", "is " + shortestNumber(s.stateBytes) + "; " +
                                               std::string(found->theirs) + " keeps " +
                                               shortestNumber(bytes) + '.');
}

std::string_view sayAttention(Outline &o)
{
    const Settings &s = o.settings();
    o.said({"activations.attention"});
    if (s.attention == AttentionKind::Eager)
        o.changed("activations.attention",
                  "is eager; transformers' eager attention has its softmax in fp32.");
    if (s.attention == AttentionKind::Math)
        return "sdpa";
    return s.attention == AttentionKind::Flash ? "flash_attention_2" : "eager";
}

bool sayCompiled(Outline &o)
{
    const Settings &s = o.settings();
    const bool compiled = s.kernels == Kernels::Compiled;
    if (compiled || s.kernels == Kernels::Eager)
        o.said({"activations.kernels"});
    return compiled;
}

void writeDeepSpeed(Outline &o, YamlText &yaml)
{
    Json config{{"train_batch_size", "auto"},
                {"train_micro_batch_size_per_gpu", "auto"},
                {"gradient_accumulation_steps", "auto"},
                {"bf16", {{"enabled", "auto"}}},
                {"fp16", {{"enabled", "auto"}}}};
    writeDeepSpeedSharding(o, config);
    writeTree(yaml, "deepspeed", config);
}

void writeFsdp(Outline &o, YamlText &yaml, const FsdpWords &words)
{
    const Settings &s = o.settings();
    const auto key = [&](std::string_view name) {
        return std::string(words.prefix) + std::string(name);
    };
    const bool first = s.strategy == Strategy::Fsdp1;
    const bool hybrid = s.sharding == Sharding::HybridShard;
    o.said({"parallel.strategy", "parallel.cpu_offload", "parallel.sharding"});
    if (!words.version.empty())
        yaml.count(words.version, first ? 1 : 2);
    if (first) {
        constexpr std::array<std::string_view, 4> kShardings = {"FULL_SHARD", "SHARD_GRAD_OP",
                                                                "NO_SHARD", "HYBRID_SHARD"};
        constexpr std::array<std::string_view, 3> kPrefetches = {"BACKWARD_PRE", "BACKWARD_POST",
                                                                 "NO_PREFETCH"};
        yaml.word(key("reshard_after_forward"), kShardings[static_cast<std::size_t>(s.sharding)]);
        yaml.word(key("backward_prefetch"),
                  kPrefetches[static_cast<std::size_t>(s.backwardPrefetch)]);
        yaml.flag(key("forward_prefetch"), s.forwardPrefetch);
        yaml.flag(key("use_orig_params"), s.useOrigParams);
        o.said({"parallel.backward_prefetch", "parallel.forward_prefetch",
                "parallel.use_orig_params"});
        if (words.limitsAllGathers) {
            yaml.flag(key("limit_all_gathers"), s.limitAllGathers);
            o.said({"parallel.limit_all_gathers"});
        }
        // PyTorch shards within a machine.
        if (hybrid && s.shardGroup == s.gpusPerNode)
            o.said({"parallel.shard_group"});
    } else {
        yaml.flag(key("reshard_after_forward"), s.sharding != Sharding::ShardGradOp);
        if (s.sharding == Sharding::NoShard)
            o.changed("parallel.sharding", "is no_shard, which FSDP2 has not; it has become "
                                           "full_shard.");
        if (hybrid && words.replicates)
            o.said({"parallel.shard_group"});
        else if (hybrid)
            o.changed("parallel.sharding",
                      "is hybrid_shard, which FSDP2 takes from accelerate's parallelism_config; "
                      "without that it has become full_shard.");
    }
    yaml.flag(words.offload, s.cpuOffload);
    yaml.word(key("auto_wrap_policy"), "TRANSFORMER_BASED_WRAP");
}

void writeTrainingArguments(Outline &o, YamlText &yaml, bool pure)
{
    const Settings &s = o.settings();
    yaml.count("per_device_train_batch_size", s.microBatch);
    yaml.count("gradient_accumulation_steps", s.accumulationSteps);
    o.said({"batch.micro_batch", "batch.accumulation_steps"});
    const MixedPrecision mixed = sayRegime(o, pure);
    yaml.flag("bf16", mixed.bf16);
    yaml.flag("fp16", mixed.fp16);
    if (sayCompiled(o))
        yaml.flag("torch_compile", true);
    if (isFsdp(s)) {
        yaml.flag("fsdp", true);
        yaml.open("fsdp_config");
        writeFsdp(o, yaml, {.version = "version", .offload = "cpu_offload"});
        yaml.close();
    } else if (applies::zero.test(s)) {
        writeDeepSpeed(o, yaml);
    } else if (s.strategy == Strategy::None || s.strategy == Strategy::Ddp) {
        o.said({"parallel.strategy"});
    }
}

void sayOwnLoss(Outline &o)
{
    const LossKind loss = o.settings().loss;
    o.said({"loss"});
    if (loss != LossKind::HfPadded)
        o.changed("loss", "is " + std::string(choiceText(loss)) +
                              "; it has become transformers' own, hf-padded.");
}

std::optional<TextList> sayTargets(Outline &o)
{
    const Settings &s = o.settings();
    auto names = moduleNames(s.architecture, s.adapterTargets);
    if (names)
        o.said({"adapters.targets"});
    else
        o.changed("adapters.targets",
                  "are left out: which modules of this model hold them is not known here.");
    return names;
}

void writeAdapters(Outline &o, YamlText &yaml, std::string_view rank, std::string_view dropout)
{
    const Settings &s = o.settings();
    yaml.count(rank, s.adapterRank);
    yaml.number(dropout, s.adapterDropout);
    o.said({"adapters.kind", "adapters.rank", "adapters.dropout"});
}

} // namespace vramscope
