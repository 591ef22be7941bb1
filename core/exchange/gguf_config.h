// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint_files.h"

#include <string>

namespace vramscope {

/// The config.json that a GGUF model's keys and tensors amount to, as transformers writes it, for
/// the architectures whose layers are counted (names of llama.cpp, src/llama-arch.cpp). An error
/// says which architecture, or which key of it, does not carry over.
[[nodiscard]] Result<std::string> ggufConfig(const Checkpoint &checkpoint);

} // namespace vramscope
