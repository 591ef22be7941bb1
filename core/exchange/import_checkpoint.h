// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint_files.h"
#include "core/exchange/import.h"

#include <string>

namespace vramscope {

/// A local checkpoint (isCheckpointPath()) as a plan that serves it: the config.json in its folder
/// as the model, the table of its tensors as the weights. An index alone changes nothing, and a
/// note says why. A GGUF model is served by llama.cpp, with layers from its own keys.
[[nodiscard]] Result<Imported> importCheckpoint(const Plan &base,
                                                const std::filesystem::path &path);

/// The config.json that corresponds to a GGUF model's keys and tensors, in transformers' form, for
/// the architectures whose layers are counted (names of llama.cpp, src/llama-arch.cpp). An error
/// says which architecture, or which key of it, cannot be converted.
[[nodiscard]] Result<std::string> ggufConfig(const Checkpoint &checkpoint);

} // namespace vramscope
