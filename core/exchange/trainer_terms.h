// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/translation.h"

// What the files of all that trains with transformers' Trainer share: words of transformers, PEFT,
// accelerate and DeepSpeed.

namespace vramscope {

/// The words of a list, or of a text between blanks or commas.
[[nodiscard]] TextList wordsOf(const ForeignSetting &setting);

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

/// All of such a file where its name is one of axolotl's deepspeed_configs; else as above.
void importAxolotlDeepSpeed(Translation &t, std::string_view path);

} // namespace vramscope
