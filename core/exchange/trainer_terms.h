// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/outline.h"
#include "core/exchange/translation.h"

// Shared, in both directions, by the files of all tools that train with transformers' Trainer:
// words of transformers 5.23, PEFT, accelerate 1.15 and DeepSpeed. Writers add notes if the loop of
// the tool differs from the plan.

namespace vramscope {

[[nodiscard]] constexpr bool isFsdp(Strategy it)
{
    return it == Strategy::Fsdp1 || it == Strategy::Fsdp2;
}
/// 1 to 3; 0: the strategy is not ZeRO.
[[nodiscard]] constexpr std::int64_t zeroStage(Strategy it)
{
    return it == Strategy::Zero1 ? 1 : it == Strategy::Zero2 ? 2 : it == Strategy::Zero3 ? 3 : 0;
}
[[nodiscard]] constexpr bool isZero(Strategy it)
{
    return zeroStage(it) > 0;
}
/// Data parallelism without shards, or none.
[[nodiscard]] constexpr bool isPlain(Strategy it)
{
    return it == Strategy::None || it == Strategy::Ddp;
}
[[nodiscard]] inline Strategy strategyOf(const Plan &plan)
{
    return plan.parallel.strategy.value_or(Strategy::None);
}
/// The Trainer's regime from its switches under a strategy.
[[nodiscard]] Regime regimeUnder(Strategy strategy, bool bf16, bool fp16);

// The run

/// Covers the plan's fields that need no setting under `trainer`, the name of a tool: those that do
/// not affect it, and its fixed behaviour.
void coverRun(Outline &outline, std::string_view trainer);

/// Machines of a run whose GPUs divide evenly among them; else one.
[[nodiscard]] std::int64_t machinesOf(const Settings &settings);

/// A line that starts a run: its words before and after the number of GPUs, which it has if these
/// end with a blank or "=".
struct Launch
{
    std::string_view before{};
    std::string_view machines{}; ///< the option for their number, if there are several
    std::string_view after{};
    bool all = true;         ///< the number is that of all machines
    bool environment = true; ///< the file itself cannot set environment variables
};
/// Writes the line as a comment, preceded by the environment that it needs.
void writeLaunch(Outline &outline, const Launch &launch);

/// Writes the repository of the plan's model; ".", with a note, if it is unknown.
void writeModelName(Outline &outline, std::string_view key);

/// The switches of the plan's regime; a note if the run then has another regime. `pure`: other
/// settings of the file keep weights and all else in bf16.
struct MixedPrecision
{
    bool bf16 = false;
    bool fp16 = false;
};
[[nodiscard]] MixedPrecision mixedPrecision(Outline &outline, bool pure);

/// Whether gradient_checkpointing is on; a note if the plan recomputes otherwise.
[[nodiscard]] bool checkpoints(Outline &outline);
/// Whether torch_compile is on.
[[nodiscard]] bool compiles(Outline &outline);
/// Covers transformers' own loss; a note if the plan has another.
void coverOwnLoss(Outline &outline);
/// Writes the settings that transformers' TrainingArguments, TRL's SFTConfig and LLaMA-Factory's
/// arguments share: the batch, precision, sharding and torch_compile. `pure` as above.
void writeTrainingArguments(Outline &outline, bool pure);
inline constexpr SettingRow kTrainerBatch[] = {
    {"per_device_train_batch_size", "batch.micro_batch", Always, {}, "8"},
    {"gradient_accumulation_steps", "batch.accumulation_steps", Always, {}, "1"},
};

// Optimizers, attention, adapters

/// The words of a list, or of a text separated by blanks or commas.
[[nodiscard]] TextList wordsOf(const ForeignSetting &setting);

/// An optimizer of OptimizerNames; by default the Trainer's own choice.
void importTrainerOptimizer(Translation &t, Translation::Keys keys);
/// The nearest name of OptimizerNames; `muon`: the tool has an optimizer of that name.
void writeTrainerOptimizer(Outline &outline, std::string_view key, bool muon);

/// A value of attn_implementation; a note if it is unknown.
void importAttention(Translation &t, std::string_view word);
[[nodiscard]] std::string_view attentionWord(Outline &outline);

/// The matrices in PEFT's target_modules.
void importTargets(Translation &t, const TextList &names);
/// The target_modules of the plan's adapters; nothing, with a note, if they are unknown.
[[nodiscard]] std::optional<TextList> targetModules(Outline &outline);

// Sharding

/// Sharding by one of accelerate's words ("full_shard", "SHARD_GRAD_OP"); false for other words.
bool importSharding(Translation &t, std::string_view word);
/// Reads the words of the option `fsdp`, then the word or switch at `reshard`. Returns whether the
/// words offload.
bool importFsdpWords(Translation &t, const TextList &words, Translation::Keys reshard);
/// Settings of only FSDP1; nothing is prefetched by default.
void importFirstFsdp(Translation &t, Translation::Keys prefixes);
/// How tools differ in FSDP's settings.
struct FsdpWords
{
    std::string_view version{}; ///< empty: it is elsewhere
    std::string_view offload{};
    std::string_view prefix = "fsdp_config."; ///< of the other keys
    bool limitsAllGathers = true;
    bool replicates = false; ///< another setting gives the number of replicas
};
void writeFsdp(Outline &outline, const FsdpWords &words);

/// Takes the stage of ZeRO from the name of a file of DeepSpeed's settings, with a note to import
/// the file itself.
void importDeepSpeedNamed(Translation &t, std::string_view path);
/// DeepSpeed's settings inside others, in the group `deepspeed`. Those that the Trainer fills in
/// are left to its own arguments.
void importDeepSpeedWithin(Translation &t);
/// Imports all of such a file if its name is one of axolotl's deepspeed_configs; else only the
/// stage.
void importAxolotlDeepSpeed(Translation &t, std::string_view path);
/// Writes DeepSpeed's settings in the group `deepspeed`; those that the Trainer knows are "auto"
/// there.
void writeDeepSpeedWithin(Outline &outline);
/// Writes DeepSpeed's settings for sharding, offloading and reducing, with their types.
void writeDeepSpeedSharding(Outline &outline, std::string_view prefix);

} // namespace vramscope
