// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint_files.h"
#include "core/exchange/import.h"

namespace vramscope {

/// A local checkpoint (isCheckpointPath()) as a plan that serves it: the config.json beside the
/// files as the model, the table of their tensors as its weights. An index alone changes nothing
/// and says why. A GGUF model is served by llama.cpp, its layers by its own keys.
[[nodiscard]] Result<Imported> importCheckpoint(const Plan &base,
                                                const std::filesystem::path &path);

} // namespace vramscope
