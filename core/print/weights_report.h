// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint_files.h"
#include "core/trace/redaction.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace vramscope {

/// What a GGUF model's keys say of it, as rows of a name and a text: architecture, name, layers,
/// context, heads, experts, window, vocabulary; what is not stated is left out. Empty of
/// safetensors.
[[nodiscard]] std::vector<std::pair<std::string, std::string>>
modelFacts(const Checkpoint &checkpoint);

/// "291 tensors, 8,030,261,248 values in 4.58 GiB, 4.89 bits a value".
[[nodiscard]] std::string weightsSummary(const Checkpoint &checkpoint);

/// {"kind","format","valid","files","file_bytes","tensors","elements","bytes","at_least","missing",
/// "by_type":[{"type","tensors","bytes"}],"by_layer":[{"layer","bytes"}],"other_bytes",
/// "findings":[{"refused","text"}]}; of GGUF also "version","endian","alignment","data_offset" and
/// "keys": a value, or {"count","first"} of an array.
[[nodiscard]] nlohmann::ordered_json weightsJson(const Checkpoint &checkpoint);

/// The same for people.
[[nodiscard]] std::string weightsText(const Checkpoint &checkpoint);

/// The names of people and machines in a checkpoint's keys and findings.
void gatherNames(Redaction &names, const Checkpoint &checkpoint);
/// The checkpoint without them, and with the words of programs alone in what a person wrote about
/// the model ("general.name"). Tensors, which no report names one by one, stay.
[[nodiscard]] Checkpoint redacted(const Checkpoint &checkpoint, const Redaction &names);

} // namespace vramscope
