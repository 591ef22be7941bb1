// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/translation.h"
#include "core/planner/settings.h"

// What the files of all that trains with transformers' Trainer share: words of transformers, PEFT,
// accelerate and DeepSpeed.

namespace vramscope {

/// The words of a list, or of a text between blanks or commas.
[[nodiscard]] TextList wordsOf(const ForeignSetting &setting);

/// An optimizer by its name in OptimizerNames of transformers' training_args.py, or in axolotl's
/// CustomSupportedOptimizers (utils/schemas/enums.py).
struct TrainerOptimizer
{
    std::string_view theirs;
    std::string_view ours;
    std::string_view implementation;
    double stateBytes = 0; ///< where they are not those of a plan by default
    bool paged = false;
};

/// The name that is nearest to a plan's optimizer, `muon` saying whether there is one of that name;
/// nullptr where none keeps the same states.
[[nodiscard]] const TrainerOptimizer *trainerOptimizer(const Settings &settings, bool muon);

/// The target_modules of PEFT that hold the plan's targets; nothing where this is not known of the
/// model's class, or modules hold other matrices too.
[[nodiscard]] std::optional<TextList> moduleNames(const Architecture &architecture,
                                                  const TextList &targets);

/// An optimizer of OptimizerNames; the Trainer's own choice where none is stated.
void importTrainerOptimizer(Translation &t, Translation::Keys keys);

/// A value of attn_implementation; a note where it is none that is known.
void importAttention(Translation &t, std::string_view word);

/// The matrices that PEFT's target_modules name.
void importTargets(Translation &t, const TextList &names);

/// Sharding by one of accelerate's words ("full_shard", "SHARD_GRAD_OP"); false where it is none.
bool importSharding(Translation &t, std::string_view word);

/// The stage of ZeRO that the name of a file of DeepSpeed's settings says, with a note to import
/// the file itself.
void importDeepSpeedNamed(Translation &t, std::string_view path);

/// DeepSpeed's settings that stand within others, under keys that begin like that. What the Trainer
/// fills in by itself is left to its own arguments.
void importDeepSpeedWithin(Translation &t, std::string_view prefix);

/// All of such a file where its name is one of axolotl's deepspeed_configs; else as above.
void importAxolotlDeepSpeed(Translation &t, std::string_view path);

} // namespace vramscope
