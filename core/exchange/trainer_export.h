// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/outline.h"
#include "core/exchange/yaml_text.h"

// What the exports to transformers' Trainer, and to what is built on it, share. Each says some
// fields of the plan, in words that transformers 5.23 and accelerate 1.15 have.

namespace vramscope {

/// What the plan states that needs no word under a trainer, a tool by its name: what does not bear
/// on it, and what that one does anyway. A note where the loop of the plan's own behaves otherwise.
void sayRun(Outline &outline, std::string_view trainer);

/// Machines of a run whose GPUs divide evenly among them; else one.
[[nodiscard]] std::int64_t machinesOf(const Settings &settings);

/// A line that starts a run: its words before and behind the number of GPUs, which it states where
/// these end with a blank or "=".
struct Launch
{
    std::string_view before{};
    std::string_view machines{}; ///< the option for their number, where there are several
    std::string_view after{};
    bool all = true;         ///< the number is that of all machines
    bool environment = true; ///< the file itself cannot set variables of the environment
};
/// The line as a comment, above it what its environment needs.
void writeLaunch(Outline &outline, YamlText &yaml, const Launch &launch);

/// The repository of the plan's model; ".", with a note, where none is known.
void writeModelName(Outline &outline, YamlText &yaml, std::string_view key);

/// Whether `bf16` or `fp16` is on; a note where the run is then in another regime than the plan's.
/// `pure`: the file says in other words that weights and all are in bf16.
struct MixedPrecision
{
    bool bf16 = false;
    bool fp16 = false;
};
[[nodiscard]] MixedPrecision sayRegime(Outline &outline, bool pure);

/// Whether gradient_checkpointing is on; a note where the plan recomputes otherwise.
[[nodiscard]] bool sayCheckpointing(Outline &outline);
/// A name of OptimizerNames; `muon`: the tool has an optimizer of that name.
void writeTrainerOptimizer(Outline &outline, YamlText &yaml, std::string_view key, bool muon);
/// A value of attn_implementation.
[[nodiscard]] std::string_view sayAttention(Outline &outline);
/// Whether torch_compile is on.
[[nodiscard]] bool sayCompiled(Outline &outline);

/// DeepSpeed's settings under `deepspeed`; what the Trainer knows by itself is "auto" there.
void writeDeepSpeed(Outline &outline, YamlText &yaml);
/// What stands within FSDP's settings, in whose spelling tools differ.
struct FsdpWords
{
    std::string_view version{}; ///< empty: it stands elsewhere
    std::string_view offload{};
    std::string_view prefix{}; ///< of the other keys
    bool limitsAllGathers = true;
    bool replicates = false; ///< another place says how often shards are replicated
};
void writeFsdp(Outline &outline, YamlText &yaml, const FsdpWords &words);

/// What transformers' TrainingArguments, TRL's SFTConfig and LLaMA-Factory's arguments share: the
/// batch, precision, sharding and torch_compile. `pure` as above.
void writeTrainingArguments(Outline &outline, YamlText &yaml, bool pure);
/// That the loss is transformers' own; a note where the plan has another.
void sayOwnLoss(Outline &outline);

/// The target_modules of the plan's adapters; nothing, with a note, where they are not known.
[[nodiscard]] std::optional<TextList> sayTargets(Outline &outline);
/// Rank and dropout of the plan's adapters, under these keys.
void writeAdapters(Outline &outline, YamlText &yaml, std::string_view rank,
                   std::string_view dropout);

} // namespace vramscope
